//! Boxes and planes of things, held against a core four at a time.
//!
//! They lie coordinate by coordinate and relative to the middle of their vicinity, which keeps small
//! distances exact far from the origin.

use parry3d::glamx::Vec4;
use parry3d::math::Vector;

use super::gather::Gathered;
use surefoot_rapier::measure::Bounds;
use surefoot_rapier::measure::Core;
use surefoot_rapier::measure::LANES;

/// Up to four things, relative to the middle of their vicinity.
pub(super) struct FourThings {
    /// A bound on the distances of these and all further things from the hull in the middle.
    pub nearest: f32,
    /// A bit for each that there is.
    lanes: u32,
    pub index: [u32; LANES],
    least: [Vec4; 3],
    greatest: [Vec4; 3],
    normal: [Vec4; 3],
    /// How high the planes are over the middle, along their normals.
    height: Vec4,
}

/// A core on its way, as boxes and planes are compared with it; relative to a middle.
pub(super) struct Measured {
    swept: Bounds,
    start: Vector,
    half: Vector,
    way: Vector,
}

impl Measured {
    pub fn new(core: &Core, way: Vector, middle: Vector) -> Self {
        let (half, start) = (core.half(), core.center() - middle);
        let (min, max) = (start - half, start + half);
        let swept = Bounds { min: min.min(min + way), max: max.max(max + way) };
        Measured { swept, start, half, way }
    }
}

impl FourThings {
    /// One to four things, each with its distance in the upper half.
    pub fn new(gathered: &Gathered, things: &[u64], middle: Vector) -> Self {
        // Lanes without a thing repeat the last.
        let index = [0, 1, 2, 3].map(|lane: usize| things[lane.min(things.len() - 1)] as u32);
        let bounds = index.map(|index| &gathered.bounds[index as usize]);
        let planes = index.map(|index| &gathered.planes[index as usize]);
        let lanes =
            |value: &dyn Fn(usize) -> f32| Vec4::new(value(0), value(1), value(2), value(3));
        let each = |value: &dyn Fn(usize) -> Vector| {
            [lanes(&|i| value(i).x), lanes(&|i| value(i).y), lanes(&|i| value(i).z)]
        };
        FourThings {
            nearest: f32::from_bits((things[0] >> 32) as u32),
            lanes: (1 << things.len()) - 1,
            index,
            least: each(&|i| bounds[i].min - middle),
            greatest: each(&|i| bounds[i].max - middle),
            normal: each(&|i| planes[i].normal),
            height: lanes(&|i| -planes[i].height_of(middle)),
        }
    }

    /// Which of the things may be within a distance of a core on its way: a bit for each lane.
    #[inline]
    pub fn within(&self, distance: f32, core: &Measured) -> u32 {
        let mut square = Vec4::ZERO;
        for axis in 0..3 {
            let before = self.least[axis] - Vec4::splat(core.swept.max[axis]);
            let behind = Vec4::splat(core.swept.min[axis]) - self.greatest[axis];
            let gap = before.max(behind).max(Vec4::ZERO);
            square += gap * gap;
        }
        let near = self.lanes & square.cmple(Vec4::splat(distance * distance)).bitmask();
        if near == 0 {
            return 0;
        }
        let [x, y, z] = self.normal;
        let along = |v: Vector| x * Vec4::splat(v.x) + y * Vec4::splat(v.y) + z * Vec4::splat(v.z);
        let spread = [x, y, z].map(Vec4::abs);
        let half = spread[0] * core.half.x + spread[1] * core.half.y + spread[2] * core.half.z;
        let (start, change) = (along(core.start) - self.height, along(core.way));
        let over = start + change.min(Vec4::ZERO) - half;
        let under = -start - change.max(Vec4::ZERO) - half;
        near & over.max(under).cmple(Vec4::splat(distance)).bitmask()
    }
}
