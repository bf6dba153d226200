//! What each body does about its neighbors: the velocity nearest to the one it wants at which it
//! meets none of them, and no wall, soon. In a throng there is none, so there a body minds walls
//! alone, and `apart.rs` keeps it out of the others.

use crate::crowd::avoidance::Avoidance;
use crate::crowd::member::Member;
use crate::crowd::neighbors::{Body, Near, Neighborhood};
use crate::crowd::right_of_way::RightOfWay;
use crate::crowd::settings::CrowdSettings;
use crate::crowd::walls::walls;
use crate::follow::{dot, norm, turned};
use crate::view::ViewRef;

/// What a body found out about its neighbors, and what it does about them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plan {
    pub near: Near,
    /// [m/s]
    pub velocity: [f32; 2],
    /// Nobody who moves is near.
    pub is_alone: bool,
    /// Others leave it no room at its goal.
    pub is_crowded: bool,
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

/// Makes the plan of a body for a step.
pub(crate) fn plan(context: &SteeringContext, member: &Member, own: &Body) -> Plan {
    let SteeringContext { view, neighborhood, settings, right_of_way, dt } = *context;
    let near = neighborhood.near(own, settings.neighbor_distance);
    let wanted = [member.desired.velocity.x, member.desired.velocity.z];
    let others = || near.slots().map(|slot| &neighborhood.bodies()[slot]);
    let is_alone = others().all(|other| other.is_at_rest);
    if near.is_empty() || is_alone && own.is_at_rest {
        return Plan { near, velocity: wanted, is_alone, is_crowded: false };
    }
    let speed = member.settings.speed;
    let mut avoidance = Avoidance::default();
    walls(view, &member.at, (speed, wanted), |wall| avoidance.add_wall(wall));
    if !is_in_a_throng(own, others()) {
        for other in others() {
            let share = right_of_way.share(own, other);
            avoidance.add_neighbor((&own.disc, &other.disc), share, (settings.horizon, dt));
        }
    }
    // Next to a goal all would go round and round it.
    let room = member.remaining_distance().map_or(1.0, |left| (left / SIDESTEP).min(1.0));
    let waiting = (WAITING_TURN * (own.held_up - PATIENCE)).clamp(0.0, MOST_TURN);
    let veer = (VEER + room * veer(wanted, own, others())).max(waiting);
    let velocity = avoidance.velocity(turned(wanted, veer), speed.max(norm(wanted)));
    Plan { near, velocity, is_alone, is_crowded: false }
}

/// Whether a body is among so many, or has been held up for so long, that it does not choose a
/// velocity any more but presses on: in a throng none would be left to choose, and everyone stood
/// still. Those who touch are pushed apart afterwards, and so slide round each other.
fn is_in_a_throng<'a>(own: &Body, others: impl Iterator<Item = &'a Body>) -> bool {
    let is_close = |other: &&Body| {
        let apart = [0, 1].map(|axis| other.disc.place[axis] - own.disc.place[axis]);
        norm(apart) < own.disc.radius + other.disc.radius + CLOSE
    };
    own.held_up > PATIENCE || others.filter(is_close).take(THRONG).count() == THRONG
}

/// How far a body turns to the right of those who come the other way, the more the nearer they are
/// [rad]: all who do so pass each other on the left, and flows part into lanes.
fn veer<'a>(wanted: [f32; 2], own: &Body, others: impl Iterator<Item = &'a Body>) -> f32 {
    let speed = norm(wanted);
    if speed <= 0.0 {
        return 0.0;
    }
    let way = wanted.map(|v| v / speed);
    let mut turn = 0.0;
    for other in others {
        let apart = [0, 1].map(|axis| other.disc.place[axis] - own.disc.place[axis]);
        let ahead = dot(apart, way);
        let aside = (apart[1] * way[0] - apart[0] * way[1]).abs();
        let comes = -dot(other.wanted, way);
        let radius = own.disc.radius + other.disc.radius;
        let width = LANE * radius;
        if ahead > 0.0 && aside < width && comes > COMING {
            let near = (1.0 - (ahead - radius) / SIDESTEP).clamp(0.0, 1.0);
            turn += MOST_TURN * near * (1.0 - aside / width);
        }
    }
    turn.min(MOST_TURN)
}

/// Bodies that go straight at each other both turn aside at least so much, the same way round
/// [rad].
const VEER: f32 = 0.03;
/// The most they turn [rad].
const MOST_TURN: f32 = 1.2;
/// Those who come are gone round from so far ahead on [m]: much nearer, and flows are stuck in each
/// other before they have parted.
const SIDESTEP: f32 = 3.0;
/// Who comes within so much to a side is in the way [radii of both].
const LANE: f32 = 0.7;
/// Who wants to come slower than this does not come [m/s].
const COMING: f32 = 0.1;
/// So many others make a throng.
const THRONG: usize = 3;
/// Others count for it whose rims are nearer than this [m].
const CLOSE: f32 = 0.5;
/// Who is held up for longer presses on [s].
const PATIENCE: f32 = 1.0;
/// Who is held up turns to the right, farther with every second [rad/s]: flows that stand against
/// each other shear off, and those who all want through one place go round it.
const WAITING_TURN: f32 = 0.08;
