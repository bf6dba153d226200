//! Distance from the axis of a capsule to triangles, four at a time.
//!
//! The axis of a standing capsule is vertical, which makes this much simpler than the general case
//! of a segment and a triangle: the nearest point of a triangle is on one of its edges, or on its
//! face next to where the axis comes nearest to the face's plane. Written without branches, so
//! that four triangles take hardly longer than one.

use std::ops::{Add, Mul, Sub};

use parry3d::glamx::{BVec4A, Vec4};
use parry3d::math::Vector;

/// A vertical segment at a place: the axis of a capsule. Heights in the world, `low <= high` [m].
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    pub x: f32,
    pub z: f32,
    pub low: f32,
    pub high: f32,
}

/// Triangles compared at a time.
pub const LANES: usize = 4;

/// Four vectors, one a lane.
#[derive(Clone, Copy, Debug)]
pub struct FourVectors {
    x: Vec4,
    y: Vec4,
    z: Vec4,
}

/// The shortest vectors from four triangles to the axis; zero where they meet.
pub fn from_triangles(axis: &Axis, triangles: [&[Vector; 3]; LANES]) -> FourVectors {
    // Relative to the axis's foot, which keeps small distances exact far from the origin.
    let foot = FourVectors::splat(Vector::new(axis.x, axis.low, axis.z));
    let [a, b, c] = [0, 1, 2].map(|i| FourVectors::new(triangles.map(|corners| corners[i])) - foot);
    let length = Vec4::splat(axis.high - axis.low);
    let edges = [(a, b), (b, c), (c, a)].map(|(from, to)| from_edges(length, from, to));
    let (face, has_face) = from_faces(length, [a, b, c]);
    let on_edge = edges[0].nearer(edges[1]).nearer(edges[2]);
    let is_nearer = has_face & face.square().cmplt(on_edge.square());
    FourVectors::select(is_nearer, face, on_edge)
}

/// The shortest vectors from edges to the axis, which stands on the origin.
///
/// The point of the edge that is nearest in plan lies beside the axis, above it or below it: that
/// settles which point of the axis is the nearest, and the nearest point of the edge is the one
/// nearest to that.
fn from_edges(length: Vec4, from: FourVectors, to: FourVectors) -> FourVectors {
    let along = to - from;
    let flat = along.x * along.x + along.z * along.z;
    // On an upright edge every point is as near in plan; the quotient is cut to the edge's start.
    let beside = fraction(-(from.x * along.x + from.z * along.z), flat);
    let height = (from.y + along.y * beside).max(Vec4::ZERO).min(length);
    let on_axis = FourVectors { x: Vec4::ZERO, y: height, z: Vec4::ZERO };
    let nearest = fraction((on_axis - from).dot(along), along.square());
    on_axis - (from + along * nearest)
}

/// A quotient cut to 0..=1; 0 where there is none.
fn fraction(dividend: Vec4, divisor: Vec4) -> Vec4 {
    (dividend / divisor.max(Vec4::splat(f32::MIN_POSITIVE))).max(Vec4::ZERO).min(Vec4::ONE)
}

/// The vectors from the faces of triangles to the point of the axis nearest to their planes; and
/// which of them start on a face.
fn from_faces(length: Vec4, [a, b, c]: [FourVectors; 3]) -> (FourVectors, BVec4A) {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let normal = bc.cross(ca);
    let square = normal.square();
    let longest = ab.square().max(bc.square()).max(ca.square());
    let has_face = square.cmpgt(longest * Vec4::splat(THIN * THIN));
    // Where the axis meets the plane, else the end on the plane's side.
    let (foot_over, rise) = (-a.dot(normal), normal.y * length);
    let meets = fraction(-foot_over * rise.signum(), rise.abs());
    let point = FourVectors { x: Vec4::ZERO, y: length * meets, z: Vec4::ZERO };
    let left_of = |corner: FourVectors, edge: FourVectors| {
        edge.cross(point - corner).dot(normal).cmpge(Vec4::ZERO)
    };
    let inside = left_of(a, ab) & left_of(b, bc) & left_of(c, ca);
    let over = (foot_over + rise * meets) / square.max(Vec4::splat(f32::MIN_POSITIVE));
    (normal * over, has_face & inside)
}

/// A triangle thinner than this has no face to speak of: its edges are as near [m]. The normal of
/// a thinner one is rounding, and points anywhere.
const THIN: f32 = 1e-4;

/// Across the face, twice its area long; `None` for a thin triangle.
pub fn face_normal(a: Vector, b: Vector, c: Vector) -> Option<Vector> {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let longest = ab.length_squared().max(ac.length_squared()).max((c - b).length_squared());
    (normal.length_squared() > longest * THIN * THIN).then_some(normal)
}

impl FourVectors {
    /// Of one vector for each lane.
    pub fn new([a, b, c, d]: [Vector; LANES]) -> Self {
        FourVectors {
            x: Vec4::new(a.x, b.x, c.x, d.x),
            y: Vec4::new(a.y, b.y, c.y, d.y),
            z: Vec4::new(a.z, b.z, c.z, d.z),
        }
    }

    fn splat(vector: Vector) -> Self {
        FourVectors { x: Vec4::splat(vector.x), y: Vec4::splat(vector.y), z: Vec4::splat(vector.z) }
    }

    /// The vector in a lane.
    pub fn lane(&self, lane: usize) -> Vector {
        Vector::new(self.x[lane], self.y[lane], self.z[lane])
    }

    /// The lengths of all four.
    pub fn lengths(&self) -> [f32; LANES] {
        self.square().map(f32::sqrt).to_array()
    }

    fn dot(self, other: Self) -> Vec4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    fn square(self) -> Vec4 {
        self.dot(self)
    }

    fn cross(self, other: Self) -> Self {
        FourVectors {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// In each lane the shorter vector.
    fn nearer(self, other: Self) -> Self {
        FourVectors::select(other.square().cmplt(self.square()), other, self)
    }

    fn select(mask: BVec4A, yes: Self, no: Self) -> Self {
        FourVectors {
            x: Vec4::select(mask, yes.x, no.x),
            y: Vec4::select(mask, yes.y, no.y),
            z: Vec4::select(mask, yes.z, no.z),
        }
    }
}

impl Add for FourVectors {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        FourVectors { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for FourVectors {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        FourVectors { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Mul<Vec4> for FourVectors {
    type Output = Self;

    fn mul(self, by: Vec4) -> Self {
        FourVectors { x: self.x * by, y: self.y * by, z: self.z * by }
    }
}
