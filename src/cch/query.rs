//! Provides [`Finder`]: what the cheapest way between two spans costs, and some spans on it.
//!
//! From each end the costs to the borders of ever larger districts are worked out, until both ends
//! lie in the same ones. There the ways meet: the cheapest one leads through the span where the
//! costs from both sides add up to the least. Before that scouts climb by a few promising rows: the
//! way they find need not be the cheapest, but what could only be dearer need not be looked at.
//! Based on: Dibbelt, Strasser and Wagner, "Customizable contraction hierarchies", 2016.

use crate::cost::CostModel;
use crate::search::Estimate;
use crate::view::Flow;

use crate::cch::arc_costs::{NO_WAY, Pricing, TOO_DEAR};
use crate::cch::block_search::{Local, Spread};
use crate::cch::cost_bounds::Bounds;
use crate::cch::elimination_tree::{NONE, Shape};
use crate::cch::metric::RouteMetric;
use crate::cch::shortcut::Piece;
use crate::cch::upward_search::{Climb, Rows};

/// Finds costs again and again, without allocating.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finder {
    local: Local,
    climbs: Climbs,
    /// Those that look for any way first.
    scouts: Climbs,
    /// Of costs from the start, and to the goal.
    estimates: [Estimate; 2],
}

/// Both ends of a way.
#[derive(Clone, Debug, Default)]
struct Climbs {
    there: Climb,
    back: Climb,
}

/// Costs, and the shape they are for.
#[derive(Clone, Copy)]
pub(crate) struct Map<'a> {
    pub shape: &'a Shape,
    pub costs: &'a RouteMetric,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The cheapest way costs so much, as routes count, and leads through this rank; through none
    /// where it stays in one block.
    Way(u32, Option<u32>),
    /// There is no way.
    NoWay,
    /// Costs were too large to be counted.
    Unknown,
}

/// Scouts pay where there are more costs to look at: on open ground.
const SCOUTED: usize = 100_000;

impl Finder {
    /// The cheapest way between two ranks.
    pub(crate) fn find<M: CostModel + ?Sized>(
        &mut self,
        map: Map,
        pricing: &Pricing<M>,
        ends: [u32; 2],
    ) -> Found {
        let shape = map.shape;
        let Climbs { there, back } = &mut self.climbs;
        begin(there, &mut self.local, (shape, pricing), (ends[0], Flow::FromSources));
        let spread = begin(back, &mut self.local, (shape, pricing), (ends[1], Flow::ToSources));
        // Within a block a way need not climb at all.
        let within = spread.and_then(|spread| spread.inside(&self.local, ends[0]));
        let mut best = (within.unwrap_or(NO_WAY), None);
        let mut bounds = Bounds::new(shape, pricing, (ends, &mut self.estimates));
        if self.climbs.costs_ahead(shape) > SCOUTED {
            let mut known = best;
            self.scouts.there.copy(&self.climbs.there);
            self.scouts.back.copy(&self.climbs.back);
            self.scouts.climb(map, (&mut bounds, Rows::Few), &mut known);
        }
        self.climbs.climb(map, (&mut bounds, Rows::All), &mut best);
        match best {
            (cost, through) if cost < TOO_DEAR => Found::Way(cost, through),
            _ if map.costs.are_countable() && self.climbs.lost_none(map.costs) => Found::NoWay,
            _ => Found::Unknown,
        }
    }

    /// The costs of the cheapest ways between many ranks: a row for each that they start at, with
    /// [`NO_WAY`] where there is none. `None` where one is too large to be counted.
    pub(crate) fn table<M: CostModel + ?Sized>(
        &mut self,
        map: Map,
        pricing: &Pricing<M>,
        (from, to): (&[u32], &[u32]),
    ) -> Option<Vec<u32>> {
        let shape = map.shape;
        let mut backs = Vec::with_capacity(to.len());
        for &rank in to {
            let mut back = Climb::default();
            begin(&mut back, &mut self.local, (shape, pricing), (rank, Flow::ToSources));
            back.pass_to_the_top(map, Flow::ToSources);
            backs.push(back);
        }
        let mut table = Vec::with_capacity(from.len() * to.len());
        for &rank in from {
            let there = &mut self.climbs.there;
            let start = (rank, Flow::FromSources);
            let spread = begin(there, &mut self.local, (shape, pricing), start);
            there.pass_to_the_top(map, Flow::FromSources);
            for (&goal, back) in to.iter().zip(&backs) {
                let within = spread.as_ref().and_then(|spread| spread.inside(&self.local, goal));
                let cost = there.meet(back).min(within.unwrap_or(NO_WAY));
                let ends = [rank, goal].map(|rank| shape.order[rank as usize]);
                let told = pricing.told(cost, ends);
                if told >= TOO_DEAR && !(cost == NO_WAY && lost_none([there, back], map.costs)) {
                    return None;
                }
                table.push(told);
            }
        }
        Some(table)
    }

    /// The pieces of a way of a known cost between the ranks that it climbs over, the last one first;
    /// it leads through the rank at the top, or stays in one block.
    pub(crate) fn pieces(
        &self,
        map: Map,
        ([from, to], cost): ([u32; 2], u32),
        (top, pieces): (Option<u32>, &mut Vec<Piece>),
    ) {
        pieces.clear();
        let in_block =
            |ends: [u32; 2], cost| (ends[0] != ends[1]).then_some(Piece { ends, cost, kept: None });
        let Some(top) = top else {
            pieces.extend(in_block([from, to], cost));
            return;
        };
        let (last, cost) = self.climbs.back.descend(map, Flow::ToSources, (top, pieces));
        pieces.extend(in_block([last, to], cost));
        pieces.reverse();
        let (first, cost) = self.climbs.there.descend(map, Flow::FromSources, (top, pieces));
        pieces.extend(in_block([from, first], cost));
    }
}

impl Climbs {
    /// Climbs to the top on both sides, and keeps the best cost and where the ways meet.
    fn climb<M: CostModel + ?Sized>(
        &mut self,
        map: Map,
        (bounds, rows): (&mut Bounds<M>, Rows),
        best: &mut (u32, Option<u32>),
    ) {
        if !self.climb_apart(map, (bounds, rows)) {
            return;
        }
        loop {
            self.there.pass(map, Flow::FromSources, (bounds, rows));
            self.back.pass(map, Flow::ToSources, (bounds, rows));
            let district = self.there.district();
            let pairs = self.there.own_costs().iter().zip(self.back.own_costs());
            for (place, (there, back)) in pairs.enumerate() {
                if there + back < best.0 {
                    *best = (there + back, Some(map.shape.rank(district, place)));
                }
            }
            if best.0 < NO_WAY {
                bounds.known = bounds.known.min(best.0);
            }
            if !self.there.up(map.shape) || !self.back.up(map.shape) {
                return;
            }
        }
    }

    /// The costs that lie on the ways to the top.
    fn costs_ahead(&self, shape: &Shape) -> usize {
        let ahead = |start: usize| {
            let districts = std::iter::successors(Some(start), |&at| {
                let parent = shape.districts[at].parent;
                (parent != NONE).then_some(parent as usize)
            });
            let larger = districts.filter(|&district| !shape.is_block(district));
            larger.map(|district| shape.own(district) * shape.front(district)).sum::<usize>()
        };
        ahead(self.there.district()) + ahead(self.back.district())
    }

    fn lost_none(&self, costs: &RouteMetric) -> bool {
        lost_none([&self.there, &self.back], costs)
    }

    /// Climbs on both sides to the first district that both lie in; false where there is none.
    fn climb_apart<M: CostModel + ?Sized>(&mut self, map: Map, limits: (&Bounds<M>, Rows)) -> bool {
        loop {
            let (there, back) = (self.there.district(), self.back.district());
            if there == back {
                return true;
            }
            // Parts come before the whole: the lower number cannot be the one that both share.
            let (climb, flow) = if there < back {
                (&mut self.there, Flow::FromSources)
            } else {
                (&mut self.back, Flow::ToSources)
            };
            climb.pass(map, flow, limits);
            if !climb.up(map.shape) {
                return false;
            }
        }
    }
}

/// No sum was too large to be counted, on the ways up and where they meet.
fn lost_none([there, back]: [&Climb; 2], costs: &RouteMetric) -> bool {
    let [there, back] = [there, back].map(Climb::largest);
    there.max(back) + costs.largest < NO_WAY && there + back < NO_WAY
}

/// Begins at a rank: with a search of the block it lies in, if it does.
fn begin<'a, M: CostModel + ?Sized>(
    climb: &mut Climb,
    local: &mut Local,
    (shape, pricing): (&'a Shape, &'a Pricing<'a, M>),
    start: (u32, Flow),
) -> Option<Spread<'a, M>> {
    let Some(block) = shape.block(shape.owner(start.0)) else {
        climb.begin_at(shape, start.0);
        return None;
    };
    let spread = Spread { shape, pricing, block, start };
    spread.run(local);
    climb.begin_outside(block, spread.border(local));
    Some(spread)
}
