//! Provides [`Piece`]: a part of a way between two ranks, and how it comes apart into smaller ones.
//!
//! A cost that is kept between two spans is that of a step or link between them, or the sum of two
//! others that meet in a span which was left out before both, or that of a way through a block. No
//! notes are taken which: the sum tells.

use crate::cch::query::Map;

/// A part of a way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// The ranks that it leads from and to.
    pub ends: [u32; 2],
    /// What it costs, as routes count.
    pub cost: u32,
    /// Where that is kept; `None` within a block.
    pub kept: Option<Kept>,
}

/// Two places of a district's front, the lower of which is its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub district: usize,
    /// The places that the way leads from and to.
    pub places: [usize; 2],
}

/// A span in between.
struct Via {
    district: usize,
    /// The places of the front that the way leads from and to, and over.
    places: [usize; 2],
    over: usize,
    /// What it costs to get there, and to go on from there.
    costs: [u32; 2],
}

impl Piece {
    /// The two pieces that it is made of; `None` where it is one step or link, or leads through one
    /// block.
    pub(crate) fn split(self, map: Map) -> Option<[Piece; 2]> {
        let Piece { ends: [from, to], cost, kept } = self;
        let Kept { district, places } = kept?;
        let Via { district, places, over, costs } = between(map, district, (places, cost))?;
        let rank = map.shape.districts[district].own + over as u32;
        let piece =
            |ends, places, cost| Piece { ends, cost, kept: Some(Kept { district, places }) };
        Some([
            piece([from, rank], [places[0], over], costs[0]),
            piece([rank, to], [over, places[1]], costs[1]),
        ])
    }
}

/// What lies between two places of a front at just this cost.
fn between(map: Map, district: usize, (places, cost): ([usize; 2], u32)) -> Option<Via> {
    let shape = map.shape;
    if shape.is_block(district) {
        return None;
    }
    let [from, to] = places;
    let rows = map.costs.rows(shape, district);
    let before = shape.own(district).min(from).min(to);
    let via = |over: usize| {
        let [expander, there] = rows.of(over);
        let costs = [there[from - over - 1], expander[to - over - 1]];
        (costs[0] + costs[1] == cost).then_some(Via { district, places, over, costs })
    };
    (0..before).find_map(via).or_else(|| {
        let mut part = district;
        while let Some(next) = shape.part_before(district, part) {
            part = next;
            let (outside, own) = (shape.outside(part), shape.own(part));
            let inner = places.map(|place| outside.binary_search(&(place as u32)));
            if let [Ok(from), Ok(to)] = inner
                && let Some(via) = between(map, part, ([own + from, own + to], cost))
            {
                return Some(via);
            }
        }
        None
    })
}
