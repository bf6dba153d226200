//! Provides [`Local`]: the costs between one span and all others of its block and its border.

use crate::solve::{CostModel, Flow, OpenList};

use super::pricing::{NO_WAY, Pricing};
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

impl Local {
    /// From a rank of a block to all others, or from all others to it.
    pub(super) fn spread<M: CostModel + ?Sized>(
        &mut self,
        (shape, block): (&Shape, usize),
        pricing: &Pricing<M>,
        (rank, flow): (u32, Flow),
    ) {
        let (begin, end) = (shape.districts[block].begin, shape.districts[block].end);
        let border = shape.border(block);
        self.spans = (end - begin) as usize;
        self.costs.clear();
        self.costs.resize(self.spans + border.len(), NO_WAY);
        self.left.clear();
        self.left.resize(self.spans, u32::MAX);
        self.open.clear(pricing.tariff.reach());
        self.costs[(rank - begin) as usize] = 0;
        self.open.push(0, rank - begin);
        while let Some(at) = self.open.pop() {
            let cost = self.costs[at as usize];
            if cost >= self.left[at as usize] {
                continue;
            }
            self.left[at as usize] = cost;
            pricing.ways(shape.order[(begin + at) as usize], flow, |other, way| {
                let rank = shape.ranks[other as usize];
                let cost = cost + way;
                if (begin..end).contains(&rank) {
                    let place = (rank - begin) as usize;
                    if cost < self.costs[place] {
                        self.costs[place] = cost;
                        self.open.push(cost, place as u32);
                    }
                } else if let Ok(place) = border.binary_search(&rank) {
                    let own = &mut self.costs[self.spans + place];
                    *own = cost.min(*own);
                }
            });
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
}
