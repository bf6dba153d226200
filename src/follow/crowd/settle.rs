//! Who comes to rest beside a goal that others stand on.
//!
//! A goal has room for one. Whoever touches a body that rests there, or that rests because there
//! was no room for it either, and gets no nearer for a moment, has arrived as well: so a group
//! grows round its goal from the middle, and nobody fights for the spot.

use super::evade::Plan;
use super::member::Member;
use super::neighbors::Body;
use super::roster::Roster;
use crate::follow::pace::norm;

/// Bodies touch that are nearer than this part of their radii more.
const TOUCH: f32 = 0.25;
/// How long a body touches others at its goal before it rests [s].
const PATIENCE: f32 = 0.3;
/// A body slower than this part of its speed is not getting on.
const SLOW: f32 = 0.3;

/// Settles those who are crowded out of their goals.
pub(crate) fn settle(roster: &mut Roster, (bodies, plans): (&[Body], &[Plan]), dt: f32) {
    for (slot, own) in bodies.iter().enumerate() {
        let Some(member) = roster.at(own.index) else { continue };
        let others = plans[slot].near.slots().map(|slot| &bodies[slot]);
        let is_crowded = own.is_at_rest
            || is_slow(member)
                && others.filter(|other| other.is_at_rest && touch(own, other)).any(|other| {
                    roster.at(other.index).is_some_and(|other| shares_goal(member, other, own))
                });
        let Some(member) = roster.at_mut(own.index) else { continue };
        member.crowded = if is_crowded && !own.is_at_rest { member.crowded + dt } else { 0.0 };
        if member.crowded > PATIENCE {
            member.pursuit.settle();
            member.crowded = 0.0;
        }
    }
}

fn is_slow(member: &Member) -> bool {
    norm([member.velocity.x, member.velocity.z]) < SLOW * member.settings.speed
}

fn touch(own: &Body, other: &Body) -> bool {
    let apart = [0, 1].map(|axis| other.disc.place[axis] - own.disc.place[axis]);
    norm(apart) < (1.0 + TOUCH) * (own.disc.radius + other.disc.radius)
}

/// Whether a body stands on a member's goal, or rests at nearly the same goal.
fn shares_goal(member: &Member, other: &Member, own: &Body) -> bool {
    let Some(goal) = member.goal() else { return false };
    let near = |point: nalgebra::Point3<f32>| (point - goal).norm() < 2.0 * own.disc.radius;
    near(other.position()) || other.goal().is_some_and(near)
}
