//! Provides [`Local`]: the costs between one span and all others of its block and its border.
//!
//! Based on: Dijkstra, "A note on two problems in connexion with graphs", 1959.

use crate::grid::{Dir, Exit};
use crate::solve::{CostModel, Flow, OpenList};

use super::pricing::{NO_WAY, Pricing, countable};
use super::shape::Shape;

/// Searches blocks, again and again. Ways that leave the block do not count here.
#[derive(Clone, Debug, Default)]
pub(super) struct Local {
    open: OpenList,
    /// The spans of the block by rank, then its border.
    costs: Vec<u32>,
    /// The cost at which a span of the block was last left.
    left: Vec<u32>,
    spans: usize,
}

/// A search of a block.
struct Spread<'a, M: ?Sized> {
    shape: &'a Shape,
    pricing: &'a Pricing<'a, M>,
    block: usize,
    /// The first rank of the block.
    begin: u32,
    flow: Flow,
}

impl Local {
    /// From a rank of a block to all others, or from all others to it.
    pub(super) fn spread<M: CostModel + ?Sized>(
        &mut self,
        (shape, block): (&Shape, usize),
        pricing: &Pricing<M>,
        (rank, flow): (u32, Flow),
    ) {
        let begin = shape.districts[block].begin;
        self.spans = shape.districts[block].spans() as usize;
        self.costs.clear();
        self.costs.resize(self.spans + shape.border(block).len(), NO_WAY);
        self.left.clear();
        self.left.resize(self.spans, NO_WAY);
        self.open.clear(pricing.tariff.reach());
        self.costs[(rank - begin) as usize] = 0;
        self.open.push(0, rank - begin);
        let spread = Spread { shape, pricing, block, begin, flow };
        while let Some(at) = self.open.pop() {
            let cost = self.costs[at as usize];
            // A span may have been reached more cheaply after it was left.
            if cost < std::mem::replace(&mut self.left[at as usize], cost) {
                spread.step_out(self, at);
                spread.take_links(self, at);
            }
        }
    }

    /// The costs of the border.
    pub(super) fn border(&self) -> &[u32] {
        &self.costs[self.spans..]
    }

    /// The cost of a span of the block, by its place among its ranks.
    pub(super) fn inside(&self, place: u32) -> u32 {
        self.costs[place as usize]
    }

    fn reach(&mut self, place: usize, cost: u32) {
        if cost < self.costs[place] {
            self.costs[place] = cost;
            if place < self.spans {
                self.open.push(cost, place as u32);
            }
        }
    }
}

impl<M: CostModel + ?Sized> Spread<'_, M> {
    fn step_out(&self, local: &mut Local, at: u32) {
        let (tariff, terrain) = (self.pricing.tariff, self.pricing.tariff.terrain);
        let span = self.shape.order[(self.begin + at) as usize];
        let targets = terrain.steps().targets(terrain.column(span), span, self.pricing.steps);
        let so_far = local.costs[at as usize];
        let least = tariff.least.flat_costs();
        for (dir, other) in Dir::ALL.into_iter().zip(targets) {
            let Some(place) = self.place(other).filter(|_| other != span) else { continue };
            // Most neighbors are known by a way that no step from here can better.
            if so_far.saturating_add(least[dir.index() % 2]) < local.costs[place] {
                let cost = match self.flow {
                    Flow::FromSources => self.pricing.step(span, other, dir),
                    Flow::ToSources => self.pricing.step(other, span, dir.opposite()),
                };
                local.reach(place, so_far + cost);
            }
        }
    }

    fn take_links(&self, local: &mut Local, at: u32) {
        let (tariff, terrain) = (self.pricing.tariff, self.pricing.tariff.terrain);
        let span = self.shape.order[(self.begin + at) as usize];
        let so_far = local.costs[at as usize];
        let mut take = |exit: &Exit| {
            if let Some(place) = self.place(exit.other.0) {
                local.reach(place, so_far + countable(tariff.link(exit)));
            }
        };
        match self.flow {
            Flow::FromSources => terrain.leaving(span).for_each(&mut take),
            Flow::ToSources => terrain.entering(span).for_each(&mut take),
        }
    }

    /// The place of a span among the costs; `None` for those beyond the border.
    #[inline]
    fn place(&self, span: u32) -> Option<usize> {
        let rank = self.shape.ranks[span as usize];
        let district = &self.shape.districts[self.block];
        if rank < district.end {
            return rank.checked_sub(self.begin).map(|place| place as usize);
        }
        let found = self.shape.border(self.block).binary_search(&rank).ok()?;
        Some(district.spans() as usize + found)
    }
}
