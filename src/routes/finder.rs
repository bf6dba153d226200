//! Provides [`Finder`]: what the cheapest way between two spans costs, and some spans on it.
//!
//! From each end the costs to the borders of ever larger districts are worked out, until both ends
//! lie in the same ones. There the ways meet: the cheapest one leads through the span where the
//! costs from both sides add up to the least.
//! Based on: Dibbelt, Strasser and Wagner, "Customizable contraction hierarchies", 2016.

use crate::solve::{CostModel, Directions, Flow};

use super::bounds::Bounds;
use super::climb::Climb;
use super::costs::RouteCosts;
use super::local::Local;
use super::pricing::{NO_WAY, Pricing, TOO_DEAR};
use super::shape::Shape;

/// Finds costs again and again, without allocating.
#[derive(Clone, Debug, Default)]
pub(super) struct Finder {
    local: Local,
    there: Climb,
    back: Climb,
}

/// Costs, and the shape they are for.
#[derive(Clone, Copy)]
pub(super) struct Map<'a> {
    pub shape: &'a Shape,
    pub costs: &'a RouteCosts,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The cheapest way costs so much, and leads through this rank; through none where it stays
    /// in one block.
    Way(u32, Option<u32>),
    /// There is no way.
    NoWay,
    /// Costs were too large to be counted.
    Unknown,
}

/// Rows that scouts follow in each district.
const SCOUTED: usize = 3;

impl Finder {
    /// The cheapest way between two ranks.
    pub(super) fn find<M: CostModel + ?Sized>(
        &mut self,
        map: Map,
        (pricing, directions): (&Pricing<M>, Directions),
        ends: [u32; 2],
    ) -> Found {
        let shape = map.shape;
        let [from, to] = ends.map(|rank| (rank, shape.block(shape.owner(rank))));
        begin(&mut self.there, &mut self.local, (shape, pricing), (from, Flow::FromSources));
        begin(&mut self.back, &mut self.local, (shape, pricing), (to, Flow::ToSources));
        let mut best = (NO_WAY, None);
        if let (Some(block), true) = (to.1, from.1 == to.1) {
            best.0 = self.local.inside(from.0 - shape.districts[block].begin);
        }
        let mut bounds = Bounds::new(shape, (pricing.tariff, directions), ends);
        bounds.known = best.0;
        // A way that a few rows lead to is not the cheapest, but bounds what it costs.
        let starts = [self.there.clone(), self.back.clone()];
        if self.climb_apart(map, (&bounds, SCOUTED)) {
            let mut known = best;
            self.climb_together(map, (&bounds, SCOUTED), &mut known);
            bounds.known = known.0;
        }
        [self.there, self.back] = starts;
        if self.climb_apart(map, (&bounds, usize::MAX)) {
            self.climb_together(map, (&bounds, usize::MAX), &mut best);
        }
        match best {
            (cost, through) if cost < TOO_DEAR => Found::Way(cost, through),
            _ if map.costs.are_countable() && self.lost_none(map.costs) => Found::NoWay,
            _ => Found::Unknown,
        }
    }

    /// Climbs on both sides to the first district that both lie in; false where there is none.
    fn climb_apart(&mut self, map: Map, limits: (&Bounds, usize)) -> bool {
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
            climb.pass_all(map, flow, limits);
            if !climb.up(map.shape) {
                return false;
            }
        }
    }

    /// Climbs on both sides to the top, and keeps the best cost and where the ways meet.
    fn climb_together(
        &mut self,
        map: Map,
        limits: (&Bounds, usize),
        best: &mut (u32, Option<u32>),
    ) {
        loop {
            self.there.pass_all(map, Flow::FromSources, limits);
            self.back.pass_all(map, Flow::ToSources, limits);
            let district = self.there.district();
            for place in 0..self.there.own().min(self.back.own()) {
                let total = self.there.cost(place) + self.back.cost(place);
                if total < best.0 {
                    *best = (total, Some(map.shape.rank(district, place)));
                }
            }
            if !self.there.up(map.shape) || !self.back.up(map.shape) {
                return;
            }
        }
    }

    /// No sum was too large to be counted on the way up.
    fn lost_none(&self, costs: &RouteCosts) -> bool {
        let largest = self.there.largest().max(self.back.largest());
        largest + costs.largest < NO_WAY
    }

    /// The ranks that a way climbs over, both ends included, in the order of the way; it leads
    /// through the rank at the top, or stays in one block.
    pub(super) fn climbed(
        &self,
        map: Map,
        [from, to]: [u32; 2],
        (top, stops): (Option<u32>, &mut Vec<u32>),
    ) {
        stops.clear();
        if let Some(top) = top {
            self.there.descend(map, Flow::FromSources, (top, stops));
            stops.push(from);
            stops.reverse();
            stops.push(top);
            self.back.descend(map, Flow::ToSources, (top, stops));
        } else {
            stops.push(from);
        }
        stops.push(to);
        // An end may be a stop itself.
        stops.dedup();
    }
}

fn begin<M: CostModel + ?Sized>(
    climb: &mut Climb,
    local: &mut Local,
    (shape, pricing): (&Shape, &Pricing<M>),
    ((rank, block), flow): ((u32, Option<usize>), Flow),
) {
    match block {
        Some(block) => {
            local.spread((shape, block), pricing, (rank, flow));
            climb.begin_outside(block, local.border());
        }
        None => climb.begin_at(shape, rank),
    }
}
