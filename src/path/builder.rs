//! Provides [`PathBuilder`]: from a corridor to a path. It pulls each part between links taut, and joins
//! the parts.

use std::ops::Range;

use crate::cost::CostModel;
use crate::view::NavPoint;

use super::corridor::Corridor;
use super::segment::Segments;
use super::string_pulling::{CorridorPart, TautPath, WantedWaypoints};
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
    /// Builds the straightened path in an empty one: the whole, or the start of it.
    pub(crate) fn build(&self, taut: &mut TautPath, path: &mut Path, wanted: WantedWaypoints) {
        self.build_parts(taut, path, wanted);
        let corridor_cost = path.corridor_cost;
        // String pulling keeps to the corridor: it may never have tried the straight line itself.
        let may_be_straight = wanted.is_all() && !self.is_line_blocked;
        if may_be_straight
            && path.waypoints().len() > 2
            && self.segments.clear(&self.ends[0], &self.ends[1], path.cost).is_some()
        {
            self.build_straight(path);
        }
        path.corridor_cost = corridor_cost.max(path.cost);
    }

    /// Builds part after part, until there are enough waypoints.
    fn build_parts(&self, taut: &mut TautPath, path: &mut Path, wanted: WantedWaypoints) {
        let spans = self.corridor.spans();
        let view = self.segments.metric.view;
        let mut from = self.ends[0];
        let mut first = 0;
        path.stand(view, &from);
        for (position, link) in self.corridor.link_edges() {
            let [end, begin] = NavPoint::link_ends(view, &link);
            let part = self.part(first..position, [from, end], wanted.behind(path));
            if !self.build_part(taut, path, part) {
                return;
            }
            let cost = self.segments.metric.link_price(&link).map_or(0.0, f64::from);
            path.corridor_cost += cost;
            path.take(view, TakenLink { link: link.link, cost, end: begin });
            (from, first) = (begin, position);
            if path.waypoints().len() >= wanted.count {
                return;
            }
        }
        let end = match spans.last() {
            Some(&last) if self.corridor.is_cut => NavPoint::center(view, last),
            _ => self.ends[1],
        };
        let rest = self.part(first..spans.len(), [from, end], wanted.behind(path));
        self.build_part(taut, path, rest);
    }

    fn part(
        &self,
        spans: Range<usize>,
        ends: [NavPoint; 2],
        wanted: WantedWaypoints,
    ) -> CorridorPart<'_> {
        let PathBuilder { corridor, is_line_blocked, .. } = *self;
        CorridorPart { corridor, spans, ends, wanted, is_line_blocked }
    }

    /// Builds a path of one segment.
    pub(crate) fn build_straight(&self, path: &mut Path) {
        let view = self.segments.metric.view;
        path.clear(view.grid().areas().len());
        path.stand(view, &self.ends[0]);
        path.walk(self.segments.metric, &self.ends[0], &self.ends[1]);
        path.corridor_cost = path.cost;
    }

    /// Straightens a part between two links and goes along it as far as wanted. Returns whether to its end.
    fn build_part(&self, taut: &mut TautPath, path: &mut Path, part: CorridorPart) -> bool {
        let count = self.corridor.spans().len();
        let is_whole = part.spans.len() == count;
        if part.ends[0] == part.ends[1] && !is_whole {
            return true;
        }
        self.segments.pull_taut(taut, &part);
        path.corridor_cost += taut.corridor_cost();
        let corners = taut.corners();
        // Where the corridor is cut or not all of it was looked at, the last corner is none of the path's.
        let is_cut = self.corridor.is_cut && part.spans.end == count;
        let is_pulled = !is_cut && corners.last().is_some_and(|last| last.at == part.ends[1]);
        let certain = corners.len() - usize::from(!is_pulled);
        let walked = certain.min(part.wanted.count);
        for pair in corners[..walked].windows(2) {
            path.walk(self.segments.metric, &pair[0].at, &pair[1].at);
        }
        is_pulled && walked == corners.len()
    }
}
