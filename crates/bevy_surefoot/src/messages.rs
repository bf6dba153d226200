//! Messages about agents. Each is written once when an agent gets into a state, in the fixed update that
//! brought it there; [`NavStatus`](crate::NavStatus) says how it is from then on.

use bevy_ecs::entity::Entity;
use bevy_ecs::message::Message;
use bevy_math::Vec3;
use surefoot::PathError;
use surefoot::follow::StuckReason;

/// An agent has come to rest at its target.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct AgentArrived {
    /// The agent.
    pub agent: Entity,
    /// Where its feet are [m].
    pub at: Vec3,
}

/// An agent makes no progress.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct AgentStuck {
    /// The agent.
    pub agent: Entity,
    /// Where its feet are [m].
    pub at: Vec3,
    /// Why.
    pub reason: StuckReason,
}

/// An agent has come to rest at the end of a path that does not lead all the way to its target.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct PathPartial {
    /// The agent.
    pub agent: Entity,
    /// Where its feet are [m].
    pub at: Vec3,
    /// Why the path ends here.
    pub reason: PathError,
    /// Straight distance from there to the target [m].
    pub gap: f32,
}

/// A world has no grid, or goes on with the one from before.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct NavGridFailed {
    /// The world.
    pub world: Entity,
    /// Why, from the loader, the bake or the settings.
    pub reason: String,
}
