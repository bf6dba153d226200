//! How fast to go: from what is ahead to a velocity.
//!
//! A body brakes early enough to stop at its goal without overshoot, and to take corners within
//! the waypoint tolerance. Corners of paths lie at walls, so it does not cut them: it turns where it
//! is at the corner, and swings out behind it.
//! Based on: Jeon, "Improving Grbl: cornering algorithm", 2011 (junction deviation).

use nalgebra::Point3;

use crate::follow::horizontal::norm;
use crate::follow::path_corridor::PathCorridor;
use crate::follow::settings::FollowSettings;
use crate::view::NavPoint;

/// Whether time passes in a step [s].
pub(crate) fn passes(dt: f32) -> bool {
    dt > 0.0 && dt.is_finite()
}

/// The speed at which a body may go now, along the ground [m/s], so that it can still slow down
/// for everything ahead.
pub(crate) fn speed_ahead(
    corridor: &PathCorridor,
    at: &NavPoint,
    (settings, dt): (&FollowSettings, f32),
) -> f32 {
    let to_stop = corridor.remaining(at) - settings.stopping_distance;
    let mut speed = settings.speed.min(braking(to_stop, 0.0, (settings.acceleration, dt)));
    // Corners beyond this do not matter yet.
    let braking_distance = settings.speed * (0.5 * settings.speed / settings.acceleration + dt);
    // What it heads for may lie on the segment behind a corner that it has come near to.
    let ahead = corridor.ahead().iter().map(|next| next.point);
    let mut corners = corridor.aim().map(|aim| aim.point).into_iter().chain(ahead);
    let (mut before, mut distance) = (at.point, 0.0);
    while let Some(corner) = corners.next() {
        let way = level(&before, &corner);
        distance += (corner - before).norm();
        if distance > braking_distance {
            break;
        }
        let turn = turn_speed((way, corner), corners.clone(), settings);
        speed = speed.min(braking(distance, turn, (settings.acceleration, dt)));
        before = corner;
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

/// The speed at which a body that comes to a corner along a path can take it and those after it,
/// when it begins to turn there, its velocity may change only so fast, and it may leave its path by
/// the waypoint tolerance. Corners next to each other are one sharper corner.
fn turn_speed(
    (way, corner): ([f32; 2], Point3<f32>),
    after: impl Iterator<Item = Point3<f32>>,
    settings: &FollowSettings,
) -> f32 {
    let (mut slowest, mut length, mut before) = (settings.speed, 0.0, corner);
    for next in after {
        let segment = level(&before, &next);
        let turn = turn_between(way, segment);
        // A bend as wide as the corners are apart, and as the tolerance lets it be.
        let radius = 2.0 * settings.waypoint_tolerance / (turn * turn) + length / turn;
        slowest = slowest.min((settings.acceleration * radius).sqrt());
        length += norm(segment);
        // No turn is more than 2.
        if 0.5 * settings.acceleration * length > slowest * slowest {
            break;
        }
        before = next;
    }
    slowest
}

/// By how much a direction changes, as a part of the speed: 0 straight on, 2 back.
fn turn_between(way: [f32; 2], segment: [f32; 2]) -> f32 {
    let lengths = norm(way) * norm(segment);
    let cosine = (way[0] * segment[0] + way[1] * segment[1]) / lengths;
    if lengths > 0.0 { (2.0 - 2.0 * cosine).max(0.0).sqrt() } else { 0.0 }
}

fn level(from: &Point3<f32>, to: &Point3<f32>) -> [f32; 2] {
    [to.x - from.x, to.z - from.z]
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

/// The same for who keeps to a path: what leads off it goes first, and the rest becomes speed along
/// it; but where it is too fast it brakes as it turns.
pub(crate) fn turn_into(velocity: [f32; 2], wanted: [f32; 2], most: f32) -> [f32; 2] {
    let change = [wanted[0] - velocity[0], wanted[1] - velocity[1]];
    let way = wanted.map(|part| part / norm(wanted).max(f32::MIN_POSITIVE));
    let along = change[0] * way[0] + change[1] * way[1];
    if along <= 0.0 || norm(change) <= most {
        return approach(velocity, wanted, most);
    }
    let aside = [0, 1].map(|axis| change[axis] - along * way[axis]);
    let part = (most / norm(aside)).min(1.0);
    let left = (most.powi(2) - norm(aside).powi(2)).max(0.0).sqrt();
    [0, 1].map(|axis| velocity[axis] + part * aside[axis] + left * way[axis])
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
