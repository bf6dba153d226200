//! Errors of a crowd.

use nalgebra::Point3;

use crate::follow::FollowError;
use crate::grid::UnknownAgent;
use crate::navigator::CannotPrepare;

/// The crowd has no member of an id: it was removed, or belongs to another crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the crowd has no such member; it was removed, or belongs to another crowd")]
pub struct UnknownMember;

/// The agents of a grid are not those of the crowd, in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the grid was baked for other agents than the crowd's, or in another order")]
pub struct OtherAgents;

/// Why a body cannot join a crowd.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// The grid was not baked for this agent.
    #[error(transparent)]
    UnknownAgent(#[from] UnknownAgent),
    /// Its agent cannot stand at the point or near it.
    #[error("no ground to stand on near {point}{}", hint(.nearest))]
    OffGrid {
        /// Where the body was to stand [m].
        point: Point3<f32>,
        /// The nearest point where it can, if there is any within a few cells.
        nearest: Option<Point3<f32>>,
    },
    /// A setting is out of its limits.
    #[error(transparent)]
    Settings(#[from] FollowError),
}

/// Why a member cannot be put at a point.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PutError {
    /// The crowd has no such member.
    #[error(transparent)]
    UnknownMember(#[from] UnknownMember),
    /// The agent of the member cannot stand at the point or near it.
    #[error("no ground to stand on near {point}{}", hint(.nearest))]
    OffGrid {
        /// Where the member was to stand [m].
        point: Point3<f32>,
        /// The nearest point where it can, if there is any within a few cells.
        nearest: Option<Point3<f32>>,
    },
}

/// Why the traversal of a link cannot be taken over or handed back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TraversalError {
    /// The crowd has no such member.
    #[error(transparent)]
    UnknownMember(#[from] UnknownMember),
    /// The member is on no link.
    #[error("the member is on no link; ask for its traversal first")]
    NotOnLink,
}

/// Why routes cannot be prepared for an agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// The grid was not baked for this agent.
    #[error(transparent)]
    UnknownAgent(#[from] UnknownAgent),
    /// The ground cannot be prepared.
    #[error(transparent)]
    CannotPrepare(#[from] CannotPrepare),
}

fn hint(nearest: &Option<Point3<f32>>) -> String {
    nearest.map_or_else(String::new, |point| format!("; the nearest is {point}"))
}
