//! Distance from a vertical segment to triangles: a SIMD kernel for four triangles at a time.
//!
//! The axis of a standing capsule is vertical, which makes this much simpler than the general case
//! of a segment and a triangle: the nearest point of a triangle is on one of its edges, or on its
//! face next to where the axis comes nearest to the face's plane. The kernel has no branches, so
//! four triangles take hardly longer than one.
//! Based on: Ericson, "Real-Time Collision Detection", 2005, sections 5.1.9 and 5.1.10.

use std::ops::{Add, Mul, Sub};

use parry3d::glamx::{BVec4A, Vec4};
use parry3d::math::Vector;

use super::wide_distance::MAX_EDGE;

/// The axis of a standing capsule, in the world [m].
#[derive(Clone, Copy, Debug)]
pub(crate) struct VerticalSegment {
    pub x: f32,
    pub z: f32,
    /// Its lower end.
    pub low: f32,
    /// Its upper end, `>= low`.
    pub high: f32,
}

/// Number of obstacles that are compared at a time.
pub const LANES: usize = 4;

/// Four vectors, one in each lane, coordinate by coordinate.
#[derive(Clone, Copy, Debug)]
pub struct Vec3x4 {
    x: Vec4,
    y: Vec4,
    z: Vec4,
}

/// The shortest vectors from four triangles to an axis.
pub(crate) struct Separations {
    /// Zero where they meet.
    pub vectors: Vec3x4,
    /// A bit for each triangle that is too large for 32-bit numbers: its vector is not exact.
    pub large: u32,
}

/// Returns the shortest vectors from four triangles to the axis.
pub(crate) fn separations(axis: &VerticalSegment, triangles: [&[Vector; 3]; LANES]) -> Separations {
    // Relative to the axis's foot, which keeps small distances exact far from the origin.
    let foot = Vec3x4::splat(Vector::new(axis.x, axis.low, axis.z));
    let [a, b, c] = [0, 1, 2].map(|i| Vec3x4::new(triangles.map(|corners| corners[i])) - foot);
    let length = Vec4::splat(axis.high - axis.low);
    let edges = [(a, b), (b, c), (c, a)].map(|(from, to)| separations_from_edges(length, from, to));
    let FaceSeparations { vectors: face, has_face, longest } =
        separations_from_planes(length, [a, b, c]);
    let on_edge = edges[0].shorter(edges[1]).shorter(edges[2]);
    let is_nearer = has_face & face.square().cmplt(on_edge.square());
    let large = longest.cmpgt(Vec4::splat(MAX_EDGE * MAX_EDGE)).bitmask();
    Separations { vectors: Vec3x4::select(is_nearer, face, on_edge), large }
}

/// The vectors from the planes of four triangles to the point of the axis nearest to them.
struct FaceSeparations {
    vectors: Vec3x4,
    /// Which of them start inside the triangle.
    has_face: BVec4A,
    /// The squares of the triangles' longest edges [m²].
    longest: Vec4,
}

/// Returns the shortest vectors from edges to the axis, which stands on the origin.
///
/// The point of the edge that is nearest as seen from above lies beside the axis, above it or below
/// it. That determines the nearest point of the axis, and the nearest point of the edge is the one
/// nearest to that.
fn separations_from_edges(length: Vec4, from: Vec3x4, to: Vec3x4) -> Vec3x4 {
    let along = to - from;
    let flat = along.x * along.x + along.z * along.z;
    // On a vertical edge every point is as near as seen from above: 0 / 0 becomes the edge's start.
    let beside = fraction(-(from.x * along.x + from.z * along.z), flat);
    let height = (from.y + along.y * beside).max(Vec4::ZERO).min(length);
    let on_axis = Vec3x4 { x: Vec4::ZERO, y: height, z: Vec4::ZERO };
    let nearest = fraction((on_axis - from).dot(along), along.square());
    on_axis - (from + along * nearest)
}

/// Returns a quotient clamped to 0..=1; 0 where the divisor is 0.
fn fraction(dividend: Vec4, divisor: Vec4) -> Vec4 {
    (dividend / divisor.max(Vec4::splat(f32::MIN_POSITIVE))).max(Vec4::ZERO).min(Vec4::ONE)
}

/// Returns the vectors from the planes of triangles to the axis, which stands on the origin.
fn separations_from_planes(length: Vec4, [a, b, c]: [Vec3x4; 3]) -> FaceSeparations {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let normal = bc.cross(ca);
    let square = normal.square();
    let longest = ab.square().max(bc.square()).max(ca.square());
    let has_face = square.cmpgt(longest * Vec4::splat(MIN_ASPECT * MIN_ASPECT));
    // Where the axis crosses the plane, else the end nearer to the plane.
    let (foot_over, rise) = (-a.dot(normal), normal.y * length);
    let meets = fraction(-foot_over * rise.signum(), rise.abs());
    let point = Vec3x4 { x: Vec4::ZERO, y: length * meets, z: Vec4::ZERO };
    let left_of =
        |corner: Vec3x4, edge: Vec3x4| edge.cross(point - corner).dot(normal).cmpge(Vec4::ZERO);
    let inside = left_of(a, ab) & left_of(b, bc) & left_of(c, ca);
    let over = (foot_over + rise * meets) / square.max(Vec4::splat(f32::MIN_POSITIVE));
    FaceSeparations { vectors: normal * over, has_face: has_face & inside, longest }
}

/// Height over longest side below which a triangle has no usable face. Its edges are as near, and
/// its normal is rounding that points anywhere.
const MIN_ASPECT: f32 = 1e-4;

/// Returns the normal of a triangle, twice its area long; `None` if it is degenerate.
pub(crate) fn face_normal(a: Vector, b: Vector, c: Vector) -> Option<Vector> {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let longest = ab.length_squared().max(ac.length_squared()).max((c - b).length_squared());
    (normal.length_squared() > longest * MIN_ASPECT * MIN_ASPECT).then_some(normal)
}

impl Vec3x4 {
    /// Combines one vector for each lane.
    #[inline]
    pub fn new([a, b, c, d]: [Vector; LANES]) -> Self {
        Vec3x4 {
            x: Vec4::new(a.x, b.x, c.x, d.x),
            y: Vec4::new(a.y, b.y, c.y, d.y),
            z: Vec4::new(a.z, b.z, c.z, d.z),
        }
    }

    fn splat(vector: Vector) -> Self {
        Vec3x4 { x: Vec4::splat(vector.x), y: Vec4::splat(vector.y), z: Vec4::splat(vector.z) }
    }

    /// Returns the vector in a lane `[0..LANES)`.
    #[inline]
    pub fn lane(&self, lane: usize) -> Vector {
        Vector::new(self.x[lane], self.y[lane], self.z[lane])
    }

    /// Returns the lengths of all four.
    #[inline]
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
        Vec3x4 {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// Returns the shorter vector in each lane.
    fn shorter(self, other: Self) -> Self {
        Vec3x4::select(other.square().cmplt(self.square()), other, self)
    }

    fn select(mask: BVec4A, yes: Self, no: Self) -> Self {
        Vec3x4 {
            x: Vec4::select(mask, yes.x, no.x),
            y: Vec4::select(mask, yes.y, no.y),
            z: Vec4::select(mask, yes.z, no.z),
        }
    }
}

impl Add for Vec3x4 {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Vec3x4 { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Vec3x4 {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Vec3x4 { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Mul<Vec4> for Vec3x4 {
    type Output = Self;

    fn mul(self, by: Vec4) -> Self {
        Vec3x4 { x: self.x * by, y: self.y * by, z: self.z * by }
    }
}
