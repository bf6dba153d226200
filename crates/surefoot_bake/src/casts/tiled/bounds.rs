//! Boxes and rectangles round things, and how far apart they are.

use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;

use super::distance::face_normal;

/// A box: least and greatest corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
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
pub(super) struct Plane {
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
pub(super) struct Rect {
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

/// Squares over a rectangle, in rows along x; what lies outside counts as in the outermost ones.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    origin: [f32; 2],
    side: f32,
    counts: [u32; 2],
}

/// A range of squares: least and greatest along x and z, inclusive.
pub(super) type SquareRange = [[u32; 2]; 2];

impl Squares {
    /// Squares of at least a side length over a rectangle, at most `most` along each side.
    pub fn over(rect: &Rect, side: f32, most: u32) -> Self {
        let lengths = [rect.max[0] - rect.min[0], rect.max[1] - rect.min[1]];
        let longest = lengths[0].max(lengths[1]).max(f32::MIN_POSITIVE);
        let side = side.max(longest / most as f32);
        let counts = lengths.map(|length| ((length / side).ceil() as u32).clamp(1, most));
        Squares { origin: rect.min, side, counts }
    }

    /// Number of squares.
    pub fn len(&self) -> usize {
        self.counts[0] as usize * self.counts[1] as usize
    }

    /// The squares a rectangle touches.
    pub fn touched(&self, rect: &Rect) -> SquareRange {
        let place = |value: f32, i: usize| {
            // A cast from float saturates, which is what the outermost squares want.
            (((value - self.origin[i]) / self.side) as u32).min(self.counts[i] - 1)
        };
        [rect.min, rect.max].map(|corner| [place(corner[0], 0), place(corner[1], 1)])
    }

    /// Side of a square [m].
    pub fn side(&self) -> f32 {
        self.side
    }

    /// The middle of a square.
    pub fn middle(&self, [x, z]: [u32; 2]) -> [f32; 2] {
        let place = |i: usize, square: u32| self.origin[i] + (square as f32 + 0.5) * self.side;
        [place(0, x), place(1, z)]
    }

    /// The square a point (x, z) is in: along x and z.
    pub fn at(&self, point: [f32; 2]) -> [u32; 2] {
        self.touched(&Rect { min: point, max: point })[0]
    }

    /// Position of a square in row-major order.
    pub fn index(&self, [x, z]: [u32; 2]) -> usize {
        z as usize * self.counts[0] as usize + x as usize
    }

    /// Calls back with the position of each square of a range.
    #[inline]
    pub fn each(&self, [min, max]: &SquareRange, mut call: impl FnMut(usize)) {
        for z in min[1]..=max[1] {
            for x in min[0]..=max[0] {
                call(self.index([x, z]));
            }
        }
    }
}
