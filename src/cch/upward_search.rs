//! Provides [`Climb`]: the costs between one span and the fronts of all districts it lies in, from
//! the smallest to the largest.

use crate::cost::CostModel;
use crate::view::Flow;

use crate::cch::arc_costs::NO_WAY;
use crate::cch::cost_bounds::Bounds;
use crate::cch::elimination_tree::{NONE, Shape};
use crate::cch::min_plus::lower_by;
use crate::cch::query::Map;
use crate::cch::shortcut::Kept;
use crate::cch::shortcut::Piece;

/// One end of a route, and what is known from there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Climb {
    levels: Vec<Level>,
    /// The costs of all fronts, one after another.
    costs: Vec<u32>,
}

/// A district on the way up.
#[derive(Clone, Copy, Debug)]
struct Level {
    district: usize,
    /// Its own spans; none where a search has found the costs of its border.
    own: usize,
    /// Where its front begins and ends among the costs.
    start: usize,
    end: usize,
}

/// Which own spans of a district a climb goes on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// The few from which the goal may be nearest.
    Few,
    /// All that matter.
    All,
}

/// With more rows, scouts find hardly better ways.
const FEW: usize = 2;

impl Climb {
    /// Begins as another one has.
    pub(crate) fn copy(&mut self, other: &Climb) {
        self.levels.clone_from(&other.levels);
        self.costs.clone_from(&other.costs);
    }

    /// Begins in a block, with the costs of its border.
    pub(crate) fn begin_outside(&mut self, block: usize, border: impl Iterator<Item = u32>) {
        self.levels.clear();
        self.costs.clear();
        self.costs.extend(border);
        let end = self.costs.len();
        self.levels.push(Level { district: block, own: 0, start: 0, end });
    }

    /// Begins at a rank that is the own of a district larger than a block.
    pub(crate) fn begin_at(&mut self, shape: &Shape, rank: u32) {
        self.levels.clear();
        self.costs.clear();
        let district = shape.owner(rank);
        self.push(shape, district);
        self.costs[(rank - shape.districts[district].own) as usize] = 0;
    }

    fn push(&mut self, shape: &Shape, district: usize) {
        let start = self.costs.len();
        let end = start + shape.front(district);
        self.costs.resize(end, NO_WAY);
        self.levels.push(Level { district, own: shape.own(district), start, end });
    }

    fn top(&self) -> Level {
        self.levels[self.levels.len() - 1]
    }

    /// The district it has come to.
    pub(crate) fn district(&self) -> usize {
        self.top().district
    }

    /// The costs of that district's own spans.
    pub(crate) fn own_costs(&self) -> &[u32] {
        let Level { own, start, .. } = self.top();
        &self.costs[start..start + own]
    }

    /// The largest cost there is.
    pub(crate) fn largest(&self) -> u32 {
        self.costs.iter().copied().filter(|&cost| cost < NO_WAY).max().unwrap_or(0)
    }

    /// Goes up by one district; false where there is none.
    pub(crate) fn up(&mut self, shape: &Shape) -> bool {
        let below = self.top();
        let parent = shape.districts[below.district].parent;
        if parent == NONE {
            return false;
        }
        self.push(shape, parent as usize);
        let (known, above) = self.costs.split_at_mut(below.end);
        let border = &known[below.start + below.own..];
        for (&cost, &place) in border.iter().zip(shape.outside(below.district)) {
            above[place as usize] = cost;
        }
        true
    }

    /// Goes all the way up, from every span.
    pub(crate) fn pass_to_the_top(&mut self, map: Map, flow: Flow) {
        loop {
            let Level { district, own, start, end } = self.top();
            let by = map.costs.rows(map.shape, district);
            for place in 0..own {
                let (known, after) = self.costs[start..end].split_at_mut(place + 1);
                if known[place] < NO_WAY {
                    lower_by(after, known[place], by.of(place)[side(flow)]);
                }
            }
            if !self.up(map.shape) {
                return;
            }
        }
    }

    /// The least sum of costs over a span that both climbs came to at the top of their ways.
    pub(crate) fn meet(&self, other: &Climb) -> u32 {
        // Where both lie in the same districts, they have passed the same ones since.
        let pairs = self.levels.iter().rev().zip(other.levels.iter().rev());
        let same = pairs.take_while(|(one, two)| one.district == two.district);
        let sums = same.flat_map(|(one, two)| {
            let own = one.own.min(two.own);
            let theirs = &other.costs[two.start..two.start + own];
            self.costs[one.start..one.start + own].iter().zip(theirs).map(|(a, b)| a + b)
        });
        sums.fold(NO_WAY, u32::min)
    }

    /// Goes on from the own spans of the district that may lie on a way as cheap as the one that is
    /// known, or from a few of them.
    pub(crate) fn pass<M: CostModel + ?Sized>(
        &mut self,
        map: Map,
        flow: Flow,
        (bounds, rows): (&Bounds<M>, Rows),
    ) {
        let Level { district, own, start, end } = self.top();
        let first = map.shape.districts[district].own;
        let by = map.costs.rows(map.shape, district);
        let costs = &mut self.costs[start..end];
        let total = |costs: &[u32], place: usize| match costs[place] {
            NO_WAY => NO_WAY,
            cost => cost.saturating_add(bounds.rest(first + place as u32, flow)),
        };
        let go_on = |costs: &mut [u32], place: usize| {
            let (known, after) = costs.split_at_mut(place + 1);
            lower_by(after, known[place], by.of(place)[side(flow)]);
        };
        if rows == Rows::Few && own > FEW {
            let promising = least(own, |place| total(costs, place));
            promising.into_iter().flatten().for_each(|place| go_on(costs, place));
            return;
        }
        for place in 0..own {
            let may_be_best = bounds.known == u32::MAX || total(costs, place) <= bounds.known;
            if costs[place] < NO_WAY && may_be_best {
                go_on(costs, place);
            }
        }
    }

    /// The pieces from a rank back down to where the climb left its block, or to where it began.
    /// Returns the rank that they come to, and what the way between the start and that costs.
    pub(crate) fn descend(
        &self,
        map: Map,
        flow: Flow,
        (top, pieces): (u32, &mut Vec<Piece>),
    ) -> (u32, u32) {
        let owner = map.shape.owner(top);
        let Some(level) = self.levels.iter().position(|level| level.district == owner) else {
            return (top, NO_WAY);
        };
        let place = top - map.shape.districts[owner].own;
        let cost = self.costs[self.levels[level].start + place as usize];
        let mut stop = Stop { rank: top, level, cost };
        while let Some((before, kept)) = self.before(map, flow, stop) {
            let ends = match flow {
                Flow::FromSources => [before.rank, stop.rank],
                Flow::ToSources => [stop.rank, before.rank],
            };
            pieces.push(Piece { ends, cost: stop.cost - before.cost, kept: Some(kept) });
            stop = before;
        }
        (stop.rank, stop.cost)
    }

    /// The stop from which another was reached, and where the cost between the two is kept.
    fn before(&self, map: Map, flow: Flow, stop: Stop) -> Option<(Stop, Kept)> {
        let levels = self.levels[..=stop.level].iter().enumerate();
        let mut levels = levels.filter(|(_, level)| level.own > 0);
        levels.find_map(|(level, &Level { district, own, start, end })| {
            let place = map.shape.place(district, stop.rank)?;
            let front = &self.costs[start..end];
            let rows = map.costs.rows(map.shape, district);
            let leads_here = |&before: &usize| {
                let expander = rows.of(before)[side(flow)][place - before - 1];
                front[before] < NO_WAY && front[before] + expander == stop.cost
            };
            let before = (0..own.min(place)).find(leads_here)?;
            let rank = map.shape.rank(district, before);
            let places = match flow {
                Flow::FromSources => [before, place],
                Flow::ToSources => [place, before],
            };
            Some((Stop { rank, level, cost: front[before] }, Kept { district, places }))
        })
    }
}

/// A rank that a climb went on from.
#[derive(Clone, Copy)]
struct Stop {
    rank: u32,
    /// The level whose own it is.
    level: usize,
    /// What the way between it and the start costs.
    cost: u32,
}

/// The places whose totals are least, ascending by place.
fn least(places: usize, total: impl Fn(usize) -> u32) -> [Option<usize>; FEW] {
    let mut least = [(NO_WAY, None); FEW];
    for place in 0..places {
        let mut next = (total(place), Some(place));
        for kept in &mut least {
            if next.0 < kept.0 {
                std::mem::swap(kept, &mut next);
            }
        }
    }
    let mut found = least.map(|(_, place)| place);
    found.sort_unstable();
    found
}

/// Which of a row's costs count: from the span left out, or to it.
fn side(flow: Flow) -> usize {
    match flow {
        Flow::FromSources => 0,
        Flow::ToSources => 1,
    }
}
