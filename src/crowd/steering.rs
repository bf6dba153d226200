//! Decides the velocity of each body among its neighbors.
//!
//! What comes in is the desired velocity of a member and its neighbors; what goes out is the velocity
//! nearest to it at which the body meets no neighbor and no wall soon. In a dense crowd there is none:
//! there a body avoids walls alone, and `overlap_solver.rs` keeps it out of the others.

use crate::crowd::avoidance::{Avoidance, OrcaParameters};
use crate::crowd::duty::Role;
use crate::crowd::member::Member;
use crate::crowd::neighbors::{CrowdBody, NearestNeighbors, Neighborhood};
use crate::crowd::right_of_way::RightOfWay;
use crate::crowd::settings::CrowdSettings;
use crate::crowd::walls::WallQuery;
use crate::follow::{dot, norm, rotate};
use crate::view::ViewRef;

/// The neighbors of a body, and what it does about them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SteeringDecision {
    pub neighbors: NearestNeighbors,
    /// [m/s]
    pub velocity: [f32; 2],
    /// No neighbor moves.
    pub is_alone: bool,
    /// Others leave the body no room at its goal.
    pub has_no_room: bool,
}

/// What all bodies of one agent steer by in a step.
pub(crate) struct SteeringContext<'a> {
    pub view: &'a ViewRef<'a>,
    pub neighborhood: &'a Neighborhood,
    pub settings: &'a CrowdSettings,
    pub right_of_way: &'a RightOfWay,
    /// How long the step is [s].
    pub dt: f32,
}

impl SteeringContext<'_> {
    /// Returns the decision of a body for a step.
    pub(crate) fn decide(&self, member: &Member, own: &CrowdBody) -> SteeringDecision {
        let SteeringContext { view, neighborhood, settings, right_of_way, dt } = *self;
        let neighbors = neighborhood.nearest(own, settings.neighbor_distance);
        let others = || neighbors.slots().map(|slot| &neighborhood.bodies()[slot]);
        let desired = [member.desired.velocity.x, member.desired.velocity.z];
        let desired = desired.map(|v| v * distance_kept(own, others()));
        let is_alone = others().all(|other| other.is_at_rest);
        if neighbors.is_empty() || is_alone && own.is_at_rest {
            return SteeringDecision { neighbors, velocity: desired, is_alone, has_no_room: false };
        }
        let max_speed = member.settings.speed;
        let parameters = OrcaParameters { time_horizon: settings.horizon, dt };
        if own.role == Role::Rearranged {
            let part = self.part_without_contact(own, others());
            let velocity = desired.map(|v| v * part);
            return SteeringDecision { neighbors, velocity, is_alone, has_no_room: false };
        }
        let mut avoidance = Avoidance::new(own.disc, parameters);
        let walls = WallQuery { view, at: member.at, max_speed, desired };
        walls.for_each(|wall| avoidance.add_wall(wall));
        if !is_dense(own, others()) {
            let counts = |other: &&CrowdBody| !own.goes_before(other) && !own.is_let_by(other);
            for other in others().filter(counts) {
                avoidance.add_neighbor(&other.disc, right_of_way.share(own, other));
            }
        }
        // Next to a goal the sidestep would lead everyone round and round it, so it fades out there.
        let fade =
            member.remaining_distance().map_or(1.0, |left| (left / SIDESTEP_DISTANCE).min(1.0));
        // Where the room of a cell is limited, only straight ahead leads on.
        let waiting = match view.cell_room(member.at.span) {
            Some(_) => 0.0,
            None => waiting_turn(desired, own, others()),
        };
        let bias = (BASE_BIAS + fade * sidestep_bias(desired, own, others())).max(waiting);
        // Near such cells a body that turned away from a target within a step would circle round it for
        // ever.
        let nearness =
            if view.has_limited_rooms() { (norm(desired) / max_speed).min(1.0) } else { 1.0 };
        let most = max_speed.max(norm(desired));
        let velocity = avoidance.velocity(rotate(desired, bias * nearness), most);
        SteeringDecision { neighbors, velocity, is_alone, has_no_room: false }
    }
}

impl SteeringContext<'_> {
    /// Returns the part of its desired velocity [0..=1] at which a body that walks by a plan touches nobody
    /// else who does: it would push the other on before its time.
    fn part_without_contact<'a>(
        &self,
        own: &CrowdBody,
        others: impl Iterator<Item = &'a CrowdBody>,
    ) -> f32 {
        let speed = norm(own.desired);
        let others = others.filter(|other| other.role == Role::Rearranged);
        let parts = others.filter_map(|other| {
            let offset = own.offset_to(other);
            let distance = norm(offset);
            let approach = dot(offset, own.desired) / distance.max(f32::MIN_POSITIVE);
            let gap = distance - PLAN_CONTACT * (own.disc.radius + other.disc.radius);
            let is_in_front = approach > IN_FRONT * speed;
            is_in_front.then(|| gap.max(0.0) / (approach * self.dt))
        });
        parts.fold(1.0, f32::min)
    }
}

/// Those who walk by a plan come no nearer to each other than this [sums of both radii].
const PLAN_CONTACT: f32 = 0.9;

/// Whether a body is in dense mode: so many others are close, or it has been held up for so long, that
/// it no longer avoids them but keeps pressing. In a dense crowd ORCA would leave no velocity, and
/// everyone would stand still. Bodies that overlap are pushed apart afterwards, and so slide around each
/// other.
fn is_dense<'a>(own: &CrowdBody, others: impl Iterator<Item = &'a CrowdBody>) -> bool {
    let close = others.filter(|other| is_close(own, other));
    own.held_up > PATIENCE || close.take(DENSE_COUNT).count() == DENSE_COUNT
}

fn is_close(own: &CrowdBody, other: &CrowdBody) -> bool {
    norm(own.offset_to(other)) < own.disc.radius + other.disc.radius + DENSE_GAP
}

/// Returns the part of its desired velocity [0..=1] that a body in a narrow passage goes at, so that it
/// keeps its distance from those ahead. Bodies that press from behind would wedge at the next corner.
fn distance_kept<'a>(own: &CrowdBody, others: impl Iterator<Item = &'a CrowdBody>) -> f32 {
    let speed = norm(own.desired);
    if own.passage.is_none() || speed <= 0.0 {
        return 1.0;
    }
    let mut part: f32 = 1.0;
    for other in others {
        let offset = own.offset_to(other);
        let distance = norm(offset);
        let is_in_front = dot(offset, own.desired) > IN_FRONT * distance * speed;
        if !is_in_front || !other.goes_before(own) {
            continue;
        }
        let radius = own.disc.radius + other.disc.radius;
        let gap = distance - radius - KEPT_GAP * radius;
        part = part.min((gap / (BRAKING_GAP * radius)).clamp(0.0, 1.0));
    }
    part
}

/// Another body is in front if the cosine between the way there and the desired velocity is above this.
const IN_FRONT: f32 = 0.5;
/// In a passage bodies come no nearer to those in front than this [sums of both radii]...
const KEPT_GAP: f32 = 0.1;
/// ...and slow down from this much farther on [sums of both radii].
const BRAKING_GAP: f32 = 0.8;

/// Returns the angle [rad] by which a body turns to its right because of others that come the other way;
/// it grows as they come nearer. If all do so they pass each other on the left, and flows separate (lane
/// formation; Helbing and Molnár, "Social force model for pedestrian dynamics", 1995).
fn sidestep_bias<'a>(
    desired: [f32; 2],
    own: &CrowdBody,
    others: impl Iterator<Item = &'a CrowdBody>,
) -> f32 {
    let speed = norm(desired);
    if speed <= 0.0 {
        return 0.0;
    }
    let direction = desired.map(|v| v / speed);
    let mut turn = 0.0;
    for other in others.filter(|other| !own.is_let_by(other) && !own.goes_in_with(other)) {
        let offset = own.offset_to(other);
        let ahead = dot(offset, direction);
        let aside = (offset[1] * direction[0] - offset[0] * direction[1]).abs();
        let oncoming_speed = -dot(other.desired, direction);
        let radius = own.disc.radius + other.disc.radius;
        let width = BLOCKING_WIDTH * radius;
        if ahead > 0.0 && aside < width && oncoming_speed > ONCOMING_SPEED {
            let nearness = (1.0 - (ahead - radius) / SIDESTEP_DISTANCE).clamp(0.0, 1.0);
            turn += MOST_TURN * nearness * (1.0 - aside / width);
        }
    }
    turn.min(MOST_TURN)
}

/// Returns the angle [rad] by which a body turns to its right because it is held up: flows that stand against
/// each other shear off, and bodies that all want through one gap go around it. Those who rest count only in
/// front of it: beside them it would go round and round for ever.
fn waiting_turn<'a>(
    desired: [f32; 2],
    own: &CrowdBody,
    mut others: impl Iterator<Item = &'a CrowdBody>,
) -> f32 {
    let is_in_front = |other: &CrowdBody| {
        let offset = own.offset_to(other);
        let aside = (offset[1] * desired[0] - offset[0] * desired[1]).abs();
        let radius = own.disc.radius + other.disc.radius;
        dot(offset, desired) > 0.0 && aside < radius * norm(desired)
    };
    let holds_up =
        |other: &CrowdBody| is_close(own, other) && (!other.is_at_rest || is_in_front(other));
    if own.held_up <= PATIENCE || !others.any(holds_up) {
        return 0.0;
    }
    (WAITING_TURN * (own.held_up - PATIENCE)).min(MOST_TURN)
}

/// The turn to the right of every body [rad]: two bodies that go straight at each other turn the same way
/// round.
const BASE_BIAS: f32 = 0.03;
/// The largest turn [rad].
const MOST_TURN: f32 = 1.2;
/// Bodies begin to sidestep oncoming ones at this distance [m]. If it were much shorter, flows would be
/// stuck in each other before they have separated.
const SIDESTEP_DISTANCE: f32 = 3.0;
/// An oncoming body is in the way if it is within this distance to a side [sums of both radii].
const BLOCKING_WIDTH: f32 = 0.7;
/// A body that comes more slowly is not oncoming [m/s].
const ONCOMING_SPEED: f32 = 0.1;
/// A body is in dense mode among this many close others.
const DENSE_COUNT: usize = 3;
/// Others are close if the gap to them is below this [m].
const DENSE_GAP: f32 = 0.5;
/// A body that is held up for longer keeps pressing [s].
const PATIENCE: f32 = 1.0;
/// A body that is held up turns to the right by this much more every second [rad/s].
const WAITING_TURN: f32 = 0.08;
