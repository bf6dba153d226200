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
    /// By how much it is to be pushed out of others [m].
    pub push: [f32; 2],
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
    let is_alone = others().next().is_none();
    let is_calm = own.is_at_rest && others().all(|other| other.is_at_rest);
    if is_alone || is_calm {
        return Plan { near, velocity: wanted, push: [0.0; 2] };
    }
    let speed = member.settings.speed;
    let mut avoidance = Avoidance::default();
    walls(terrain, &member.at, (speed, wanted), |wall| avoidance.add_wall(wall));
    for other in others() {
        let share = share(own, other);
        avoidance.add_neighbor((&own.disc, &other.disc), share, (settings.horizon, dt));
    }
    let velocity = avoidance.velocity(veered(wanted), speed.max(norm(wanted)));
    Plan { near, velocity, push: [0.0; 2] }
}

/// Which part of making way for another falls to a body [0..=1].
fn share(own: &Body, other: &Body) -> f32 {
    match own.priority.cmp(&other.priority) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    }
}

fn veered(wanted: [f32; 2]) -> [f32; 2] {
    let (sine, cosine) = VEER.sin_cos();
    [wanted[0] * cosine - wanted[1] * sine, wanted[0] * sine + wanted[1] * cosine]
}
