//! Members before a step: those that left, those that the program has moved, and where they are sent.

use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut};
use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Local, Query};
use bevy_math::Vec3;
use surefoot::Crowd;
use surefoot::crowd::Member;

use super::agent_row::{AgentRow, AgentRowItem, Crowds, Reading};
use super::join::Joins;
use crate::convert::{point, vec3_at, vector};
use crate::nav_agent::{AgentGround, Joined, NavAgent, NavMovement};
use crate::nav_world::NavCrowd;

/// A body that has moved faster than this many times its top speed, seen from above, was put there and has
/// no velocity.
const FASTEST: f32 = 4.0;

/// Reads where agents are and where they shall go; lets those join that can.
pub(crate) fn read_agents(
    mut agents: Query<AgentRow>,
    mut crowds: Crowds,
    reading: Reading,
    mut joins: Local<Joins>,
) {
    joins.begin(&crowds);
    // Neighbors are nearly always of one world, which is then looked up once.
    let mut last: Option<(Entity, &mut NavCrowd)> = None;
    for mut row in &mut agents {
        if let Some(joined) = row.membership.joined {
            if last.as_ref().is_none_or(|(world, _)| *world != joined.world) {
                last =
                    crowds.get_mut(joined.world).ok().map(|(world, own)| (world, own.into_inner()));
            }
            row.read(last.as_mut().map(|(_, nav_crowd)| &mut **nav_crowd), &reading);
        }
        if row.membership.joined.is_none() {
            joins.outside.push(row.entity);
        }
    }
    while let Some(outside) = joins.outside.pop() {
        let Ok(mut row) = agents.get_mut(outside) else { continue };
        joins.consider(&mut row, &crowds, &reading);
    }
    while let Some(joiner) = joins.next() {
        let Ok(mut row) = agents.get_mut(joiner.entity) else { continue };
        row.join(joiner.world, &mut crowds, &reading);
        let own = crowds.get_mut(joiner.world).ok();
        row.read(own.map(|(_, nav_crowd)| nav_crowd.into_inner()), &reading);
    }
}

impl AgentRowItem<'_, '_> {
    /// Takes over what has changed of a member.
    fn read(&mut self, nav_crowd: Option<&mut NavCrowd>, reading: &Reading) {
        let Some(mut joined) = self.membership.joined else { return };
        let stays = nav_crowd.is_some_and(|nav_crowd| {
            let is_own = nav_crowd.counts.crowds == joined.crowd;
            let crowd = nav_crowd.crowd.as_deref_mut().filter(|_| is_own);
            let stays = crowd.is_some_and(|crowd| self.stays_in(crowd, &mut joined, reading));
            if !stays {
                nav_crowd.leave(joined.id, joined.crowd);
            }
            stays
        });
        let membership = self.membership.bypass_change_detection();
        membership.joined = stays.then_some(joined);
        if !stays {
            membership.tried = None;
        }
    }

    fn stays_in(&mut self, crowd: &mut Crowd, joined: &mut Joined, reading: &Reading) -> bool {
        let stays = self.is_same_member(crowd, joined) && self.follow_body(crowd, joined, reading);
        if stays {
            self.send(crowd, joined, reading);
        }
        stays
    }

    /// Whether it is still the member that it shall be. If not, it leaves, and may join again at once.
    fn is_same_member(&self, crowd: &mut Crowd, joined: &Joined) -> bool {
        let Some(member) = crowd.member(joined.id) else { return false };
        if self.in_world.is_some_and(|named| named.0 != joined.world) {
            return false;
        }
        if self.agent.is_changed() {
            if !is_as_asked(member, &self.agent, crowd) {
                return false;
            }
            crowd.set_priority(joined.id, self.agent.priority).ok();
        }
        true
    }

    /// Puts the member where its body is, if it was moved; false if there is no ground.
    fn follow_body(&mut self, crowd: &mut Crowd, joined: &mut Joined, reading: &Reading) -> bool {
        let is_led = *self.movement == NavMovement::Crowd;
        if is_led && self.transform.translation == joined.translation {
            return true;
        }
        let feet = self.feet(reading);
        if !feet.is_finite() {
            return false;
        }
        let velocity = match is_led {
            true => Vec3::ZERO,
            false => (feet - joined.feet) / reading.time.delta_secs(),
        };
        let most = FASTEST * self.agent.settings.speed;
        // Whoever falls may be faster.
        let is_walking = velocity.is_finite() && velocity.x.hypot(velocity.z) <= most;
        let velocity = if is_walking { velocity } else { Vec3::ZERO };
        if !is_walking || is_led {
            // Whoever is put somewhere else is on no link any more.
            crowd.hand_back(joined.id, point(feet)).ok();
        }
        if crowd.put(joined.id, point(feet), vector(velocity)).is_err() {
            return false;
        }
        if crowd.member(joined.id).is_some_and(|member| is_far_off(crowd, member, feet)) {
            return false;
        }
        (joined.translation, joined.feet) = (self.transform.translation, feet);
        if is_led {
            // It goes to its target from there, even if it had arrived.
            joined.sent = None;
        }
        if let Some(member) = crowd.member(joined.id).filter(|_| !is_led) {
            let at = vec3_at(member.position());
            self.ground.set_if_neq(AgentGround { span: member.span(), point: at });
        }
        true
    }
}

/// Whether a body is higher over its ground than it is tall, or so deep below: a crowd takes that for
/// standing there.
pub(super) fn is_far_off(crowd: &Crowd, member: &Member, feet: Vec3) -> bool {
    let height = crowd.grid().layers()[member.agent().index()].agent.height;
    member.traversal().is_none() && (member.position().y - feet.y).abs() > height
}

fn is_as_asked(member: &Member, agent: &NavAgent, crowd: &Crowd) -> bool {
    let layer = crowd.grid().layers().get(member.agent().index());
    layer.is_some_and(|layer| layer.agent.name == agent.agent)
        && *member.settings() == agent.settings
}
