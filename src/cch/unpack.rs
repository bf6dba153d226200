//! Provides [`Walker`]: lays out, span by span, the way over stops that are known to lie on the
//! cheapest one.
//!
//! Between stops that nothing lies in the way of, the estimate of a search is what the way costs,
//! and each step on it lowers the estimate by its own cost: no search is needed. Other pieces are
//! split until they are short, and then laid out within their cost. Only where that finds no way, as
//! over links, they are searched.

use crate::cost::CostModel;
use crate::grid::SpanId;
use crate::path::Corridor;
use crate::search::{AStar, Estimate, Expansion, Heuristic, SearchParameters};
use crate::view::Flow;

use crate::cch::arc_costs::Pricing;
use crate::cch::greedy_descent::{Dive, glide};
use crate::cch::query::Map;
use crate::cch::shortcut::Piece;

/// Lays out ways again and again, without allocating.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walker {
    /// What is still to be laid out, the next piece last.
    pieces: Vec<Piece>,
    dive: Dive,
    frontier: AStar,
    /// What is left to the end of a piece.
    estimate: Estimate,
}

impl Walker {
    /// The pieces of the way, the last one first, to be filled.
    pub(crate) fn pieces(&mut self) -> &mut Vec<Piece> {
        &mut self.pieces
    }

    /// Lays out the way over all pieces, from where the corridor has come to. Returns how many spans
    /// were looked at for it one by one; `None` where costs say that there is a way and the model
    /// says that there is none, so that they cannot be that model's.
    pub(crate) fn walk<M: CostModel + ?Sized>(
        &mut self,
        map: Map,
        pricing: &Pricing<M>,
        corridor: &mut Corridor,
    ) -> Option<u32> {
        let Pricing { metric, directions, uniform_ground, .. } = *pricing;
        let (mut looked_at, direction_codes) = (0, directions.step_codes());
        self.estimate.begin_as(metric, Heuristic::Octile, directions, Flow::ToSources);
        while let Some(piece) = self.pieces.pop() {
            let [from, to] = piece.ends.map(|rank| map.shape.order[rank as usize]);
            self.estimate.aim(metric.view, SpanId(to));
            let estimate = &self.estimate;
            let (weight, closes_once) = (256, false);
            let parameters = SearchParameters {
                metric,
                estimate,
                direction_codes,
                weight,
                closes_once,
                uniform_ground,
            };
            let cost = pricing.told(piece.cost, [from, to]);
            if cost == parameters.rest(from) && glide(&parameters, [from, to], corridor) {
                continue;
            }
            if let Some([first, second]) = piece.split(map) {
                self.pieces.extend([second, first]);
                continue;
            }
            let nodes = &mut self.frontier.nodes;
            looked_at += match self.dive.lay(nodes, (&parameters, [from, to], cost), corridor) {
                Some(came_to) => came_to,
                None => search(&mut self.frontier, &parameters, ([from, to], corridor))?,
            };
        }
        Some(looked_at)
    }
}

/// Searches a piece. Returns how many spans it took; `None` where there is no way.
fn search<M: CostModel + ?Sized>(
    frontier: &mut AStar,
    parameters: &SearchParameters<M>,
    ([from, to], corridor): ([u32; 2], &mut Corridor),
) -> Option<u32> {
    let mut searched = 0;
    frontier.begin(parameters, from);
    loop {
        match frontier.expand(parameters, to) {
            Expansion::More => searched += 1,
            Expansion::Goal => break,
            Expansion::Nothing => return None,
        }
    }
    corridor.follow(parameters.metric, frontier, to);
    Some(searched)
}
