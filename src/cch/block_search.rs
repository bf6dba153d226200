//! Provides [`BlockSearch`]: the costs between one span and all others of its block, and to the
//! block's boundary.
//!
//! On uniform ground only natural neighbors are looked at, though some of the paths that replace
//! the others may lead out of the block. The cost of a span that only such a path reaches can come
//! out too high here. But that path leaves the block over a span of the boundary whose cost is
//! right, and the supernodes above know the cost from there on: the least sum is the same.
//! Based on: Dijkstra, "A note on two problems in connexion with graphs", 1959.

use crate::cost::{CostModel, SearchNode};
use crate::grid::SpanAddress;
use crate::search::{Expander, Nodes, OpenList, Parent, Visitor};
use crate::view::Flow;

use crate::cch::arc_costs::ArcCosts;
use crate::cch::cost_units::{OriginalCost, ReducedCost};
use crate::cch::elimination_tree::EliminationTree;

/// The memory of searches of blocks, for one after another.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockMemory {
    open: OpenList,
    /// With original costs.
    nodes: Nodes,
}

/// One end of a query.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct QueryEnd {
    pub rank: u32,
    /// Whether paths lead from it or to it.
    pub flow: Flow,
}

/// A search of a block, from a rank or to it.
pub(crate) struct BlockSearch<'a, M: ?Sized> {
    pub tree: &'a EliminationTree,
    /// As they are counted at the block.
    pub arc_costs: ArcCosts<'a, M>,
    pub block: usize,
    pub end: QueryEnd,
}

impl<M: CostModel + ?Sized> BlockSearch<'_, M> {
    /// Finds the costs of the block and its boundary. Paths that leave the block do not count.
    pub(crate) fn run(&self, memory: &mut BlockMemory) {
        let BlockSearch { tree, end: QueryEnd { rank, flow }, .. } = *self;
        let ArcCosts { metric, directions, uniform_ground, .. } = self.arc_costs;
        let (view, direction_codes) = (metric.view, directions.step_codes());
        let expander = Expander { metric, flow, direction_codes, uniform_ground };
        memory.nodes.clear(view.spans().len());
        memory.open.clear(metric.reach());
        for &rank in tree.boundary(self.block) {
            memory.nodes.reach(tree.order[rank as usize], u32::MAX, Parent::Border);
        }
        memory.relax(view.address(tree.order[rank as usize]), 0, Parent::Start);
        let inside = tree.supernodes[self.block].ranks();
        while let Some(address) = memory.open.pop() {
            if !memory.nodes.is_closed(address.span) {
                debug_assert!(inside.contains(&tree.ranks[address.span as usize]), "{address:?}");
                memory.nodes.close(address.span);
                expander.expand(memory, address);
                let so_far = memory.nodes.cost(address.span);
                for (link_edge, cost) in expander.links(address.span, so_far) {
                    memory.relax(view.address(link_edge.other.0), cost, Parent::Link);
                }
            }
        }
    }

    /// The costs of the block's boundary.
    pub(crate) fn boundary(&self, memory: &BlockMemory) -> impl Iterator<Item = ReducedCost> {
        let order = &self.tree.order;
        self.tree.boundary(self.block).iter().map(|&rank| {
            let ends = self.end.along(rank).map(|rank| order[rank as usize]);
            self.arc_costs.reduce(self.cost(memory, rank), ends)
        })
    }

    /// The cost of a rank of the block; infinite for those beyond it.
    pub(crate) fn inside(&self, memory: &BlockMemory, rank: u32) -> OriginalCost {
        let is_inside = self.tree.supernodes[self.block].ranks().contains(&rank);
        if is_inside { self.cost(memory, rank) } else { OriginalCost::INFINITE }
    }

    fn cost(&self, memory: &BlockMemory, rank: u32) -> OriginalCost {
        OriginalCost(memory.nodes.cost(self.tree.order[rank as usize]))
    }
}

impl QueryEnd {
    /// It and another rank, in the order in which a path leads over them.
    pub(crate) fn along(self, other: u32) -> [u32; 2] {
        match self.flow {
            Flow::FromSources => [self.rank, other],
            Flow::ToSources => [other, self.rank],
        }
    }
}

impl BlockMemory {
    #[inline(always)]
    fn relax(&mut self, address: SpanAddress, cost: u32, parent: Parent) {
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

impl Visitor for BlockMemory {
    #[inline(always)]
    fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    #[inline(always)]
    fn visit(&mut self, to: &SearchNode, cost: u32, parent: Parent) {
        self.relax(to.address, cost, parent);
    }
}
