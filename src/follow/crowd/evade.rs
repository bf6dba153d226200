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

/// Bodies that go straight at each other both turn aside a little, the same way round [rad].
const VEER: f32 = 0.03;

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
    let velocity = avoidance.velocity(veered(wanted, own, others()), speed.max(norm(wanted)));
    Plan { near, velocity, is_alone }
}

/// Which part of making way for another falls to a body [0..=1].
fn share(own: &Body, other: &Body) -> f32 {
    match own.priority.cmp(&other.priority) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => {
            (0.5 + LATE * (other.held_up - own.held_up)).clamp(LEAST_SHARE, 1.0 - LEAST_SHARE)
        }
        std::cmp::Ordering::Greater => 0.0,
    }
}

/// A wanted velocity turned to the right of those who come the other way, the more the nearer they
/// are: all who do so pass each other on the left, and flows part into lanes.
fn veered<'a>(wanted: [f32; 2], own: &Body, others: impl Iterator<Item = &'a Body>) -> [f32; 2] {
    let speed = norm(wanted);
    if speed <= 0.0 {
        return wanted;
    }
    let way = wanted.map(|v| v / speed);
    let mut turn = VEER;
    for other in others {
        let apart = [0, 1].map(|axis| other.disc.place[axis] - own.disc.place[axis]);
        let ahead = apart[0] * way[0] + apart[1] * way[1];
        let right = apart[1] * way[0] - apart[0] * way[1];
        let comes = -(other.disc.velocity[0] * way[0] + other.disc.velocity[1] * way[1]);
        let radius = own.disc.radius + other.disc.radius;
        if ahead <= 0.0 || right.abs() > 1.5 * radius || comes <= 0.1 {
            continue;
        }
        let near = (1.0 - (ahead - radius) / SIDESTEP).clamp(0.0, 1.0);
        turn += MOST_TURN * near * (1.0 - right.abs() / (1.5 * radius));
    }
    let (sine, cosine) = turn.min(MOST_TURN).sin_cos();
    [wanted[0] * cosine - wanted[1] * sine, wanted[0] * sine + wanted[1] * cosine]
}

const LATE: f32 = -0.1;
const LEAST_SHARE: f32 = 0.1;
const MOST_TURN: f32 = 1.2;
const SIDESTEP: f32 = 3.0;
