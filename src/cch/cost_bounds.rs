//! Provides [`CostBounds`]: a lower bound of the cost of a path over any span, and an upper bound
//! of the cheapest path. What exceeds it need not be looked at.

use crate::cost::CostModel;
use crate::grid::SpanId;
use crate::search::{Estimate, EstimateParameters, Heuristic};
use crate::view::Flow;

use crate::cch::arc_costs::ArcCosts;
use crate::cch::cost_units::ReducedCost;
use crate::cch::elimination_tree::EliminationTree;

/// Lower bounds of the costs between any span and both ends of a path, and an upper bound of all.
pub(crate) struct CostBounds<'a, M: ?Sized> {
    arc_costs: &'a ArcCosts<'a, M>,
    tree: &'a EliminationTree,
    to_goal: EndEstimate<'a>,
    from_start: EndEstimate<'a>,
    /// The cost of the cheapest path that is known; [`ReducedCost::UNBOUNDED`] if none is.
    pub upper: ReducedCost,
}

/// A lower bound of the original costs to one end of a path, and the potential of that end.
struct EndEstimate<'a> {
    estimate: &'a Estimate,
    potential: i64,
}

/// The estimates of both ends, whose memory is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct EndEstimates {
    from_start: Estimate,
    to_goal: Estimate,
}

impl<'a, M: CostModel + ?Sized> CostBounds<'a, M> {
    /// The bounds between two ranks.
    pub(crate) fn new(
        tree: &'a EliminationTree,
        arc_costs: &'a ArcCosts<'a, M>,
        ends: [u32; 2],
        estimates: &'a mut EndEstimates,
    ) -> Self {
        let [start, goal] = ends.map(|rank| tree.order[rank as usize]);
        let aimed = |span, estimate: &'a mut Estimate, flow| {
            let ArcCosts { metric, directions, .. } = *arc_costs;
            let parameters = EstimateParameters { heuristic: Heuristic::Octile, directions, flow };
            estimate.begin(metric, parameters);
            estimate.aim(metric.view, SpanId(span));
            EndEstimate { estimate, potential: arc_costs.potential(span) }
        };
        CostBounds {
            arc_costs,
            tree,
            to_goal: aimed(goal, &mut estimates.to_goal, Flow::ToSources),
            from_start: aimed(start, &mut estimates.from_start, Flow::FromSources),
            upper: ReducedCost::UNBOUNDED,
        }
    }

    /// A lower bound of the rest of a path at a rank: to the goal for searches from the start, or
    /// from the start for searches to the goal.
    #[inline]
    pub(crate) fn rest(&self, rank: u32, flow: Flow) -> ReducedCost {
        let span = self.tree.order[rank as usize];
        let view = self.arc_costs.metric.view;
        let potential = self.arc_costs.potential(span);
        let (end, difference) = match flow {
            Flow::FromSources => (&self.to_goal, self.to_goal.potential - potential),
            Flow::ToSources => (&self.from_start, potential - self.from_start.potential),
        };
        let original = end.estimate.at(view.cell_offset(span), view.floor(span));
        ReducedCost((i64::from(original) - difference).clamp(0, u32::MAX.into()) as u32)
    }
}
