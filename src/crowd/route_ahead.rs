//! Provides [`RouteAhead`]: the next metres of a member's path, and how far others are from them.

use nalgebra::Point3;

use crate::crowd::member::Member;
use crate::follow::{SAME_STOREY, dot, norm};

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

impl RouteAhead {
    /// Reads where a member goes for so far [m]: along its path up to a link, or on its errand.
    pub(crate) fn read(&mut self, member: &Member, most: f32) {
        self.points.clear();
        self.points.push(member.position());
        if let Some(errand) = member.duty.errand() {
            self.points.extend(errand.ahead().iter().map(|point| point.point));
        } else {
            let waypoints = member.waypoints();
            let link = waypoints.iter().position(|waypoint| waypoint.link.is_some());
            let ahead = &waypoints[..link.map_or(waypoints.len(), |at| at + 1)];
            self.points.extend(ahead.iter().map(|waypoint| waypoint.point));
        }
        self.cut(most);
    }

    /// Cuts off what is farther along the route than this [m].
    fn cut(&mut self, most: f32) {
        let mut along = 0.0;
        for at in 1..self.points.len() {
            let [from, to] = [self.points[at - 1], self.points[at]];
            let length = norm([to.x - from.x, to.z - from.z]);
            if along + length >= most {
                self.points[at] = from + (to - from) * ((most - along) / length);
                self.points.truncate(at + 1);
                return;
            }
            along += length;
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
