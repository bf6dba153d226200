//! Provides [`Piece`]: a part of a way between two ranks, and how it comes apart into smaller ones.
//!
//! A cost that is kept between two spans is that of a step or link between them, or the sum of two
//! others that meet in a span which was left out before both, or that of a way through a block. No
//! notes are taken which: the sum tells.

use super::finder::Map;

/// A part of a way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub from: u32,
    pub to: u32,
    /// What it costs; `None` where that is not kept, within a block.
    pub cost: Option<u32>,
}

impl Piece {
    /// The cheapest way between two ranks that a route climbs over one after the other.
    pub(super) fn new(map: Map, [from, to]: [u32; 2]) -> Self {
        Piece { from, to, cost: kept(map, from, to) }
    }

    /// The two pieces that it is made of; `None` where it is one step or link, or leads through one
    /// block.
    pub(super) fn split(self, map: Map) -> Option<[Piece; 2]> {
        let Piece { from, to, cost } = self;
        let Via { rank, there, onward } = between(map, (from, to, cost?))?;
        Some([
            Piece { from, to: rank, cost: Some(there) },
            Piece { from: rank, to, cost: Some(onward) },
        ])
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
