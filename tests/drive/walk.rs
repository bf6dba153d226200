//! One walk: a follower leads a body along a way, and how it ends.

use surefoot::follow::{CastSight, FollowSettings, FollowState, Follower, Guide};
use surefoot::solve::{Footing, HeightCost, Search, Sight, Terrain};

use crate::body::{DT, DrivenBody};
use crate::level::{Errand, Level};

/// How a walk ended.
pub struct Walk {
    /// The time it took as a part of the time it had; `None` where it did not arrive.
    pub time: Option<f32>,
    /// Where and why, for one that was late or did not arrive.
    pub story: String,
}

/// The time a walk has: so many times its length over its speed...
const SLACK: f32 = 1.5;
/// ...and then so much longer to tell a late one from one that does not get on.
const LATE: f32 = 3.0;
/// Physics does not put a body on the spot: it is waited for so long at the goal [s].
const SETTLING: f32 = 0.5;

pub fn walk(level: &Level, errand: &Errand) -> Walk {
    let terrain = Terrain::new(&level.grid, errand.agent).expect("an agent");
    let (model, mut search) = (HeightCost::default(), Search::default());
    let mut guide = Guide { terrain: &terrain, model: &model, search: &mut search, sight: None };
    let settings = FollowSettings::default();
    let starting = settings.speed / settings.acceleration;
    let time = SLACK * errand.way.length() / settings.speed + starting + SETTLING;
    let mut follower = Follower::new(settings).expect("sound settings");
    follower.set_path(&guide, &errand.way);
    let start = errand.way.waypoints()[0].point;
    let mut body = DrivenBody::new(&level.physics, terrain.agent(), start);
    let mut steps = 0;
    let is_there = |follower: &Follower| follower.state() == FollowState::Arrived;
    while !is_there(&follower) && steps as f32 * DT < LATE * time {
        let wanted = follower.step(&mut guide, &body.motion, DT).velocity;
        match follower.state() {
            FollowState::OnLink { .. } => body.ride(wanted),
            _ => body.walk(wanted),
        }
        steps += 1;
    }
    let taken = steps as f32 * DT / time;
    let story = match is_there(&follower) && taken <= 1.0 {
        true => String::new(),
        false => story(level, &terrain, (&follower, &body)),
    };
    Walk { time: is_there(&follower).then_some(taken), story }
}

/// Where a body is and what keeps it there, as far as can be told.
fn story(level: &Level, terrain: &Terrain, (follower, body): (&Follower, &DrivenBody)) -> String {
    let feet = body.motion.position;
    let speed = body.motion.velocity.norm();
    let touches = body.touched.as_ref().map_or("nothing".into(), |collision| {
        let solid = level.physics.colliders[collision.handle].user_data as u32;
        let node = &level.world.nodes()[level.world.node(solid).0 as usize];
        let at = collision.hit.witness2.y - feet.y;
        let up = collision.hit.normal1.y;
        format!("{node} {at:.2} m above its feet, normal up {up:.2}")
    });
    let aim = follower.waypoints().first();
    let ends = follower.footing().zip(aim.map(|aim| Footing { span: aim.span, point: aim.point }));
    let cast = ends.map(|(at, aim)| CastSight::new(&level.physics).is_clear(terrain, &at, &aim));
    let above = follower.footing().map(|at| feet.y - at.point.y);
    format!(
        "{:?} at {feet:.2?}, {:.2?} m to go, speed {speed:.2}, {above:.2?} m above the ground; \
         heads for {:.2?}; touches {touches}; cast clear {cast:?}",
        follower.state(),
        follower.remaining_distance(),
        aim.map(|aim| aim.point),
    )
}
