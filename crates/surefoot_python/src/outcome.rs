//! The numbers that stand for how a query ended, and for what a member of a crowd does; the package names
//! them in `Outcome` and `State`.

use surefoot::follow::FollowState;
use surefoot::search::{Outcome, PathError};

/// A row whose points are not finite numbers.
pub const INVALID: u8 = 8;
/// A path that leads to its goal.
pub const COMPLETE: u8 = 0;
/// A path that does not lead all the way.
const PARTIAL: u8 = 1;

/// The numbers of an outcome, and of its reason.
pub fn outcome_codes(outcome: &Outcome) -> [u8; 2] {
    match outcome {
        Outcome::Complete => [COMPLETE; 2],
        Outcome::Partial { reason, .. } => [PARTIAL, error_code(reason)],
        Outcome::Failed(error) => [error_code(error); 2],
        _ => [INVALID; 2],
    }
}

fn error_code(error: &PathError) -> u8 {
    match error {
        PathError::StartOffGrid { .. } => 2,
        PathError::GoalOffGrid { .. } => 3,
        PathError::DifferentRegion => 4,
        PathError::Unreachable => 5,
        PathError::OutOfBudget => 6,
        PathError::Cancelled => 7,
        _ => INVALID,
    }
}

/// A row that no member of the crowd is left of.
pub const REMOVED: u8 = 9;

/// The number of a state.
pub fn state_code(state: &FollowState) -> u8 {
    match state {
        FollowState::Idle => 0,
        FollowState::Waiting => 1,
        FollowState::Following => 2,
        FollowState::OnLink { .. } => 3,
        FollowState::MakingWay => 4,
        FollowState::Arrived => 5,
        FollowState::Partial { .. } => 6,
        FollowState::Stuck { .. } => 7,
        FollowState::OffGrid { .. } => 8,
        _ => u8::MAX,
    }
}
