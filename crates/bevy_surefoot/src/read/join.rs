//! Agents that join a crowd, or hear why they cannot.

use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut};
use bevy_ecs::entity::Entity;
use surefoot::crowd::JoinError;

use super::agent_row::{AgentRowItem, Crowds, Reading};
use super::members::is_far_off;
use crate::convert::{point, vec3_at, vector};
use crate::nav_agent::{JoinAttempt, Joined};
use crate::nav_world::NavCrowd;
use crate::status::NavStatus;

/// Who joins in this step. They join in the order of their entities' indices, so that it depends on nothing
/// but who was spawned first.
#[derive(Debug, Default)]
pub(crate) struct Joins {
    /// Who is in no crowd.
    pub outside: Vec<Entity>,
    /// The last comes first.
    waiting: Vec<Joiner>,
    is_sorted: bool,
    /// How many worlds there are, and one of them.
    worlds: usize,
    any: Option<Entity>,
}

/// An agent that joins, and the world whose crowd it joins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joiner {
    pub entity: Entity,
    pub world: Entity,
}

impl Joins {
    pub(super) fn begin(&mut self, crowds: &Crowds) {
        self.outside.clear();
        self.waiting.clear();
        self.is_sorted = false;
        self.worlds = crowds.iter().count();
        self.any = crowds.iter().next().map(|(world, _)| world);
    }

    /// Lets an agent wait in line, if anything has changed since it tried to join.
    pub(super) fn consider(&mut self, row: &mut AgentRowItem, crowds: &Crowds, reading: &Reading) {
        let found = self.world_of(row, crowds);
        let world = match found {
            Ok(world) => world,
            Err(status) => {
                row.membership.bypass_change_detection().tried = None;
                return row.stay_out(status);
            }
        };
        let Ok((_, nav_crowd)) = crowds.get(world) else { return };
        let feet = row.feet(reading);
        let attempt = JoinAttempt { world, changes: nav_crowd.counts.changes, feet };
        if row.agent.is_changed() || row.membership.tried != Some(attempt) {
            row.membership.bypass_change_detection().tried = Some(attempt);
            self.waiting.push(Joiner { entity: row.entity, world });
        }
    }

    fn world_of(&self, row: &AgentRowItem, crowds: &Crowds) -> Result<Entity, NavStatus> {
        match (row.in_world, self.any) {
            (Some(named), _) if crowds.contains(named.0) => Ok(named.0),
            (Some(named), _) => Err(NavStatus::NoWorld { named: Some(named.0) }),
            (None, None) => Err(NavStatus::NoWorld { named: None }),
            (None, Some(only)) if self.worlds == 1 => Ok(only),
            (None, Some(_)) => Err(NavStatus::SeveralWorlds { worlds: self.worlds }),
        }
    }

    /// The next to join.
    pub(super) fn next(&mut self) -> Option<Joiner> {
        if !self.is_sorted {
            self.waiting.sort_unstable_by_key(|joiner| {
                let generation = joiner.entity.generation().to_bits();
                std::cmp::Reverse((joiner.entity.index_u32(), generation))
            });
            self.is_sorted = true;
        }
        self.waiting.pop()
    }
}

impl AgentRowItem<'_, '_> {
    /// Joins the crowd of a world, or says why not.
    pub(super) fn join(&mut self, world: Entity, crowds: &mut Crowds, reading: &Reading) {
        let feet = self.feet(reading);
        let Ok((_, mut nav_crowd)) = crowds.get_mut(world) else { return };
        let NavCrowd { crowd, entities, counts, .. } = nav_crowd.bypass_change_detection();
        let Some(crowd) = crowd else { return self.stay_out(NavStatus::NoGrid) };
        if !feet.is_finite() {
            return self.stay_out(NavStatus::NotFinite);
        }
        let settings = self.agent.settings.clone();
        let id = match crowd.add(self.agent.agent.as_str(), point(feet), settings) {
            Ok(id) => id,
            Err(error) => return self.stay_out(status_of(error)),
        };
        if let Some(member) = crowd.member(id).filter(|member| is_far_off(crowd, member, feet)) {
            let nearest = Some(vec3_at(member.position()));
            crowd.remove(id).ok();
            return self.stay_out(NavStatus::OffGrid { nearest });
        }
        // One that joins again, with other settings, goes on as fast as it was.
        let velocity = self.velocity.0;
        if velocity != bevy_math::Vec3::ZERO {
            crowd.put(id, point(feet), vector(velocity)).ok();
        }
        crowd.set_priority(id, self.agent.priority).ok();
        entities.insert(id, self.entity);
        self.membership.joined = Some(Joined {
            world,
            crowd: counts.crowds,
            id,
            translation: self.transform.translation,
            feet,
            sent: None,
            target_fault: None,
        });
    }
}

fn status_of(error: JoinError) -> NavStatus {
    match error {
        JoinError::UnknownAgent(unknown) => NavStatus::UnknownAgent { known: unknown.known },
        JoinError::OffGrid { nearest, .. } => NavStatus::OffGrid { nearest: nearest.map(vec3_at) },
        other => NavStatus::Settings { reason: other.to_string() },
    }
}
