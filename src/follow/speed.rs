//! Speed along a path, and how a velocity approaches the desired one.
//!
//! What comes in is the path ahead; what goes out is a speed at which the body can stop at its goal
//! without overshoot and take the corners within the waypoint tolerance. Corners of paths lie at
//! walls, so a body does not cut them: it turns at the corner and swings out behind it.
//! Based on: Jeon, "Improving Grbl: cornering algorithm", 2011 (junction deviation).

use nalgebra::{Point3, Vector3};

use crate::follow::horizontal::{dot, norm};
use crate::follow::path_corridor::PathCorridor;
use crate::follow::settings::FollowSettings;
use crate::portable;
use crate::view::NavPoint;

/// What a body should do next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DesiredVelocity {
    /// [m/s]
    pub velocity: Vector3<f32>,
    /// Whether a path to its goal has to be found.
    pub needs_path: bool,
}

/// One time step of a body that follows a path.
#[derive(Clone, Copy)]
pub(crate) struct FollowStep<'a> {
    pub settings: &'a FollowSettings,
    /// How long the step is [s, > 0].
    pub dt: f32,
}

/// Whether a time step is positive and finite [s].
pub(crate) fn is_positive_time(dt: f32) -> bool {
    dt > 0.0 && dt.is_finite()
}

impl FollowStep<'_> {
    /// Returns the speed along the ground [m/s] at which a body can still slow down for everything
    /// ahead: the end of its path and the corners on the way there.
    pub(crate) fn speed_ahead(&self, corridor: &PathCorridor, at: &NavPoint) -> f32 {
        let FollowStep { settings, dt } = *self;
        let to_stop = corridor.remaining(at) - settings.stopping_distance;
        let mut speed = settings.speed.min(self.braking_speed(to_stop, 0.0));
        // Corners beyond this do not matter yet.
        let braking_distance = settings.speed * (0.5 * settings.speed / settings.acceleration + dt);
        // The steering target may lie on the segment behind a corner that the body has come near to.
        let ahead = corridor.ahead().iter().map(|next| next.point);
        let target = corridor.steering_target().map(|target| target.point);
        let mut corners = target.into_iter().chain(ahead);
        let (mut before, mut distance) = (at.point, 0.0);
        while let Some(corner) = corners.next() {
            let direction = horizontal_offset(&before, &corner);
            distance += (corner - before).norm();
            if distance > braking_distance {
                break;
            }
            let turn = turn_speed(direction, corner, corners.clone(), settings);
            speed = speed.min(self.braking_speed(distance, turn));
            before = corner;
        }
        speed
    }

    /// Returns the speed [m/s] at which a body can go for this step and then brake to `end_speed`
    /// [m/s] within a distance [m].
    pub(crate) fn braking_speed(&self, distance: f32, end_speed: f32) -> f32 {
        let acceleration = self.settings.acceleration;
        // v dt + (v² - end_speed²) / 2a = distance
        let distance = distance.max(0.0);
        let square =
            self.dt * self.dt + 2.0 * distance / acceleration + (end_speed / acceleration).powi(2);
        acceleration * (square.sqrt() - self.dt)
    }
}

/// Returns the speed [m/s] at which a body that comes to a corner along a direction can take it and
/// the corners after it: its turn begins at the corner, its acceleration is limited, and it may leave
/// its path by the waypoint tolerance. Corners next to each other count as one sharper corner.
pub(crate) fn turn_speed(
    direction: [f32; 2],
    corner: Point3<f32>,
    after: impl Iterator<Item = Point3<f32>>,
    settings: &FollowSettings,
) -> f32 {
    let (mut slowest, mut length, mut before) = (settings.speed, 0.0, corner);
    for next in after {
        let segment = horizontal_offset(&before, &next);
        let turn = turn_between(direction, segment);
        // The bend is as wide as the tolerance allows, plus the distance between the corners.
        let radius = 2.0 * settings.waypoint_tolerance / (turn * turn) + length / turn;
        slowest = slowest.min((settings.acceleration * radius).sqrt());
        length += norm(segment);
        // A turn is at most 2, so the radius of the next corner is at least half the length so far:
        // from here on no corner is slower than the slowest.
        if 0.5 * settings.acceleration * length > slowest * slowest {
            break;
        }
        before = next;
    }
    slowest
}

/// Returns how much a direction changes, as a part of the speed: 0 is straight on, 2 is back.
fn turn_between(direction: [f32; 2], segment: [f32; 2]) -> f32 {
    let lengths = norm(direction) * norm(segment);
    let cosine = dot(direction, segment) / lengths;
    if lengths > 0.0 { (2.0 - 2.0 * cosine).max(0.0).sqrt() } else { 0.0 }
}

fn horizontal_offset(from: &Point3<f32>, to: &Point3<f32>) -> [f32; 2] {
    [to.x - from.x, to.z - from.z]
}

/// Moves a velocity towards the desired one by at most `max_change` [m/s].
pub(crate) fn approach(velocity: [f32; 2], desired: [f32; 2], max_change: f32) -> [f32; 2] {
    let change = [desired[0] - velocity[0], desired[1] - velocity[1]];
    let length = norm(change);
    if length <= max_change {
        return desired;
    }
    [0, 1].map(|axis| velocity[axis] + change[axis] * (max_change / length))
}

/// As [`approach`], for a body that keeps to a path: what leads off the path is taken away first, and
/// the rest of the change becomes speed along it. A body that is too fast brakes as it turns.
pub(crate) fn approach_along(velocity: [f32; 2], desired: [f32; 2], max_change: f32) -> [f32; 2] {
    let change = [desired[0] - velocity[0], desired[1] - velocity[1]];
    let direction = desired.map(|part| part / norm(desired).max(f32::MIN_POSITIVE));
    let along = dot(change, direction);
    if along <= 0.0 || norm(change) <= max_change {
        return approach(velocity, desired, max_change);
    }
    let aside = [0, 1].map(|axis| change[axis] - along * direction[axis]);
    let part = (max_change / norm(aside)).min(1.0);
    let rest = (max_change.powi(2) - norm(aside).powi(2)).max(0.0).sqrt();
    [0, 1].map(|axis| velocity[axis] + part * aside[axis] + rest * direction[axis])
}

/// Returns the velocity of a body that has just landed [m/s]: what goes along the desired velocity, and no
/// more than that. It absorbs the rest, so that it does not run off a narrow ledge.
pub(crate) fn landing_velocity(velocity: [f32; 2], desired: [f32; 2]) -> [f32; 2] {
    let speed = norm(desired);
    let part = dot(velocity, desired) / (speed * speed);
    if part.is_finite() { desired.map(|v| v * part.clamp(0.0, 1.0)) } else { [0.0; 2] }
}

/// Turns a facing [rad] towards the direction of a velocity by at most `max_turn` [rad].
pub(crate) fn turn_facing(facing: f32, velocity: [f32; 2], max_turn: f32) -> f32 {
    if norm(velocity) < LEAST_TURN_SPEED {
        return facing;
    }
    use std::f32::consts::{PI, TAU};
    let off = (portable::atan2(velocity[1], velocity[0]) - facing + PI).rem_euclid(TAU) - PI;
    (facing + off.clamp(-max_turn, max_turn) + PI).rem_euclid(TAU) - PI
}

/// A slower body keeps its facing: it only drifts [m/s].
const LEAST_TURN_SPEED: f32 = 0.05;
