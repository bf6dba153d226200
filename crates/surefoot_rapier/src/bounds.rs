//! Boxes and rectangles round things, and how far apart they are.

use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;

use super::distance::face_normal;

/// A box: least and greatest corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub min: Vector,
    pub max: Vector,
}

impl Bounds {
    /// The box round three corners.
    pub fn of_triangle([a, b, c]: &[Vector; 3]) -> Self {
        Bounds { min: a.min(*b).min(*c), max: a.max(*b).max(*c) }
    }

    /// Square of how far apart two boxes are; 0 where they meet.
    #[inline]
    pub fn distance_squared(&self, other: &Bounds) -> f32 {
        (self.min - other.max).max(other.min - self.max).max(Vector::ZERO).length_squared()
    }

    /// The box grown on every side [m].
    pub fn grown(&self, by: f32) -> Bounds {
        Bounds { min: self.min - by, max: self.max + by }
    }

    /// The rectangle below the box.
    pub fn under(&self) -> Rect {
        Rect { min: [self.min.x, self.min.z], max: [self.max.x, self.max.z] }
    }
}

impl From<Aabb> for Bounds {
    fn from(aabb: Aabb) -> Self {
        Bounds { min: aabb.mins, max: aabb.maxs }
    }
}

/// The plane of a triangle; a thin triangle has none, and every point counts as on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit normal, or zero.
    pub normal: Vector,
    /// A point on the plane: heights are measured from near by, which keeps them exact far out.
    point: Vector,
}

impl Plane {
    pub fn of_triangle([a, b, c]: &[Vector; 3]) -> Self {
        let normal = face_normal(*a, *b, *c).map_or(Vector::ZERO, |normal| normal.normalize());
        Plane { normal, point: *a }
    }

    /// How far over the plane a point is.
    #[inline]
    pub fn height_of(&self, point: Vector) -> f32 {
        self.normal.dot(point - self.point)
    }

    /// Every point counts as on it.
    pub const NONE: Plane = Plane { normal: Vector::ZERO, point: Vector::ZERO };
}

/// A rectangle on the ground: least and greatest x and z, inclusive [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub min: [f32; 2],
    pub max: [f32; 2],
}

impl Rect {
    /// Whether the two have a point in common.
    #[inline]
    pub fn meets(&self, other: &Rect) -> bool {
        self.min[0] <= other.max[0]
            && self.max[0] >= other.min[0]
            && self.min[1] <= other.max[1]
            && self.max[1] >= other.min[1]
    }

    /// The rectangle grown on every side [m].
    pub fn grown(&self, by: f32) -> Rect {
        Rect { min: self.min.map(|v| v - by), max: self.max.map(|v| v + by) }
    }
}
