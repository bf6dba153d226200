//! Expands a span in every kind of search: by the connections that may improve what is known, and by
//! links.

use crate::cost::{CostModel, Metric, SearchNode};
use crate::grid::{Dir, LinkEdge, SpanAddress};
use crate::view::{Flow, UniformGround};

use super::nodes::{Nodes, Parent};
use super::pruning::natural_neighbors;

/// A search: what it knows, and what it does with the neighbors of the span it expands.
pub(crate) trait Visitor {
    fn nodes(&self) -> &Nodes;

    /// Visits a neighbor by a connection. `cost` is that of the path up to there [units]; it may be lower
    /// than what is known.
    fn visit(&mut self, to: &SearchNode, cost: u32, parent: Parent);
}

/// The rules by which a search expands spans.
pub(crate) struct Expander<'a, M: ?Sized> {
    pub metric: &'a Metric<'a, M>,
    pub flow: Flow,
    /// The connection codes of the directions that count.
    pub direction_codes: u32,
    /// Where only natural neighbors have to be visited.
    pub uniform_ground: Option<UniformGround<'a>>,
}

impl<'a, M: CostModel + ?Sized> Expander<'a, M> {
    /// Visits every neighbor of a span that may be improved.
    #[inline(always)]
    pub(crate) fn expand<V: Visitor>(&self, search: &mut V, from: SpanAddress) {
        let (metric, connections) = (self.metric, self.metric.view.connections());
        let so_far = search.nodes().cost(from.span);
        let here = metric.search_node(from);
        if let Some(Parent::Step(dir)) = search.nodes().parent(from.span)
            && self.uniform_ground.is_some_and(|ground| ground.contains(from.span))
        {
            for (dir, address) in natural_neighbors(connections, from, dir) {
                let cost = so_far.saturating_add(metric.level_step(from.span, dir));
                search.visit(&SearchNode { address, ..here }, cost, Parent::Step(dir));
            }
            return;
        }
        let mut targets = [0; 8];
        connections.find_targets(from, self.direction_codes, &mut targets);
        // Most neighbors are known by a path that no connection from here can improve: one comparison
        // with the lower bound of a step rules them out before anything else of them is fetched.
        let least = metric.least.flat_costs().map(|least| so_far.saturating_add(least));
        let mut improvable = search.nodes().costlier(&targets, least);
        while improvable != 0 {
            let at = improvable.trailing_zeros() as usize % 8;
            improvable &= improvable - 1;
            let (span, dir) = (targets[at], Dir::ALL[at]);
            let column = connections.neighbor_of(from.column as usize, dir) as u32;
            let there = metric.search_node(SpanAddress { span, column });
            if let Some(cost) = metric.flowing(self.flow, [&here, &there], dir) {
                search.visit(&there, so_far.saturating_add(cost), Parent::Step(dir));
            }
        }
    }

    /// The links from a span, or to it in a search to sources. Each comes with the cost of a path that
    /// has cost `so_far` and takes it [units].
    pub(crate) fn links<'s>(
        &'s self,
        span: u32,
        so_far: u32,
    ) -> impl Iterator<Item = (&'a LinkEdge, u32)> + use<'s, 'a, M> {
        let links = self.metric.view.links_at(span, self.flow);
        links.filter_map(move |link| Some((link, so_far.saturating_add(self.metric.link(link)?))))
    }
}
