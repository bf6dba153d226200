//! Provides [`FollowState`]: what a body is doing, and why it is not doing more.

use nalgebra::Point3;

use crate::search::PathError;

/// What a body is doing, and why it is not doing more.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum FollowState {
    /// It has no goal.
    #[default]
    Idle,
    /// It has a goal and waits for its path.
    Waiting,
    /// It follows its path.
    Following,
    /// It crosses an off-mesh link.
    OnLink {
        /// The index of the link in the grid.
        link: u32,
    },
    /// It waits in front of a passage or a link until it is its turn, or until a link that moves has come; or
    /// it steps aside for another member of its crowd, as the passage is too narrow for both. It goes on to
    /// its goal then.
    MakingWay,
    /// It has come to rest at its goal; or next to it, if something that the grid does not know has
    /// kept it from coming nearer for longer than its patience: within its own radius, or in a crowd
    /// beside the bodies that were there first.
    Arrived,
    /// It has come to rest at the end of a path that does not lead all the way to its goal.
    Partial {
        /// Why the path ends here.
        reason: PathError,
        /// Straight distance from the end of the path to the goal [m].
        gap: f32,
    },
    /// It makes no progress. It keeps trying where that can help, and leaves this state as soon as it
    /// makes progress again.
    Stuck {
        /// Why it makes no progress.
        reason: StuckReason,
    },
    /// It is not on ground that its agent can stand on, and no such ground is near enough to step
    /// back to.
    OffGrid {
        /// The nearest such ground, if there is any within a few cells.
        nearest: Option<Point3<f32>>,
    },
}

/// Why a body makes no progress.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StuckReason {
    /// There is no path to its goal.
    NoPath(PathError),
    /// There is a path, but the body comes no nearer to its end: others, or something that the grid
    /// does not know, stand in its way. Or it is a rigid capsule in front of a step: resting on the
    /// ground it climbs only steps lower than its radius, whatever its agent's `max_climb`; see the
    /// example `e11_rigid_bodies`.
    HeldUp,
}

impl FollowState {
    /// Returns its name in lower case with underscores: `idle`, `following`, `off_grid`...
    pub fn name(&self) -> &'static str {
        match self {
            FollowState::Idle => "idle",
            FollowState::Waiting => "waiting",
            FollowState::Following => "following",
            FollowState::OnLink { .. } => "on_link",
            FollowState::MakingWay => "making_way",
            FollowState::Arrived => "arrived",
            FollowState::Partial { .. } => "partial",
            FollowState::Stuck { .. } => "stuck",
            FollowState::OffGrid { .. } => "off_grid",
        }
    }

    /// Whether the body has come to rest where its path ends, at its goal or short of it.
    pub fn is_at_rest(&self) -> bool {
        matches!(self, FollowState::Arrived | FollowState::Partial { .. })
    }
}
