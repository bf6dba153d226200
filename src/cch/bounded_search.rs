//! Provides [`BoundedSearch`]: lays out a path within a known cost, by depth-first search.
//!
//! The cost that is left rules out most steps at once: all from where the estimate says that more
//! is needed. On open ground one step in a given direction remains, and round a corner hardly more.
//! So the search goes from span to span without an open list, and back where no step remains.
//! Based on: the last iteration of Korf, "Depth-first iterative-deepening: an optimal admissible
//! tree search", 1985.

use crate::cost::CostModel;
use crate::grid::{CellOffset, Dir, SpanId};
use crate::path::Corridor;
use crate::search::{Nodes, Parent, SearchParameters};

use crate::cch::greedy_descent::{KnownPath, PathHead};

/// Lays out one path after another, without allocating.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoundedSearch {
    /// The spans on the path so far.
    trail: Vec<TrailSpan>,
}

/// A span on the path, and the directions that were tried from it.
#[derive(Clone, Copy, Debug)]
struct TrailSpan {
    head: PathHead,
    /// The number of directions that were tried.
    tried: u8,
    /// The last one led too far round.
    was_too_far: bool,
}

/// After so many spans, a best-first search is likely to be faster.
const MOST_REACHED: u32 = 200;

impl BoundedSearch {
    /// Adds the spans of a path to a corridor. Returns the number of spans that it reached; `None`,
    /// and adds nothing, if it finds no path within the cost, or not soon.
    pub(crate) fn run<M: CostModel + ?Sized>(
        &mut self,
        nodes: &mut Nodes,
        path: &KnownPath<M>,
        corridor: &mut Corridor,
    ) -> Option<u32> {
        let KnownPath { parameters, ends: [from, to], cost } = *path;
        let view = parameters.metric.view;
        let end = view.cell_offset(to);
        nodes.clear(view.spans().len());
        nodes.reach(from, 0, Parent::Start);
        self.trail.clear();
        self.trail.push(TrailSpan::at(PathHead::new(parameters, from, cost)));
        let mut reached = 0;
        while reached < MOST_REACHED {
            let Some(dir) = self.trail.last_mut()?.next_towards(end) else {
                self.trail.pop();
                continue;
            };
            let Some(next) = self.trail.last_mut()?.step(parameters, dir) else { continue };
            let (span, spent) = (next.node.address.span, cost - next.left);
            if spent >= nodes.cost(span) {
                continue;
            }
            nodes.reach(span, spent, Parent::Step(dir));
            self.trail.push(TrailSpan::at(next));
            reached += 1;
            if span == to {
                let laid = self.trail[1..].iter().map(|span| span.head.node.address.span);
                laid.for_each(|span| corridor.go_on(SpanId(span), None));
                return Some(reached);
            }
        }
        None
    }
}

impl TrailSpan {
    fn at(head: PathHead) -> Self {
        TrailSpan { head, tried: 0, was_too_far: false }
    }

    /// The next direction to try; `None` if none is left.
    fn next_towards(&mut self, end: CellOffset) -> Option<Dir> {
        let nth = (self.tried < 8).then_some(self.tried)?;
        self.tried += 1;
        Some(nth_towards(self.head.cell.to(end), nth))
    }

    /// Takes a step in a direction, if the end may be reached at the cost that is left.
    fn step<M: CostModel + ?Sized>(
        &mut self,
        parameters: &SearchParameters<M>,
        dir: Dir,
    ) -> Option<PathHead> {
        let rest = self.head.rest_after(parameters, dir);
        if rest.is_none() && self.was_too_far {
            // Too far round to either side: the directions after it lead even farther, or straight
            // back.
            self.tried = 8;
        }
        self.was_too_far = rest.is_none();
        self.head.step(parameters, dir, rest?)
    }
}

impl PathHead {
    /// A lower bound of the rest after a step, if that may be within the cost that is left. The
    /// floor of the step's end does not matter yet: a rise or fall costs at least what it saves of
    /// the rest.
    #[inline(always)]
    fn rest_after<M: CostModel + ?Sized>(
        &self,
        parameters: &SearchParameters<M>,
        dir: Dir,
    ) -> Option<u32> {
        let rest = parameters.estimate.at_potential(self.cell.step(dir), self.node.potential);
        let flat = parameters.metric.least.flat_costs()[dir.index() % 2];
        (flat.saturating_add(rest) <= self.left).then_some(rest)
    }

    /// The path one step on, if the cost that is left may be enough from there.
    #[inline]
    fn step<M: CostModel + ?Sized>(
        &self,
        parameters: &SearchParameters<M>,
        dir: Dir,
        level_rest: u32,
    ) -> Option<PathHead> {
        let (node, cost) = self.ahead(parameters, dir)?;
        let cell = self.cell.step(dir);
        let rest = match node.potential == self.node.potential {
            true => level_rest,
            false => parameters.estimate.at_potential(cell, node.potential),
        };
        let left = self.left.checked_sub(cost).filter(|&left| left >= rest)?;
        Some(PathHead { node, cell, left })
    }
}

/// The direction that leads towards a cell at an offset, or the `nth` best one [0..8).
fn nth_towards(offset: CellOffset, nth: u8) -> Dir {
    let [diagonal, straight] = Dir::towards(offset);
    let (first, side) = match (offset.x != 0 && offset.z != 0, diagonal.turned(1) == straight) {
        (false, _) => (straight, 1),
        (true, true) => (diagonal, 1),
        (true, false) => (diagonal, 7),
    };
    // To that side first, then as far to the other, and ever farther round.
    let turns = nth.div_ceil(2);
    first.turned(if nth % 2 == 1 { turns * side } else { turns * (8 - side) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cost of a step and then of going straight to a cell at an offset.
    fn cost_by(dir: Dir, offset: CellOffset) -> u32 {
        let left = dir.offset().to(offset);
        let (x, z) = (left.x.unsigned_abs(), left.z.unsigned_abs());
        let step = if dir.is_diagonal() { 14 } else { 10 };
        step + 14 * x.min(z) + 10 * (x.max(z) - x.min(z))
    }

    #[test]
    fn directions_come_by_how_far_they_lead_round() {
        for (x, z) in (-9..=9).flat_map(|z| (-9..=9).map(move |x| (x, z))) {
            let dirs: Vec<Dir> = (0..8).map(|nth| nth_towards(CellOffset { x, z }, nth)).collect();
            assert!(Dir::ALL.iter().all(|dir| dirs.contains(dir)), "{dirs:?}");
            let costs: Vec<u32> =
                dirs.iter().map(|&dir| cost_by(dir, CellOffset { x, z })).collect();
            // The last one leads straight back.
            for side in [[0, 1, 3, 5], [0, 2, 4, 6]] {
                let is_farther = side.windows(2).all(|pair| costs[pair[0]] <= costs[pair[1]]);
                assert!((x, z) == (0, 0) || is_farther, "({x}, {z}): {costs:?}");
            }
        }
    }
}
