//! Provides [`RouteAhead`]: the next metres of a member's path, and how far others are from them.

use nalgebra::Point3;

use crate::crowd::member::Member;
use crate::follow::{dot, norm};
use crate::view::NavPoint;

/// The next metres of a member's path.
#[derive(Clone, Debug, Default)]
pub(crate) struct RouteAhead {
    points: Vec<Point3<f32>>,
}

/// Where a point is next to a route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BesideRoute {
    /// From the route, seen from above [m].
    pub distance: f32,
    /// From the route's start to the nearest point of it [m].
    pub along: f32,
    /// From the nearest point of the route to the point, seen from above [unit length]; to the right of
    /// the route for a point on it.
    pub away: [f32; 2],
}

/// Ground is looked at this often along a route [m].
const SAMPLE_DISTANCE: f32 = 0.5;
/// A route ends after so much open ground [m].
const OPEN_LENGTH: f32 = 1.0;
/// A route is no shorter than this, whatever the ground [m].
const LEAST_LENGTH: f32 = 2.0;
/// Places are on the same storey if their heights differ by no more than this [m].
pub(crate) const SAME_STOREY: f32 = 1.5;

impl RouteAhead {
    /// Reads where a member goes: along its path up to a link, or on its errand. `begin` leads back to
    /// the first point of that, if the member was pushed off.
    pub(crate) fn read(&mut self, member: &Member, begin: &[NavPoint]) {
        self.points.clear();
        self.points.push(member.position());
        self.points.extend(begin.iter().map(|point| point.point));
        if let Some(errand) = member.duty.errand() {
            self.points.extend(errand.ahead().iter().map(|point| point.point));
            return;
        }
        for waypoint in member.waypoints() {
            self.points.push(waypoint.point);
            if waypoint.link.is_some() {
                return;
            }
        }
    }

    /// Reads a trail.
    pub(crate) fn read_trail(&mut self, trail: &[NavPoint]) {
        self.points.clear();
        self.points.extend(trail.iter().map(|point| point.point));
    }

    /// Cuts the route off on open ground, or where it is longer than `most` [m]. Returns its end if it
    /// does not come that far: there the body comes to rest.
    pub(crate) fn cut(
        &mut self,
        most: f32,
        mut is_narrow: impl FnMut(Point3<f32>) -> bool,
    ) -> Option<Point3<f32>> {
        let (mut along, mut open) = (0.0, 0.0);
        for at in 1..self.points.len() {
            let [from, to] = [self.points[at - 1], self.points[at]];
            let length = norm([to.x - from.x, to.z - from.z]);
            let samples = (length / SAMPLE_DISTANCE).ceil().max(1.0);
            for sample in 1..=samples as u32 {
                let point = from + (to - from) * (sample as f32 / samples);
                along += length / samples;
                open = if is_narrow(point) { 0.0 } else { open + length / samples };
                if along >= most || open >= OPEN_LENGTH && along >= LEAST_LENGTH {
                    self.points.truncate(at);
                    self.points.push(point);
                    return None;
                }
            }
        }
        self.points.last().copied().filter(|_| open == 0.0)
    }

    /// Where a point is next to the route; `None` if it is on another storey.
    pub(crate) fn beside(&self, point: Point3<f32>) -> Option<BesideRoute> {
        let mut best: Option<BesideRoute> = None;
        let mut passed = 0.0;
        for ends in self.points.windows(2) {
            let (segment, offset) = (ends[1] - ends[0], point - ends[0]);
            let (flat, off) = ([segment.x, segment.z], [offset.x, offset.z]);
            let length = norm(flat);
            let part = if length > 0.0 { dot(off, flat) / (length * length) } else { 0.0 };
            let part = part.clamp(0.0, 1.0);
            let away = [0, 1].map(|axis| off[axis] - part * flat[axis]);
            let distance = norm(away);
            let is_level = (ends[0].y + part * segment.y - point.y).abs() < SAME_STOREY;
            if is_level && best.is_none_or(|best| distance < best.distance) {
                let right = [-flat[1], flat[0]];
                let away = if distance > 0.0 { away } else { right };
                let away = away.map(|v| v / norm(away).max(f32::MIN_POSITIVE));
                best = Some(BesideRoute { distance, along: passed + part * length, away });
            }
            passed += length;
        }
        best
    }
}
