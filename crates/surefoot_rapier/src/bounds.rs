//! Axis-aligned boxes, rectangles on the ground and planes of triangles: cheap lower bounds on
//! distances.

use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;

use super::segment_triangle::face_normal;
use super::wide_distance::{MAX_EDGE, is_large};

/// How far a place may be off by rounding, as a fraction of its greatest coordinate: a few roundings.
pub(crate) const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// An axis-aligned box: least and greatest corner [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least x, y and z [m].
    pub min: Vector,
    /// The greatest x, y and z [m].
    pub max: Vector,
}

impl Bounds {
    /// Returns the box around a triangle.
    #[inline]
    pub fn of_triangle([a, b, c]: &[Vector; 3]) -> Self {
        Bounds { min: a.min(*b).min(*c), max: a.max(*b).max(*c) }
    }

    /// Returns the squared distance between two boxes [m²]; 0 if they overlap.
    #[inline]
    pub fn distance_squared(&self, other: &Bounds) -> f32 {
        (self.min - other.max).max(other.min - self.max).max(Vector::ZERO).length_squared()
    }

    /// Returns whether what fills the box is too large for measuring in 32-bit numbers.
    #[inline]
    pub fn is_large(&self) -> bool {
        (self.max - self.min).max_element() > MAX_EDGE
    }

    /// Returns the box grown by `by` on every side [m].
    #[inline]
    pub fn grown(&self, by: f32) -> Bounds {
        Bounds { min: self.min - by, max: self.max + by }
    }

    /// Returns the rectangle on the ground below the box.
    #[inline]
    pub fn ground_rect(&self) -> GroundRect {
        GroundRect { min: [self.min.x, self.min.z], max: [self.max.x, self.max.z] }
    }
}

impl From<Aabb> for Bounds {
    #[inline]
    fn from(aabb: Aabb) -> Self {
        Bounds { min: aabb.mins, max: aabb.maxs }
    }
}

/// The plane of a triangle. A degenerate triangle has none, and neither has one that is too large for heights
/// in 32-bit numbers: every point counts as on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// The unit normal, or zero if there is no plane.
    pub normal: Vector,
    /// A point on the plane: heights are measured from close by, which keeps them exact far from
    /// the origin.
    point: Vector,
}

impl Plane {
    /// No plane: every point counts as on it.
    pub const NONE: Plane = Plane { normal: Vector::ZERO, point: Vector::ZERO };

    /// Returns the plane of a triangle.
    #[inline]
    pub fn of_triangle(corners: &[Vector; 3]) -> Self {
        if is_large(corners) {
            return Plane::NONE;
        }
        let [a, b, c] = corners;
        let normal = face_normal(*a, *b, *c).map_or(Vector::ZERO, |normal| normal.normalize());
        Plane { normal, point: *a }
    }

    /// Returns the signed distance of a point along the normal [m].
    #[inline]
    pub fn height_of(&self, point: Vector) -> f32 {
        self.normal.dot(point - self.point)
    }
}

/// A rectangle on the ground: least and greatest x and z, both included [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundRect {
    /// The least x and z [m].
    pub min: [f32; 2],
    /// The greatest x and z [m].
    pub max: [f32; 2],
}

impl GroundRect {
    /// Returns whether the two have a point in common.
    #[inline]
    pub fn intersects(&self, other: &GroundRect) -> bool {
        self.min[0] <= other.max[0]
            && self.max[0] >= other.min[0]
            && self.min[1] <= other.max[1]
            && self.max[1] >= other.min[1]
    }

    /// Returns how far a place in it may be off by rounding [m].
    #[inline]
    pub fn rounding(&self) -> f32 {
        let coordinates = [self.min, self.max];
        ROUNDING * coordinates.as_flattened().iter().fold(0.0, |far: f32, v| far.max(v.abs()))
    }

    /// Returns the rectangle grown by `by` on every side [m].
    #[inline]
    pub fn grown(&self, by: f32) -> GroundRect {
        GroundRect { min: self.min.map(|v| v - by), max: self.max.map(|v| v + by) }
    }
}
