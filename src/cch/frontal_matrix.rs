//! Provides [`Front`]: the costs among a district's own spans and its border, and how its own are
//! left out of the picture one by one.
//!
//! Whoever goes through a span goes from one neighbor of it to another. So a span can be left out
//! if for each pair of its neighbors the way through it is kept. A district's own spans and its
//! border are all neighbors of each other in the end, near enough, so that their costs lie in a
//! dense square and leaving one out is a row of plain sums. Several are left out at a time, so that
//! the square is fetched and written once for all of them.
//! Based on: Carré, "An algebra for network routing problems", 1971; Dibbelt, Strasser and Wagner,
//! "Customizable contraction hierarchies", 2016; fronts as in Duff and Reid, "The multifrontal
//! solution of indefinite sparse symmetric linear equations", 1983.

use pulp::NullaryFnOnce;

use crate::cost::CostModel;

use crate::cch::arc_costs::{NO_WAY, Pricing};
use crate::cch::elimination_tree::{District, Shape};
use crate::cch::min_plus::{Chunk, LANES, in_lanes, lower_chunks};

/// Costs among the spans of a front: a square, from row to column. Where ways cost the same there and
/// back only what lies right of its diagonal counts.
#[derive(Debug, Default)]
pub(crate) struct Front {
    /// Row by row, each filled up to whole chunks.
    costs: Vec<Chunk>,
    size: usize,
    is_symmetric: bool,
    /// Chunks of a row.
    width: usize,
    /// From the spans that are left out, a row for each.
    from: Vec<Chunk>,
    /// To them from those after them, likewise.
    to: Vec<u32>,
    /// The largest cost of a step or link that was met.
    pub highest: u32,
}

impl Front {
    /// Begins a district's front with what joins its own spans to others.
    pub(crate) fn begin<M: CostModel + ?Sized>(
        &mut self,
        (shape, district): (&Shape, usize),
        pricing: &Pricing<M>,
    ) {
        self.size = shape.front(district);
        self.is_symmetric = pricing.is_symmetric;
        self.width = self.size.div_ceil(LANES);
        self.costs.clear();
        self.costs.resize(self.size * self.width, [NO_WAY; LANES]);
        let District { own, end, .. } = shape.districts[district];
        for rank in own..end {
            let place = (rank - own) as usize;
            let is_after = |other: u32| shape.ranks[other as usize] > rank;
            pricing.edges(shape.order[rank as usize], is_after, |edge| {
                let other = shape.ranks[edge.other as usize];
                if let Some(other) = shape.place(district, other) {
                    self.lower(place, other, edge.there);
                    if !self.is_symmetric {
                        self.lower(other, place, edge.back);
                    }
                    for cost in [edge.there, edge.back] {
                        self.highest = self.highest.max(if cost < NO_WAY { cost } else { 0 });
                    }
                }
            });
        }
    }

    fn lower(&mut self, from: usize, to: usize, cost: u32) {
        let own = &mut self.row_mut(from)[to];
        *own = cost.min(*own);
    }

    fn row(&self, from: usize) -> &[u32] {
        self.costs[from * self.width..(from + 1) * self.width].as_flattened()
    }

    fn row_mut(&mut self, from: usize) -> &mut [u32] {
        self.costs[from * self.width..(from + 1) * self.width].as_flattened_mut()
    }

    /// Adds the ways through a part: a square over its border, or the half of it that counts.
    pub(crate) fn add(&mut self, mut through: &[u32], outside: &[u32]) {
        for (at, &from) in outside.iter().enumerate() {
            let others = if self.is_symmetric { &outside[at..] } else { outside };
            let Some((row, rest)) = through.split_at_checked(others.len()) else { return };
            through = rest;
            let own = self.row_mut(from as usize);
            for (&cost, &to) in row.iter().zip(others) {
                let own = &mut own[to as usize];
                *own = cost.min(*own);
            }
        }
    }

    /// Leaves out the first spans, one by one; what is known of each at that moment goes to
    /// `left_out`: costs from it to those after it, and to it from them.
    pub(crate) fn leave_out(&mut self, count: usize, left_out: impl FnMut(&[u32], &[u32])) {
        in_lanes(LeaveOut { front: self, count, left_out });
    }

    /// Leaves out some spans from a place on, so that each other row is read and written but once.
    /// Returns how many.
    #[inline(always)]
    fn leave_out_some<const SOME: usize>(
        &mut self,
        place: usize,
        left_out: &mut impl FnMut(&[u32], &[u32]),
    ) -> usize {
        let (size, width, after) = (self.size, self.width, place + SOME);
        self.from.resize(SOME * width, [NO_WAY; LANES]);
        self.to.resize(SOME * size, NO_WAY);
        for nth in 0..SOME {
            let next = place + nth + 1;
            self.find_ways_by((place, nth));
            let from = &self.from[nth * width..(nth + 1) * width];
            let to = &self.to[nth * size..(nth + 1) * size];
            left_out(&from.as_flattened()[next..size], &to[next..]);
            // Those that are left out next have to know the ways by this one already.
            for (other, &to) in (next..after).zip(&to[next..]) {
                let first = self.first_chunk(other, next);
                let row = &mut self.costs[other * width + first..(other + 1) * width];
                lower_chunks(row, [to], [&from[first..]]);
            }
        }
        for row in after..size {
            let to: [u32; SOME] = std::array::from_fn(|nth| self.to[nth * size + row]);
            if to.iter().any(|&to| to < NO_WAY) {
                let first = self.first_chunk(row, after);
                let from = std::array::from_fn(|nth| &self.from[nth * width + first..]);
                lower_chunks(&mut self.costs[row * width + first..(row + 1) * width], to, from);
            }
        }
        SOME
    }

    /// Finds the costs from the `nth` of the spans that are left out from a place on, and to it from
    /// those after it, whose rows need not know the ways by those before it yet.
    #[inline(always)]
    fn find_ways_by(&mut self, (place, nth): (usize, usize)) {
        let (size, width, own) = (self.size, self.width, place + nth);
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

    /// The chunk of a row in which it begins to count, where what is before a place is left out. The
    /// rest of that chunk has been left out already, or lies left of the diagonal: what happens to it
    /// is of no interest.
    fn first_chunk(&self, row: usize, place: usize) -> usize {
        if self.is_symmetric { row / LANES } else { place / LANES }
    }

    /// The ways among the spans from a place on, row by row, as far as they count.
    pub(crate) fn through(&self, count: usize) -> Vec<u32> {
        let mut through = Vec::with_capacity(Self::ways(self.size - count, self.is_symmetric));
        for from in count..self.size {
            let first = if self.is_symmetric { from } else { count };
            through.extend_from_slice(&self.row(from)[first..self.size]);
        }
        through
    }

    /// How many ways there are among so many spans.
    pub(crate) fn ways(spans: usize, is_symmetric: bool) -> usize {
        if is_symmetric { spans * (spans + 1) / 2 } else { spans * spans }
    }
}

/// Leaves out the first spans of a front.
struct LeaveOut<'a, F> {
    front: &'a mut Front,
    count: usize,
    left_out: F,
}

impl<F: FnMut(&[u32], &[u32])> NullaryFnOnce for LeaveOut<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        let LeaveOut { front, count, left_out } = &mut self;
        let mut place = 0;
        while place < *count {
            place += match *count - place {
                8.. => front.leave_out_some::<8>(place, left_out),
                4.. => front.leave_out_some::<4>(place, left_out),
                2.. => front.leave_out_some::<2>(place, left_out),
                _ => front.leave_out_some::<1>(place, left_out),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::search::random::Random;

    /// The definition: for each pair of spans after one the way through it.
    fn plainly(costs: &mut [Vec<u32>], count: usize) -> Vec<(Vec<u32>, Vec<u32>)> {
        let size = costs.len();
        let mut left_out = Vec::new();
        for place in 0..count {
            let from: Vec<u32> = costs[place][place + 1..].to_vec();
            let to: Vec<u32> = costs[place + 1..].iter().map(|row| row[place]).collect();
            for (row, to) in (place + 1..size).zip(&to) {
                for (column, from) in (place + 1..size).zip(&from) {
                    costs[row][column] = costs[row][column].min(to + from);
                }
            }
            left_out.push((from, to));
        }
        left_out
    }

    /// A front of random costs; where it is symmetric, the same both ways.
    fn random(random: &mut Random, size: usize, is_symmetric: bool) -> (Front, Vec<Vec<u32>>) {
        let gaps = random.pick(&[0, 50, 95]);
        let mut cost = |_| if random.chance(gaps) { NO_WAY } else { random.below(999) as u32 };
        let all: Vec<u32> = (0..size * size).map(&mut cost).collect();
        let cost = |from: usize, to: usize| match is_symmetric {
            true => all[from.min(to) * size + from.max(to)],
            false => all[from * size + to],
        };
        let row = |from| (0..size).map(|to| cost(from, to)).collect();
        let plain: Vec<Vec<u32>> = (0..size).map(row).collect();
        let width = size.div_ceil(LANES);
        let costs = vec![[NO_WAY; LANES]; size * width];
        let mut front = Front { costs, size, width, is_symmetric, ..Front::default() };
        for (from, row) in plain.iter().enumerate() {
            let first = if is_symmetric { from } else { 0 };
            row.iter().enumerate().skip(first).for_each(|(to, &cost)| front.lower(from, to, cost));
        }
        (front, plain)
    }

    #[test]
    fn leaving_out_is_as_defined() {
        let mut rng = Random(3);
        let sizes =
            [(1usize, 0), (1, 1), (9, 8), (16, 16), (33, 17), (100, 40), (300, 290), (900, 33)];
        for (size, count) in sizes {
            for is_symmetric in [false, true] {
                let (mut front, mut plain) = random(&mut rng, size, is_symmetric);
                let mut left_out = Vec::new();
                front.leave_out(count, |from, to| left_out.push((from.to_vec(), to.to_vec())));
                assert_eq!(
                    left_out,
                    plainly(&mut plain, count),
                    "{count} of {size}, {is_symmetric}"
                );
                let rest = (count..size).flat_map(|from| {
                    let first = if is_symmetric { from } else { count };
                    plain[from][first..].iter().copied()
                });
                let through = front.through(count);
                assert_eq!(through.len(), Front::ways(size - count, is_symmetric));
                assert!(rest.eq(through), "{count} of {size}, {is_symmetric}");
            }
        }
    }
}
