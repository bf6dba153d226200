//! Provides [`glide`] and [`Dive`]: lay out ways, span by span, whose cost is known.
//!
//! Where nothing lies in the way, a way costs what the estimate says: one glides along it, never
//! back.
//!
//! Elsewhere what a way may still cost tells at once which steps it cannot take: those from where
//! the estimate says that more is left. On open ground one step in a given direction remains, and
//! round a corner hardly more. So one goes from span to span without an open list, and back where
//! none goes on.
//! Based on: Korf, "Depth-first iterative-deepening: an optimal admissible tree search", 1985, whose
//! last iteration this is.

use crate::cost::{CostModel, SearchNode};
use crate::grid::{Dir, SpanAddress, SpanId};
use crate::path::Corridor;
use crate::search::{Nodes, Parent, SearchParameters, beyond};

/// Lays out ways again and again, without allocating.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dive {
    /// The spans on the way.
    trail: Vec<Stop>,
}

/// A span on the way, and where it was tried to go on from there.
#[derive(Clone, Copy, Debug)]
struct Stop {
    stage: Stage,
    /// So many directions were tried.
    tried: u8,
    /// The last one led too far round.
    was_far: bool,
}

/// Where a way has got to.
#[derive(Clone, Copy, Debug)]
struct Stage {
    here: SearchNode,
    place: (i32, i32),
    /// What it may still cost.
    left: u32,
}

/// Beyond so many spans a search that looks at the most promising ones first is faster.
const MOST: u32 = 200;

impl Dive {
    /// Goes from a span to another by steps that cost no more in all than they may. Returns how many
    /// spans it came to; `None`, and nothing is laid out, where it finds no such way, or not soon.
    pub(crate) fn lay<M: CostModel + ?Sized>(
        &mut self,
        nodes: &mut Nodes,
        (parameters, [from, to], cost): (&SearchParameters<M>, [u32; 2], u32),
        corridor: &mut Corridor,
    ) -> Option<u32> {
        let view = parameters.metric.view;
        let end = view.place(to);
        nodes.clear(view.spans().len());
        nodes.reach(from, 0, Parent::Start);
        self.trail.clear();
        self.trail.push(Stop::at(Stage::new(parameters, from, cost)));
        let mut came_to = 0;
        while came_to < MOST {
            let Some(dir) = self.trail.last_mut()?.next_towards(end) else {
                self.trail.pop();
                continue;
            };
            let Some(next) = self.trail.last_mut()?.go(parameters, dir) else { continue };
            let (span, spent) = (next.here.address.span, cost - next.left);
            if spent >= nodes.cost(span) {
                continue;
            }
            nodes.reach(span, spent, Parent::Step(dir));
            self.trail.push(Stop::at(next));
            came_to += 1;
            if span == to {
                let laid = self.trail[1..].iter().map(|stop| stop.stage.here.address.span);
                laid.for_each(|span| corridor.go_on(SpanId(span), None));
                return Some(came_to);
            }
        }
        None
    }
}

impl Stop {
    fn at(stage: Stage) -> Self {
        Stop { stage, tried: 0, was_far: false }
    }

    /// The next direction to try; `None` where none is left.
    fn next_towards(&mut self, end: (i32, i32)) -> Option<Dir> {
        let nth = (self.tried < 8).then_some(self.tried)?;
        self.tried += 1;
        Some(nth_towards(self.stage.offset(end), nth))
    }

    /// Goes on in a direction, if the end may be reached at what is left.
    fn go<M: CostModel + ?Sized>(
        &mut self,
        parameters: &SearchParameters<M>,
        dir: Dir,
    ) -> Option<Stage> {
        let rest = self.stage.rest(parameters, dir);
        if rest.is_none() && self.was_far {
            // Too far round to either side: those that follow lead even farther, or straight back.
            self.tried = 8;
        }
        self.was_far = rest.is_none();
        self.stage.step(parameters, dir, rest?)
    }
}

/// The direction that leads towards a place so many cells away, or the next best ones.
fn nth_towards((x, z): (i32, i32), nth: u8) -> Dir {
    let [corner, straight] = Dir::towards(x, z);
    let (first, side) = match (x != 0 && z != 0, corner.turned(1) == straight) {
        (false, _) => (straight, 1),
        (true, true) => (corner, 1),
        (true, false) => (corner, 7),
    };
    // To that side first, then as far to the other, and ever farther round.
    let turns = nth.div_ceil(2);
    first.turned(if nth % 2 == 1 { turns * side } else { turns * (8 - side) })
}

/// Goes from span to span as long as each step lowers the estimate by just its own cost: no way
/// is cheaper. False, and nothing is laid out, where that does not lead all the way.
pub(crate) fn glide<M: CostModel + ?Sized>(
    parameters: &SearchParameters<M>,
    [from, to]: [u32; 2],
    corridor: &mut Corridor,
) -> bool {
    let start = corridor.spans().len();
    let end = parameters.metric.view.place(to);
    let mut at = Stage::new(parameters, from, parameters.rest(from));
    while at.here.address.span != to {
        let (x, z) = at.offset(end);
        let [corner, straight] = Dir::towards(x, z);
        // Over a corner the way leads only as long as there is something left along both axes.
        let is_aslant = x != 0 && z != 0;
        if !(is_aslant && at.glide(parameters, corner) || at.glide(parameters, straight)) {
            corridor.cut_back(start);
            return false;
        }
        corridor.go_on(SpanId(at.here.address.span), None);
    }
    true
}

impl Stage {
    fn new<M: CostModel + ?Sized>(parameters: &SearchParameters<M>, span: u32, left: u32) -> Self {
        let view = parameters.metric.view;
        Stage {
            here: parameters.metric.search_node(view.address(span)),
            place: view.place(span),
            left,
        }
    }

    /// How many cells it is to a place.
    fn offset(&self, end: (i32, i32)) -> (i32, i32) {
        (end.0 - self.place.0, end.1 - self.place.1)
    }

    /// Goes one step on, if that lowers what is left by its own cost. Whether it does.
    #[inline(always)]
    fn glide<M: CostModel + ?Sized>(&mut self, parameters: &SearchParameters<M>, dir: Dir) -> bool {
        let Some((there, cost)) = self.ahead(parameters, dir) else { return false };
        let place = beyond(self.place, dir);
        let left = parameters.estimate.at_potential(place, there.potential);
        // Steps that cost nothing might lead round for ever.
        let is_cheapest = cost > 0 && left.checked_add(cost) == Some(self.left);
        if is_cheapest {
            *self = Stage { here: there, place, left };
        }
        is_cheapest
    }

    /// What is left at least after a step in a direction, if that may be enough, whatever the step
    /// rises or falls by: that costs as much as it can save of the rest.
    #[inline(always)]
    fn rest<M: CostModel + ?Sized>(
        &self,
        parameters: &SearchParameters<M>,
        dir: Dir,
    ) -> Option<u32> {
        let rest = parameters.estimate.at_potential(beyond(self.place, dir), self.here.potential);
        let flat = parameters.metric.least.flat_costs()[dir.index() % 2];
        (flat.saturating_add(rest) <= self.left).then_some(rest)
    }

    /// One step on, if what is left may be enough from there.
    #[inline]
    fn step<M: CostModel + ?Sized>(
        &self,
        parameters: &SearchParameters<M>,
        dir: Dir,
        rest: u32,
    ) -> Option<Stage> {
        let (there, cost) = self.ahead(parameters, dir)?;
        let place = beyond(self.place, dir);
        let is_level = there.potential == self.here.potential;
        let rest =
            if is_level { rest } else { parameters.estimate.at_potential(place, there.potential) };
        let left = self.left.checked_sub(cost).filter(|&left| left >= rest)?;
        Some(Stage { here: there, place, left })
    }

    /// Where a step leads, and what it costs.
    #[inline(always)]
    fn ahead<M: CostModel + ?Sized>(
        &self,
        parameters: &SearchParameters<M>,
        dir: Dir,
    ) -> Option<(SearchNode, u32)> {
        let (metric, steps) = (parameters.metric, parameters.metric.view.connections());
        if parameters.direction_codes >> (4 * dir.index()) & 1 == 0 {
            return None;
        }
        let SpanAddress { span, column } = self.here.address;
        if parameters.uniform_ground.is_some_and(|ground| ground.contains(span)) {
            let address = steps.level_target(self.here.address, dir);
            return Some((SearchNode { address, ..self.here }, metric.level_step(span, dir)));
        }
        let span = steps.known_target(column as usize, span, dir)?;
        let column = steps.neighbor_of(column as usize, dir) as u32;
        let there = metric.search_node_beside(SpanAddress { span, column }, &self.here);
        Some((there, metric.between([&self.here, &there], dir)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a way costs that takes a step and then goes straight to a place so many cells away.
    fn by_way_of(dir: Dir, (x, z): (i32, i32)) -> u32 {
        let (along_x, along_z) = dir.offset();
        let (x, z) = ((x - along_x).unsigned_abs(), (z - along_z).unsigned_abs());
        let step = if dir.is_diagonal() { 14 } else { 10 };
        step + 14 * x.min(z) + 10 * (x.max(z) - x.min(z))
    }

    #[test]
    fn directions_come_by_how_far_they_lead_round() {
        for (x, z) in (-9..=9).flat_map(|z| (-9..=9).map(move |x| (x, z))) {
            let dirs: Vec<Dir> = (0..8).map(|nth| nth_towards((x, z), nth)).collect();
            assert!(Dir::ALL.iter().all(|dir| dirs.contains(dir)), "{dirs:?}");
            let costs: Vec<u32> = dirs.iter().map(|&dir| by_way_of(dir, (x, z))).collect();
            // The last one leads straight back.
            for side in [[0, 1, 3, 5], [0, 2, 4, 6]] {
                let is_farther = side.windows(2).all(|pair| costs[pair[0]] <= costs[pair[1]]);
                assert!((x, z) == (0, 0) || is_farther, "({x}, {z}): {costs:?}");
            }
        }
    }
}
