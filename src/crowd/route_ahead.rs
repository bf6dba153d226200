//! Provides [`RouteAhead`]: the next metres of a member's path, and how far others are from them.

use nalgebra::Point3;

use crate::crowd::member::Member;
use crate::follow::{dot, norm};

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
}

/// Places are beside a route if their heights differ by no more than this [m].
const SAME_STOREY: f32 = 1.5;

impl RouteAhead {
    /// Reads the next metres of a member's path, up to a link.
    pub(crate) fn read(&mut self, member: &Member, length: f32) {
        self.points.clear();
        self.points.push(member.position());
        let mut left = length;
        for waypoint in member.waypoints() {
            let last = self.points[self.points.len() - 1];
            let along = waypoint.point - last;
            let distance = norm([along.x, along.z]);
            if distance >= left {
                self.points.push(last + along * (left / distance));
                return;
            }
            self.points.push(waypoint.point);
            left -= distance;
            if waypoint.link.is_some() {
                return;
            }
        }
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
            let distance = norm([0, 1].map(|axis| off[axis] - part * flat[axis]));
            let is_level = (ends[0].y + part * segment.y - point.y).abs() < SAME_STOREY;
            if is_level && best.is_none_or(|best| distance < best.distance) {
                best = Some(BesideRoute { distance, along: passed + part * length });
            }
            passed += length;
        }
        best
    }
}
