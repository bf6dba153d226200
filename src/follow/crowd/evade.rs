//! What each body does about its neighbors: the velocity nearest to the one it wants at which it
//! meets none of them, and no wall, soon.

use super::avoid::Avoidance;
use super::member::Member;
use super::neighbors::{Body, Near, Neighborhood};
use super::settings::CrowdSettings;
use super::walls::walls;
use crate::follow::pace::norm;
use crate::solve::Terrain;

/// What a body found out about its neighbors, and what it does about them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plan {
    pub near: Near,
    /// [m/s]
    pub velocity: [f32; 2],
    /// Nobody who moves is near.
    pub is_alone: bool,
}

/// Makes the plan of a body for a step.
pub(crate) fn plan(
    (terrain, neighborhood): (&Terrain, &Neighborhood),
    (member, own): (&Member, &Body),
    (settings, dt): (&CrowdSettings, f32),
) -> Plan {
    let near = neighborhood.near(own, settings.neighbor_distance);
    let wanted = [member.wish.velocity.x, member.wish.velocity.z];
    let others = || near.slots().map(|slot| &neighborhood.bodies()[slot]);
    let is_alone = others().all(|other| other.is_at_rest);
    if near.is_empty() || is_alone && own.is_at_rest {
        return Plan { near, velocity: wanted, is_alone };
    }
    let speed = member.settings.speed;
    let mut avoidance = Avoidance::default();
    walls(terrain, &member.at, (speed, wanted), |wall| avoidance.add_wall(wall));
    for other in others() {
        let share = share(own, other);
        avoidance.add_neighbor((&own.disc, &other.disc), share, (settings.horizon, dt));
    }
    // Next to a goal all would go round and round it.
    let room = member.remaining_distance().map_or(1.0, |left| (left / SIDESTEP).min(1.0));
    let veer = VEER + room * veer(wanted, own, others());
    let velocity = avoidance.velocity(turned(wanted, veer), speed.max(norm(wanted)));
    Plan { near, velocity, is_alone }
}

/// Which part of making way for another falls to a body [0..=1].
fn share(own: &Body, other: &Body) -> f32 {
    match own.priority.cmp(&other.priority) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => {
            (0.5 + YIELD * (own.held_up - other.held_up)).clamp(LEAST_SHARE, 1.0 - LEAST_SHARE)
        }
        std::cmp::Ordering::Greater => 0.0,
    }
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
        let ahead = apart[0] * way[0] + apart[1] * way[1];
        let aside = (apart[1] * way[0] - apart[0] * way[1]).abs();
        let comes = -(other.disc.velocity[0] * way[0] + other.disc.velocity[1] * way[1]);
        let radius = own.disc.radius + other.disc.radius;
        let width = LANE * radius;
        if ahead > 0.0 && aside < width && comes > COMING {
            let near = (1.0 - (ahead - radius) / SIDESTEP).clamp(0.0, 1.0);
            turn += MOST_TURN * near * (1.0 - aside / width);
        }
    }
    turn.min(MOST_TURN)
}

fn turned(velocity: [f32; 2], angle: f32) -> [f32; 2] {
    let (sine, cosine) = angle.sin_cos();
    let [x, z] = velocity;
    [x * cosine - z * sine, x * sine + z * cosine]
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
const LANE: f32 = 1.5;
/// Who comes slower than this does not come [m/s].
const COMING: f32 = 0.1;
/// How much more a body does for each second that it has got on less than another [1/s]. Who gets
/// on has the right of way: a jam is left by those at its rim.
const YIELD: f32 = 0.1;
/// Everyone does this part at least.
const LEAST_SHARE: f32 = 0.1;
