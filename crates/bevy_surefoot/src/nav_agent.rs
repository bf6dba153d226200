//! Components of an agent: what the program says of it, and what the plugin says.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::prelude::ReflectDefault;
use bevy_transform::components::Transform;
use surefoot::SpanId;
use surefoot::crowd::MemberId;
use surefoot::follow::FollowSettings;

use crate::nav_world::NavCrowd;
use crate::status::NavStatus;

/// A body that walks. It joins the crowd of its world where it stands, as soon as it can, and goes where its
/// [`NavTarget`] is.
///
/// Its `Transform` is where its feet are, unless a [`NavOffset`] says otherwise.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(on_remove = leave_crowd)]
#[require(Transform, NavMovement, NavStatus, NavVelocity, AgentGround, NavMembership)]
pub struct NavAgent {
    /// The name of the agent that the grid was baked for, which is the size of the body.
    pub agent: String,
    /// How it walks. If it changes, the agent finds its path again.
    pub settings: FollowSettings,
    /// Others of lower priority make way for it [0..=255].
    pub priority: u8,
    /// Whether the plugin turns the body to where it goes (its forward is -z), if it moves it:
    /// [`NavMovement::Crowd`].
    pub turns: bool,
}

impl NavAgent {
    /// An agent with default settings.
    pub fn new(agent: impl Into<String>) -> Self {
        NavAgent { agent: agent.into(), ..NavAgent::default() }
    }

    /// The agent with another top speed [m/s, > 0].
    #[must_use]
    pub fn with_speed(mut self, speed: f32) -> Self {
        self.settings.speed = speed;
        self
    }
}

impl Default for NavAgent {
    fn default() -> Self {
        NavAgent {
            agent: "human".to_owned(),
            settings: FollowSettings::default(),
            priority: 128,
            turns: true,
        }
    }
}

/// Where an agent goes. Without it, the agent stands.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component)]
pub enum NavTarget {
    /// To a point [m].
    Point(Vec3),
    /// After an entity with a `Transform`, wherever it goes.
    Entity(Entity),
}

/// From the feet of a body to the origin of its `Transform` [m]: up to the middle of a capsule, or as high
/// as a controller lets it float.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct NavOffset(pub Vec3);

/// Who moves an agent's `Transform`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub enum NavMovement {
    /// The plugin moves it over the ground, and never off it. If the program moves it somewhere else, it
    /// goes on from there.
    #[default]
    Crowd,
    /// A controller of the program moves it, by [`NavVelocity`]. The plugin reads where it got to before
    /// the next step.
    Controller,
    /// The program moves it by hand, such as a player's body: others keep clear of it, and a [`NavTarget`]
    /// has no effect.
    Manual,
}

/// The velocity that an agent should have [m/s]: for [`NavMovement::Controller`]. For agents that the plugin
/// moves, the velocity they have. Zero while the agent is not in a crowd. Written by the plugin.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct NavVelocity(pub Vec3);

/// The ground that an agent stands on. Written by the plugin.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct AgentGround {
    /// The span of the grid; `None` on a link, and while the agent is not in a crowd.
    pub span: Option<SpanId>,
    /// The point of the ground under the body [m]; where it is on a link.
    pub point: Vec3,
}

/// Which member of which crowd an agent is. Kept by the plugin.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct NavMembership {
    pub(crate) joined: Option<Joined>,
    pub(crate) tried: Option<JoinAttempt>,
}

/// An agent that is in a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Joined {
    pub world: Entity,
    /// The number of the crowd, see [`CrowdCounts`](crate::nav_world::CrowdCounts).
    pub crowd: u64,
    pub id: MemberId,
    /// Where its `Transform` was when the plugin last wrote or read it [m].
    pub translation: Vec3,
    /// Where its feet were then, in the world [m].
    pub feet: Vec3,
    /// Where it was sent; `None` if it stands.
    pub sent: Option<Sent>,
    /// Why it is not sent where its target is.
    pub target_fault: Option<TargetFault>,
}

/// Where a member was sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sent {
    pub to: NavTarget,
    /// Where that was [m].
    pub point: Vec3,
}

/// Why an agent cannot be sent to its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TargetFault {
    Gone(Entity),
    NotFinite,
}

/// How an agent last tried to join; it tries again once something of this is different.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JoinAttempt {
    pub world: Entity,
    /// How often the ground had changed.
    pub changes: u64,
    pub feet: Vec3,
}

impl NavMembership {
    /// The world and the member; `None` while the agent is in no crowd. See [`NavCrowd::crowd`].
    pub fn member(&self) -> Option<(Entity, MemberId)> {
        self.joined.map(|joined| (joined.world, joined.id))
    }
}

/// The member goes with its agent.
fn leave_crowd(mut world: DeferredWorld, context: HookContext) {
    let Some(mut membership) = world.get_mut::<NavMembership>(context.entity) else { return };
    membership.tried = None;
    let Some(joined) = membership.joined.take() else { return };
    if let Some(mut crowd) = world.get_mut::<NavCrowd>(joined.world) {
        crowd.leave(joined.id, joined.crowd);
    }
}
