//! Provides [`Local`]: the costs between one span and all others of its block and its border.
//!
//! Only natural steps are looked at on level ground, though some of the ways that replace the others
//! may lead out of the block. A span that is reached by such a way only can come out too dear here.
//! But then the way leaves the block over a span of the border whose cost is right, and what it costs
//! from there on is what the districts around know: the least sum is the same.
//!
//! Based on: Dijkstra, "A note on two problems in connexion with graphs", 1959.

use std::ops::Range;

use crate::cost::{CostModel, SearchNode};
use crate::grid::SpanAddress;
use crate::search::{Expander, Nodes, OpenList, Parent, Visitor};
use crate::view::Flow;

use crate::cch::arc_costs::Pricing;
use crate::cch::elimination_tree::{District, Shape};

/// Searches blocks, again and again. Ways that leave the block do not count here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Local {
    open: OpenList,
    /// The costs of the tariff.
    nodes: Nodes,
}

/// A search of a block, from a span or to it.
pub(crate) struct Spread<'a, M: ?Sized> {
    pub shape: &'a Shape,
    pub pricing: &'a Pricing<'a, M>,
    pub block: usize,
    /// The rank that ways lead from, or to.
    pub start: (u32, Flow),
}

impl<M: CostModel + ?Sized> Spread<'_, M> {
    /// Finds the costs of the block and its border.
    pub(crate) fn run(&self, local: &mut Local) {
        let Spread { shape, pricing, start: (rank, flow), .. } = *self;
        let Pricing { metric, directions, uniform_ground, .. } = *pricing;
        let (view, direction_codes) = (metric.view, directions.step_codes());
        let expander = Expander { metric, flow, direction_codes, uniform_ground };
        local.nodes.clear(view.spans().len());
        local.open.clear(metric.reach());
        for &rank in shape.border(self.block) {
            local.nodes.reach(shape.order[rank as usize], u32::MAX, Parent::Border);
        }
        local.reach(view.address(shape.order[rank as usize]), (0, Parent::Start));
        let inside = self.ranks();
        while let Some(address) = local.open.pop() {
            if !local.nodes.is_closed(address.span) {
                debug_assert!(inside.contains(&shape.ranks[address.span as usize]), "{address:?}");
                local.nodes.close(address.span);
                expander.expand(local, address);
                let so_far = local.nodes.cost(address.span);
                for (link_edge, cost) in expander.links((address.span, so_far)) {
                    local.reach(view.address(link_edge.other.0), (cost, Parent::Link));
                }
            }
        }
    }

    /// The costs of the border, as routes count.
    pub(crate) fn border(&self, local: &Local) -> impl Iterator<Item = u32> {
        self.shape.border(self.block).iter().map(|&rank| self.cost(local, rank))
    }

    /// The cost of a rank of the block, as routes count; `None` for those beyond it.
    pub(crate) fn inside(&self, local: &Local, rank: u32) -> Option<u32> {
        self.ranks().contains(&rank).then(|| self.cost(local, rank))
    }

    fn ranks(&self) -> Range<u32> {
        let District { begin, end, .. } = self.shape.districts[self.block];
        begin..end
    }

    fn cost(&self, local: &Local, rank: u32) -> u32 {
        let (start, flow) = self.start;
        let [start, span] = [start, rank].map(|rank| self.shape.order[rank as usize]);
        let ends = match flow {
            Flow::FromSources => [start, span],
            Flow::ToSources => [span, start],
        };
        self.pricing.counted(local.nodes.cost(span), ends)
    }
}

impl Local {
    #[inline(always)]
    fn reach(&mut self, address: SpanAddress, (cost, parent): (u32, Parent)) {
        if cost < self.nodes.cost(address.span) {
            if self.nodes.parent(address.span) == Some(Parent::Border) {
                self.nodes.reach(address.span, cost, Parent::Border);
            } else {
                self.nodes.reach(address.span, cost, parent);
                self.open.push(cost, address);
            }
        }
    }
}

impl Visitor for Local {
    #[inline(always)]
    fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    #[inline(always)]
    fn visit(&mut self, to: &SearchNode, way: (u32, Parent)) {
        self.reach(to.address, way);
    }
}
