//! Provides [`PathBuilder`]: from a corridor to a path. It pulls each part between links taut, and joins
//! the parts.

use std::ops::Range;

use crate::cost::CostModel;
use crate::view::NavPoint;

use super::corridor::Corridor;
use super::segment::Segments;
use super::string_pulling::{CorridorPart, TautPath};
use super::waypoints::{Path, TakenLink};

/// A corridor, and the points between which the path leads.
pub(crate) struct PathBuilder<'a, M: ?Sized> {
    pub segments: Segments<'a, M>,
    pub corridor: &'a Corridor,
    pub ends: [NavPoint; 2],
    /// Something is known to be in the way of the straight line between them.
    pub is_line_blocked: bool,
}

impl<M: CostModel + ?Sized> PathBuilder<'_, M> {
    /// Builds the straightened path in an empty one: the whole, or the start of it, with at least so many
    /// waypoints if it has them.
    pub(crate) fn build(&self, taut: &mut TautPath, path: &mut Path, waypoints: usize) {
        let corridor_cost = self.build_parts(taut, path, waypoints);
        // String pulling keeps to the corridor: it may never have tried the straight line itself.
        let is_whole = waypoints == usize::MAX;
        let may_be_straight = is_whole && !self.is_line_blocked && path.waypoints().len() > 2;
        if may_be_straight && self.segments.clear(&self.ends[0], &self.ends[1], path.cost).is_some()
        {
            self.build_straight(path);
        }
        path.corridor_cost = corridor_cost.max(path.cost);
    }

    /// Builds part after part, until there are so many waypoints. Returns the cost of the corridor.
    fn build_parts(&self, taut: &mut TautPath, path: &mut Path, waypoints: usize) -> f64 {
        let spans = self.corridor.spans();
        let view = self.segments.metric.view;
        let mut corridor_cost = 0.0;
        let mut from = self.ends[0];
        let mut first = 0;
        path.stand(view, &from);
        for (position, link) in self.corridor.link_edges() {
            let [end, begin] = NavPoint::link_ends(view, &link);
            let ends = [from, end];
            corridor_cost +=
                self.build_part(taut, path, self.part(first..position, ends, waypoints));
            let cost = self.segments.metric.link_price(&link).map_or(0.0, f64::from);
            corridor_cost += cost;
            path.take(view, TakenLink { link: link.link, cost, end: begin });
            (from, first) = (begin, position);
            if path.waypoints().len() >= waypoints {
                return corridor_cost;
            }
        }
        let end = match spans.last() {
            Some(&last) if self.corridor.is_cut => NavPoint::center(view, last),
            _ => self.ends[1],
        };
        let rest = self.part(first..spans.len(), [from, end], waypoints);
        corridor_cost + self.build_part(taut, path, rest)
    }

    fn part(&self, spans: Range<usize>, ends: [NavPoint; 2], corners: usize) -> CorridorPart<'_> {
        CorridorPart { corridor: self.corridor, spans, ends, corners }
    }

    /// Builds a path of one segment.
    pub(crate) fn build_straight(&self, path: &mut Path) {
        let view = self.segments.metric.view;
        path.clear(view.grid().areas().len());
        path.stand(view, &self.ends[0]);
        path.walk(self.segments.metric, &self.ends[0], &self.ends[1]);
        path.corridor_cost = path.cost;
    }

    /// Straightens a part between two links. Returns its cost before it was straightened.
    fn build_part(&self, taut: &mut TautPath, path: &mut Path, part: CorridorPart) -> f64 {
        let is_whole = part.spans.len() == self.corridor.spans().len();
        let is_empty = part.ends[0] == part.ends[1] && !is_whole;
        if is_empty {
            return 0.0;
        }
        self.segments.pull_taut(taut, &part);
        for pair in taut.corners().windows(2) {
            path.walk(self.segments.metric, &pair[0].at, &pair[1].at);
        }
        taut.corridor_cost()
    }
}
