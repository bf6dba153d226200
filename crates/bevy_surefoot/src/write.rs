//! What happens after a step of the crowds: bodies move, and agents get to know how they are.

use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::query::{QueryData, With};
use bevy_ecs::system::{Local, ParamSet, Query, Res, SystemParam};
use bevy_math::{Affine3A, Quat, Vec3};
use bevy_time::Time;
use bevy_transform::components::Transform;
use bevy_transform::helper::TransformHelper;
use surefoot::Crowd;
use surefoot::crowd::Member;

use crate::convert::{vec3_along, vec3_at};
use crate::messages::{AgentArrived, AgentStuck, PathPartial};
use crate::nav_agent::{
    AgentGround, Joined, NavAgent, NavMembership, NavMovement, NavOffset, NavVelocity, TargetFault,
};
use crate::nav_world::{NavCrowd, NavWorld};
use crate::status::NavStatus;

/// A body slower than this does not turn [m/s].
const SLOWEST_TURN: f32 = 0.05;
/// A body whose direction is this near to that of its motion is not turned [cosine].
const TURNED: f32 = 0.9999;

/// An agent after a step.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct MovedRow {
    entity: Entity,
    agent: &'static NavAgent,
    transform: &'static mut Transform,
    parent: Option<&'static ChildOf>,
    offset: Option<&'static NavOffset>,
    movement: &'static NavMovement,
    membership: &'static mut NavMembership,
    status: &'static mut NavStatus,
    velocity: &'static mut NavVelocity,
    ground: &'static mut AgentGround,
}

/// The crowds after a step, and where it is said what became of agents.
#[derive(SystemParam)]
pub(crate) struct Writing<'w, 's> {
    crowds: Query<'w, 's, &'static NavCrowd, With<NavWorld>>,
    arrived: MessageWriter<'w, AgentArrived>,
    stuck: MessageWriter<'w, AgentStuck>,
    partial: MessageWriter<'w, PathPartial>,
    time: Res<'w, Time>,
    children: Query<'w, 's, (Entity, &'static ChildOf), With<NavAgent>>,
}

/// From the world into the parents of agents that are children, in the order of the agents.
#[derive(Debug, Default)]
pub(crate) struct IntoParents(Vec<(Entity, Affine3A)>);

impl IntoParents {
    fn fill(&mut self, writing: &Writing, transforms: &TransformHelper) {
        self.0.clear();
        for (agent, parent) in &writing.children {
            if let Ok(global) = transforms.compute_global_transform(parent.parent()) {
                self.0.push((agent, global.affine().inverse()));
            }
        }
        self.0.sort_unstable_by_key(|&(agent, _)| agent);
    }

    fn of(&self, agent: Entity) -> Option<&Affine3A> {
        let at = self.0.binary_search_by_key(&agent, |&(agent, _)| agent).ok()?;
        Some(&self.0[at].1).filter(|into| into.is_finite())
    }
}

/// Writes what the step made of the agents.
pub(crate) fn write_agents(
    mut agents: ParamSet<(Query<MovedRow>, TransformHelper)>,
    mut writing: Writing,
    mut into_parents: Local<IntoParents>,
) {
    into_parents.fill(&writing, &agents.p1());
    let dt = writing.time.delta_secs();
    let Writing { crowds, arrived, stuck, partial, .. } = &mut writing;
    let mut last: Option<(Entity, &Crowd)> = None;
    for mut row in &mut agents.p0() {
        let Some(joined) = row.membership.joined else { continue };
        if last.is_none_or(|(world, _)| world != joined.world) {
            let crowd = crowds.get(joined.world).ok().and_then(NavCrowd::crowd);
            last = crowd.map(|crowd| (joined.world, crowd));
        }
        let Some((_, crowd)) = last else { continue };
        let Some(member) = crowd.member(joined.id) else { continue };
        if *row.movement == NavMovement::Crowd {
            row.move_body(member, &into_parents, dt);
        }
        row.velocity.set_if_neq(NavVelocity(vec3_along(member.velocity())));
        let status = status_of(member, &joined);
        if *row.status == status {
            continue;
        }
        let agent = row.entity;
        let at = match *row.movement {
            NavMovement::Crowd => vec3_at(member.position()),
            // The crowd is a step ahead of a body that somebody else moves.
            _ => joined.feet,
        };
        match status {
            NavStatus::Arrived => drop(arrived.write(AgentArrived { agent, at })),
            NavStatus::Stuck { reason } if !matches!(*row.status, NavStatus::Stuck { .. }) => {
                stuck.write(AgentStuck { agent, at, reason });
            }
            NavStatus::Partial { reason, gap }
                if !matches!(*row.status, NavStatus::Partial { .. }) =>
            {
                partial.write(PathPartial { agent, at, reason, gap });
            }
            _ => {}
        }
        *row.status = status;
    }
}

fn status_of(member: &Member, joined: &Joined) -> NavStatus {
    match joined.target_fault {
        None => member.state().into(),
        Some(TargetFault::Gone(target)) => NavStatus::TargetGone { target },
        Some(TargetFault::NotFinite) => NavStatus::TargetNotFinite,
    }
}

impl MovedRowItem<'_, '_> {
    /// Moves and turns the body as the member.
    fn move_body(&mut self, member: &Member, into_parents: &IntoParents, dt: f32) {
        let feet = vec3_at(member.position());
        let mut translation = feet + self.offset.map_or(Vec3::ZERO, |offset| offset.0);
        let mut direction = vec3_along(member.velocity());
        if self.parent.is_some()
            && let Some(into_parent) = into_parents.of(self.entity)
        {
            translation = into_parent.transform_point3(translation);
            direction = into_parent.transform_vector3(direction);
        }
        if self.transform.translation != translation {
            self.transform.translation = translation;
        }
        let most = self.agent.settings.turn_rate * dt;
        if self.agent.turns
            && let Some(turn) = turn_towards(self.transform.rotation, direction, most)
        {
            self.transform.rotation = turn * self.transform.rotation;
        }
        if let Some(joined) = &mut self.membership.bypass_change_detection().joined {
            (joined.translation, joined.feet) = (translation, feet);
        }
        self.ground.set_if_neq(AgentGround { span: member.span(), point: feet });
    }
}

/// The turn about y, by at most an angle [rad], that brings a body's forward, -z, towards a direction;
/// `None` if it is not worth it.
fn turn_towards(rotation: Quat, direction: Vec3, most: f32) -> Option<Quat> {
    let speed = direction.x.hypot(direction.z);
    let forward = rotation * Vec3::NEG_Z;
    let length = forward.x.hypot(forward.z);
    if !(speed > SLOWEST_TURN && length > 1e-3) {
        return None;
    }
    let (ahead, to) = (forward / length, direction / speed);
    let cos = ahead.x * to.x + ahead.z * to.z;
    if cos > TURNED {
        return None;
    }
    let angle = (ahead.z * to.x - ahead.x * to.z).atan2(cos);
    Some(Quat::from_rotation_y(angle.clamp(-most, most)))
}
