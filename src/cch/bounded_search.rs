//! Provides [`Local`]: the costs between one span and all others of its block and its border.
//!
//! Only natural steps are looked at on level ground, though some of the ways that replace the others
//! may lead out of the block. A span that is reached by such a way only can come out too dear here.
//! But then the way leaves the block over a span of the border whose cost is right, and what it costs
//! from there on is what the districts around know: the least sum is the same.
//!
//! Based on: Dijkstra, "A note on two problems in connexion with graphs", 1959.

use std::ops::Range;

use crate::grid::Spot;
use crate::solve::{Came, CostModel, Explore, Flow, Foothold, Nodes, Onward, OpenList};

use super::pricing::Pricing;
use super::shape::{District, Shape};

/// Searches blocks, again and again. Ways that leave the block do not count here.
#[derive(Clone, Debug, Default)]
pub(super) struct Local {
    open: OpenList,
    /// The costs of the tariff.
    nodes: Nodes,
}

/// A search of a block, from a span or to it.
pub(super) struct Spread<'a, M: ?Sized> {
    pub shape: &'a Shape,
    pub pricing: &'a Pricing<'a, M>,
    pub block: usize,
    /// The rank that ways lead from, or to.
    pub start: (u32, Flow),
}

impl<M: CostModel + ?Sized> Spread<'_, M> {
    /// Finds the costs of the block and its border.
    pub(super) fn run(&self, local: &mut Local) {
        let Spread { shape, pricing, start: (rank, flow), .. } = *self;
        let Pricing { tariff, directions, even_ground, .. } = *pricing;
        let (terrain, codes) = (tariff.terrain, directions.step_codes());
        let onward = Onward { tariff, flow, codes, even_ground };
        local.nodes.clear(terrain.spans().len());
        local.open.clear(tariff.reach());
        for &rank in shape.border(self.block) {
            local.nodes.reach(shape.order[rank as usize], u32::MAX, Came::Border);
        }
        local.reach(terrain.spot(shape.order[rank as usize]), (0, Came::Start));
        let inside = self.ranks();
        while let Some(spot) = local.open.pop() {
            if !local.nodes.is_closed(spot.span) {
                debug_assert!(inside.contains(&shape.ranks[spot.span as usize]), "{spot:?}");
                local.nodes.close(spot.span);
                onward.step_out(local, spot);
                let so_far = local.nodes.cost(spot.span);
                for (exit, cost) in onward.links((spot.span, so_far)) {
                    local.reach(terrain.spot(exit.other.0), (cost, Came::Link));
                }
            }
        }
    }

    /// The costs of the border, as routes count.
    pub(super) fn border(&self, local: &Local) -> impl Iterator<Item = u32> {
        self.shape.border(self.block).iter().map(|&rank| self.cost(local, rank))
    }

    /// The cost of a rank of the block, as routes count; `None` for those beyond it.
    pub(super) fn inside(&self, local: &Local, rank: u32) -> Option<u32> {
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
    fn reach(&mut self, spot: Spot, (cost, came): (u32, Came)) {
        if cost < self.nodes.cost(spot.span) {
            if self.nodes.came(spot.span) == Some(Came::Border) {
                self.nodes.reach(spot.span, cost, Came::Border);
            } else {
                self.nodes.reach(spot.span, cost, came);
                self.open.push(cost, spot);
            }
        }
    }
}

impl Explore for Local {
    #[inline(always)]
    fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    #[inline(always)]
    fn hear_of(&mut self, to: &Foothold, way: (u32, Came)) {
        self.reach(to.spot, way);
    }
}
