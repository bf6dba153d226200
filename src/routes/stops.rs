//! Provides [`Stops`]: breaks the way between two ranks up, down to pieces that lead through one
//! block or are a single step.
//!
//! A cost that is kept between two spans is that of a step or link between them, or the sum of two
//! others that meet in a span which was left out before both, or that of a way through a block. No
//! notes are taken which: the sum tells.

use super::finder::Map;

/// Ranks on a way, in order. Filled again and again, it allocates nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Stops {
    /// Those the way climbs over.
    pub climbed: Vec<u32>,
    /// All of them.
    pub all: Vec<u32>,
    /// Pieces still to be broken up: between which ranks, and what they cost.
    pieces: Vec<(u32, u32, u32)>,
}

impl Stops {
    /// Breaks up what lies between the ranks that were climbed over.
    pub(super) fn break_up(&mut self, map: Map) {
        self.all.clear();
        self.all.extend(self.climbed.first());
        for at in 1..self.climbed.len() {
            let (from, to) = (self.climbed[at - 1], self.climbed[at]);
            match kept(map, from, to) {
                Some(cost) => self.break_piece(map, (from, to, cost)),
                None => self.all.push(to),
            }
        }
    }

    fn break_piece(&mut self, map: Map, piece: (u32, u32, u32)) {
        self.pieces.clear();
        self.pieces.push(piece);
        while let Some((from, to, cost)) = self.pieces.pop() {
            match between(map, (from, to, cost)) {
                None => self.all.push(to),
                Some(Via { rank, there, onward }) => {
                    self.pieces.push((rank, to, onward));
                    self.pieces.push((from, rank, there));
                }
            }
        }
    }
}

/// A span in between, and what it costs to get there and on from there.
struct Via {
    rank: u32,
    there: u32,
    onward: u32,
}

/// The cost that is kept between two ranks; `None` where one lies in a block.
fn kept(map: Map, from: u32, to: u32) -> Option<u32> {
    let owner = map.shape.owner(from.min(to));
    if map.shape.is_block(owner) {
        return None;
    }
    let [from, to] = [map.shape.place(owner, from)?, map.shape.place(owner, to)?];
    Some(map.costs.rows(map.shape, owner).between(from, to))
}

/// What lies between two ranks at just this cost; `None` where it is one step, or one block.
fn between(map: Map, (from, to, cost): (u32, u32, u32)) -> Option<Via> {
    let owner = map.shape.owner(from.min(to));
    let places = [map.shape.place(owner, from)?, map.shape.place(owner, to)?];
    between_places(map, owner, (places, cost))
}

fn between_places(map: Map, district: usize, (places, cost): ([usize; 2], u32)) -> Option<Via> {
    let shape = map.shape;
    if shape.is_block(district) {
        return None;
    }
    let [from, to] = places;
    let rows = map.costs.rows(shape, district);
    let before = shape.own(district).min(from).min(to);
    let via = |place: usize| {
        let [onwards, theres] = rows.of(place);
        let (there, onward) = (theres[from - place - 1], onwards[to - place - 1]);
        let rank = shape.districts[district].own + place as u32;
        (there + onward == cost).then_some(Via { rank, there, onward })
    };
    (0..before).find_map(via).or_else(|| {
        let mut part = district;
        while let Some(next) = shape.part_before(district, part) {
            part = next;
            let (outside, own) = (shape.outside(part), shape.own(part));
            let inner = places.map(|place| outside.binary_search(&(place as u32)));
            if let [Ok(from), Ok(to)] = inner
                && let Some(via) = between_places(map, part, ([own + from, own + to], cost))
            {
                return Some(via);
            }
        }
        None
    })
}
