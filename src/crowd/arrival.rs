//! Who comes to rest beside a goal that others stand on.
//!
//! A goal has room for one. Whoever touches for a moment a body that rests there, or that rests
//! nearer to it because there was no room for it either, has arrived as well: so a group grows
//! round its goal from the middle, and nobody fights for the spot.

use nalgebra::Point3;

use crate::crowd::member::Member;
use crate::crowd::neighbors::{Body, Neighborhood};
use crate::crowd::slot_map::SlotMap;
use crate::crowd::steering::Plan;
use crate::follow::norm;
use crate::parallel::for_each;

/// Bodies touch that are nearer than this part of their radii more.
const TOUCH: f32 = 0.5;
/// How long a body touches others at its goal before it rests [s].
const PATIENCE: f32 = 0.1;

/// Settles those who are crowded out of their goals.
pub(crate) fn settle(
    slot_map: &mut SlotMap,
    (neighborhood, plans): (&Neighborhood, &mut [Plan]),
    dt: f32,
) {
    let (bodies, members) = (neighborhood.bodies(), &*slot_map);
    for_each(plans, |slot, plan| {
        let own = &bodies[slot];
        let others = plan.near.slots().map(|slot| &bodies[slot]);
        plan.is_crowded = members.at(own.index).filter(|_| !own.is_at_rest).is_some_and(|member| {
            others.filter(|other| touch(own, other)).any(|other| {
                members.at(other.index).is_some_and(|other| leaves_no_room(member, other, own))
            })
        });
    });
    for_each(slot_map.slots_mut(), |index, slot| {
        let plan = neighborhood.slot_of(index).map(|slot| &plans[slot]);
        let Some((plan, member)) = plan.zip(slot.member.as_mut()) else { return };
        member.crowded = if plan.is_crowded { member.crowded + dt } else { 0.0 };
        if member.crowded > PATIENCE {
            member.following.settle();
            member.crowded = 0.0;
        }
    });
}

fn touch(own: &Body, other: &Body) -> bool {
    let apart = [0, 1].map(|axis| other.disc.place[axis] - own.disc.place[axis]);
    norm(apart) < (1.0 + TOUCH) * (own.disc.radius + other.disc.radius)
}

/// Whether another leaves a member no room at its goal: it rests there, or nearer to it than the
/// member at nearly the same one; or it wants to go there as well, and the member is nearly there.
fn leaves_no_room(member: &Member, other: &Member, own: &Body) -> bool {
    let Some(goal) = member.goal() else { return false };
    let off = |point: Point3<f32>| (point - goal).norm();
    let reach = 2.0 * own.disc.radius;
    let (here, there) = (off(member.position()), off(other.position()));
    let shares = other.goal().is_some_and(|other| off(other) < reach);
    if other.state().is_at_rest() {
        there < reach || shares && there < here
    } else {
        shares && here < own.disc.radius
    }
}
