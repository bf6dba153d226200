//! Where vertical lines cross triangles, without leaks.
//!
//! A line belongs to exactly one of two triangles that share an edge: both evaluate the same
//! expression for the edge, its ends in the same order, so that rounding cannot open a gap between
//! them. A line exactly on an edge counts as on its left.

use parry3d::math::Vector;

use crate::casts::sections::{GroundEdge, GroundLine};

/// A triangle ready for vertical lines; `None` where it stands upright and no line crosses it.
pub(super) struct Scan {
    edges: [Edge; 3],
    corner: [f64; 3],
    /// Rise of its plane per metre along x and along z.
    slope: [f64; 2],
    lowest: f64,
    highest: f64,
    /// Unit normal by winding.
    pub normal: [f32; 3],
    /// Least and greatest z.
    pub rows: [f64; 2],
}

/// The line through two corners seen from above, from the lesser to the greater corner.
#[derive(Clone, Copy)]
struct Edge {
    start: [f64; 2],
    along: [f64; 2],
    /// Whether the triangle is on its left.
    left: bool,
}

impl Edge {
    fn new(from: [f64; 2], to: [f64; 2], left: bool) -> Self {
        let (start, end, left) = if from <= to { (from, to, left) } else { (to, from, !left) };
        Edge { start, along: [end[0] - start[0], end[1] - start[1]], left }
    }

    /// Not less than 0 on its left; the farther from it, the farther from 0.
    fn side(&self, x: f64, z: f64) -> f64 {
        self.along[0] * (z - self.start[1]) - self.along[1] * (x - self.start[0])
    }

    /// As seen from a point on it.
    fn seen_from(&self, [x, z]: [f64; 2]) -> GroundEdge {
        let length_of = |[x, z]: [f64; 2]| (x * x + z * z).sqrt();
        let length = length_of(self.along);
        let before = length_of([x - self.start[0], z - self.start[1]]).min(length);
        GroundEdge {
            reach: [before as f32, (length - before) as f32],
            direction: self.along.map(|v| (v / length) as f32),
        }
    }

    fn has(&self, x: f64, z: f64) -> bool {
        (self.side(x, z) >= 0.0) == self.left
    }

    /// Whether a place is on the triangle's side, or at most `hair` beyond.
    fn nearly_has(&self, x: f64, z: f64, hair: f64) -> bool {
        let [along_x, along_z] = self.along;
        let side = self.side(x, z);
        (side >= 0.0) == self.left
            || side * side <= hair * hair * (along_x * along_x + along_z * along_z)
    }
}

impl Scan {
    pub fn new(corners: &[Vector; 3]) -> Option<Self> {
        let [a, b, c] = corners.map(|v| [f64::from(v.x), f64::from(v.y), f64::from(v.z)]);
        let (ab, ac) = (minus(b, a), minus(c, a));
        let normal = cross(ab, ac);
        if normal[1] == 0.0 {
            return None;
        }
        // Seen from above, z towards the viewer's right of x, upward faces turn clockwise.
        let left = normal[1] < 0.0;
        let flat = |v: [f64; 3]| [v[0], v[2]];
        let edge = |p, q| Edge::new(flat(p), flat(q), left);
        let length = normal.iter().map(|v| v * v).sum::<f64>().sqrt();
        Some(Scan {
            edges: [edge(a, b), edge(b, c), edge(c, a)],
            corner: a,
            slope: [-normal[0] / normal[1], -normal[2] / normal[1]],
            lowest: a[1].min(b[1]).min(c[1]),
            highest: a[1].max(b[1]).max(c[1]),
            normal: normal.map(|v| (v / length) as f32),
            rows: [a[2].min(b[2]).min(c[2]), a[2].max(b[2]).max(c[2])],
        })
    }

    /// Whether the line at (x, z) crosses the triangle.
    pub fn has(&self, x: f64, z: f64) -> bool {
        self.edges.iter().all(|edge| edge.has(x, z))
    }

    /// Whether the line at (x, z) crosses the triangle or passes its edges by a hair [m].
    pub fn nearly_has(&self, x: f64, z: f64, hair: f64) -> bool {
        self.edges.iter().all(|edge| edge.nearly_has(x, z, hair))
    }

    /// The part of a line on the ground that is over or under the triangle: as fractions of the
    /// line, with the triangle's heights there, and the edge over which the line leaves.
    pub fn under(&self, line: &GroundLine) -> Option<([f32; 2], [f32; 2], Option<GroundEdge>)> {
        let [from, to] = line.ends.map(|end| end.map(f64::from));
        let (mut start, mut end, mut exit) = (0.0f64, 1.0f64, None);
        for edge in &self.edges {
            let sides = [from, to].map(|[x, z]| edge.side(x, z));
            let crossing = sides[0] / (sides[0] - sides[1]);
            match sides.map(|side| (side >= 0.0) == edge.left) {
                [true, true] => {}
                [false, false] => return None,
                [true, false] if crossing < end => (end, exit) = (crossing, Some(edge)),
                [true, false] => {}
                [false, true] => start = start.max(crossing),
            }
        }
        let at = |along: f64| [0, 1].map(|i| from[i] + (to[i] - from[i]) * along);
        let height = |along: f64| {
            let [x, z] = at(along);
            self.height(x, z)
        };
        let edge = exit.map(|edge| edge.seen_from(at(end)));
        (start <= end).then(|| ([start, end].map(|v| v as f32), [height(start), height(end)], edge))
    }

    /// The height at which the line at (x, z) crosses the triangle's plane, kept between its
    /// lowest and highest corner.
    pub fn height(&self, x: f64, z: f64) -> f32 {
        let rise = self.slope[0] * (x - self.corner[0]) + self.slope[1] * (z - self.corner[2]);
        (self.corner[1] + rise).clamp(self.lowest, self.highest) as f32
    }

    /// About where a line along x at `z` enters and leaves the triangle; too wide rather than too
    /// narrow by rounding only.
    pub fn span_of_row(&self, z: f64) -> [f64; 2] {
        let mut span = [f64::NEG_INFINITY, f64::INFINITY];
        for edge in &self.edges {
            if edge.along[1] == 0.0 {
                continue;
            }
            let x = edge.start[0] + edge.along[0] * ((z - edge.start[1]) / edge.along[1]);
            // Left of an edge towards greater z means lesser x.
            if (edge.along[1] > 0.0) == edge.left {
                span[1] = span[1].min(x);
            } else {
                span[0] = span[0].max(x);
            }
        }
        span
    }
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
