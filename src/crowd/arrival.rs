//! Brings members to rest beside a goal that others stand on.
//!
//! A goal has room for one. A body that touches, for a moment, a body that rests there has arrived as
//! well; so has one that touches a body which rests nearer to the goal because there was no room for it
//! either. So a group grows around its goal from the middle, and nobody fights for the exact point.

use nalgebra::Point3;

use crate::crowd::member::Member;
use crate::crowd::neighbors::{CrowdBody, Neighborhood};
use crate::crowd::slot_map::SlotMap;
use crate::crowd::steering::SteeringDecision;
use crate::follow::norm;
use crate::parallel::for_each;

/// Bodies touch if their distance is below the sum of their radii times one more than this.
const TOUCH_MARGIN: f32 = 0.5;
/// A body rests once it has touched others at its goal for this long [s].
const CROWDED_TIME: f32 = 0.1;

/// Brings members to rest that find no room at their goals.
pub(crate) fn rest_around_goals(
    slot_map: &mut SlotMap,
    neighborhood: &Neighborhood,
    decisions: &mut [SteeringDecision],
    dt: f32,
) {
    let (bodies, members) = (neighborhood.bodies(), &*slot_map);
    for_each(decisions, |slot, decision| {
        let own = &bodies[slot];
        let others = decision.neighbors.slots().map(|slot| &bodies[slot]);
        let member = members
            .at(own.index)
            .filter(|member| !own.is_at_rest && member.duty.errand().is_none())
            .filter(|member| !member.is_on_link());
        decision.has_no_room = member.is_some_and(|member| {
            others.filter(|other| touch(own, other)).any(|other| {
                members.at(other.index).is_some_and(|other| leaves_no_room(member, other, own))
            })
        });
    });
    for_each(slot_map.slots_mut(), |index, slot| {
        let decision = neighborhood.slot_of(index).map(|slot| &decisions[slot]);
        let Some((decision, member)) = decision.zip(slot.member.as_mut()) else { return };
        member.crowded_time = if decision.has_no_room { member.crowded_time + dt } else { 0.0 };
        if member.crowded_time > CROWDED_TIME {
            member.following.rest_here();
            member.crowded_time = 0.0;
        }
    });
}

fn touch(own: &CrowdBody, other: &CrowdBody) -> bool {
    norm(own.offset_to(other)) < (1.0 + TOUCH_MARGIN) * (own.disc.radius + other.disc.radius)
}

/// Whether another member leaves one no room at its goal: the other rests there; or it rests at nearly
/// the same goal and nearer to it; or it still goes to the same goal, and the one is nearly there.
fn leaves_no_room(member: &Member, other: &Member, own: &CrowdBody) -> bool {
    let Some(goal) = member.goal() else { return false };
    let distance = |point: Point3<f32>| (point - goal).norm();
    let near = 2.0 * own.disc.radius;
    let (own_distance, other_distance) = (distance(member.position()), distance(other.position()));
    let shares_goal = other.goal().is_some_and(|other| distance(other) < near);
    if other.state().is_at_rest() {
        // One whose goal has just moved away stands there only until it has a path.
        let stays = other.following.has_answer_within(near);
        other_distance < near || shares_goal && stays && other_distance < own_distance
    } else {
        shares_goal && own_distance < own.disc.radius
    }
}
