//! Provides [`ArcCosts`]: the reduced cost of every step and link, in both directions.
//!
//! For the built-in models the direction of a step matters only by the heights of its ends. Each
//! span then has a node potential by its height, and costs reduced by potentials are symmetric: a
//! path's reduced cost is the mean of its original costs there and back, and its original cost is
//! that plus the difference of the potentials of its ends. One number serves both directions, which
//! halves memory and work.
//!
//! A link may lead one way, and costs what it says. So supernodes whose cells have links are
//! directed: all their potentials are 0, which makes reduced costs original ones. Between a
//! symmetric supernode and a directed one costs are restored or reduced, to the last unit.
//! Based on: Johnson, "Efficient algorithms for shortest paths in sparse networks", 1977.

use crate::cost::{CostModel, HeightPotential, Metric, SearchNode};
use crate::grid::{Dir, LinkEdge, SpanAddress};
use crate::view::{Directions, UniformGround};

use crate::cch::cost_units::{OriginalCost, ReducedCost};
use crate::cch::elimination_tree::EliminationTree;

/// The costs of steps and links by a query's metric.
pub(crate) struct ArcCosts<'a, M: ?Sized> {
    pub metric: &'a Metric<'a, M>,
    pub directions: Directions,
    /// Where only natural neighbors need to be looked at.
    pub uniform_ground: Option<UniformGround<'a>>,
    /// Reduced costs are the same there and back, but for directed supernodes. If not, all
    /// potentials are 0.
    pub is_symmetric: bool,
}

/// The steps or links between a span and another.
pub(crate) struct ArcPair {
    pub other: u32,
    /// To the other span.
    pub there: ReducedCost,
    /// From the other span.
    pub back: ReducedCost,
}

impl<'a, M: CostModel + ?Sized> ArcCosts<'a, M> {
    pub(crate) fn new(metric: &'a Metric<'a, M>, directions: Directions) -> Self {
        let uniform_ground = metric.uniform_ground(directions);
        ArcCosts { metric, directions, uniform_ground, is_symmetric: metric.is_symmetric() }
    }

    /// The costs as they are counted at a supernode.
    pub(crate) fn at(&self, tree: &EliminationTree, supernode: usize) -> Self {
        let is_symmetric = self.is_symmetric && !tree.is_directed(supernode);
        ArcCosts { is_symmetric, ..*self }
    }

    /// What a cost counted by others' potentials is by these.
    pub(crate) fn convert(&self, cost: ReducedCost, from: &Self, ends: [u32; 2]) -> ReducedCost {
        self.reduce(from.restore(cost, ends), ends)
    }

    /// No reduced cost exceeds the original cost of its path by more, where one query meets both; 0
    /// if all supernodes count alike.
    pub(crate) fn most_excess(&self, tree: &EliminationTree) -> i64 {
        if !self.is_symmetric || !tree.has_directed {
            return 0;
        }
        let Metric { view, least, .. } = self.metric;
        HeightPotential::spread(tree.heights.map(|span| least.potential(view.floor(span))))
    }

    #[inline(always)]
    fn step(&self, [from, to]: [&SearchNode; 2], dir: Dir) -> ReducedCost {
        let cost = arc_cost(self.metric.between([from, to], dir));
        if self.is_symmetric && cost.is_countable() {
            offset(cost.0, from.node_potential() - to.node_potential())
        } else {
            cost
        }
    }

    /// The potential of a span, by its height; 0 for all if costs are not symmetric.
    #[inline]
    pub(crate) fn potential(&self, span: u32) -> i64 {
        let metric = self.metric;
        if self.is_symmetric { metric.least.potential(metric.view.floor(span)).node() } else { 0 }
    }

    /// Original minus reduced cost of every path between two spans.
    pub(crate) fn potential_difference(&self, [from, to]: [u32; 2]) -> i64 {
        self.potential(to) - self.potential(from)
    }

    /// The reduced cost of a path between two spans.
    pub(crate) fn reduce(&self, cost: OriginalCost, ends: [u32; 2]) -> ReducedCost {
        if cost == OriginalCost::INFINITE {
            ReducedCost::INFINITE
        } else {
            offset(cost.0, -self.potential_difference(ends))
        }
    }

    /// The original cost of a path between two spans.
    pub(crate) fn restore(&self, cost: ReducedCost, ends: [u32; 2]) -> OriginalCost {
        if cost.is_finite() {
            OriginalCost(restored(cost, self.potential_difference(ends)).0)
        } else {
            OriginalCost::INFINITE
        }
    }

    /// Calls `found` for the steps and links between a span and every other that is included.
    #[inline]
    pub(crate) fn for_each_arc(
        &self,
        span: u32,
        is_included: impl Fn(u32) -> bool,
        mut found: impl FnMut(ArcPair),
    ) {
        let (metric, view) = (self.metric, self.metric.view);
        let (steps, here) = (view.connections(), metric.search_node(view.address(span)));
        let column = here.address.column as usize;
        let mut targets = [0; 8];
        steps.find_targets(here.address, self.directions.step_codes(), &mut targets);
        for (dir, other) in Dir::ALL.into_iter().zip(targets) {
            if other != span && is_included(other) {
                let column = steps.neighbor_of(column, dir) as u32;
                let beyond = metric.search_node_beside(SpanAddress { span: other, column }, &here);
                let there = self.step([&here, &beyond], dir);
                let back = match self.is_symmetric {
                    true => there,
                    false => self.step([&beyond, &here], dir.opposite()),
                };
                found(ArcPair { other, there, back });
            }
        }
        // Only directed supernodes have links.
        let is_included = |link_edge: &&LinkEdge| is_included(link_edge.other.0);
        for link_edge in view.leaving(span).filter(is_included) {
            let there = arc_cost(metric.link(link_edge));
            found(ArcPair { other: link_edge.other.0, there, back: ReducedCost::INFINITE });
        }
        for link_edge in view.entering(span).filter(is_included) {
            let back = arc_cost(metric.link(link_edge));
            found(ArcPair { other: link_edge.other.0, there: ReducedCost::INFINITE, back });
        }
    }
}

/// The original cost of a path, counted by potentials of 0, if its ends' potentials differ by so much.
pub(crate) fn restored(cost: ReducedCost, potential_difference: i64) -> ReducedCost {
    if cost.is_countable() { offset(cost.0, potential_difference) } else { cost }
}

/// A cost moved by a difference of potentials. It stays countable, or overflows.
fn offset(cost: u32, difference: i64) -> ReducedCost {
    let sum = i64::from(cost) + difference;
    ReducedCost(sum.clamp(0, ReducedCost::OVERFLOW.0.into()) as u32)
}

/// The cost of a step or link by the metric, before its potentials.
fn arc_cost(cost: Option<u32>) -> ReducedCost {
    cost.map_or(ReducedCost::INFINITE, |cost| ReducedCost(cost.min(ReducedCost::OVERFLOW.0)))
}
