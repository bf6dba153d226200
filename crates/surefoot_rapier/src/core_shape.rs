//! The core shape of a body: the axis of a capsule, or the box itself, and its distance to things.
//!
//! A body is free if its core shape keeps its radius from everything. The distance from a core
//! shape that moves in a straight line to a convex obstacle is a convex function of time, which
//! makes [`CoreShape::sweep_is_clear`] fast and exact.

use parry3d::math::{Pose, Vector};
use parry3d::query::{ClosestPoints, closest_points};
use parry3d::shape::{Cuboid, Segment, Shape};

use super::body::Body;
use super::bounds::{Bounds, Plane, ROUNDING};
use super::segment_triangle::{self, LANES, Separations, Vec3x4, VerticalSegment};
use super::wide_distance::CoreBox;
use surefoot::agent::BodyShape;

/// A body is free if it comes this close to touching, or overlaps by as much [m].
///
/// The distances are exact to a tenth of it. Without it, a gap exactly as wide as the body would be
/// open or closed by chance.
const CONTACT_TOLERANCE: f32 = 1e-4;

/// The part of a body that distances are measured from: a box, which is as thin as a line for a
/// capsule.
#[derive(Clone, Copy, Debug)]
pub struct CoreShape {
    shape: BodyShape,
    center: Vector,
    half_extents: Vector,
    /// The distance that everything must keep from the core shape [m].
    pub radius: f32,
}

/// A convex obstacle.
#[derive(Clone, Copy)]
pub enum ConvexObstacle<'a> {
    /// A triangle, by its corners in the world [m].
    Triangle(&'a [Vector; 3]),
    /// A convex solid, and its pose in the world.
    Solid(&'a dyn Shape, &'a Pose),
}

impl CoreShape {
    /// Returns the core shape of a body with its feet at a point.
    pub fn new(body: &Body, feet: Vector) -> Self {
        let ([low, high], half_width, radius) = match body.shape {
            BodyShape::Capsule => (body.axis(), 0.0, body.radius - CONTACT_TOLERANCE),
            BodyShape::Box => {
                // Shrunk by twice the tolerance and kept one away: free if it overlaps by at most
                // one.
                let inset = 2.0 * CONTACT_TOLERANCE;
                let heights = [body.bottom + inset, body.top - inset];
                (heights, body.radius - inset, CONTACT_TOLERANCE)
            }
        };
        CoreShape {
            shape: body.shape,
            center: Vector::new(feet.x, feet.y + 0.5 * (low + high), feet.z),
            // A box thinner than the inset is as thin as a plate.
            half_extents: Vector::new(half_width, 0.5 * (high - low), half_width).max(Vector::ZERO),
            radius,
        }
    }

    /// Returns the box around core shapes, radius 0; a point at the origin if there are none.
    pub fn enclosing(cores: impl Iterator<Item = Bounds>) -> Self {
        let merged = |a: Bounds, b: Bounds| Bounds { min: a.min.min(b.min), max: a.max.max(b.max) };
        let all = cores.reduce(merged);
        let Bounds { min, max } = all.unwrap_or(Bounds { min: Vector::ZERO, max: Vector::ZERO });
        let (center, half_extents) = (0.5 * (min + max), 0.5 * (max - min));
        CoreShape { shape: BodyShape::Box, center, half_extents, radius: 0.0 }
    }

    /// Returns the core shape moved by a vector.
    #[inline]
    pub fn moved(&self, by: Vector) -> CoreShape {
        CoreShape { center: self.center + by, ..*self }
    }

    /// Returns a core shape around all of this one's that are off by at most `by` along each axis [m, >= 0].
    #[inline]
    pub fn spread(&self, by: Vector) -> CoreShape {
        CoreShape { half_extents: self.half_extents + by, ..*self }
    }

    /// Returns its center [m].
    #[inline]
    pub fn center(&self) -> Vector {
        self.center
    }

    /// Returns its half extents [m].
    #[inline]
    pub fn half_extents(&self) -> Vector {
        self.half_extents
    }

    /// Returns the box around it, radius not included.
    #[inline]
    pub fn bounds(&self) -> Bounds {
        Bounds { min: self.center - self.half_extents, max: self.center + self.half_extents }
    }

    /// Returns how far it may be off by rounding [m]: far from the origin, bodies of one agent differ by as
    /// much.
    #[inline]
    pub fn rounding(&self) -> f32 {
        ROUNDING * (self.center.abs() + self.half_extents).max_element()
    }

    /// Returns its lowest point below its center.
    #[inline]
    pub fn lowest_point(&self) -> Vector {
        self.center - Vector::new(0.0, self.half_extents.y, 0.0)
    }

    fn axis(&self) -> VerticalSegment {
        let Vector { x, y, z } = self.center;
        VerticalSegment { x, z, low: y - self.half_extents.y, high: y + self.half_extents.y }
    }

    /// Returns the shortest vector from an obstacle to the core shape; zero if they overlap.
    pub fn separation_from(&self, obstacle: &ConvexObstacle) -> Vector {
        match (self.shape, obstacle) {
            (BodyShape::Capsule, ConvexObstacle::Triangle(corners)) => {
                self.separations_from_triangles([corners; LANES]).lane(0)
            }
            (_, ConvexObstacle::Solid(shape, pose))
                if let Some(separation) = self.as_box().separation_from_round(*shape, pose) =>
            {
                separation
            }
            (BodyShape::Capsule, ConvexObstacle::Solid(shape, pose)) => {
                let up = Vector::new(0.0, self.half_extents.y, 0.0);
                let axis = Segment::new(self.center - up, self.center + up);
                let axis = Posed { shape: &axis, pose: &Pose::IDENTITY };
                separation_between(axis, Posed { shape: *shape, pose })
            }
            (BodyShape::Box, ConvexObstacle::Triangle(corners)) => {
                self.as_box().separation_from_triangle(corners)
            }
            (BodyShape::Box, ConvexObstacle::Solid(shape, pose)) => {
                let block = Cuboid::new(self.half_extents);
                let block = Posed { shape: &block, pose: &Pose::from_translation(self.center) };
                separation_between(block, Posed { shape: *shape, pose })
            }
        }
    }

    /// Returns the shortest vectors from four obstacles to the core shape; zero where they overlap.
    #[inline]
    pub fn separations_from(&self, obstacles: &[ConvexObstacle; LANES]) -> Vec3x4 {
        if let (
            BodyShape::Capsule,
            [
                ConvexObstacle::Triangle(a),
                ConvexObstacle::Triangle(b),
                ConvexObstacle::Triangle(c),
                ConvexObstacle::Triangle(d),
            ],
        ) = (self.shape, obstacles)
        {
            return self.separations_from_triangles([a, b, c, d]);
        }
        Vec3x4::new([0, 1, 2, 3].map(|i: usize| self.separation_from(&obstacles[i])))
    }

    /// Returns the shortest vectors from four triangles to the axis of a capsule.
    #[inline]
    fn separations_from_triangles(&self, triangles: [&[Vector; 3]; LANES]) -> Vec3x4 {
        let Separations { vectors, large } = segment_triangle::separations(&self.axis(), triangles);
        if large == 0 { vectors } else { self.with_large(vectors, triangles, large) }
    }

    /// Returns the vectors with those of large triangles measured anew; a bit for each.
    #[cold]
    fn with_large(&self, vectors: Vec3x4, triangles: [&[Vector; 3]; LANES], large: u32) -> Vec3x4 {
        let core = self.as_box();
        Vec3x4::new([0, 1, 2, 3].map(|lane: usize| {
            if large >> lane & 1 == 1 {
                core.separation_from_triangle(triangles[lane])
            } else {
                vectors.lane(lane)
            }
        }))
    }

    fn as_box(&self) -> CoreBox {
        CoreBox { center: self.center, half_extents: self.half_extents }
    }

    /// Returns how much farther in a direction of length 1 the nearest point of an obstacle is than the
    /// farthest point of the core shape [m]; less than 0 if it is nearer. `-∞` for a solid of a kind
    /// without such points.
    pub fn height_of(&self, obstacle: &ConvexObstacle, direction: Vector) -> f32 {
        let height = |point: Vector| (point - self.center).dot(direction);
        let nearest = match obstacle {
            ConvexObstacle::Triangle(corners) => {
                corners.iter().map(|&corner| height(corner)).fold(f32::INFINITY, f32::min)
            }
            ConvexObstacle::Solid(shape, pose) => {
                let point = shape.as_support_map().map(|map| map.support_point(pose, -direction));
                point.map_or(f32::NEG_INFINITY, height)
            }
        };
        nearest - direction.abs().dot(self.half_extents)
    }

    /// Returns a lower bound on the distance to a plane [m]; 0 if they meet.
    #[inline]
    pub fn distance_to_plane(&self, plane: &Plane) -> f32 {
        let reach = plane.normal.abs().dot(self.half_extents);
        (plane.height_of(self.center).abs() - reach).max(0.0)
    }

    /// Returns whether the core shape keeps its radius from an obstacle all along a straight
    /// motion.
    pub fn sweep_is_clear(&self, obstacle: &ConvexObstacle, motion: Vector) -> bool {
        self.sweep_is_clear_from(self.separation_from(obstacle), obstacle, motion)
    }

    /// Like [`CoreShape::sweep_is_clear`], given the separation from the obstacle at the start.
    ///
    /// The distance is convex in time, so its tangents at two times bound it from below between
    /// them. Each round either decides or narrows the interval in which the minimum can lie.
    #[inline]
    pub fn sweep_is_clear_from(
        &self,
        separation: Vector,
        obstacle: &ConvexObstacle,
        motion: Vector,
    ) -> bool {
        let sample = |t: f32| {
            DistanceSample::new(t, self.moved(motion * t).separation_from(obstacle), motion)
        };
        let mut from = DistanceSample::new(0.0, separation, motion);
        // A tangent is a lower bound everywhere: most sweeps are decided by the first.
        if from.distance >= self.radius && from.distance + from.slope.min(0.0) >= self.radius {
            return true;
        }
        let mut to = sample(1.0);
        for _ in 0..MAX_ROUNDS {
            if from.distance < self.radius || to.distance < self.radius {
                return false;
            }
            // The minimum is at one of the two times, and both are clear.
            if from.slope >= 0.0 || to.slope <= 0.0 || to.t - from.t < MIN_INTERVAL {
                return true;
            }
            // Where the two tangents meet, the lower bound is lowest.
            let meeting = (to.distance - from.distance + from.slope * from.t - to.slope * to.t)
                / (from.slope - to.slope);
            if from.distance + from.slope * (meeting - from.t) >= self.radius {
                return true;
            }
            let between = sample(meeting.clamp(from.t, to.t));
            if between.slope < 0.0 { from = between } else { to = between }
        }
        from.distance >= self.radius && to.distance >= self.radius
    }
}

/// The distance and its change over the whole motion, at a fraction of the motion.
#[derive(Clone, Copy)]
struct DistanceSample {
    t: f32,
    distance: f32,
    slope: f32,
}

impl DistanceSample {
    #[inline]
    fn new(t: f32, separation: Vector, motion: Vector) -> Self {
        let distance = separation.length();
        let slope = if distance > 0.0 { separation.dot(motion) / distance } else { 0.0 };
        DistanceSample { t, distance, slope }
    }
}

/// Most rounds of tangents; three or four are usual.
const MAX_ROUNDS: usize = 40;
/// The shortest interval that is narrowed further, as a fraction of the motion.
const MIN_INTERVAL: f32 = 1e-4;

/// A shape in the world.
struct Posed<'a> {
    shape: &'a dyn Shape,
    pose: &'a Pose,
}

/// Returns the shortest vector from the second shape to the first; zero if they overlap.
fn separation_between(first: Posed<'_>, second: Posed<'_>) -> Vector {
    match closest_points(first.pose, first.shape, second.pose, second.shape, f32::MAX) {
        Ok(ClosestPoints::WithinMargin(on_first, on_second)) => on_first - on_second,
        Ok(ClosestPoints::Intersecting) => Vector::ZERO,
        // No pair of convex shapes is unsupported or beyond the margin. If one were, it would be
        // safer to call it touched than free.
        Ok(ClosestPoints::Disjoint) | Err(_) => Vector::ZERO,
    }
}
