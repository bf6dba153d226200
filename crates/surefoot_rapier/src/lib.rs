//! What a user's own rapier world needs: line of sight by capsule cast, and sweeps of an agent's
//! body.
//!
//! [`CastSight`] and [`GridThenCast`] confirm the segments of a path in a rapier world as it is now, so
//! that what moves counts. [`BodySweep`] asks whether a body can go along points. Both measure by the
//! distances of the bake.

#![forbid(unsafe_code)]

mod body;
mod bounds;
mod cast_sight;
mod core;
mod distance;
mod sweep;

/// The exact distances that bakes and sweeps are measured by, for bakers.
pub mod measure {
    pub use crate::bounds::{Bounds, Plane, Rect};
    pub use crate::core::{Core, Obstacle};
    pub use crate::distance::{Axis, FourVectors, LANES, face_normal, from_triangles};
}

pub use body::{Body, Probe, SKIN};
pub use cast_sight::{CastSight, GridThenCast};
pub use sweep::BodySweep;
