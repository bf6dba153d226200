//! How fast to go: from what is ahead to a velocity.
//!
//! A body brakes early enough to stop at its goal without overshoot, and to take corners within
//! the waypoint tolerance.
//! Based on: Jeon, "Improving Grbl: cornering algorithm", 2011 (junction deviation).

use super::course::Course;
use super::settings::FollowSettings;
use crate::solve::Footing;

/// The speed at which a body may go now, along the ground [m/s], so that it can still slow down
/// for everything ahead.
pub(crate) fn speed_ahead(
    course: &Course,
    at: &Footing,
    (settings, dt): (&FollowSettings, f32),
) -> f32 {
    let to_stop = course.remaining(at) - settings.stopping_distance;
    let mut speed = settings.speed.min(braking(to_stop, 0.0, (settings.acceleration, dt)));
    // Corners beyond this do not matter yet.
    let braking_distance = settings.speed * (0.5 * settings.speed / settings.acceleration + dt);
    let mut before = at.point;
    let mut distance = 0.0;
    for pair in course.ahead().windows(2) {
        distance += (pair[0].point - before).norm();
        if distance > braking_distance {
            break;
        }
        let corner = corner_speed([&before, &pair[0].point, &pair[1].point], settings);
        speed = speed.min(braking(distance, corner, (settings.acceleration, dt)));
        before = pair[0].point;
    }
    speed
}

/// The speed at which a body can go for a step and then brake to another within a distance [m].
fn braking(distance: f32, end: f32, (acceleration, dt): (f32, f32)) -> f32 {
    // v dt + (v² - end²) / 2a = distance
    let distance = distance.max(0.0);
    let square = dt * dt + 2.0 * distance / acceleration + (end / acceleration).powi(2);
    acceleration * (square.sqrt() - dt)
}

/// The speed at which a corner can be taken when the velocity may change only so fast and the
/// curve may leave the corner by the waypoint tolerance.
fn corner_speed(points: [&nalgebra::Point3<f32>; 3], settings: &FollowSettings) -> f32 {
    let way = |a: usize, b: usize| [points[b].x - points[a].x, points[b].z - points[a].z];
    let (first, second) = (way(0, 1), way(1, 2));
    let lengths = norm(first) * norm(second);
    if lengths <= 0.0 {
        return settings.speed;
    }
    let cosine = (first[0] * second[0] + first[1] * second[1]) / lengths;
    // The sine of half the angle between the legs.
    let sine = ((1.0 + cosine).max(0.0) / 2.0).sqrt();
    let radius = settings.waypoint_tolerance * sine / (1.0 - sine);
    if radius.is_finite() { (settings.acceleration * radius).sqrt() } else { f32::INFINITY }
}

/// Changes a velocity towards another by no more than a length.
pub(crate) fn approach(velocity: [f32; 2], wanted: [f32; 2], most: f32) -> [f32; 2] {
    let change = [wanted[0] - velocity[0], wanted[1] - velocity[1]];
    let length = norm(change);
    if length <= most {
        return wanted;
    }
    [0, 1].map(|axis| velocity[axis] + change[axis] * (most / length))
}

/// Turns a facing [rad] towards where a velocity points, by no more than an angle.
pub(crate) fn turn(facing: f32, velocity: [f32; 2], most: f32) -> f32 {
    if norm(velocity) < STANDING {
        return facing;
    }
    use std::f32::consts::{PI, TAU};
    let off = (velocity[1].atan2(velocity[0]) - facing + PI).rem_euclid(TAU) - PI;
    (facing + off.clamp(-most, most) + PI).rem_euclid(TAU) - PI
}

/// A body slower than this does not turn to where it drifts [m/s].
const STANDING: f32 = 0.05;

pub(crate) fn norm(v: [f32; 2]) -> f32 {
    v[0].hypot(v[1])
}
