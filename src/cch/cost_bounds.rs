//! Provides [`CostBounds`]: a lower bound of the cost of a path over any span, and an upper bound
//! of the cheapest path. What exceeds it need not be looked at.

use crate::cost::CostModel;
use crate::grid::SpanId;
use crate::search::{Estimate, EstimateParameters, Heuristic};
use crate::view::Flow;

use crate::cch::arc_costs::ArcCosts;
use crate::cch::cost_units::{OriginalCost, ReducedCost};
use crate::cch::elimination_tree::EliminationTree;

/// Lower bounds of the costs between any span and both ends of a path, and an upper bound of all.
pub(crate) struct CostBounds<'a, M: ?Sized> {
    arc_costs: &'a ArcCosts<'a, M>,
    tree: &'a EliminationTree,
    /// The spans of the path's start and goal.
    ends: [u32; 2],
    estimates: &'a EndEstimates,
    /// The cost of the cheapest path that is known; infinite if none is.
    pub upper: OriginalCost,
}

/// The bounds for the costs that one supernode counts.
pub(crate) struct SupernodeBounds<'a, M: ?Sized> {
    bounds: &'a CostBounds<'a, M>,
    arc_costs: ArcCosts<'a, M>,
    /// Of the path's start and goal.
    potentials: [i64; 2],
}

/// Lower bounds of the original costs to both ends, whose memory is reused.
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
        let ends = ends.map(|rank| tree.order[rank as usize]);
        let aim = |span, estimate: &mut Estimate, flow| {
            let ArcCosts { metric, directions, .. } = *arc_costs;
            let parameters = EstimateParameters { heuristic: Heuristic::Octile, directions, flow };
            estimate.begin(metric, parameters);
            estimate.aim(metric.view, SpanId(span));
        };
        aim(ends[1], &mut estimates.to_goal, Flow::ToSources);
        aim(ends[0], &mut estimates.from_start, Flow::FromSources);
        CostBounds { arc_costs, tree, ends, estimates, upper: OriginalCost::INFINITE }
    }

    /// The bounds for the costs that a supernode counts.
    pub(crate) fn at(&self, supernode: usize) -> SupernodeBounds<'_, M> {
        let arc_costs = self.arc_costs.at(self.tree, supernode);
        let potentials = self.ends.map(|span| arc_costs.potential(span));
        SupernodeBounds { bounds: self, arc_costs, potentials }
    }
}

impl<M: CostModel + ?Sized> SupernodeBounds<'_, M> {
    /// Whether a lower bound exceeds the upper one. Ties do not: the path that the upper bound is the
    /// cost of may be the only cheapest one.
    pub(crate) fn excludes(&self, lower: i64) -> bool {
        let upper = self.bounds.upper;
        upper != OriginalCost::INFINITE && lower > upper.0.into()
    }

    /// A lower bound of the original cost of a path over a rank that is reached from the start at a
    /// cost, or reaches the goal at it.
    ///
    /// Not all parts of the sum need to be positive: a link may cost less than its ends' potentials
    /// differ by.
    #[inline]
    pub(crate) fn lower(&self, cost: ReducedCost, rank: u32, flow: Flow) -> i64 {
        let CostBounds { tree, estimates, .. } = self.bounds;
        let span = tree.order[rank as usize];
        let view = self.arc_costs.metric.view;
        let potential = self.arc_costs.potential(span);
        let [start, goal] = self.potentials;
        let (estimate, difference) = match flow {
            Flow::FromSources => (&estimates.to_goal, potential - start),
            Flow::ToSources => (&estimates.from_start, goal - potential),
        };
        let rest = estimate.at(view.cell_offset(span), view.floor(span));
        i64::from(cost.0) + difference + i64::from(rest)
    }
}
