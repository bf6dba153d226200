//! Provides [`Unpacker`]: turns the shortcuts of a path into a corridor, span by span.
//!
//! Where the straight segment between the ends of a shortcut is clear and costs no more, the spans
//! between are left out: straightening would cross them anyway.
//!
//! Where nothing lies in the way between the ends of a shortcut, its cost is the estimate of a
//! search, and a greedy descent of the estimate lays it out. Other shortcuts are unpacked until
//! they are short, and then searched within their cost. Only what that does not find, such as
//! links, is left to A*.

use crate::cost::CostModel;
use crate::grid::SpanId;
use crate::path::Corridor;
use crate::search::{AStar, Estimate, EstimateParameters, Heuristic, SearchParameters};
use crate::view::{Flow, NavPoint};

use crate::cch::arc_costs::ArcCosts;
use crate::cch::bounded_search::BoundedSearch;
use crate::cch::greedy_descent::{KnownPath, greedy_descent};
use crate::cch::query_context::QueryContext;
use crate::cch::shortcut::Shortcut;

/// Unpacks one path after another, without allocating.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unpacker {
    /// What is still to be unpacked, the next shortcut last.
    shortcuts: Vec<Shortcut>,
    bounded: BoundedSearch,
    astar: AStar,
    /// Of the rest of a shortcut.
    estimate: Estimate,
}

impl Unpacker {
    /// The shortcuts of the path, the last one first, to be filled in.
    pub(crate) fn shortcuts(&mut self) -> &mut Vec<Shortcut> {
        &mut self.shortcuts
    }

    /// Lays out shortcuts, from the end of the corridor on, until it leads over so many cells or ends.
    /// Returns the number of spans that were looked at one by one; `None` if the costs are those of another
    /// model, by which there is no such path.
    pub(crate) fn unpack<M: CostModel + ?Sized>(
        &mut self,
        context: &QueryContext<M>,
        corridor: &mut Corridor,
        cells: u32,
    ) -> Option<u32> {
        let QueryContext { customized, arc_costs } = *context;
        let ArcCosts { metric, directions, uniform_ground, .. } = *arc_costs;
        let (mut looked_at, direction_codes) = (0, directions.step_codes());
        let parameters =
            EstimateParameters { heuristic: Heuristic::Octile, directions, flow: Flow::ToSources };
        self.estimate.begin(metric, parameters);
        while corridor.is_shorter(metric.view, cells)
            && let Some(shortcut) = self.shortcuts.pop()
        {
            let ends = shortcut.ends.map(|rank| customized.tree().order[rank as usize]);
            self.estimate.aim(metric.view, SpanId(ends[1]));
            let parameters = SearchParameters {
                metric,
                estimate: &self.estimate,
                direction_codes,
                weight: 256,
                closes_once: false,
                uniform_ground,
            };
            if leap(corridor, &parameters, ends, shortcut.cost.0) {
                continue;
            }
            let path = KnownPath { parameters: &parameters, ends, cost: shortcut.cost.0 };
            if path.cost == parameters.rest(ends[0]) && greedy_descent(&path, corridor) {
                continue;
            }
            if let Some([first, second]) = shortcut.unpack(context) {
                self.shortcuts.extend([second, first]);
                continue;
            }
            looked_at += match self.bounded.run(&mut self.astar.nodes, &path, corridor) {
                Some(reached) => reached,
                None => {
                    let expanded = self.astar.find(&parameters, ends)?;
                    corridor.follow(metric, &self.astar, ends[1]);
                    expanded
                }
            };
        }
        corridor.is_cut = !self.shortcuts.is_empty();
        Some(looked_at)
    }
}

/// Goes on to the end of a shortcut by a straight segment, if that is clear and costs no more.
fn leap<M: CostModel + ?Sized>(
    corridor: &mut Corridor,
    parameters: &SearchParameters<M>,
    ends: [u32; 2],
    cost: u32,
) -> bool {
    let metric = parameters.metric;
    let [from, to] = ends.map(|span| NavPoint::center(metric.view, SpanId(span)));
    let cost = f64::from(metric.cost(cost));
    let straight = metric.segment(&from, &to, cost);
    if let Some(straight) = straight {
        corridor.leap(to.span, [cost, straight]);
    }
    straight.is_some()
}
