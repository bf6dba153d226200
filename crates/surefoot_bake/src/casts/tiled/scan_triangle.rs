//! Vertical lines through triangles, scan converted without cracks.
//!
//! A line belongs to exactly one of two triangles that share an edge: both evaluate the same edge
//! function, its ends in the same order, so that rounding cannot open a gap between them. A line
//! exactly on an edge counts as on its left.
//! Based on: Pineda, "A parallel algorithm for polygon rasterization", 1988.

use parry3d::math::Vector;

use crate::casts::sections::{GroundEdge, GroundLine};

/// A triangle that is ready for vertical lines.
pub(super) struct ScanTriangle {
    edges: [EdgeFunction; 3],
    corner: [f64; 3],
    /// Rise of its plane per metre along x and along z.
    slope: [f64; 2],
    lowest: f64,
    highest: f64,
    /// Unit normal by winding.
    pub normal: [f32; 3],
    /// Least and greatest z [m].
    pub extent_z: [f64; 2],
}

/// The line through two corners seen from above, from the lesser to the greater corner.
#[derive(Clone, Copy)]
struct EdgeFunction {
    start: [f64; 2],
    along: [f64; 2],
    /// Whether the triangle is on its left.
    left: bool,
}

impl EdgeFunction {
    fn new(from: [f64; 2], to: [f64; 2], left: bool) -> Self {
        let (start, end, left) = if from <= to { (from, to, left) } else { (to, from, !left) };
        EdgeFunction { start, along: [end[0] - start[0], end[1] - start[1]], left }
    }

    /// Returns twice the signed area between the edge and a point, at least 0 on its left.
    fn value(&self, x: f64, z: f64) -> f64 {
        self.along[0] * (z - self.start[1]) - self.along[1] * (x - self.start[0])
    }

    /// Returns the edge as seen from a point on it.
    fn seen_from(&self, [x, z]: [f64; 2]) -> GroundEdge {
        let length_of = |[x, z]: [f64; 2]| (x * x + z * z).sqrt();
        let length = length_of(self.along);
        let before = length_of([x - self.start[0], z - self.start[1]]).min(length);
        GroundEdge {
            reach: [before as f32, (length - before) as f32],
            direction: self.along.map(|v| (v / length) as f32),
        }
    }

    fn contains(&self, x: f64, z: f64) -> bool {
        (self.value(x, z) >= 0.0) == self.left
    }

    /// Returns whether a point is on the triangle's side, or at most `tolerance` beyond [m].
    fn nearly_contains(&self, x: f64, z: f64, tolerance: f64) -> bool {
        let [along_x, along_z] = self.along;
        let value = self.value(x, z);
        (value >= 0.0) == self.left
            || value * value <= tolerance * tolerance * (along_x * along_x + along_z * along_z)
    }
}

impl ScanTriangle {
    /// Returns `None` for a vertical triangle: no line crosses it.
    pub fn new(corners: &[Vector; 3]) -> Option<Self> {
        let [a, b, c] = corners.map(|v| [f64::from(v.x), f64::from(v.y), f64::from(v.z)]);
        let (ab, ac) = (minus(b, a), minus(c, a));
        let normal = cross(ab, ac);
        if normal[1] == 0.0 {
            return None;
        }
        // In x and z as right and up, counterclockwise faces that look up turn clockwise.
        let left = normal[1] < 0.0;
        let flat = |v: [f64; 3]| [v[0], v[2]];
        let edge = |p, q| EdgeFunction::new(flat(p), flat(q), left);
        let length = normal.iter().map(|v| v * v).sum::<f64>().sqrt();
        Some(ScanTriangle {
            edges: [edge(a, b), edge(b, c), edge(c, a)],
            corner: a,
            slope: [-normal[0] / normal[1], -normal[2] / normal[1]],
            lowest: a[1].min(b[1]).min(c[1]),
            highest: a[1].max(b[1]).max(c[1]),
            normal: normal.map(|v| (v / length) as f32),
            extent_z: [a[2].min(b[2]).min(c[2]), a[2].max(b[2]).max(c[2])],
        })
    }

    /// Returns whether the line at (x, z) crosses the triangle.
    pub fn contains(&self, x: f64, z: f64) -> bool {
        self.edges.iter().all(|edge| edge.contains(x, z))
    }

    /// Returns whether the line at (x, z) crosses the triangle, or misses it by at most `tolerance`
    /// [m].
    pub fn nearly_contains(&self, x: f64, z: f64, tolerance: f64) -> bool {
        self.edges.iter().all(|edge| edge.nearly_contains(x, z, tolerance))
    }

    /// Clips a line on the ground to where it is over or under the triangle.
    pub fn clip(&self, line: &GroundLine) -> Option<ClippedLine> {
        let [from, to] = line.ends.map(|end| end.map(f64::from));
        let (mut start, mut end, mut exit) = (0.0f64, 1.0f64, None);
        for edge in &self.edges {
            let values = [from, to].map(|[x, z]| edge.value(x, z));
            let crossing = values[0] / (values[0] - values[1]);
            match values.map(|value| (value >= 0.0) == edge.left) {
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
        let along = [start, end].map(|v| v as f32);
        (start <= end).then(|| ClippedLine { along, y: [height(start), height(end)], edge })
    }

    /// Returns the height at which the line at (x, z) crosses the triangle's plane, clamped to its
    /// corners' heights: the plane of a steep sliver is rounding beyond them.
    pub fn height(&self, x: f64, z: f64) -> f32 {
        let rise = self.slope[0] * (x - self.corner[0]) + self.slope[1] * (z - self.corner[2]);
        (self.corner[1] + rise).clamp(self.lowest, self.highest) as f32
    }

    /// Returns about where the row at `z` enters and leaves the triangle [m]; exact but for
    /// rounding.
    pub fn row_extent(&self, z: f64) -> [f64; 2] {
        let mut extent = [f64::NEG_INFINITY, f64::INFINITY];
        for edge in &self.edges {
            if edge.along[1] == 0.0 {
                continue;
            }
            let x = edge.start[0] + edge.along[0] * ((z - edge.start[1]) / edge.along[1]);
            // Left of an edge towards greater z means lesser x.
            if (edge.along[1] > 0.0) == edge.left {
                extent[1] = extent[1].min(x);
            } else {
                extent[0] = extent[0].max(x);
            }
        }
        extent
    }
}

/// The part of a line on the ground that is over or under a triangle.
pub(super) struct ClippedLine {
    /// Its start and end, as fractions of the line.
    pub along: [f32; 2],
    /// The triangle's heights there [m].
    pub y: [f32; 2],
    /// The edge over which the line leaves the triangle.
    pub edge: Option<GroundEdge>,
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
