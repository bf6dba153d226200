//! Line of sight and body sweeps through your own rapier world.
//!
//! [`CastSight`] and [`GridThenCast`] confirm the segments of a path in a rapier world as it is
//! now, so that moving bodies count. [`BodySweep`] returns whether a body can move along some
//! points. Both use the exact distances of the bake.

#![forbid(unsafe_code)]

mod body;
mod bounds;
mod cast_sight;
mod core_shape;
mod segment_triangle;
mod sweep;
mod wide_distance;

/// The exact distances between bodies and obstacles that sweeps and bakes are based on.
///
/// For bakers: most users want [`BodySweep`] or [`CastSight`].
pub mod distance {
    pub use crate::bounds::{Bounds, GroundRect, Plane};
    pub use crate::core_shape::{ConvexObstacle, CoreShape};
    pub use crate::segment_triangle::{LANES, Vec3x4};
}

pub use body::{Body, Probe, SKIN};
pub use cast_sight::{CastSight, GridThenCast};
pub use sweep::BodySweep;
