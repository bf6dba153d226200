//! One body that follows a path.
//!
//! ```text
//! Path ─► Follower ─► desired velocity ─► your simulation moves the body
//! ```
//!
//! A [`Follower`] steers one body. It never moves it: it returns a velocity, and the caller moves the
//! body, by physics or by [`slide`], which never leaves the ground. [`FollowState`] says what the
//! body is doing, and why it is not doing more.

pub(crate) mod another_grid;
pub(crate) mod follower;
pub(crate) mod horizontal;
pub(crate) mod locate;
pub(crate) mod path_corridor;
pub(crate) mod path_following;
pub(crate) mod progress;
pub(crate) mod segment_ahead;
pub(crate) mod settings;
pub(crate) mod slide;
pub(crate) mod speed;
pub(crate) mod state;
pub(crate) mod traversal;

pub(crate) use crate::view::PlanarNavPoint;
pub(crate) use another_grid::NextGround;
pub use follower::{Follower, Motion, Steering};
pub(crate) use horizontal::{SAME_STOREY, dot, horizontal_distance, norm, rotate};
pub(crate) use locate::{locate, nearest_ground};
pub(crate) use path_following::PathFollowing;
pub(crate) use settings::check_positive;
pub use settings::{FollowError, FollowSettings};
pub use slide::slide;
pub(crate) use slide::{slide_on, slide_planar};
pub(crate) use speed::{
    DesiredVelocity, FollowStep, approach, is_positive_time, landing_velocity, turn_facing,
    turn_speed,
};
pub use state::{FollowState, StuckReason};
pub(crate) use traversal::{LinkAhead, Traversal};
pub use traversal::{LinkTraversal, NotOnLink};
