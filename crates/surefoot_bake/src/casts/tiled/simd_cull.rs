//! SIMD kernel of the broad phase: boxes and planes of obstacles against a swept core shape, four
//! at a time.
//!
//! Coordinates are stored axis by axis and relative to the center of a neighbor list, which keeps
//! small distances exact far from the origin.

use parry3d::glamx::Vec4;
use parry3d::math::Vector;

use super::geometry::TileGeometry;
use surefoot_rapier::distance::{Bounds, CoreShape, LANES};

/// Boxes and planes of up to four obstacles, relative to the center of their neighbor list.
pub(super) struct ObstacleBlock {
    /// A lower bound on the distances of these and all later obstacles from the list's hull [m].
    pub min_distance: f32,
    /// A bit for each lane in use.
    used_lanes: u32,
    pub indices: [u32; LANES],
    min: [Vec4; 3],
    max: [Vec4; 3],
    normal: [Vec4; 3],
    /// The distances of the planes from the center, along their normals.
    plane_offset: Vec4,
}

/// A core shape in straight motion, relative to the center of a neighbor list.
pub(super) struct SweptCore {
    bounds: Bounds,
    start: Vector,
    half_extents: Vector,
    motion: Vector,
}

impl SweptCore {
    pub fn new(core: &CoreShape, motion: Vector, center: Vector) -> Self {
        let (half_extents, start) = (core.half_extents(), core.center() - center);
        let (min, max) = (start - half_extents, start + half_extents);
        let bounds = Bounds { min: min.min(min + motion), max: max.max(max + motion) };
        SweptCore { bounds, start, half_extents, motion }
    }
}

impl ObstacleBlock {
    /// Combines one to four obstacles, each with the bits of its distance in the upper half.
    pub fn new(geometry: &TileGeometry, obstacles: &[u64], center: Vector) -> Self {
        // Unused lanes repeat the last obstacle.
        let indices =
            [0, 1, 2, 3].map(|lane: usize| obstacles[lane.min(obstacles.len() - 1)] as u32);
        let bounds = indices.map(|index| &geometry.bounds[index as usize]);
        let planes = indices.map(|index| &geometry.planes[index as usize]);
        let lanes =
            |value: &dyn Fn(usize) -> f32| Vec4::new(value(0), value(1), value(2), value(3));
        let each = |value: &dyn Fn(usize) -> Vector| {
            [lanes(&|i| value(i).x), lanes(&|i| value(i).y), lanes(&|i| value(i).z)]
        };
        ObstacleBlock {
            min_distance: f32::from_bits((obstacles[0] >> 32) as u32),
            used_lanes: (1 << obstacles.len()) - 1,
            indices,
            min: each(&|i| bounds[i].min - center),
            max: each(&|i| bounds[i].max - center),
            normal: each(&|i| planes[i].normal),
            plane_offset: lanes(&|i| -planes[i].height_of(center)),
        }
    }

    /// Returns which of the obstacles may be within a distance of a swept core shape: a bit for
    /// each lane.
    #[inline]
    pub fn lanes_within(&self, distance: f32, core: &SweptCore) -> u32 {
        let mut square = Vec4::ZERO;
        for axis in 0..3 {
            let before = self.min[axis] - Vec4::splat(core.bounds.max[axis]);
            let behind = Vec4::splat(core.bounds.min[axis]) - self.max[axis];
            let gap = before.max(behind).max(Vec4::ZERO);
            square += gap * gap;
        }
        let near = self.used_lanes & square.cmple(Vec4::splat(distance * distance)).bitmask();
        if near == 0 {
            return 0;
        }
        // Boxes of slanted triangles are mostly empty: the plane culls what passes above or below.
        let [x, y, z] = self.normal;
        let along = |v: Vector| x * Vec4::splat(v.x) + y * Vec4::splat(v.y) + z * Vec4::splat(v.z);
        let half = core.half_extents;
        let spread = [x, y, z].map(Vec4::abs);
        let reach = spread[0] * half.x + spread[1] * half.y + spread[2] * half.z;
        let (start, change) = (along(core.start) - self.plane_offset, along(core.motion));
        let above = start + change.min(Vec4::ZERO) - reach;
        let below = -start - change.max(Vec4::ZERO) - reach;
        near & above.max(below).cmple(Vec4::splat(distance)).bitmask()
    }
}
