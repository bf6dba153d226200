//! Provides [`FollowState`]: what a body is doing, and why it is not doing more.

use nalgebra::Point3;

use crate::search::{Outcome, PathError};

/// What a body is doing, and why it is not doing more.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum FollowState {
    /// It has no goal.
    #[default]
    Idle,
    /// It has a goal, and its way there is not known yet.
    Waiting,
    /// It is on its path.
    Following,
    /// It is on an off-mesh link, by its index in the grid.
    OnLink {
        /// The link.
        link: u32,
    },
    /// It has come to rest at its goal; or next to it, where something that the grid does not know
    /// has let it get no nearer for as long as its patience lasts: within its own radius, in a
    /// crowd beside those who were there before.
    Arrived,
    /// It has come to rest at the end of a path that does not lead all the way to its goal.
    Partial {
        /// Why the path ends here.
        reason: PathError,
        /// Straight distance from the end of the path to the goal [m].
        gap: f32,
    },
    /// It does not get on. It goes on trying where that can help, and leaves this state when it
    /// gets on again.
    Stuck {
        /// Why.
        why: StuckReason,
    },
    /// It is not on ground that its agent can stand on, and no such ground is near enough to step
    /// back to.
    OffGrid {
        /// The nearest such ground, if there is any within a few cells.
        nearest: Option<Point3<f32>>,
    },
}

/// Why a body does not get on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StuckReason {
    /// There is no path to its goal.
    NoWay(Outcome),
    /// There is a way, but it gets no nearer: others, or something the grid does not know, stand in
    /// its path.
    HeldUp,
}

impl FollowState {
    /// Its name in lower case with underscores: `idle`, `following`, `off_grid`...
    pub fn name(&self) -> &'static str {
        match self {
            FollowState::Idle => "idle",
            FollowState::Waiting => "waiting",
            FollowState::Following => "following",
            FollowState::OnLink { .. } => "on_link",
            FollowState::Arrived => "arrived",
            FollowState::Partial { .. } => "partial",
            FollowState::Stuck { .. } => "stuck",
            FollowState::OffGrid { .. } => "off_grid",
        }
    }

    /// Whether it has come to rest where its path ends, at its goal or short of it.
    pub fn is_at_rest(&self) -> bool {
        matches!(self, FollowState::Arrived | FollowState::Partial { .. })
    }
}
