//! Provides [`FrontalMatrix`]: the costs among a supernode's separator and boundary, and the
//! elimination of the separator.
//!
//! A path over a span leads from one neighbor of it to another. So a span can be eliminated if for
//! each pair of its neighbors the cost over it is kept, as a shortcut. In the end nearly all spans
//! of separator and boundary are neighbors of each other, so their costs lie in a dense square, and
//! eliminating a span is a row of plain sums. Several are eliminated at a time, so that the square
//! is read and written once for all of them.
//! Based on: Carré, "An algebra for network routing problems", 1971; Duff and Reid, "The
//! multifrontal solution of indefinite sparse symmetric linear equations", 1983; Dibbelt, Strasser
//! and Wagner, "Customizable contraction hierarchies", 2016.

use pulp::NullaryFnOnce;

use crate::cost::CostModel;

use crate::cch::arc_costs::{ArcCosts, restored};
use crate::cch::cost_units::ReducedCost;
use crate::cch::elimination_tree::EliminationTree;
use crate::cch::min_plus::{CostChunk, LANES, dispatch, min_plus_chunks};

/// A square of costs, from row to column: the separator first, then the boundary. If the
/// supernode is symmetric, only those right of its diagonal are maintained.
#[derive(Debug, Default)]
pub(crate) struct FrontalMatrix {
    /// Row by row, each filled up to whole chunks.
    costs: Vec<CostChunk>,
    size: usize,
    is_symmetric: bool,
    /// Chunks of a row.
    width: usize,
    /// The rows of the spans that are eliminated at once: the costs from them.
    from: Vec<CostChunk>,
    /// Their columns, likewise: the costs to them from the spans after them.
    to: Vec<ReducedCost>,
    /// The largest cost of a step or link that was met.
    pub largest_arc: ReducedCost,
}

impl FrontalMatrix {
    /// Begins a supernode's matrix with the steps and links of its separator's spans.
    pub(crate) fn assemble<M: CostModel + ?Sized>(
        &mut self,
        tree: &EliminationTree,
        supernode: usize,
        arc_costs: &ArcCosts<M>,
    ) {
        self.size = tree.front_size(supernode);
        self.is_symmetric = arc_costs.is_symmetric;
        self.width = self.size.div_ceil(LANES);
        self.costs.clear();
        self.costs.resize(self.size * self.width, [ReducedCost::INFINITE; LANES]);
        for (index, rank) in tree.supernodes[supernode].separator_ranks().enumerate() {
            let is_after = |other: u32| tree.ranks[other as usize] > rank;
            arc_costs.for_each_arc(tree.order[rank as usize], is_after, |arc| {
                let other = tree.ranks[arc.other as usize];
                if let Some(other) = tree.front_index(supernode, other) {
                    self.relax(index, other, arc.there);
                    if !self.is_symmetric {
                        self.relax(other, index, arc.back);
                    }
                    for cost in [arc.there, arc.back] {
                        self.largest_arc = self.largest_arc.max(cost.finite_or_zero());
                    }
                }
            });
        }
    }

    fn relax(&mut self, from: usize, to: usize, cost: ReducedCost) {
        let own = &mut self.row_mut(from)[to];
        *own = cost.min(*own);
    }

    fn row(&self, from: usize) -> &[ReducedCost] {
        self.costs[from * self.width..(from + 1) * self.width].as_flattened()
    }

    fn row_mut(&mut self, from: usize) -> &mut [ReducedCost] {
        self.costs[from * self.width..(from + 1) * self.width].as_flattened_mut()
    }

    /// Adds the contribution of a child (extend-add), which is directed if this supernode is: the
    /// square of its boundary, or the half of it that is maintained.
    pub(crate) fn extend_add(&mut self, mut contribution: &[ReducedCost], indices: &[u32]) {
        for (at, &from) in indices.iter().enumerate() {
            let others = if self.is_symmetric { &indices[at..] } else { indices };
            let Some((row, rest)) = contribution.split_at_checked(others.len()) else { return };
            contribution = rest;
            let own = self.row_mut(from as usize);
            for (&cost, &to) in row.iter().zip(others) {
                let own = &mut own[to as usize];
                *own = cost.min(*own);
            }
        }
    }

    /// As [`Self::extend_add`], by a symmetric child of a directed supernode: the costs of both
    /// directions are restored by the potentials of the child's boundary.
    pub(crate) fn extend_add_restored(
        &mut self,
        mut contribution: &[ReducedCost],
        indices: &[u32],
        potentials: &[i64],
    ) {
        for (at, (&from, &own)) in indices.iter().zip(potentials).enumerate() {
            let others = indices[at..].iter().zip(&potentials[at..]);
            let Some((row, rest)) = contribution.split_at_checked(others.len()) else { return };
            contribution = rest;
            for (&cost, (&to, &other)) in row.iter().zip(others) {
                let [from, to] = [from, to].map(|index| index as usize);
                self.relax(from, to, restored(cost, other - own));
                self.relax(to, from, restored(cost, own - other));
            }
        }
    }

    /// Eliminates the first spans, one by one. For each, `eliminated` is called with the costs from
    /// it to the spans after it, and to it from them, as they are at that moment.
    pub(crate) fn eliminate(
        &mut self,
        count: usize,
        eliminated: impl FnMut(&[ReducedCost], &[ReducedCost]),
    ) {
        dispatch(Eliminate { matrix: self, count, eliminated });
    }

    /// Eliminates several spans from an index on, so that every other row is read and written only
    /// once. Returns their number.
    #[inline(always)]
    fn eliminate_some<const SPANS: usize>(
        &mut self,
        first: usize,
        eliminated: &mut impl FnMut(&[ReducedCost], &[ReducedCost]),
    ) -> usize {
        let (size, width, after) = (self.size, self.width, first + SPANS);
        self.from.resize(SPANS * width, [ReducedCost::INFINITE; LANES]);
        self.to.resize(SPANS * size, ReducedCost::INFINITE);
        for nth in 0..SPANS {
            let next = first + nth + 1;
            self.take_pivot(first, nth);
            let from = &self.from[nth * width..(nth + 1) * width];
            let to = &self.to[nth * size..(nth + 1) * size];
            eliminated(&from.as_flattened()[next..size], &to[next..]);
            // Those that are eliminated next have to know the costs over this one already.
            for (other, &to) in (next..after).zip(&to[next..]) {
                let start = self.first_chunk(other, next);
                let row = &mut self.costs[other * width + start..(other + 1) * width];
                min_plus_chunks(row, [to], [&from[start..]]);
            }
        }
        for row in after..size {
            let to: [ReducedCost; SPANS] = std::array::from_fn(|nth| self.to[nth * size + row]);
            if to.iter().any(|to| to.is_finite()) {
                let start = self.first_chunk(row, after);
                let from = std::array::from_fn(|nth| &self.from[nth * width + start..]);
                let row = &mut self.costs[row * width + start..(row + 1) * width];
                min_plus_chunks(row, to, from);
            }
        }
        SPANS
    }

    /// Copies the row and the column of the `nth` of the spans that are eliminated from an index
    /// on. The rows after them do not know the costs over the earlier ones yet, so the column is
    /// computed from those.
    #[inline(always)]
    fn take_pivot(&mut self, first: usize, nth: usize) {
        let (size, width, own) = (self.size, self.width, first + nth);
        let row = &self.costs[own * width..(own + 1) * width];
        self.from[nth * width..(nth + 1) * width].copy_from_slice(row);
        let (before, to) = self.to.split_at_mut(nth * size);
        if self.is_symmetric {
            to[own + 1..size].copy_from_slice(&row.as_flattened()[own + 1..size]);
            return;
        }
        let from = self.from.as_flattened();
        for (other, to) in (own + 1..).zip(&mut to[own + 1..size]) {
            let mut cost = self.costs[other * width + own / LANES][own % LANES];
            for (before, from) in before.chunks_exact(size).zip(from.chunks_exact(width * LANES)) {
                cost = cost.min(before[other] + from[own]);
            }
            *to = cost;
        }
    }

    /// The first chunk of a row that matters once what is before an index is eliminated. The rest
    /// of that chunk belongs to eliminated spans or lies left of the diagonal: it may hold
    /// anything.
    fn first_chunk(&self, row: usize, index: usize) -> usize {
        if self.is_symmetric { row / LANES } else { index / LANES }
    }

    /// What is left once the first spans are eliminated, row by row: the contribution to the
    /// parent's matrix, which is the costs through the cell from boundary to boundary.
    pub(crate) fn contribution(&self, eliminated: usize) -> Vec<ReducedCost> {
        let len = Self::contribution_len(self.size - eliminated, self.is_symmetric);
        let mut contribution = Vec::with_capacity(len);
        for from in eliminated..self.size {
            let first = if self.is_symmetric { from } else { eliminated };
            contribution.extend_from_slice(&self.row(from)[first..self.size]);
        }
        contribution
    }

    /// The number of costs of a contribution.
    pub(crate) fn contribution_len(boundary: usize, is_symmetric: bool) -> usize {
        if is_symmetric { boundary * (boundary + 1) / 2 } else { boundary * boundary }
    }
}

/// Eliminates the first spans of a matrix.
struct Eliminate<'a, F> {
    matrix: &'a mut FrontalMatrix,
    count: usize,
    eliminated: F,
}

impl<F: FnMut(&[ReducedCost], &[ReducedCost])> NullaryFnOnce for Eliminate<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        let Eliminate { matrix, count, eliminated } = &mut self;
        let mut first = 0;
        while first < *count {
            first += match *count - first {
                8.. => matrix.eliminate_some::<8>(first, eliminated),
                4.. => matrix.eliminate_some::<4>(first, eliminated),
                2.. => matrix.eliminate_some::<2>(first, eliminated),
                _ => matrix.eliminate_some::<1>(first, eliminated),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::search::random::Random;

    type Rows = Vec<Vec<ReducedCost>>;

    /// The definition: for each pair of spans after one the cost over it. Returns for each of the
    /// eliminated the costs from it, and to it.
    fn eliminate_plainly(costs: &mut Rows, count: usize) -> Vec<[Vec<ReducedCost>; 2]> {
        let size = costs.len();
        let mut eliminated = Vec::new();
        for at in 0..count {
            let from: Vec<ReducedCost> = costs[at][at + 1..].to_vec();
            let to: Vec<ReducedCost> = costs[at + 1..].iter().map(|row| row[at]).collect();
            for (row, &to) in (at + 1..size).zip(&to) {
                for (column, &from) in (at + 1..size).zip(&from) {
                    costs[row][column] = costs[row][column].min(to + from);
                }
            }
            eliminated.push([from, to]);
        }
        eliminated
    }

    /// A matrix of random costs; if it is symmetric, the same both ways.
    fn random(random: &mut Random, size: usize, is_symmetric: bool) -> (FrontalMatrix, Rows) {
        let gaps = random.pick(&[0, 50, 95]);
        let mut cost = |_| match random.chance(gaps) {
            true => ReducedCost::INFINITE,
            false => ReducedCost(random.below(999) as u32),
        };
        let all: Vec<ReducedCost> = (0..size * size).map(&mut cost).collect();
        let cost = |from: usize, to: usize| match is_symmetric {
            true => all[from.min(to) * size + from.max(to)],
            false => all[from * size + to],
        };
        let row = |from| (0..size).map(|to| cost(from, to)).collect();
        let plain: Rows = (0..size).map(row).collect();
        let width = size.div_ceil(LANES);
        let costs = vec![[ReducedCost::INFINITE; LANES]; size * width];
        let mut matrix =
            FrontalMatrix { costs, size, width, is_symmetric, ..FrontalMatrix::default() };
        for (from, row) in plain.iter().enumerate() {
            let first = if is_symmetric { from } else { 0 };
            row.iter().enumerate().skip(first).for_each(|(to, &cost)| matrix.relax(from, to, cost));
        }
        (matrix, plain)
    }

    #[test]
    fn elimination_is_as_defined() {
        let mut rng = Random(3);
        let sizes =
            [(1usize, 0), (1, 1), (9, 8), (16, 16), (33, 17), (100, 40), (300, 290), (900, 33)];
        for (size, count) in sizes {
            for is_symmetric in [false, true] {
                let (mut matrix, mut plain) = random(&mut rng, size, is_symmetric);
                let mut eliminated = Vec::new();
                matrix.eliminate(count, |from, to| eliminated.push([from.to_vec(), to.to_vec()]));
                let expected = eliminate_plainly(&mut plain, count);
                assert_eq!(eliminated, expected, "{count} of {size}, {is_symmetric}");
                let rest = (count..size).flat_map(|from| {
                    let first = if is_symmetric { from } else { count };
                    plain[from][first..].iter().copied()
                });
                let contribution = matrix.contribution(count);
                let len = FrontalMatrix::contribution_len(size - count, is_symmetric);
                assert_eq!(contribution.len(), len);
                assert!(rest.eq(contribution), "{count} of {size}, {is_symmetric}");
            }
        }
    }
}
