//! Provides [`WidestRoute`]: how wide the widest path between two places is, and where it is narrowest.
//!
//! Paths that are cheapest touch every corner that they go around, so their own clearance says nothing
//! of how wide passages are. The search takes the spans with the most clearance first, as Dijkstra's
//! does the cheapest. Clearances are whole eighths of a cell, so the open list is a stack for each.
//! Based on: Pollack, "The maximum capacity through a network", 1960.

use nalgebra::Point3;
use surefoot::SpanId;
use surefoot::grid::Dir;
use surefoot::view::{LinkFilter, View};

/// The widest path between two places.
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

impl WidestRoute {
    /// The widest path on a view, by links that a filter allows; `None` if no path leads there.
    /// O(spans).
    pub fn find(view: &View, ends: [SpanId; 2], filter: LinkFilter) -> Option<Self> {
        let [start, goal] = ends;
        let cell = view.cell_size();
        let width = |span: SpanId| {
            let clearance = view.grid().clearance(view.agent_id(), span).unwrap_or_default();
            ((clearance / (EIGHTH * cell)).round() as usize).min(MOST)
        };
        let links = LinkSteps::new(view, filter);
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
                let clearance = narrowest.width as f32 * EIGHTH * cell;
                return Some(WidestRoute { clearance, span: narrowest.span, point });
            }
            if std::mem::replace(is_closed.get_mut(span.index())?, true) {
                continue;
            }
            let steps = Dir::ALL.into_iter().filter_map(|dir| view.neighbor(span, dir));
            for to in steps.chain(links.leaving(span)) {
                if !is_closed[to.index()] {
                    let own = Narrowest { width: width(to), span: to };
                    let next = if own.width < narrowest.width { own } else { narrowest };
                    open[next.width].push((to, next));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::{Agent, NavGrid};

    fn widest(map: &str, ends: [[f32; 3]; 2]) -> Option<WidestRoute> {
        let ant = Agent { radius: 0.1, height: 0.5, max_climb: 0.1, ..Agent::new("ant") };
        let grid = NavGrid::from_map(map, 1.0, &[ant]).unwrap();
        let view = View::new(&grid, "ant").unwrap();
        let ends = ends.map(|end| grid.span_at(end, 1.0).unwrap());
        WidestRoute::find(&view, ends, LinkFilter::ALL)
    }

    /// Two halves, and a wall between them with a narrow gap at x = 1 and a wide one at x = 7 to 9.
    const TWO_GAPS: &str = "type octile\nheight 11\nwidth 13\nmap\n\
        .............\n.............\n.............\n.............\n.............\n\
        @.@@@@@...@@@\n\
        .............\n.............\n.............\n.............\n.............\n";

    #[test]
    fn the_wide_gap_is_taken_although_the_narrow_one_is_nearer() {
        let route = widest(TWO_GAPS, [[2.5, 0.0, 2.5], [2.5, 0.0, 8.5]]).unwrap();
        assert_eq!(route.clearance, 1.5);
        let narrow = TWO_GAPS.replace("@@...@@@", "@@@@@@@@");
        let other = widest(&narrow, [[2.5, 0.0, 2.5], [2.5, 0.0, 8.5]]).unwrap();
        assert_eq!((other.point.x, other.point.z), (1.5, 5.5));
        assert_eq!(other.clearance, 0.5);
        assert!(route.clearance <= most_clearance(1.0));
    }

    #[test]
    fn there_may_be_no_path_at_all() {
        let map = "type octile\nheight 1\nwidth 3\nmap\n.@.\n";
        assert!(widest(map, [[0.5, 0.0, 0.5], [2.5, 0.0, 0.5]]).is_none());
    }
}
