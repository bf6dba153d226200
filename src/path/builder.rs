//! From a corridor to a path: straightens each part between links, and lays the segments out.

use crate::cost::CostModel;
use crate::path::corridor::Corridor;
use crate::path::segment::Segments;
use crate::path::string_pulling::TautPath;
use crate::path::waypoints::Path;
use crate::view::NavPoint;

/// A corridor between the places where a path really starts and ends.
pub(crate) struct PathBuilder<'a, M: ?Sized> {
    pub segments: Segments<'a, M>,
    pub corridor: &'a Corridor,
    pub ends: [NavPoint; 2],
}

impl<M: CostModel + ?Sized> PathBuilder<'_, M> {
    /// Lays the straightened way into an empty path.
    pub(crate) fn build(&self, taut: &mut TautPath, path: &mut Path) {
        let spans = self.corridor.spans();
        let view = self.segments.metric.view;
        let mut corridor_cost = 0.0;
        let mut from = self.ends[0];
        let mut first = 0;
        path.stand(view, &from);
        for (position, link_edge) in self.corridor.link_edges() {
            let [end, begin] = NavPoint::link_ends(view, &link_edge);
            corridor_cost += self.build_part(taut, path, (first..position, [from, end]));
            let cost = self.segments.metric.link_price(&link_edge).map_or(0.0, f64::from);
            corridor_cost += cost;
            path.take(view, (link_edge.link, cost), &begin);
            (from, first) = (begin, position);
        }
        let rest = (first..spans.len(), [from, self.ends[1]]);
        corridor_cost += self.build_part(taut, path, rest);
        // Nothing that was tried on the way there may have been the straight line itself.
        if self.segments.clear(&self.ends[0], &self.ends[1], path.cost).is_some() {
            self.build_straight(path);
        }
        path.corridor_cost = corridor_cost.max(path.cost);
    }

    /// Lays a path of one segment.
    pub(crate) fn build_straight(&self, path: &mut Path) {
        let view = self.segments.metric.view;
        path.clear(view.grid().areas().len());
        path.stand(view, &self.ends[0]);
        path.walk(self.segments.metric, &self.ends[0], &self.ends[1]);
        path.corridor_cost = path.cost;
    }

    /// Straightens the spans between two links. Returns what they cost unstraightened.
    fn build_part(
        &self,
        taut: &mut TautPath,
        path: &mut Path,
        (range, ends): (std::ops::Range<usize>, [NavPoint; 2]),
    ) -> f64 {
        let between_links = ends[0] == ends[1] && range.len() < self.corridor.spans().len();
        if between_links {
            return 0.0;
        }
        let (corners, cost) = self.segments.pull_taut(taut, &self.corridor.spans()[range], ends);
        for pair in corners.windows(2) {
            path.walk(self.segments.metric, &pair[0].at, &pair[1].at);
        }
        cost
    }
}
