//! How paths go on from a span, in every kind of search: by steps that may better what is known, and
//! by links.

use crate::grid::{Dir, LinkEdge, SpanAddress};

use crate::cost::CostModel;
use crate::cost::{Metric, SearchNode};
use crate::search::nodes::{Nodes, Parent};
use crate::search::pruning::natural;
use crate::view::Flow;
use crate::view::UniformGround;

/// A search: what it knows, and how it takes note of a path.
pub(crate) trait Visitor {
    fn nodes(&self) -> &Nodes;

    /// Hears of a path by a step that costs so much in all, and may be cheaper than what is known.
    fn visit(&mut self, to: &SearchNode, way: (u32, Parent));
}

/// By what rules paths go on.
pub(crate) struct Expander<'a, M: ?Sized> {
    pub metric: &'a Metric<'a, M>,
    pub flow: Flow,
    /// The step codes of the directions there are.
    pub direction_codes: u32,
    /// Where only natural steps need to be looked at.
    pub uniform_ground: Option<UniformGround<'a>>,
}

impl<'a, M: CostModel + ?Sized> Expander<'a, M> {
    /// Tells a search of the paths by every neighbor of a span that counts.
    #[inline(always)]
    pub(crate) fn expand<E: Visitor>(&self, search: &mut E, from: SpanAddress) {
        let (metric, steps) = (self.metric, self.metric.view.connections());
        let so_far = search.nodes().cost(from.span);
        let parent = search.nodes().parent(from.span);
        if let Some(natural) = natural(self.uniform_ground, steps, (from, parent)) {
            let here = metric.search_node(from);
            for (dir, address) in natural {
                let cost = so_far.saturating_add(metric.level_step(from.span, dir));
                search.visit(&SearchNode { address, ..here }, (cost, Parent::Step(dir)));
            }
            return;
        }
        let mut targets = [0; 8];
        steps.find_targets(from, self.direction_codes, &mut targets);
        // Most neighbors are known by a path that no step from here can better.
        let by = metric.least.flat_costs().map(|least| so_far.saturating_add(least));
        let here = metric.search_node(from);
        let mut costlier = search.nodes().costlier(&targets, by);
        while costlier != 0 {
            let at = costlier.trailing_zeros() as usize % 8;
            costlier &= costlier - 1;
            let (span, dir) = (targets[at], Dir::ALL[at]);
            let column = steps.neighbor_of(from.column as usize, dir) as u32;
            let there = metric.search_node(SpanAddress { span, column });
            if let Some(cost) = metric.flowing(self.flow, [&here, &there], dir) {
                search.visit(&there, (so_far.saturating_add(cost), Parent::Step(dir)));
            }
        }
    }

    /// The links from a span, or to it where paths lead to sources: each with what a path costs with it
    /// that has cost `so_far` up to here [units].
    pub(crate) fn links<'s>(
        &'s self,
        (span, so_far): (u32, u32),
    ) -> impl Iterator<Item = (&'a LinkEdge, u32)> + use<'s, 'a, M> {
        let link_edges = self.metric.view.links_at(span, self.flow);
        link_edges.filter_map(move |link_edge| {
            Some((link_edge, so_far.saturating_add(self.metric.link(link_edge)?)))
        })
    }
}
