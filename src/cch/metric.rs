//! Provides [`HierarchyMetric`]: the costs of a hierarchy's shortcuts by one cost model.

use crate::cost::FixedLowerBound;
use crate::search::Query;
use crate::view::{Directions, Flow, View};

use crate::cch::cost_units::ReducedCost;

/// The costs of a hierarchy's shortcuts, by one cost model.
///
/// Made by [`super::Hierarchy::customize`], and brought up to date after changes by
/// [`super::Hierarchy::update`]. A hierarchy may have several.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HierarchyMetric {
    /// For each supernode; empty for those within blocks.
    pub supernodes: Vec<SupernodeCosts>,
    pub rules: RouteRules,
    pub basis: MetricBasis,
    /// The largest finite cost of any supernode.
    pub largest: ReducedCost,
}

/// What a query may ask for beside its ends; costs hold for queries that ask for the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RouteRules {
    /// The steepest ground to cross [rad]; `None` means the agent's own slope limit.
    pub slope_limit: Option<f32>,
    /// In how many directions there are steps.
    pub directions: Directions,
}

/// What costs were computed from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MetricBasis {
    /// Fingerprint of the grid.
    pub grid: u64,
    /// Identifies the changes over the bake.
    pub state: u64,
    pub unit_exponent: i32,
    pub least: FixedLowerBound,
    /// Reduced costs are the same there and back, but for directed supernodes.
    pub is_symmetric: bool,
}

/// What is stored of a supernode's frontal matrix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SupernodeCosts {
    /// For each span of the separator, by rank, the costs of its upward arcs: from it to every
    /// later index of the frontal matrix, then, unless these costs are symmetric, to it from those.
    /// Empty for blocks.
    pub arcs: Box<[ReducedCost]>,
    /// The costs through the cell: the square of its boundary, or the upper half if they are
    /// symmetric. Empty where it is computed when it is needed.
    pub contribution: Box<[ReducedCost]>,
    /// The largest finite cost.
    pub largest: ReducedCost,
}

/// The upward arcs of a supernode's separator, and the same arcs downward.
#[derive(Clone, Copy)]
pub(crate) struct UpwardArcs<'a> {
    costs: &'a [ReducedCost],
    front_size: usize,
    is_symmetric: bool,
}

/// The costs between a span of a separator and all later indices of the frontal matrix.
#[derive(Clone, Copy)]
pub(crate) struct ArcRow<'a> {
    /// From the span to them.
    pub up: &'a [ReducedCost],
    /// To the span from them.
    pub down: &'a [ReducedCost],
}

impl RouteRules {
    /// What a query asks for.
    pub fn of(query: &Query) -> Self {
        RouteRules { slope_limit: query.slope_limit, directions: query.directions }
    }
}

impl HierarchyMetric {
    /// Whether these are the costs on a view as it is now.
    pub(crate) fn is_current(&self, view: &View) -> bool {
        self.basis.state == view.state() && self.basis.grid == view.grid().fingerprint()
    }

    /// What they hold for.
    pub(crate) fn rules(&self) -> RouteRules {
        self.rules
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        let costs = self.supernodes.iter().map(|costs| costs.arcs.len() + costs.contribution.len());
        SupernodeCosts::bytes(self.supernodes.len(), costs.sum())
    }

    /// Whether no cost overflowed: the sum of any two can still be counted.
    pub(crate) fn is_countable(&self) -> bool {
        self.largest.0 < ReducedCost::INFINITE.0 / 2
    }

    pub(crate) fn find_largest(&mut self) {
        let largest = self.supernodes.iter().map(|costs| costs.largest);
        self.largest = largest.max().unwrap_or_default();
    }
}

impl SupernodeCosts {
    /// Bytes that a number of supernodes with a number of costs takes.
    pub(crate) fn bytes(supernodes: usize, costs: usize) -> usize {
        supernodes * size_of::<SupernodeCosts>() + costs * size_of::<ReducedCost>()
    }

    pub(crate) fn upward_arcs(&self, front_size: usize, is_symmetric: bool) -> UpwardArcs<'_> {
        UpwardArcs { costs: &self.arcs, front_size, is_symmetric }
    }
}

impl<'a> UpwardArcs<'a> {
    /// The number of costs of a separator's arcs.
    pub(crate) fn count(separator: usize, front_size: usize, is_symmetric: bool) -> usize {
        let both = separator * (2 * front_size - separator - 1);
        if is_symmetric { both / 2 } else { both }
    }

    /// The arcs of the span at an index of the separator.
    #[inline]
    pub(crate) fn row(&self, index: usize) -> ArcRow<'a> {
        let after = self.front_size - index - 1;
        let start = Self::count(index, self.front_size, self.is_symmetric);
        let up = &self.costs[start..start + after];
        if self.is_symmetric {
            return ArcRow { up, down: up };
        }
        ArcRow { up, down: &self.costs[start + after..start + 2 * after] }
    }
}

impl<'a> ArcRow<'a> {
    /// The costs that count for a search from the start, or to the goal.
    #[inline]
    pub(crate) fn along(self, flow: Flow) -> &'a [ReducedCost] {
        match flow {
            Flow::FromSources => self.up,
            Flow::ToSources => self.down,
        }
    }
}
