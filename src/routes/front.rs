//! Provides [`Front`]: the costs among a district's own spans and its border, and how its own are
//! left out of the picture one by one.
//!
//! Whoever goes through a span goes from one neighbor of it to another. So a span can be left out
//! if for each pair of its neighbors the way through it is kept. A district's own spans and its
//! border are all neighbors of each other in the end, near enough, so that their costs lie in a
//! dense square and leaving one out is a row of plain sums.
//! Based on: Carré, "An algebra for network routing problems", 1971; Dibbelt, Strasser and Wagner,
//! "Customizable contraction hierarchies", 2016; fronts as in Duff and Reid, "The multifrontal
//! solution of indefinite sparse symmetric linear equations", 1983.

use crate::solve::CostModel;

use super::pricing::{NO_WAY, Pricing};
use super::shape::{District, Shape};

/// Costs among the spans of a front: a square, from row to column.
#[derive(Debug, Default)]
pub(super) struct Front {
    costs: Vec<u32>,
    size: usize,
    /// From the span that is left out to those after it.
    from: Vec<u32>,
    /// To it from those after it.
    to: Vec<u32>,
    /// The largest cost of a step or link that was met.
    pub dearest: u32,
}

impl Front {
    /// Begins a district's front with what joins its own spans to others.
    pub(super) fn begin<M: CostModel + ?Sized>(
        &mut self,
        (shape, district): (&Shape, usize),
        pricing: &Pricing<M>,
    ) {
        self.size = shape.front(district);
        self.costs.clear();
        self.costs.resize(self.size * self.size, NO_WAY);
        let District { own, end, .. } = shape.districts[district];
        for rank in own..end {
            let place = (rank - own) as usize;
            pricing.edges(shape.order[rank as usize], |edge| {
                let other = shape.ranks[edge.other as usize];
                if other > rank && let Some(other) = shape.place(district, other) {
                    self.lower(place, other, edge.there);
                    self.lower(other, place, edge.back);
                    for cost in [edge.there, edge.back] {
                        self.dearest = self.dearest.max(if cost < NO_WAY { cost } else { 0 });
                    }
                }
            });
        }
    }

    fn lower(&mut self, from: usize, to: usize, cost: u32) {
        let own = &mut self.costs[from * self.size + to];
        *own = cost.min(*own);
    }

    /// Adds the ways through a part: a square over its border.
    pub(super) fn add(&mut self, through: &[u32], outside: &[u32]) {
        let rows = through.chunks_exact(outside.len().max(1));
        for (row, &from) in rows.zip(outside) {
            let start = from as usize * self.size;
            let own = &mut self.costs[start..start + self.size];
            for (&cost, &to) in row.iter().zip(outside) {
                let own = &mut own[to as usize];
                *own = cost.min(*own);
            }
        }
    }

    /// Leaves out the first spans, one by one; what is known of each at that moment goes to
    /// `left_out`: costs to and from those after it.
    pub(super) fn leave_out(&mut self, count: usize, mut left_out: impl FnMut(&[u32], &[u32])) {
        let size = self.size;
        for place in 0..count {
            let after = place + 1;
            self.from.clear();
            self.from.extend_from_slice(&self.costs[place * size + after..after * size]);
            self.to.clear();
            self.to.extend((after..size).map(|other| self.costs[other * size + place]));
            left_out(&self.from, &self.to);
            let rows = self.costs[after * size..].chunks_exact_mut(size);
            for (row, &to) in rows.zip(&self.to) {
                if to < NO_WAY {
                    lower_by(&mut row[after..], to, &self.from);
                }
            }
        }
    }

    /// The ways among the spans from a place on, row by row.
    pub(super) fn through(&self, count: usize) -> Vec<u32> {
        let rows = self.costs.chunks_exact(self.size.max(1)).skip(count);
        rows.flat_map(|row| &row[count..]).copied().collect()
    }
}

/// Lowers each cost to that of the way by a span: so much to it, and on from there.
#[inline]
pub(super) fn lower_by(costs: &mut [u32], to: u32, from: &[u32]) {
    for (cost, &from) in costs.iter_mut().zip(from) {
        // As signed numbers: every processor finds the lesser of several at once.
        *cost = ((to + from) as i32).min(*cost as i32) as u32;
    }
}
