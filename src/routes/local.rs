//! Provides [`Local`]: the costs between one span and all others of its block and its border.
//!
//! Based on: Dijkstra, "A note on two problems in connexion with graphs", 1959.

use std::ops::Range;

use crate::grid::Spot;
use crate::solve::{Came, CostModel, Flow, Nodes, OpenList, natural};

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
        let Spread { shape, pricing, start: (rank, _), .. } = *self;
        let start = pricing.tariff.terrain.spot(shape.order[rank as usize]);
        local.nodes.clear(pricing.tariff.terrain.spans().len());
        local.open.clear(pricing.tariff.reach());
        local.reach((start, Came::Start), 0);
        let inside = self.ranks();
        while let Some(spot) = local.open.pop() {
            if !local.nodes.is_closed(spot.span) {
                local.nodes.close(spot.span);
                if inside.contains(&shape.ranks[spot.span as usize]) {
                    self.step_out(local, spot);
                    self.take_links(local, spot.span);
                }
            }
        }
    }

    fn step_out(&self, local: &mut Local, spot: Spot) {
        let Pricing { tariff, directions, even_ground, .. } = *self.pricing;
        let (so_far, flow) = (local.nodes.cost(spot.span), self.start.1);
        let came = (spot, local.nodes.came(spot.span));
        if let Some(natural) = natural(even_ground, tariff.terrain.steps(), came) {
            for (dir, to) in natural {
                let cost = so_far.saturating_add(tariff.level_step(spot.span, dir));
                local.reach((to, Came::Step(dir)), cost);
            }
            return;
        }
        let better = tariff.better(&local.nodes, spot, directions.step_codes());
        for dir in better.dirs() {
            if let Some((dir, there, cost)) = tariff.step_to(&better, dir, flow) {
                local.reach((there.spot, Came::Step(dir)), cost);
            }
        }
    }

    fn take_links(&self, local: &mut Local, span: u32) {
        let (tariff, so_far) = (self.pricing.tariff, local.nodes.cost(span));
        for (exit, cost) in tariff.priced_links((span, so_far), self.start.1) {
            local.reach((tariff.terrain.spot(exit.other.0), Came::Link), cost);
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
    fn reach(&mut self, (spot, came): (Spot, Came), cost: u32) {
        if cost < self.nodes.cost(spot.span) {
            self.nodes.reach(spot.span, cost, came);
            self.open.push(cost, spot);
        }
    }
}
