//! Provides [`Walker`]: lays out, span by span, the way over stops that are known to lie on the
//! cheapest one.
//!
//! Between stops that nothing lies in the way of, the estimate of a search is what the way costs,
//! and each step on it lowers the estimate by its own cost: no search is needed. Other pieces are
//! split until they are short, and then searched.

use crate::grid::{Dir, SpanId};
use crate::solve::{
    Corridor, CostModel, Directions, Estimate, Expanded, Foothold, Frontier, Heuristic, Lead, Spot,
    beyond,
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
        let (steps, even_ground) = (directions.step_codes(), tariff.even_ground(directions));
        self.pieces.clear();
        let pairs = self.stops.windows(2).rev();
        self.pieces.extend(pairs.map(|pair| Piece::new(map, [pair[0], pair[1]])));
        while let Some(piece) = self.pieces.pop() {
            let [from, to] = [piece.from, piece.to].map(|rank| map.shape.order[rank as usize]);
            let estimate = Estimate::new(tariff, Heuristic::Octile, directions, SpanId(to));
            let lead = Lead { tariff, estimate: &estimate, steps, weight: 256, even_ground };
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
    let terrain = lead.tariff.terrain;
    let end = terrain.place(to);
    let here = lead.tariff.foothold(terrain.spot(from));
    let mut at = Glide { here, place: terrain.place(from), left: lead.rest(from) };
    while at.here.spot.span != to {
        let (x, z) = (end.0 - at.place.0, end.1 - at.place.1);
        let [corner, straight] = Dir::towards(x, z);
        // Over a corner the way leads only as long as there is something left along both axes.
        let by_corner = if x == 0 || z == 0 { None } else { at.step(lead, corner) };
        let Some(next) = by_corner.or_else(|| at.step(lead, straight)) else {
            corridor.cut_back(start);
            return false;
        };
        at = next;
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
    /// One step on, if that lowers the estimate by its own cost.
    #[inline]
    fn step<M: CostModel + ?Sized>(&self, lead: &Lead<M>, dir: Dir) -> Option<Glide> {
        let (tariff, steps) = (lead.tariff, lead.tariff.terrain.steps());
        if lead.steps >> (4 * dir.index()) & 1 == 0 {
            return None;
        }
        let Spot { span, column } = self.here.spot;
        let column = column as usize;
        let span = steps.sure_target(column, span, dir)?;
        let there = Spot { span, column: steps.neighbor_of(column, dir) as u32 };
        let there = tariff.foothold(there);
        let place = beyond(self.place, dir);
        let left = lead.estimate.at_marks(place, there.marks);
        let cost = self.left.checked_sub(left).filter(|&cost| cost > 0)?;
        let is_cheapest = tariff.between([&self.here, &there], dir) == Some(cost);
        is_cheapest.then_some(Glide { here: there, place, left })
    }
}
