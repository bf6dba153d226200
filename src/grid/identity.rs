//! What tells one grid from another.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{GridParts, NavGrid};

/// Tells grids apart, at once or by what they hold. Copies of a grid share it.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    number: u64,
    fingerprint: OnceLock<u64>,
}

impl Identity {
    /// Of a grid that has just been made.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Identity { number, fingerprint: OnceLock::new() }
    }
}

impl NavGrid {
    /// Names the grid as long as the program runs: no other one shares it, but for copies.
    pub(crate) fn number(&self) -> u64 {
        self.data.identity.number
    }

    /// The same for grids that are alike to whoever walks on them, wherever they came from. O(spans)
    /// when asked for the first time.
    pub(crate) fn fingerprint(&self) -> u64 {
        *self.data.identity.fingerprint.get_or_init(|| fingerprint(&self.data.parts))
    }
}

fn fingerprint(parts: &GridParts) -> u64 {
    let mut hasher = DefaultHasher::new();
    let frame = &parts.frame;
    (frame.cell_size.to_bits(), frame.min, frame.size_x, frame.size_z).hash(&mut hasher);
    parts.first.hash(&mut hasher);
    for span in &parts.spans {
        let normal = span.normal().map(f32::to_bits);
        let heights = [span.floor, span.ceiling].map(f32::to_bits);
        (heights, [normal.x, normal.z], span.area()).hash(&mut hasher);
    }
    for layer in &parts.layers {
        (&layer.standings, &layer.far_connections).hash(&mut hasher);
    }
    for area in &parts.areas {
        (area.cost.to_bits(), area.forbidden).hash(&mut hasher);
    }
    for link in &parts.links {
        let ends = [link.from, link.to].map(|end| [end.x, end.y, end.z].map(f32::to_bits));
        (link.cost.to_bits(), link.kind, link.two_way, ends, &link.ends).hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_the_same_and_likes_are_alike() {
        let map = |middle| {
            let text = format!("type octile\nheight 1\nwidth 3\nmap\n.{middle}.\n");
            NavGrid::from_map(&text, 1.0, &[]).expect("a map")
        };
        let (one, like, other) = (map('.'), map('.'), map('@'));
        assert_eq!(one.number(), one.clone().number());
        assert_ne!(one.number(), like.number());
        assert_eq!(one.fingerprint(), like.fingerprint());
        assert_ne!(one.fingerprint(), other.fingerprint());
    }
}
