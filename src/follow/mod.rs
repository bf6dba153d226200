//! Bodies that walk a grid: along waypoints, one at a time or in crowds.
//!
//! ```text
//! Path ─► Follower ─► a velocity ─► your simulation moves the body
//! ```
//!
//! A [`Follower`] leads one body. It is pure: it proposes a velocity, and the caller moves the body,
//! by physics or by [`slide`], which never leaves the ground. [`FollowState`] says what it is
//! doing, and why it is not doing more.

pub(crate) mod horizontal;
pub(crate) mod follower;
pub(crate) mod locate;
pub(crate) mod path_corridor;
pub(crate) mod path_following;
pub(crate) mod settings;
pub(crate) mod slide;
pub(crate) mod speed;
pub(crate) mod state;

pub(crate) use horizontal::{dot, norm, turned};
pub use follower::{Follower, Motion, Steering};
pub(crate) use locate::place;
pub(crate) use path_following::{DesiredVelocity, PathFollowing};
pub(crate) use settings::all_more_than_none;
pub use settings::{FollowError, FollowSettings};
pub use slide::slide;
pub(crate) use slide::{Spot, slide_level, slide_on};
pub(crate) use speed::{approach, passes, turn};
pub use state::{FollowState, StuckReason};
