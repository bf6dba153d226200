//! Provides [`Walker`]: lays out, span by span, the way over stops that are known to lie on the
//! cheapest one.
//!
//! Between stops that nothing lies in the way of, the estimate of a search is what the way costs,
//! and each step on it lowers the estimate by its own cost: no search is needed. Other pieces are
//! split until they are short, and then laid out within their cost. Only where that finds no way, as
//! over links, they are searched.

use crate::grid::SpanId;
use crate::solve::{Corridor, CostModel, Estimate, Expanded, Flow, Frontier, Heuristic, Lead};

use super::dive::{Dive, glide};
use super::finder::Map;
use super::piece::Piece;
use super::pricing::Pricing;

/// Lays out ways again and again, without allocating.
#[derive(Clone, Debug, Default)]
pub(super) struct Walker {
    /// What is still to be laid out, the next piece last.
    pieces: Vec<Piece>,
    dive: Dive,
    frontier: Frontier,
    /// What is left to the end of a piece.
    estimate: Estimate,
}

impl Walker {
    /// The pieces of the way, the last one first, to be filled.
    pub(super) fn pieces(&mut self) -> &mut Vec<Piece> {
        &mut self.pieces
    }

    /// Lays out the way over all pieces, from where the corridor has come to. Returns how many spans
    /// were looked at for it one by one; `None` where costs say that there is a way and the model
    /// says that there is none, so that they cannot be that model's.
    pub(super) fn walk<M: CostModel + ?Sized>(
        &mut self,
        map: Map,
        pricing: &Pricing<M>,
        corridor: &mut Corridor,
    ) -> Option<u32> {
        let Pricing { tariff, directions, even_ground, .. } = *pricing;
        let (mut looked_at, codes) = (0, directions.step_codes());
        self.estimate.begin(tariff, Heuristic::Octile, (directions, Flow::ToSources));
        while let Some(piece) = self.pieces.pop() {
            let [from, to] = piece.ends.map(|rank| map.shape.order[rank as usize]);
            self.estimate.aim(tariff.terrain, SpanId(to));
            let estimate = &self.estimate;
            let (weight, leaves_once) = (256, false);
            let lead = Lead { tariff, estimate, codes, weight, leaves_once, even_ground };
            let cost = pricing.told(piece.cost, [from, to]);
            if cost == lead.rest(from) && glide(&lead, [from, to], corridor) {
                continue;
            }
            if let Some([first, second]) = piece.split(map) {
                self.pieces.extend([second, first]);
                continue;
            }
            let nodes = &mut self.frontier.nodes;
            looked_at += match self.dive.lay(nodes, (&lead, [from, to], cost), corridor) {
                Some(came_to) => came_to,
                None => search(&mut self.frontier, &lead, ([from, to], corridor))?,
            };
        }
        Some(looked_at)
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
