//! Provides [`RouteSearch`]: the cheapest way between two spans, by costs that are known.

use crate::solve::{CostModel, Flow};

use super::climb::{Climb, side};
use super::costs::RouteCosts;
use super::local::Local;
use super::pricing::{NO_WAY, Pricing};
use super::shape::Shape;

/// Finds routes, again and again, without allocating.
#[derive(Debug, Default)]
pub struct RouteSearch {
    local: Local,
    there: Climb,
    back: Climb,
    /// The ranks of a route that are known.
    stops: Vec<u32>,
    stack: Vec<(u32, u32, u32)>,
    pub cost: u32,
}

/// Costs, and the shape they are for.
#[derive(Clone, Copy)]
pub(super) struct Map<'a> {
    pub shape: &'a Shape,
    pub costs: &'a RouteCosts,
}

impl RouteSearch {
    /// The cost of the cheapest way between two ranks; [`NO_WAY`] where there is none.
    pub(super) fn find<M: CostModel + ?Sized>(
        &mut self,
        map: Map,
        pricing: &Pricing<M>,
        ends: [u32; 2],
    ) -> u32 {
        let Map { shape, costs } = map;
        let blocks = ends.map(|rank| shape.block(shape.owner(rank)));
        let mut best = NO_WAY;
        let flows = [Flow::FromSources, Flow::ToSources];
        for ((climb, flow), (rank, block)) in
            [&mut self.there, &mut self.back].into_iter().zip(flows).zip(ends.into_iter().zip(blocks))
        {
            match block {
                Some(block) => {
                    self.local.spread((shape, block), pricing, (rank, flow));
                    climb.begin_outside(block, self.local.border());
                    if flow == Flow::ToSources && blocks[0] == blocks[1] {
                        best = self.local.inside(ends[0] - shape.districts[block].begin);
                    }
                }
                None => {
                    let district = shape.owner(rank);
                    let place = rank - shape.districts[district].own;
                    climb.begin_at((shape, district), place as usize);
                }
            }
        }
        let meeting = self.climb_apart(map);
        if !meeting {
            return best;
        }
        let mut meet = None;
        loop {
            let level = *self.there.levels.last().expect("a level");
            let rows = costs.rows(shape, level.district);
            for place in 0..level.own {
                let [from, to] = rows.of(place);
                let total = self.there.top()[place] + self.back.top()[place];
                if total < best {
                    best = total;
                    meet = Some(shape.rank(level.district, place));
                }
                if self.there.top()[place] < best {
                    self.there.pass(place, from);
                }
                if self.back.top()[place] < best {
                    self.back.pass(place, to);
                }
            }
            if !self.there.up(shape) || !self.back.up(shape) {
                break;
            }
        }
        self.stops.clear();
        if let Some(meet) = meet {
            self.stops.push(ends[0]);
            let at = self.stops.len();
            descend(map, &self.there, Flow::FromSources, meet, &mut self.stops);
            self.stops[at..].reverse();
            self.stops.push(meet);
            descend(map, &self.back, Flow::ToSources, meet, &mut self.stops);
            self.stops.push(ends[1]);
            self.stops.dedup();
        } else if best < NO_WAY {
            self.stops.extend(ends);
        }
        best
    }

    /// Climbs on both sides to the first district that both lie in; false where there is none.
    fn climb_apart(&mut self, map: Map) -> bool {
        let Map { shape, costs } = map;
        loop {
            let [there, back] = [&self.there, &self.back]
                .map(|climb| climb.levels.last().map_or(0, |level| level.district));
            if there == back {
                return true;
            }
            // Parts come before the whole: the lower number cannot be the one that both share.
            let (climb, flow) = if there < back {
                (&mut self.there, Flow::FromSources)
            } else {
                (&mut self.back, Flow::ToSources)
            };
            climb.pass_all((shape, costs), flow);
            if !climb.up(shape) {
                return false;
            }
        }
    }

    /// Breaks the stops of the last route up.
    pub(super) fn unpack(&mut self, map: Map, unpacked: &mut Vec<u32>) {
        unpacked.clear();
        unpacked.push(self.stops[0]);
        for at in 1..self.stops.len() {
            let (from, to) = (self.stops[at - 1], self.stops[at]);
            let cost = arc(map, from, to);
            let Some(cost) = cost else { unpacked.push(to); continue };
            self.stack.push((from, to, cost));
            while let Some((from, to, cost)) = self.stack.pop() {
                match split(map, from, to, cost) {
                    None => unpacked.push(to),
                    Some(via) => {
                        self.stack.push((via, to, cost - via_cost(map, from, via)));
                        self.stack.push((from, via, via_cost(map, from, via)));
                    }
                }
            }
        }
    }
}

fn via_cost(map: Map, from: u32, to: u32) -> u32 {
    arc(map, from, to).unwrap_or(NO_WAY)
}

/// The cost that is kept between two ranks; `None` where none is.
fn arc(map: Map, from: u32, to: u32) -> Option<u32> {
    let (low, high) = (from.min(to), from.max(to));
    let owner = map.shape.owner(low);
    if map.shape.is_block(owner) {
        return None;
    }
    let (low, high) = (map.shape.place(owner, low)?, map.shape.place(owner, high)?);
    let rows = map.costs.rows(map.shape, owner).of(low);
    Some(rows[usize::from(from > to)][high - low - 1])
}

/// A rank lower than both that a way leads through which costs just so much.
fn split(map: Map, from: u32, to: u32, cost: u32) -> Option<u32> {
    let owner = map.shape.owner(from.min(to));
    let places = [map.shape.place(owner, from)?, map.shape.place(owner, to)?];
    split_at(map, owner, places, cost)
}

fn split_at(map: Map, district: usize, places: [usize; 2], cost: u32) -> Option<u32> {
    let Map { shape, costs } = map;
    if shape.is_block(district) {
        return None;
    }
    let whole = &shape.districts[district];
    let own = (whole.end - whole.own) as usize;
    let before = own.min(places[0]).min(places[1]);
    let rows = costs.rows(shape, district);
    for place in 0..before {
        let [from, to] = rows.of(place);
        if to[places[0] - place - 1] + from[places[1] - place - 1] == cost {
            return Some(whole.own + place as u32);
        }
    }
    shape.parts(district).find_map(|part| {
        let inner = &shape.districts[part];
        let own = (inner.end - inner.own) as usize;
        let outside = shape.outside(part);
        let [from, to] = places.map(|place| outside.binary_search(&(place as u32)));
        split_at(map, part, [own + from.ok()?, own + to.ok()?], cost)
    })
}

/// From where a climb reached the highest stop down to where it began.
fn descend(map: Map, climb: &Climb, flow: Flow, top: u32, stops: &mut Vec<u32>) {
    let Map { shape, costs } = map;
    let mut rank = top;
    'on: loop {
        for (at, level) in climb.levels.iter().enumerate() {
            let Some(place) = shape.place(level.district, rank) else { continue };
            if level.own == 0 { continue; }
            let front = climb.front(at);
            let rows = costs.rows(shape, level.district);
            for before in 0..level.own.min(place) {
                let by = rows.of(before)[side(flow)][place - before - 1];
                if front[before] < NO_WAY && front[before] + by == front[place] {
                    rank = shape.rank(level.district, before);
                    stops.push(rank);
                    continue 'on;
                }
            }
            if level.district == shape.owner(rank) { break; }
        }
        break;
    }
}
