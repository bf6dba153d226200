//! What lies over and under a straight line on the ground: the answer of a caster to "how far does
//! this surface go?".

/// A stretch of a surface over a line on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Where it starts and ends, as fractions of the line: `0 <= from <= to <= 1`.
    pub along: [f32; 2],
    /// Heights at its start and its end; straight between [m].
    pub y: [f32; 2],
    /// The edge at its end, where that is straight and known.
    pub edge: Option<GroundEdge>,
    /// Upward part of its unit normal by winding.
    pub up: f32,
    /// Index of the solid.
    pub solid: u32,
    /// Index of the triangle in the solid's mesh; 0 for a round primitive.
    pub triangle: u32,
}

/// A straight edge seen from above, from a point on it.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct GroundEdge {
    /// How far it goes on against its direction and along it [m, >= 0].
    pub reach: [f32; 2],
    /// Its direction, (x, z), of length 1.
    pub direction: [f32; 2],
}

/// A line on the ground: (x, z) of its start and its end, and what part of it matters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundLine {
    /// Start and end, (x, z) [m].
    pub ends: [[f32; 2]; 2],
    /// Surfaces between these heights count, lower and upper [m].
    pub heights: [f32; 2],
}

impl GroundLine {
    /// The place at a fraction of the line.
    pub fn at(&self, along: f32) -> [f32; 2] {
        let [from, to] = self.ends;
        [0, 1].map(|i| from[i] + (to[i] - from[i]) * along)
    }
}

/// Parts of a line between which a round top counts as straight.
const PARTS: usize = 16;
/// Halvings that find where a round top ends, after which it is known to a thousandth of the line.
const HALVINGS: usize = 6;

/// Calls back with straight sections for the top of a convex thing over a line: what part of the line
/// and the heights there. `top` tells its height at a place.
pub(super) fn round_sections(
    line: &GroundLine,
    top: impl Fn([f32; 2]) -> Option<f32>,
    mut call: impl FnMut([f32; 2], [f32; 2]),
) {
    let top = |along: f32| top(line.at(along));
    let mut last = (0.0, top(0.0));
    for part in 1..=PARTS {
        let along = part as f32 / PARTS as f32;
        let next = (along, top(along));
        let (from, to) = match (last, next) {
            ((_, None), (_, None)) => (None, None),
            ((from, None), (to, Some(y))) => (Some(rim([to, from], y, top)), Some((to, y))),
            ((from, Some(y)), (to, None)) => (Some((from, y)), Some(rim([from, to], y, top))),
            ((from, Some(low)), (to, Some(high))) => (Some((from, low)), Some((to, high))),
        };
        if let (Some(from), Some(to)) = (from, to) {
            call([from.0, to.0], [from.1, to.1]);
        }
        last = next;
    }
}

/// Where a top that is over the first place and not over the second ends, and its height there.
fn rim(
    [mut over, mut beyond]: [f32; 2],
    mut height: f32,
    top: impl Fn(f32) -> Option<f32>,
) -> (f32, f32) {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (over + beyond);
        match top(middle) {
            Some(y) => (over, height) = (middle, y),
            None => beyond = middle,
        }
    }
    (over, height)
}
