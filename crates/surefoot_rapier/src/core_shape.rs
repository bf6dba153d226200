//! The core of a body: the axis of a capsule or the box itself, and how far it is from things.
//!
//! A body is free where its core keeps its rounding from everything. The distance from a core that
//! moves in a straight line to a convex thing is a convex function of the way gone, which is what
//! makes [`Core::clears`] quick and sure.

use parry3d::math::{Pose, Vector};
use parry3d::query::{ClosestPoints, closest_points};
use parry3d::shape::{Cuboid, Segment, Shape, Triangle};

use super::body::Body;
use super::bounds::{Bounds, Plane};
use super::distance::{self, Axis, FourVectors, LANES};
use surefoot::agent::BodyShape;

/// A body may come this close to touching, or touch by as much, and is free [m]. Rounding in the
/// distances is a tenth of it; without it a gap exactly as wide as the body would be open or
/// closed by chance.
const TOUCH: f32 = 1e-4;

/// The part of a body that distances are measured from: a box, as thin as a line for a capsule.
#[derive(Clone, Copy, Debug)]
pub struct Core {
    shape: BodyShape,
    center: Vector,
    half: Vector,
    /// How far everything must be from the core [m].
    pub rounding: f32,
}

/// A convex thing in the way.
pub enum Obstacle<'a> {
    Triangle(&'a [Vector; 3]),
    Solid(&'a dyn Shape, &'a Pose),
}

impl Core {
    /// The core of a body with its feet at a point.
    pub fn new(body: &Body, feet: Vector) -> Self {
        let ([low, high], spread, rounding) = match body.shape {
            BodyShape::Capsule => (body.axis(), 0.0, body.radius - TOUCH),
            BodyShape::Box => {
                let slice = [body.bottom + 2.0 * TOUCH, body.top - 2.0 * TOUCH];
                (slice, body.radius - 2.0 * TOUCH, TOUCH)
            }
        };
        Core {
            shape: body.shape,
            center: Vector::new(feet.x, feet.y + 0.5 * (low + high), feet.z),
            half: Vector::new(spread, 0.5 * (high - low), spread),
            rounding,
        }
    }

    /// A box round cores, rounding not included; a point where there are none.
    pub fn hull(cores: impl Iterator<Item = Bounds>) -> Self {
        let merged = |a: Bounds, b: Bounds| Bounds { min: a.min.min(b.min), max: a.max.max(b.max) };
        let all = cores.reduce(merged);
        let Bounds { min, max } = all.unwrap_or(Bounds { min: Vector::ZERO, max: Vector::ZERO });
        let (center, half) = (0.5 * (min + max), 0.5 * (max - min));
        Core { shape: BodyShape::Box, center, half, rounding: 0.0 }
    }

    /// The core moved by a vector.
    pub fn moved(&self, by: Vector) -> Core {
        Core { center: self.center + by, ..*self }
    }

    /// Its middle.
    pub fn center(&self) -> Vector {
        self.center
    }

    /// Half its extents.
    pub fn half(&self) -> Vector {
        self.half
    }

    /// The box round it.
    pub fn bounds(&self) -> Bounds {
        Bounds { min: self.center - self.half, max: self.center + self.half }
    }

    /// Its lowest point, on its middle line.
    pub fn foot(&self) -> Vector {
        self.center - Vector::new(0.0, self.half.y, 0.0)
    }

    fn axis(&self) -> Axis {
        let Vector { x, y, z } = self.center;
        Axis { x, z, low: y - self.half.y, high: y + self.half.y }
    }

    /// The shortest vector from a thing to the core; zero where they meet.
    pub fn way_from(&self, obstacle: &Obstacle) -> Vector {
        match (self.shape, obstacle) {
            (BodyShape::Capsule, Obstacle::Triangle(corners)) => {
                distance::from_triangles(&self.axis(), [corners; LANES]).lane(0)
            }
            (BodyShape::Capsule, Obstacle::Solid(shape, pose)) => {
                let up = Vector::new(0.0, self.half.y, 0.0);
                let axis = Segment::new(self.center - up, self.center + up);
                way_between((&Pose::IDENTITY, &axis), (pose, *shape))
            }
            (BodyShape::Box, Obstacle::Triangle(corners)) => {
                let [a, b, c] = corners.map(|corner| corner - self.center);
                let (block, triangle) = (Cuboid::new(self.half), Triangle::new(a, b, c));
                way_between((&Pose::IDENTITY, &block), (&Pose::IDENTITY, &triangle))
            }
            (BodyShape::Box, Obstacle::Solid(shape, pose)) => {
                let block = Cuboid::new(self.half);
                way_between((&Pose::from_translation(self.center), &block), (pose, *shape))
            }
        }
    }

    /// The shortest vectors from four things to the core; zero where they meet.
    #[inline]
    pub fn ways_from(&self, obstacles: &[Obstacle; LANES]) -> FourVectors {
        if let (
            BodyShape::Capsule,
            [
                Obstacle::Triangle(a),
                Obstacle::Triangle(b),
                Obstacle::Triangle(c),
                Obstacle::Triangle(d),
            ],
        ) = (self.shape, obstacles)
        {
            return distance::from_triangles(&self.axis(), [a, b, c, d]);
        }
        FourVectors::new([0, 1, 2, 3].map(|i: usize| self.way_from(&obstacles[i])))
    }

    /// How far the core is from a plane at least; 0 where they meet.
    pub fn distance_to_plane(&self, plane: &Plane) -> f32 {
        let reach = plane.normal.abs().dot(self.half);
        (plane.height_of(self.center).abs() - reach).max(0.0)
    }

    /// Whether the core stays clear of a thing on a straight way.
    pub fn clears(&self, obstacle: &Obstacle, way: Vector) -> bool {
        self.clears_from(self.way_from(obstacle), obstacle, way)
    }

    /// Whether the core stays clear of a thing on a straight way, given the way from the thing to where
    /// it starts.
    ///
    /// The distance is convex along the way, so its tangents at two places bound it from below
    /// between them; each round either decides or narrows the stretch where the least can be.
    #[inline]
    pub fn clears_from(&self, gap: Vector, obstacle: &Obstacle, way: Vector) -> bool {
        let sample = |t: f32| Sample::new(t, self.moved(way * t).way_from(obstacle), way);
        let mut from = Sample::new(0.0, gap, way);
        if from.distance >= self.rounding && from.distance + from.slope.min(0.0) >= self.rounding {
            return true;
        }
        let mut to = sample(1.0);
        for _ in 0..MOST_ROUNDS {
            if from.distance < self.rounding || to.distance < self.rounding {
                return false;
            }
            if from.slope >= 0.0 || to.slope <= 0.0 || to.t - from.t < LEAST_STRETCH {
                return true;
            }
            let meeting = (to.distance - from.distance + from.slope * from.t - to.slope * to.t)
                / (from.slope - to.slope);
            if from.distance + from.slope * (meeting - from.t) >= self.rounding {
                return true;
            }
            let between = sample(meeting.clamp(from.t, to.t));
            if between.slope < 0.0 { from = between } else { to = between }
        }
        from.distance >= self.rounding && to.distance >= self.rounding
    }
}

/// The distance and its change per whole way, at a fraction of the way.
#[derive(Clone, Copy)]
struct Sample {
    t: f32,
    distance: f32,
    slope: f32,
}

impl Sample {
    fn new(t: f32, gap: Vector, way: Vector) -> Self {
        let distance = gap.length();
        let slope = if distance > 0.0 { gap.dot(way) / distance } else { 0.0 };
        Sample { t, distance, slope }
    }
}

/// Rounds after which a stretch is far shorter than any step; tangents need three or four.
const MOST_ROUNDS: usize = 40;
/// A stretch of the way too short to matter, as a fraction of it.
const LEAST_STRETCH: f32 = 1e-4;

/// The shortest vector from the second shape to the first; zero where they meet.
fn way_between(first: (&Pose, &dyn Shape), second: (&Pose, &dyn Shape)) -> Vector {
    match closest_points(first.0, first.1, second.0, second.1, f32::MAX) {
        Ok(ClosestPoints::WithinMargin(on_first, on_second)) => on_first - on_second,
        Ok(ClosestPoints::Intersecting) => Vector::ZERO,
        // No pair of convex shapes is unsupported or beyond the margin; were one, it would be safer
        // to call it touched than free.
        Ok(ClosestPoints::Disjoint) | Err(_) => Vector::ZERO,
    }
}
