//! What distinguishes one grid from another.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use nalgebra::Point3;

use super::parts::GridParts;
use crate::level::LinkLane;

/// Distinguishes grids, by a number or by their contents. Clones of a grid share it.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    number: u64,
    fingerprint: OnceLock<u64>,
}

impl Identity {
    /// The identity of a new grid.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Identity { number, fingerprint: OnceLock::new() }
    }

    pub fn number(&self) -> u64 {
        self.number
    }

    /// The hash of the parts that the grid is made of.
    pub fn fingerprint(&self, parts: &GridParts) -> u64 {
        *self.fingerprint.get_or_init(|| fingerprint(parts))
    }
}

fn fingerprint(parts: &GridParts) -> u64 {
    let mut hasher = DefaultHasher::new();
    let frame = &parts.frame;
    (frame.cell_size.to_bits(), frame.min, frame.size_x, frame.size_z).hash(&mut hasher);
    mixed(&parts.first, |&first| first.into()).hash(&mut hasher);
    mixed(&parts.spans, |span| joined([span.floor.to_bits(), span.ceiling.to_bits()]))
        .hash(&mut hasher);
    mixed(&parts.spans, |span| joined([span.word(2), span.area().0.into()])).hash(&mut hasher);
    for layer in &parts.layers {
        mixed(&layer.standings, |standing| joined([standing.word(0), standing.word(1)]))
            .hash(&mut hasher);
        layer.far_connections.hash(&mut hasher);
    }
    for area in &parts.areas {
        (area.cost.to_bits(), area.forbidden).hash(&mut hasher);
    }
    for link in &parts.links {
        for end in link.from.iter().chain(&link.to).flat_map(Point3::iter) {
            end.to_bits().hash(&mut hasher);
        }
        (link.id, link.cost.to_bits(), link.kind, link.two_way).hash(&mut hasher);
        (link.capacity, &link.user_data, link.stop).hash(&mut hasher);
        for LinkLane { spans, run_up, apex } in link.lanes.iter().flatten() {
            (spans, [run_up, apex].map(|v| v.to_bits())).hash(&mut hasher);
        }
        link.lanes.iter().for_each(|lanes| lanes.len().hash(&mut hasher));
    }
    hasher.finish()
}

/// Words mixed at a time.
const LANES: usize = 4;
/// 2^64 over the golden ratio: no bit of a product depends on few bits of a word only.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// A hash of long arrays, which a [`Hasher`] takes ten times as long for: each lane multiplies and rotates,
/// so that no two arrays that differ in one word of a lane have the same hash of it.
/// Based on: `FxHasher` of rustc, on several lanes.
fn mixed<T>(items: &[T], word: impl Fn(&T) -> u64) -> ([u64; LANES], usize) {
    let mix = |lane: u64, item: &T| mix(lane, word(item));
    let mut lanes = [0; LANES];
    let (chunks, rest) = items.as_chunks::<LANES>();
    for chunk in chunks {
        lanes = std::array::from_fn(|at| mix(lanes[at], &chunk[at]));
    }
    for (lane, item) in lanes.iter_mut().zip(rest) {
        *lane = mix(*lane, item);
    }
    (lanes, items.len())
}

/// Mixes a word into a lane.
#[inline(always)]
pub(super) fn mix(lane: u64, word: u64) -> u64 {
    (lane ^ word).wrapping_mul(MULTIPLIER).rotate_left(26)
}

/// Two words of 32 bits as one.
#[inline(always)]
pub(super) fn joined([low, high]: [u32; 2]) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

#[cfg(test)]
mod tests {
    use crate::grid::NavGrid;

    #[test]
    fn clones_share_the_number_and_equal_grids_the_fingerprint() {
        let map = |middle| {
            let text = format!("type octile\nheight 1\nwidth 3\nmap\n.{middle}.\n");
            NavGrid::from_map(&text, 1.0, &[]).expect("a map")
        };
        let (one, equal, other) = (map('.'), map('.'), map('@'));
        assert_eq!(one.number(), one.clone().number());
        assert_ne!(one.number(), equal.number());
        assert_eq!(one.fingerprint(), equal.fingerprint());
        assert_ne!(one.fingerprint(), other.fingerprint());
    }
}
