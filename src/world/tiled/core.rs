//! The core of a body: the axis of a capsule or the box itself, and how far it is from things.
//!
//! A body is free where its core keeps its rounding from everything. The distance from a core that
//! moves in a straight line to a convex thing is a convex function of the way gone, which is what
//! makes [`Core::clears`] quick and sure.

use nalgebra::Point3;
use parry3d::math::{Pose, Vector};
use parry3d::query::{ClosestPoints, closest_points};
use parry3d::shape::{Cuboid, Segment, Shape, Triangle};

use super::bounds::{Bounds, Plane};
use super::distance::{self, Axis};
use crate::agent::BodyShape;
use crate::world::body::Body;

/// A body may come this close to touching, or touch by as much, and is free [m]. Rounding in the
/// distances is a tenth of it; without it a gap exactly as wide as the body would be open or
/// closed by chance.
const TOUCH: f32 = 1e-4;

/// The part of a body that distances are measured from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Core {
    form: CoreForm,
    /// How far everything must be from the core [m].
    pub rounding: f32,
}

#[derive(Clone, Copy, Debug)]
enum CoreForm {
    Axis(Axis),
    Block { center: Vector, half: Vector },
}

/// A convex thing in the way.
pub(super) enum Obstacle<'a> {
    Triangle(&'a [Vector; 3]),
    Solid(&'a dyn Shape, &'a Pose),
}

impl Core {
    /// The core of a body with its feet at a point.
    pub fn new(body: &Body, feet: Point3<f32>) -> Self {
        match body.shape {
            BodyShape::Capsule => {
                let [low, high] = body.axis().map(|y| feet.y + y);
                let axis = Axis { x: feet.x, z: feet.z, low, high };
                let rounding = body.radius - TOUCH;
                Core { form: CoreForm::Axis(axis), rounding }
            }
            BodyShape::Box => {
                let spread = body.radius - 2.0 * TOUCH;
                let half =
                    Vector::new(spread, 0.5 * (body.top - body.bottom) - 2.0 * TOUCH, spread);
                let center = Vector::new(feet.x, feet.y + 0.5 * (body.bottom + body.top), feet.z);
                Core { form: CoreForm::Block { center, half }, rounding: TOUCH }
            }
        }
    }

    /// The core moved by a vector.
    fn moved(&self, by: Vector) -> Core {
        let form = match self.form {
            CoreForm::Axis(axis) => CoreForm::Axis(axis.moved(by)),
            CoreForm::Block { center, half } => CoreForm::Block { center: center + by, half },
        };
        Core { form, ..*self }
    }

    /// The box round it.
    pub fn bounds(&self) -> Bounds {
        match self.form {
            CoreForm::Axis(Axis { x, z, low, high }) => {
                Bounds { min: Vector::new(x, low, z), max: Vector::new(x, high, z) }
            }
            CoreForm::Block { center, half } => Bounds { min: center - half, max: center + half },
        }
    }

    /// The core and the core moved by a vector, and all between: the box round it.
    pub fn swept_bounds(&self, way: Vector) -> Bounds {
        let Bounds { min, max } = self.bounds();
        Bounds { min: min.min(min + way), max: max.max(max + way) }
    }

    /// Its lowest point, on its middle line.
    pub fn foot(&self) -> Vector {
        match self.form {
            CoreForm::Axis(axis) => Vector::new(axis.x, axis.low, axis.z),
            CoreForm::Block { center, half } => center - Vector::new(0.0, half.y, 0.0),
        }
    }

    /// The shortest vector from a thing to the core; zero where they meet.
    pub fn way_from(&self, obstacle: &Obstacle) -> Vector {
        match (&self.form, obstacle) {
            (CoreForm::Axis(axis), Obstacle::Triangle(corners)) => {
                distance::from_triangle(axis, corners)
            }
            (CoreForm::Axis(axis), Obstacle::Solid(shape, pose)) => {
                let segment = Segment::new(
                    Vector::new(axis.x, axis.low, axis.z),
                    Vector::new(axis.x, axis.high, axis.z),
                );
                way_between((&Pose::IDENTITY, &segment), (pose, *shape))
            }
            (CoreForm::Block { center, half }, Obstacle::Triangle([a, b, c])) => {
                let triangle = Triangle::new(*a - *center, *b - *center, *c - *center);
                let block = Cuboid::new(*half);
                way_between((&Pose::IDENTITY, &block), (&Pose::IDENTITY, &triangle))
            }
            (CoreForm::Block { center, half }, Obstacle::Solid(shape, pose)) => {
                let block = Cuboid::new(*half);
                way_between((&Pose::from_translation(*center), &block), (pose, *shape))
            }
        }
    }

    /// How far the core stays from a plane at least, on a straight way; 0 where it may cross it.
    #[inline]
    pub fn distance_to_plane(&self, plane: &Plane, way: Vector) -> f32 {
        let CoreForm::Axis(axis) = self.form else { return 0.0 };
        let low = plane.height_of(Vector::new(axis.x, axis.low, axis.z));
        let high = low + plane.normal.y * (axis.high - axis.low);
        let change = plane.normal.dot(way);
        let least = low.min(high) + change.min(0.0);
        let most = low.max(high) + change.max(0.0);
        least.max(-most).max(0.0)
    }

    /// Whether the core stays clear of a thing on a straight way.
    ///
    /// The distance is convex along the way, so its tangents at two places bound it from below
    /// between them; each round either decides or narrows the stretch where the least can be.
    pub fn clears(&self, obstacle: &Obstacle, way: Vector) -> bool {
        let sample = |t: f32| {
            let gap = self.moved(way * t).way_from(obstacle);
            let distance = gap.length();
            let slope = if distance > 0.0 { gap.dot(way) / distance } else { 0.0 };
            Sample { t, distance, slope }
        };
        let mut from = sample(0.0);
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
