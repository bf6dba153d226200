//! Provides [`Walker`]: lays out, span by span, the way over stops that are known to lie on the
//! cheapest one.
//!
//! Between stops that nothing lies in the way of, the estimate of a search is what the way costs,
//! and each step on it lowers the estimate by its own cost: no search is needed. Other pieces are
//! split until they are short, and then searched.

use crate::grid::{Dir, SpanId, Spot};
use crate::solve::{
    Corridor, CostModel, Estimate, Expanded, Flow, Foothold, Frontier, Heuristic, Lead, beyond,
};

use super::finder::Map;
use super::piece::{KeptCost, Piece};
use super::pricing::Pricing;

/// Lays out ways again and again, without allocating.
#[derive(Clone, Debug, Default)]
pub(super) struct Walker {
    /// What is still to be laid out, the next piece last.
    pieces: Vec<Piece>,
    frontier: Frontier,
    /// What is left to the end of a piece.
    estimate: Estimate,
}

impl Walker {
    /// The pieces of the way, the last one first, to be filled.
    pub(super) fn pieces(&mut self) -> &mut Vec<Piece> {
        &mut self.pieces
    }

    /// Lays out the way over all pieces, from where the corridor has come to. Returns how
    /// many spans were searched for it; `None` where costs say that there is a way and the model
    /// says that there is none, so that they cannot be that model's.
    pub(super) fn walk<M: CostModel + ?Sized>(
        &mut self,
        map: Map,
        pricing: &Pricing<M>,
        corridor: &mut Corridor,
    ) -> Option<u32> {
        let Pricing { tariff, directions, even_ground, .. } = *pricing;
        let (mut searched, codes) = (0, directions.step_codes());
        self.estimate.begin(tariff, Heuristic::Octile, (directions, Flow::ToSources));
        while let Some(piece) = self.pieces.pop() {
            let [from, to] = piece.ends.map(|rank| map.shape.order[rank as usize]);
            self.estimate.aim(tariff.terrain, SpanId(to));
            let lead = Lead { tariff, estimate: &self.estimate, codes, weight: 256, even_ground };
            let is_least = |kept: KeptCost| pricing.told(kept.cost, [from, to]) == lead.rest(from);
            let may_be_straight = piece.kept.is_none_or(is_least);
            if may_be_straight && glide(&lead, [from, to], corridor) {
                continue;
            }
            match piece.split(map) {
                Some([first, second]) => self.pieces.extend([second, first]),
                None => searched += search(&mut self.frontier, &lead, ([from, to], corridor))?,
            }
        }
        Some(searched)
    }
}

/// Searches a piece. Returns how many spans it took; `None` where there is no way.
fn search<M: CostModel + ?Sized>(
    frontier: &mut Frontier,
    lead: &Lead<M>,
    ([from, to], corridor): ([u32; 2], &mut Corridor),
) -> Option<u32> {
    let mut searched = 0;
    frontier.begin(lead, from);
    loop {
        match frontier.expand(lead, to) {
            Expanded::More => searched += 1,
            Expanded::Goal => break,
            Expanded::Nothing => return None,
        }
    }
    corridor.follow(lead.tariff, frontier, to);
    Some(searched)
}

/// Goes from span to span as long as each step lowers the estimate by just its own cost: no way
/// is cheaper. False, and nothing is laid out, where that does not lead all the way.
fn glide<M: CostModel + ?Sized>(
    lead: &Lead<M>,
    [from, to]: [u32; 2],
    corridor: &mut Corridor,
) -> bool {
    let start = corridor.spans().len();
    let terrain = lead.tariff.terrain;
    let end = terrain.place(to);
    let here = lead.tariff.foothold(terrain.spot(from));
    let mut at = Glide { here, place: terrain.place(from), left: lead.rest(from) };
    while at.here.spot.span != to {
        let (x, z) = (end.0 - at.place.0, end.1 - at.place.1);
        let [corner, straight] = Dir::towards(x, z);
        // Over a corner the way leads only as long as there is something left along both axes.
        let is_aslant = x != 0 && z != 0;
        if !(is_aslant && at.step(lead, corner) || at.step(lead, straight)) {
            corridor.cut_back(start);
            return false;
        }
        corridor.go_on(SpanId(at.here.spot.span), None);
    }
    true
}

/// Where a way has got to that lowers the estimate by what it costs.
struct Glide {
    here: Foothold,
    place: (i32, i32),
    /// The estimate.
    left: u32,
}

impl Glide {
    /// Goes one step on, if that lowers the estimate by its own cost. Whether it does.
    #[inline]
    fn step<M: CostModel + ?Sized>(&mut self, lead: &Lead<M>, dir: Dir) -> bool {
        let (tariff, steps) = (lead.tariff, lead.tariff.terrain.steps());
        if lead.codes >> (4 * dir.index()) & 1 == 0 {
            return false;
        }
        let (spot, place) = (self.here.spot, beyond(self.place, dir));
        let is_even = lead.even_ground.is_some_and(|ground| ground.contains(spot.span));
        let there = if is_even {
            Foothold { spot: steps.level_target(spot, dir), ..self.here }
        } else {
            let column = spot.column as usize;
            let Some(span) = steps.sure_target(column, spot.span, dir) else { return false };
            tariff.foothold(Spot { span, column: steps.neighbor_of(column, dir) as u32 })
        };
        let left = lead.estimate.at_marks(place, there.marks);
        let Some(lowered) = self.left.checked_sub(left).filter(|&by| by > 0) else { return false };
        let is_cheapest = if is_even {
            tariff.level_step(spot.span, dir) == lowered
        } else {
            tariff.between([&self.here, &there], dir) == Some(lowered)
        };
        if is_cheapest {
            *self = Glide { here: there, place, left };
        }
        is_cheapest
    }
}
