//! Sections: the surfaces over and under a straight line on the ground.

/// A straight segment of a surface over a line on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Where it starts and ends, as fractions of the line: `0 <= from <= to <= 1`.
    pub along: [f32; 2],
    /// Heights at its start and its end; straight between [m].
    pub y: [f32; 2],
    /// The edge at its end, if that is straight and known.
    pub edge: Option<GroundEdge>,
    /// The y of its unit normal by winding.
    pub up: f32,
    /// Index of the solid.
    pub solid: u32,
    /// Index of the triangle in the solid's mesh; 0 for a round primitive.
    pub triangle: u32,
}

/// A straight edge as seen from above, relative to a point on it.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct GroundEdge {
    /// How far it extends against its direction and along it [m, >= 0].
    pub reach: [f32; 2],
    /// Its direction, (x, z), of length 1.
    pub direction: [f32; 2],
}

/// A vertical strip over a straight line on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundLine {
    /// Start and end, (x, z) [m].
    pub ends: [[f32; 2]; 2],
    /// The heights between which surfaces count, lower and upper [m].
    pub heights: [f32; 2],
}

impl GroundLine {
    /// Returns the point (x, z) at a fraction of the line [m].
    pub fn at(&self, along: f32) -> [f32; 2] {
        let [from, to] = self.ends;
        [0, 1].map(|i| from[i] + (to[i] - from[i]) * along)
    }
}

/// Number of straight sections that stand for a round top.
const ROUND_SECTIONS: usize = 16;
/// Bisections that find the end of a round top, to a thousandth of the line.
const BISECTIONS: usize = 6;

/// Calls back with straight sections of the top of a convex solid over a line: fractions of the
/// line and the heights there. `top` returns its height at a point (x, z).
pub(super) fn convex_top_sections(
    line: &GroundLine,
    top: impl Fn([f32; 2]) -> Option<f32>,
    mut call: impl FnMut([f32; 2], [f32; 2]),
) {
    let top = |along: f32| top(line.at(along));
    let mut last = (0.0, top(0.0));
    for section in 1..=ROUND_SECTIONS {
        let along = section as f32 / ROUND_SECTIONS as f32;
        let next = (along, top(along));
        let (from, to) = match (last, next) {
            ((_, None), (_, None)) => (None, None),
            ((from, None), (to, Some(y))) => (Some(bisect_end([to, from], y, top)), Some((to, y))),
            ((from, Some(y)), (to, None)) => {
                (Some((from, y)), Some(bisect_end([from, to], y, top)))
            }
            ((from, Some(low)), (to, Some(high))) => (Some((from, low)), Some((to, high))),
        };
        if let (Some(from), Some(to)) = (from, to) {
            call([from.0, to.0], [from.1, to.1]);
        }
        last = next;
    }
}

/// Finds where a top ends that is over the first point and not over the second: returns a fraction
/// of the line, and the height there.
fn bisect_end(
    [mut over, mut beyond]: [f32; 2],
    mut height: f32,
    top: impl Fn(f32) -> Option<f32>,
) -> (f32, f32) {
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (over + beyond);
        match top(middle) {
            Some(y) => (over, height) = (middle, y),
            None => beyond = middle,
        }
    }
    (over, height)
}
