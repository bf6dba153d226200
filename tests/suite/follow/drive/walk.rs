//! One walk: a follower leads a body along a path, and how it ends.

use surefoot::follow::{FollowSettings, FollowState, Follower};
use surefoot::navigator::Navigator;
use surefoot::path::Sight;
use surefoot::view::{NavPoint, View};
use surefoot_rapier::{CastSight, GridThenCast};

use super::body::{DT, DrivenBody};
use super::level::{Level, Trip};

/// How a walk ended.
pub struct Walk {
    /// The time it took as a part of the time it had; `None` where it did not arrive.
    pub time: Option<f32>,
    /// Where and why, for one that was late or did not arrive.
    pub story: String,
}

/// The time a walk has, as a multiple of its length over its speed; starting and stopping take more...
const SLACK: f32 = 1.5;
/// ...and the multiple of that after which a walk is not late but fails.
const LATE: f32 = 2.0;
/// A walk that has been stuck for this long fails as well [s].
const STUCK: f32 = 10.0;
/// Physics does not put a body exactly at its goal: it has this long to settle there [s].
const SETTLING: f32 = 0.5;

pub fn walk(level: &Level, trip: &Trip) -> Walk {
    let mut nav = Navigator::new(level.grid.clone(), trip.agent).expect("an agent");
    let view = nav.view().clone();
    let sight = GridThenCast::new(&level.physics);
    let settings = FollowSettings::default();
    let starting = settings.speed / settings.acceleration;
    let time = SLACK * trip.path.length() / settings.speed + starting + SETTLING;
    let mut follower = Follower::new(settings).expect("sound settings");
    follower.set_path(&nav, &trip.path);
    let start = trip.path.waypoints()[0].point;
    let mut body = DrivenBody::new(&level.physics, view.agent(), start);
    let (mut steps, mut stuck) = (0, 0);
    let has_arrived = |follower: &Follower| follower.state() == FollowState::Arrived;
    let is_over = |steps, stuck| steps as f32 * DT >= LATE * time || stuck as f32 * DT >= STUCK;
    while !has_arrived(&follower) && !is_over(steps, stuck) {
        let wanted = follower.step(nav.with_sight(&sight), &body.motion, DT).velocity;
        match follower.state() {
            FollowState::OnLink { .. } => body.ride(wanted),
            _ => body.walk(wanted),
        }
        steps += 1;
        stuck = if matches!(follower.state(), FollowState::Stuck { .. }) { stuck + 1 } else { 0 };
    }
    let taken = steps as f32 * DT / time;
    // Beside its goal only where something keeps it from there.
    let off = follower.remaining_distance().unwrap_or(f32::INFINITY);
    let is_there = has_arrived(&follower) && off <= view.agent().radius;
    let story = match is_there && taken <= 1.0 {
        true => String::new(),
        false => story(level, &view, &follower, &body),
    };
    Walk { time: is_there.then_some(taken), story }
}

/// Where a body is and what keeps it there, as far as is known.
fn story(level: &Level, view: &View, follower: &Follower, body: &DrivenBody) -> String {
    let feet = body.motion.position;
    let ends = follower.nav_point().zip(follower.waypoints().first());
    let ahead = ends.map_or("no path".into(), |(at, aim)| {
        let to = NavPoint { span: aim.span, point: aim.point };
        let clear = CastSight::new(&level.physics).is_clear(view, &at, &to);
        let rise = body.rise(aim.point);
        format!(
            "to {:.2} clear for the lifted body: {clear}, rests {rise:.2} m up there",
            aim.point
        )
    });
    let touched = body.touched.as_ref().map_or("nothing".into(), |collision| {
        let collider = &level.physics.colliders[collision.handle];
        let node = &level.world.nodes()[level.world.node(collider.user_data as u32).0 as usize];
        let (height, up) = (collision.hit.witness2.y + body.to_feet, collision.hit.normal1.y);
        let away = body.distance(collider);
        format!("{node} {height:.2} m above its feet, normal up {up:.2}, {away:.3} m away")
    });
    let (state, speed) = (follower.state(), body.motion.velocity.norm());
    let to_go = follower.remaining_distance();
    format!("{state:?} at {feet:.2}, {to_go:.2?} m to go at {speed:.2} m/s; {ahead}; hit {touched}")
}
