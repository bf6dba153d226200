//! Provides [`AgentRow`]: what is read of an agent before a step, and [`Reading`]: what is read around it.

use bevy_ecs::change_detection::{DetectChangesMut, Ref};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::query::{QueryData, With};
use bevy_ecs::system::{Query, Res, SystemParam};
use bevy_math::Vec3;
use bevy_time::Time;
use bevy_transform::components::Transform;
use bevy_transform::helper::TransformHelper;

use crate::nav_agent::{
    AgentGround, NavAgent, NavMembership, NavMovement, NavOffset, NavTarget, NavVelocity,
};
use crate::nav_world::{InNavWorld, NavCrowd, NavWorld};
use crate::status::NavStatus;

/// An agent before a step.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct AgentRow {
    pub entity: Entity,
    pub agent: Ref<'static, NavAgent>,
    pub target: Option<&'static NavTarget>,
    pub transform: &'static Transform,
    pub parent: Option<&'static ChildOf>,
    pub offset: Option<&'static NavOffset>,
    pub movement: &'static NavMovement,
    pub in_world: Option<&'static InNavWorld>,
    pub membership: &'static mut NavMembership,
    pub status: &'static mut NavStatus,
    pub velocity: &'static mut NavVelocity,
    pub ground: &'static mut AgentGround,
}

/// The crowds, by their worlds.
pub(crate) type Crowds<'w, 's> = Query<'w, 's, (Entity, &'static mut NavCrowd), With<NavWorld>>;

/// What agents are read against.
#[derive(SystemParam)]
pub(crate) struct Reading<'w, 's> {
    pub transforms: TransformHelper<'w, 's>,
    pub offsets: Query<'w, 's, &'static NavOffset>,
    pub time: Res<'w, Time>,
}

impl Reading<'_, '_> {
    /// Where the feet of an entity are now [m]; `None` if it is gone or is nowhere.
    pub fn feet(&self, entity: Entity) -> Option<Vec3> {
        let global = self.transforms.compute_global_transform(entity).ok()?;
        let offset = self.offsets.get(entity).map_or(Vec3::ZERO, |offset| offset.0);
        Some(global.translation() - offset)
    }
}

impl AgentRowItem<'_, '_> {
    /// Where its feet are in the world [m].
    pub fn feet(&self, reading: &Reading) -> Vec3 {
        match self.parent {
            None => {
                let offset = self.offset.map_or(Vec3::ZERO, |offset| offset.0);
                self.transform.translation - offset
            }
            Some(_) => reading.feet(self.entity).unwrap_or(Vec3::NAN),
        }
    }

    /// It is in no crowd, for a reason.
    pub fn stay_out(&mut self, status: NavStatus) {
        self.status.set_if_neq(status);
        self.velocity.set_if_neq(NavVelocity::default());
        self.ground.set_if_neq(AgentGround::default());
    }
}
