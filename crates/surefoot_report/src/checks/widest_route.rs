//! Provides [`WidestSearch`]: how wide the passages are that a path leads through.
//!
//! The cheapest path touches every corner that it goes around, so its own clearance says nothing of that.
//! Of all paths that stay near it, the widest is looked for: the search takes the spans with the most
//! clearance first, as Dijkstra's does the cheapest. Clearances are whole eighths of a cell, so the open
//! list is a stack for each.
//! Based on: Pollack, "The maximum capacity through a network", 1960.

use nalgebra::Point3;
use surefoot::SpanId;
use surefoot::grid::{Cell, Dir};
use surefoot::path::TrackPoint;
use surefoot::view::{LinkFilter, View};

/// The widest path between two places, near a given one.
pub(super) struct WidestRoute {
    /// Clearance where it is narrowest [m].
    pub clearance: f32,
    /// Where that is.
    pub span: SpanId,
    pub point: Point3<f32>,
}

/// Clearances are whole multiples of this part of a cell.
const EIGHTH: f32 = 1.0 / 8.0;
/// The greatest clearance that grids measure [eighths of a cell].
const MOST: usize = 255;

/// The greatest clearance that a grid of some cell size measures [m].
pub(super) fn most_clearance(cell_size: f32) -> f32 {
    MOST as f32 * EIGHTH * cell_size
}

/// A narrowest place, and how wide it is [eighths of a cell].
#[derive(Clone, Copy)]
struct Narrowest {
    width: usize,
    span: SpanId,
}

/// Links from span to span, sorted.
struct LinkSteps(Vec<[SpanId; 2]>);

impl LinkSteps {
    /// Those that the agent can take and a filter allows.
    fn new(view: &View, filter: LinkFilter) -> Self {
        let allowed = view.grid().links().iter().filter(|link| filter.allows(link.kind));
        let mut steps = Vec::new();
        for link in allowed {
            for lane in link.lanes_of(view.agent_id().index()) {
                let [from, to] = lane.spans;
                steps.push([from, to]);
                steps.extend(link.is_reversible().then_some([to, from]));
            }
        }
        steps.sort_unstable();
        LinkSteps(steps)
    }

    fn leaving(&self, span: SpanId) -> impl Iterator<Item = SpanId> {
        let start = self.0.partition_point(|&[from, _]| from < span);
        self.0[start..].iter().take_while(move |&&[from, _]| from == span).map(|&[_, to]| to)
    }
}

/// How widest paths are looked for.
pub(super) struct WidestSearch<'a> {
    pub view: &'a View,
    pub links: LinkFilter,
    /// Ground nearer to an end than this counts as wide [m].
    pub free: f32,
    /// The spans that may be used.
    pub near: SpansNear,
}

/// The spans near a path.
pub(super) struct SpansNear(Vec<bool>);

/// Of the points along a path those count that are this part of the distance apart.
const SPACING: f32 = 0.125;

impl SpansNear {
    /// The spans within a distance of the points of a path [m]. O(points · cells within the distance)
    pub fn new(view: &View, track: &[TrackPoint], within: f32) -> Self {
        let grid = view.grid();
        let mut near = vec![false; grid.spans().len()];
        let mut last: Option<Point3<f32>> = None;
        for (at, track_point) in track.iter().enumerate() {
            near[track_point.span.index()] = true;
            let point = track_point.point;
            let is_close = last.is_some_and(|last| (last - point).norm() < SPACING * within);
            if is_close && at + 1 < track.len() {
                continue;
            }
            last = Some(point);
            let corner = |by: f32| grid.frame().cell_at(point.x + by, point.z + by);
            let (low, high) = (corner(-within), corner(within));
            for cell in
                (low.z..=high.z).flat_map(|z| (low.x..=high.x).map(move |x| Cell::new(x, z)))
            {
                for span in grid.column_spans(cell).map(SpanId) {
                    let is_near = |own: Point3<f32>| (own - point).norm() <= within;
                    near[span.index()] |= grid.point(span).is_some_and(is_near);
                }
            }
        }
        SpansNear(near)
    }
}

impl WidestSearch<'_> {
    /// The widest path from one span to another; `None` if no path leads there. O(spans).
    pub fn find(&self, ends: [SpanId; 2]) -> Option<WidestRoute> {
        let (view, links) = (self.view, self.links);
        let [start, goal] = ends;
        let points = ends.map(|end| view.grid().point(end));
        let width = |span: SpanId| self.width(span, &points);
        let links = LinkSteps::new(view, links);
        let mut is_closed = vec![false; view.grid().spans().len()];
        let mut open: Vec<Vec<(SpanId, Narrowest)>> = vec![Vec::new(); MOST + 1];
        open[width(start)].push((start, Narrowest { width: width(start), span: start }));
        let mut highest = MOST + 1;
        while highest > 0 {
            let Some((span, narrowest)) = open[highest - 1].pop() else {
                highest -= 1;
                continue;
            };
            if span == goal {
                let point = view.grid().point(narrowest.span)?;
                let clearance = narrowest.width as f32 * EIGHTH * view.cell_size();
                return Some(WidestRoute { clearance, span: narrowest.span, point });
            }
            if std::mem::replace(is_closed.get_mut(span.index())?, true) {
                continue;
            }
            let steps = Dir::ALL.into_iter().filter_map(|dir| view.neighbor(span, dir));
            for to in steps.chain(links.leaving(span)) {
                if !is_closed[to.index()] && self.near.0[to.index()] {
                    let own = Narrowest { width: width(to), span: to };
                    let next = if own.width < narrowest.width { own } else { narrowest };
                    open[next.width].push((to, next));
                }
            }
        }
        None
    }

    /// How wide the ground is on a span [eighths of a cell].
    fn width(&self, span: SpanId, ends: &[Option<Point3<f32>>; 2]) -> usize {
        let grid = self.view.grid();
        let is_near = |end: &Point3<f32>| {
            grid.point(span).is_some_and(|point| (point - end).norm() < self.free)
        };
        let is_free = ends.iter().flatten().any(is_near);
        if is_free {
            return MOST;
        }
        let clearance = grid.clearance(self.view.agent_id(), span).unwrap_or_default();
        ((clearance / (EIGHTH * self.view.cell_size())).round() as usize).min(MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::{Agent, NavGrid, Navigator};

    fn widest(map: &str, ends: [[f32; 3]; 2], [free, within]: [f32; 2]) -> Option<WidestRoute> {
        let ant = Agent { radius: 0.1, height: 0.5, max_climb: 0.1, ..Agent::new("ant") };
        let grid = NavGrid::from_map(map, 1.0, &[ant]).unwrap();
        let mut navigator = Navigator::new(grid.clone(), "ant").unwrap();
        let track = navigator.path(ends[0], ends[1]).ok()?.track().to_vec();
        let view = navigator.view();
        let ends = ends.map(|end| grid.span_at(end, 1.0).unwrap());
        let near = SpansNear::new(view, &track, within);
        WidestSearch { view, links: LinkFilter::ALL, free, near }.find(ends)
    }

    /// Two halves, and a wall between them with a narrow gap at x = 1 and a wide one at x = 7 to 9.
    const TWO_GAPS: &str = "type octile\nheight 11\nwidth 13\nmap\n\
        .............\n.............\n.............\n.............\n.............\n\
        @.@@@@@...@@@\n\
        .............\n.............\n.............\n.............\n.............\n";

    #[test]
    fn the_widest_gap_near_the_path_counts() {
        let ends = [[2.5, 0.0, 2.5], [2.5, 0.0, 8.5]];
        assert_eq!(widest(TWO_GAPS, ends, [0.0, 99.0]).unwrap().clearance, 1.5);
        // The cheapest path takes the narrow gap.
        let route = widest(TWO_GAPS, ends, [0.0, 3.0]).unwrap();
        assert_eq!((route.clearance, route.point.x, route.point.z), (0.5, 1.5, 5.5));
        assert!(route.clearance <= most_clearance(1.0));
    }

    #[test]
    fn ends_may_be_beside_a_wall() {
        let ends = [[0.5, 0.0, 0.5], [12.5, 0.0, 0.5]];
        assert_eq!(widest(TWO_GAPS, ends, [0.0, 9.0]).unwrap().clearance, 0.5);
        assert_eq!(widest(TWO_GAPS, ends, [4.0, 9.0]).unwrap().clearance, 2.5);
    }
}
