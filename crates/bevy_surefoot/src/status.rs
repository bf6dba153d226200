//! Provides [`NavStatus`]: what an agent is doing, and why it is not doing more.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_math::Vec3;
use surefoot::PathError;
use surefoot::follow::{FollowState, StuckReason};

use crate::convert::vec3_at;

/// What an agent is doing, and why it is not doing more. Written by the plugin.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum NavStatus {
    /// Its world has no grid yet; [`NavWorldStatus`](crate::NavWorldStatus) says why. It joins by itself.
    #[default]
    NoGrid,
    /// There is no world for it.
    NoWorld {
        /// The entity of its [`InNavWorld`](crate::InNavWorld), which has no [`NavWorld`](crate::NavWorld);
        /// `None` if it has none and there is no world at all.
        named: Option<Entity>,
    },
    /// There are several worlds, and it has no [`InNavWorld`](crate::InNavWorld) to say which is its own.
    SeveralWorlds {
        /// How many there are.
        worlds: usize,
    },
    /// The grid was baked for other agents.
    UnknownAgent {
        /// The names of the grid's agents.
        known: Vec<String>,
    },
    /// A setting is out of its limits.
    Settings {
        /// Which, and the limit that it breaks.
        reason: String,
    },
    /// It is not on ground that its agent can stand on. It joins by itself once it is.
    OffGrid {
        /// The nearest such ground, if there is any within a few cells [m].
        nearest: Option<Vec3>,
    },
    /// Its `Transform` has numbers that are NaN or infinite. It joins again once they are sound.
    NotFinite,
    /// The entity that it went after is gone, or has no `Transform`. It stands.
    TargetGone {
        /// The entity.
        target: Entity,
    },
    /// Its target has numbers that are NaN or infinite. It stands.
    TargetNotFinite,
    /// It has no target.
    Idle,
    /// It has a target and waits for its path.
    Waiting,
    /// It follows its path.
    Following,
    /// It crosses a link.
    OnLink {
        /// The index of the link in the grid.
        link: u32,
    },
    /// It steps aside for another, or waits for its turn in front of a narrow passage or a link.
    MakingWay,
    /// It rests at its target, or beside it where others rest already.
    Arrived,
    /// It rests at the end of a path that does not lead all the way.
    Partial {
        /// Why the path ends here.
        reason: PathError,
        /// Straight distance from there to the target [m].
        gap: f32,
    },
    /// It makes no progress. It keeps trying where that can help.
    Stuck {
        /// Why.
        reason: StuckReason,
    },
    /// A state that this version of the plugin has no word for.
    Other(FollowState),
}

impl NavStatus {
    /// Whether it has come to rest where its path ends, at its target or short of it.
    pub fn is_at_rest(&self) -> bool {
        matches!(self, NavStatus::Arrived | NavStatus::Partial { .. })
    }

    /// Whether it is in a crowd and others see it.
    pub fn is_member(&self) -> bool {
        !matches!(
            self,
            NavStatus::NoGrid
                | NavStatus::NoWorld { .. }
                | NavStatus::SeveralWorlds { .. }
                | NavStatus::UnknownAgent { .. }
                | NavStatus::Settings { .. }
                | NavStatus::OffGrid { .. }
                | NavStatus::NotFinite
        )
    }
}

impl From<FollowState> for NavStatus {
    fn from(state: FollowState) -> Self {
        match state {
            FollowState::Idle => NavStatus::Idle,
            FollowState::Waiting => NavStatus::Waiting,
            FollowState::Following => NavStatus::Following,
            FollowState::OnLink { link } => NavStatus::OnLink { link },
            FollowState::MakingWay => NavStatus::MakingWay,
            FollowState::Arrived => NavStatus::Arrived,
            FollowState::Partial { reason, gap } => NavStatus::Partial { reason, gap },
            FollowState::Stuck { reason } => NavStatus::Stuck { reason },
            FollowState::OffGrid { nearest } => {
                NavStatus::OffGrid { nearest: nearest.map(vec3_at) }
            }
            other => NavStatus::Other(other),
        }
    }
}
