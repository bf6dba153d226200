//! Distance from the axis of a capsule to a triangle.
//!
//! The axis of a standing capsule is vertical, which makes this much simpler than the general case
//! of a segment and a triangle. Based on: Christer Ericson, Real-Time Collision Detection, 2005,
//! section 5.1, for the closest point on a triangle.

use parry3d::math::Vector;

/// A vertical segment at a place: the axis of a capsule. Heights in the world, `low <= high` [m].
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub x: f32,
    pub z: f32,
    pub low: f32,
    pub high: f32,
}

impl Axis {
    /// The axis moved by a vector.
    pub fn moved(&self, by: Vector) -> Axis {
        Axis { x: self.x + by.x, z: self.z + by.z, low: self.low + by.y, high: self.high + by.y }
    }

    fn at(&self, y: f32) -> Vector {
        Vector::new(self.x, y, self.z)
    }
}

/// The shortest vector from a triangle to the axis; zero where they meet.
pub(super) fn from_triangle(axis: &Axis, [a, b, c]: &[Vector; 3]) -> Vector {
    let lowest = a.y.min(b.y).min(c.y);
    let highest = a.y.max(b.y).max(c.y);
    if highest <= axis.low {
        return from_point(axis.at(axis.low), [*a, *b, *c]);
    }
    if lowest >= axis.high {
        return from_point(axis.at(axis.high), [*a, *b, *c]);
    }
    let corners = [a, b, c].map(|v| *v - axis.at(0.0));
    if pierces(axis, &corners) {
        return Vector::ZERO;
    }
    let [a, b, c] = corners;
    let mut best = from_edge(axis, a, b);
    best = nearer(best, from_edge(axis, b, c));
    best = nearer(best, from_edge(axis, c, a));
    for end in [axis.low, axis.high] {
        if let Some(way) = from_face(Vector::new(0.0, end, 0.0), &corners) {
            best = nearer(best, way);
        }
    }
    best
}

/// Whether the axis, at x = z = 0, goes through the triangle.
fn pierces(axis: &Axis, [a, b, c]: &[Vector; 3]) -> bool {
    let area = |p: &Vector, q: &Vector| p.x * q.z - p.z * q.x;
    let (u, v, w) = (area(b, c), area(c, a), area(a, b));
    let total = u + v + w;
    let same_side = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
    if !same_side || total == 0.0 {
        return false;
    }
    let y = (u * a.y + v * b.y + w * c.y) / total;
    (axis.low..=axis.high).contains(&y)
}

/// The shortest vector from an edge to the axis, which is at x = z = 0.
///
/// The squared distance along the edge is convex: where the point nearest in plan lies beside the
/// axis it is the nearest; else the point nearest to that end of the axis is.
fn from_edge(axis: &Axis, from: Vector, to: Vector) -> Vector {
    let along = to - from;
    let flat = along.x * along.x + along.z * along.z;
    let nearest = if flat > 0.0 {
        -(from.x * along.x + from.z * along.z) / flat
    } else if along.y != 0.0 {
        (from.y.clamp(axis.low, axis.high) - from.y) / along.y
    } else {
        0.0
    };
    let beside = from + along * nearest.clamp(0.0, 1.0);
    let y = beside.y.clamp(axis.low, axis.high);
    if y == beside.y {
        return Vector::new(-beside.x, 0.0, -beside.z);
    }
    let end = Vector::new(0.0, y, 0.0);
    let t = (end - from).dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
    end - (from + along * t.clamp(0.0, 1.0))
}

/// The vector from the triangle's face to a point, where the point is over or under the face.
fn from_face(point: Vector, [a, b, c]: &[Vector; 3]) -> Option<Vector> {
    let normal = face_normal(*a, *b, *c)?;
    let inside = |p: &Vector, q: &Vector| (*q - *p).cross(point - *p).dot(normal) >= 0.0;
    let over = inside(a, b) && inside(b, c) && inside(c, a);
    over.then(|| normal * ((point - *a).dot(normal) / normal.length_squared()))
}

/// A triangle thinner than this has no face to speak of: its edges are as near [m]. The normal of
/// a thinner one is rounding, and points anywhere.
const THIN: f32 = 1e-4;

/// Across the face, twice its area long; `None` for a thin triangle.
pub(super) fn face_normal(a: Vector, b: Vector, c: Vector) -> Option<Vector> {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let longest = ab.length_squared().max(ac.length_squared()).max((c - b).length_squared());
    (normal.length_squared() > longest * THIN * THIN).then_some(normal)
}

/// The shortest vector from a triangle to a point.
fn from_point(point: Vector, corners: [Vector; 3]) -> Vector {
    let [a, b, c] = corners.map(|v| v - point);
    let Some(normal) = face_normal(a, b, c) else {
        let edges = [(a, b), (b, c), (c, a)].map(|(from, to)| from_line(from, to));
        return edges.into_iter().fold(edges[0], |best, way| nearer(best, way));
    };
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return -a;
    }
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    if d3 >= 0.0 && d4 <= d3 {
        return -b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return -(a + ab * (d1 / (d1 - d3)));
    }
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    if d6 >= 0.0 && d5 <= d6 {
        return -c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return -(a + ac * (d2 / (d2 - d6)));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return -(b + (c - b) * t);
    }
    -normal * (a.dot(normal) / normal.length_squared())
}

/// The shortest vector from a line between two points to the origin.
fn from_line(from: Vector, to: Vector) -> Vector {
    let along = to - from;
    let t = -from.dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
    -(from + along * t.clamp(0.0, 1.0))
}

fn nearer(a: Vector, b: Vector) -> Vector {
    if b.length_squared() < a.length_squared() { b } else { a }
}
