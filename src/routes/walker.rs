//! Provides [`Walker`]: lays out, span by span, the way over stops that are known to lie on the
//! cheapest one.
//!
//! Between stops that nothing lies in the way of, the estimate of a search is what the way costs,
//! and each step on it lowers the estimate by its own cost: no search is needed. Other pieces are
//! split until they are short, and then searched.

use crate::grid::{Dir, SpanId};
use crate::solve::{
    Corridor, CostModel, Directions, Estimate, Expanded, Frontier, Heuristic, Lead,
};

use super::finder::Map;
use super::pricing::Pricing;
use super::stops::Piece;

/// Lays out ways again and again, without allocating.
#[derive(Clone, Debug, Default)]
pub(super) struct Walker {
    /// Ranks on the way, in order.
    stops: Vec<u32>,
    /// What is still to be laid out, the next piece last.
    pieces: Vec<Piece>,
    frontier: Frontier,
}

impl Walker {
    /// The ranks on the way, in order, to be filled.
    pub(super) fn stops(&mut self) -> &mut Vec<u32> {
        &mut self.stops
    }

    /// Lays out the way over all stops, from the first, which the corridor has come to. Returns how
    /// many spans were searched for it; `None` where costs say that there is a way and the model
    /// says that there is none, so that they cannot be that model's.
    pub(super) fn walk<M: CostModel + ?Sized>(
        &mut self,
        map: Map,
        (pricing, directions): (&Pricing<M>, Directions),
        corridor: &mut Corridor,
    ) -> Option<u32> {
        let (mut searched, tariff) = (0, pricing.tariff);
        let (steps, evens) = (directions.step_codes(), tariff.evens(directions));
        self.pieces.clear();
        let pairs = self.stops.windows(2).rev();
        self.pieces.extend(pairs.map(|pair| Piece::new(map, [pair[0], pair[1]])));
        while let Some(piece) = self.pieces.pop() {
            let [from, to] = [piece.from, piece.to].map(|rank| map.shape.order[rank as usize]);
            let estimate = Estimate::new(tariff, Heuristic::Octile, directions, SpanId(to));
            let lead = Lead { tariff, estimate: &estimate, steps, weight: 256, evens };
            let is_least = |cost| pricing.told(cost, [from, to]) == lead.rest(from);
            let may_be_straight = piece.cost.is_none_or(is_least);
            if may_be_straight && glide(&lead, [from, to], corridor) {
                continue;
            }
            match piece.split(map) {
                Some([first, second]) => self.pieces.extend([second, first]),
                None => searched += self.search(&lead, [from, to], corridor)?,
            }
        }
        Some(searched)
    }

    fn search<M: CostModel + ?Sized>(
        &mut self,
        lead: &Lead<M>,
        [from, to]: [u32; 2],
        corridor: &mut Corridor,
    ) -> Option<u32> {
        let mut searched = 0;
        self.frontier.begin(lead, from);
        loop {
            match self.frontier.expand(lead, to) {
                Expanded::More => searched += 1,
                Expanded::Goal => break,
                Expanded::Nothing => return None,
            }
        }
        corridor.follow(lead.tariff, &self.frontier, to);
        Some(searched)
    }
}

/// Goes from span to span as long as each step lowers the estimate by just its own cost: no way
/// is cheaper. False, and nothing is laid out, where that does not lead all the way.
fn glide<M: CostModel + ?Sized>(
    lead: &Lead<M>,
    [from, to]: [u32; 2],
    corridor: &mut Corridor,
) -> bool {
    let start = corridor.spans().len();
    let (terrain, steps) = (lead.tariff.terrain, lead.tariff.terrain.steps());
    let end = terrain.place(to);
    let (mut span, mut left) = (from, lead.rest(from));
    let (mut column, mut place) = (terrain.column(from), terrain.place(from));
    while span != to {
        let cheapest = |dir: Dir| {
            let may_go = lead.steps >> (4 * dir.index()) & 1 == 1;
            let target = steps.sure_target(column, span, dir).filter(|_| may_go)?;
            let (along_x, along_z) = dir.offset();
            let beyond = (place.0 + along_x, place.1 + along_z);
            let rest = lead.estimate.at(beyond.0, beyond.1, terrain.floor(target));
            let is_cheapest =
                rest < left && lead.tariff.step(span, target, dir) == Some(left - rest);
            is_cheapest.then(|| (target, rest, steps.neighbor_of(column, dir), beyond))
        };
        let ahead = Dir::towards(end.0 - place.0, end.1 - place.1);
        let Some(step) = ahead.into_iter().find_map(cheapest) else {
            corridor.cut_back(start);
            return false;
        };
        (span, left, column, place) = step;
        corridor.go_on(SpanId(span), None);
    }
    true
}
