//! Provides [`TrailGround`]: lays trails from place to place, and says who is in the way on them.

use nalgebra::Point3;

use crate::follow::{dot, norm};
use crate::mapf::buckets::{Buckets, distance};
use crate::mapf::local_ground::LocalGround;
use crate::mapf::place_graph::PlaceId;
use crate::path::{GridSight, Sight};
use crate::view::{NavPoint, ViewRef};

/// The ground between places.
#[derive(Clone, Copy)]
pub(crate) struct TrailGround<'a> {
    pub view: &'a ViewRef<'a>,
    local: &'a LocalGround,
    /// The places, by squares.
    pub places: &'a Buckets,
    /// Of a body [m].
    pub width: f32,
    /// A body is in the way of another that comes nearer than this [m].
    contact: f32,
    may_push: bool,
}

/// A body is in the way if another that passes comes nearer than this [diameters of a body]...
const CONTACT: f32 = 0.97;
/// ...or than this where they may push.
const PUSHING_CONTACT: f32 = 0.9;
/// A body that comes nearer to another by no more than this goes away from it [m].
const LEAVING: f32 = 0.01;
/// The same where they may push, if it is farther from the other in the end [m]: two that are wedged could otherwise
/// not go either way.
const PUSHING_LEAVING: f32 = 0.1;
/// Whom a body comes near on its way is looked at this often [m].
const SAMPLE: f32 = 0.1;

impl<'a> TrailGround<'a> {
    /// Ground with some places on it, for bodies that may push each other aside a little, or not.
    pub(crate) fn new(
        view: &'a ViewRef<'a>,
        local: &'a LocalGround,
        places: &'a Buckets,
        may_push: bool,
    ) -> Self {
        let width = 2.0 * view.agent().radius;
        let contact = width * if may_push { PUSHING_CONTACT } else { CONTACT };
        TrailGround { view, local, places, width, contact, may_push }
    }

    /// The points from one place to another, on the way over some spans.
    pub(crate) fn trail(&self, [from, to]: [NavPoint; 2], way: &[u32]) -> Vec<NavPoint> {
        let middle = |number: &u32| self.local.points[*number as usize];
        let mut trail = vec![from];
        if let [own, next, ..] = way {
            trail.extend(onto_line(self.view, from, [middle(own), middle(next)]));
        }
        let between = way.get(1..way.len() - 1).unwrap_or_default();
        trail.extend(between.iter().map(middle));
        if let [.., next, own] = way {
            trail.extend(onto_line(self.view, to, [middle(own), middle(next)]));
        }
        trail.push(to);
        trail
    }

    /// A trail without the points that can be left out, as a line goes past them: from each point straight to the
    /// last one that is in sight.
    pub(crate) fn straightened(&self, trail: Vec<NavPoint>) -> Vec<NavPoint> {
        let mut straight = vec![trail[0]];
        let mut at = 0;
        while at + 1 < trail.len() {
            let is_seen = |&next: &usize| self.sees([trail[at], trail[next]]);
            at = (at + 2..trail.len()).rev().find(is_seen).unwrap_or(at + 1);
            straight.push(trail[at]);
        }
        straight
    }

    /// Whether a body can walk straight from one point to another.
    pub(crate) fn sees(&self, [from, to]: [NavPoint; 2]) -> bool {
        GridSight.is_clear(self.view.view, &from, &to)
    }

    /// The place that a trail leads to, and all others from which a body would be in the way.
    pub(crate) fn in_the_way(&self, [from, to]: [PlaceId; 2], trail: &[NavPoint]) -> Vec<PlaceId> {
        let mut found = vec![to];
        let end = trail[trail.len() - 1].point;
        for at in trail.windows(2).flat_map(|ends| along([ends[0].point, ends[1].point])) {
            self.places.near(at, |place, other| {
                let gap = distance(at, other);
                let [at_first, at_rest] = [trail[0].point, end].map(|own| distance(own, other));
                let goes_away = self.may_push && at_rest > at_first;
                let leaving = if goes_away { PUSHING_LEAVING } else { LEAVING };
                let comes_near = gap < self.contact(at_rest) && gap < at_first - leaving;
                let place = place as PlaceId;
                if comes_near && place != from && !found.contains(&place) {
                    found.push(place);
                }
            });
        }
        found
    }

    /// A body is in the way of another that comes nearer than this, if the other comes to rest at some distance
    /// from it: goals may be so near to each other that those who rest there push each other a little.
    fn contact(&self, at_rest: f32) -> f32 {
        self.contact.min((at_rest - LEAVING).max(PUSHING_CONTACT * self.width))
    }
}

/// Points on the line from one to another, which comes last.
fn along([from, to]: [Point3<f32>; 2]) -> impl Iterator<Item = Point3<f32>> {
    let offset = to - from;
    let parts = (norm([offset.x, offset.z]) / SAMPLE).ceil().max(1.0);
    (1..=parts as u32).map(move |part| from + offset * (part as f32 / parts))
}

/// Where a body off the middle of its span goes first, if it cannot go straight on to the next span: onto the
/// line between the middles of both.
fn onto_line(view: &ViewRef, from: NavPoint, [own, next]: [NavPoint; 2]) -> Option<NavPoint> {
    if GridSight.is_clear(view.view, &from, &next) {
        return None;
    }
    let flat = |to: Point3<f32>| [to.x - own.point.x, to.z - own.point.z];
    let (line, offset) = (flat(next.point), flat(from.point));
    let part = (dot(line, offset) / dot(line, line)).clamp(0.0, 0.5);
    Some(NavPoint::at(view, own.span, own.point + (next.point - own.point) * part))
}
