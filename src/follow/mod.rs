//! Bodies that walk a grid: along waypoints, one at a time or in crowds.
//!
//! ```text
//! Path ─► Follower ─► a velocity ─► your simulation moves the body
//! ```
//!
//! A [`Follower`] leads one body. It is pure: it proposes a velocity, and the caller moves the body,
//! by physics or by [`slide`], which never leaves the ground. [`FollowState`] says what it is
//! doing, and why it is not doing more.

#[cfg(feature = "physics")]
mod cast_sight;
mod course;
mod crowd;
mod flat;
mod follower;
mod pace;
mod place;
#[cfg(feature = "physics")]
mod profile;
mod pursuit;
mod settings;
mod slide;
mod state;
#[cfg(test)]
mod tests;

#[cfg(feature = "physics")]
pub use cast_sight::{CastSight, GridThenCast};
pub use crowd::{Crowd, CrowdSettings, JoinError, Member, MemberId};
pub use follower::{Follower, Guide, Motion, Steering};
pub use settings::{FollowError, FollowSettings};
pub use slide::slide;
pub use state::{FollowState, StuckReason};
