//! Provides [`Pricing`]: what each step and link costs, in both directions.
//!
//! Where the direction of a step matters by the heights of its ends alone, as it does for the
//! built-in models, every span has a mark for its height, and a way costs what it costs on average
//! there and back, and the difference of the marks at its ends. So routes count by those averages:
//! one number serves both directions, which halves memory and work. Only what goes in and comes out
//! is told in the tariff's own costs.

use crate::grid::{Dir, Exit, Spot};
use crate::solve::{CostModel, Directions, EvenGround, Foothold, Tariff};

/// No way. Twice as much is a number, too, so that two costs can be added without a look.
pub(super) const NO_WAY: u32 = u32::MAX / 2;

/// A way, but one that costs too much to be counted.
pub(super) const TOO_DEAR: u32 = NO_WAY - 1;

/// The prices of a query's tariff.
pub(super) struct Pricing<'a, M: ?Sized> {
    pub tariff: &'a Tariff<'a, M>,
    pub directions: Directions,
    /// Where only natural steps need to be looked at.
    pub even_ground: Option<EvenGround<'a>>,
    /// Ways cost the same there and back, but for the marks of their ends.
    pub is_symmetric: bool,
}

/// What joins a span with another: the other, what it costs to get there, and to come from there.
pub(super) struct Edge {
    pub other: u32,
    pub there: u32,
    pub back: u32,
}

impl<'a, M: CostModel + ?Sized> Pricing<'a, M> {
    pub(super) fn new(tariff: &'a Tariff<'a, M>, directions: Directions) -> Self {
        let even_ground = tariff.even_ground(directions);
        Pricing { tariff, directions, even_ground, is_symmetric: is_symmetric(tariff) }
    }

    /// What a step costs, as routes count.
    #[inline(always)]
    fn step(&self, [from, to]: [&Foothold; 2], dir: Dir) -> u32 {
        let cost = countable(self.tariff.between([from, to], dir));
        if cost >= TOO_DEAR || !self.is_symmetric {
            cost
        } else {
            sum(cost, from.lean() - to.lean())
        }
    }

    /// The mark of a span's height; where ways do not cost the same there and back, all are alike.
    #[inline]
    pub(super) fn mark(&self, span: u32) -> i64 {
        let tariff = self.tariff;
        if self.is_symmetric { tariff.least.lean(tariff.terrain.floor(span)) } else { 0 }
    }

    /// How much dearer a way is than routes count it, or cheaper, by its ends.
    pub(super) fn uphill(&self, [from, to]: [u32; 2]) -> i64 {
        let [start, end] = [from, to].map(|span| self.mark(span));
        end - start
    }

    /// What a way costs as routes count, by what it costs in the tariff; the largest number where
    /// there is none. As far as it can be counted.
    pub(super) fn counted(&self, cost: u32, ends: [u32; 2]) -> u32 {
        if cost == u32::MAX { NO_WAY } else { sum(cost, -self.uphill(ends)) }
    }

    /// What a way costs by the tariff that costs so much as routes count; as far as it can be
    /// counted.
    pub(super) fn told(&self, cost: u32, ends: [u32; 2]) -> u32 {
        if cost >= TOO_DEAR { cost } else { sum(cost, self.uphill(ends)) }
    }

    /// Calls for everything that joins a span with those others that are asked for.
    #[inline]
    pub(super) fn edges(
        &self,
        span: u32,
        is_asked_for: impl Fn(u32) -> bool,
        mut found: impl FnMut(Edge),
    ) {
        let (tariff, terrain) = (self.tariff, self.tariff.terrain);
        let (steps, here) = (terrain.steps(), tariff.foothold(terrain.spot(span)));
        let column = here.spot.column as usize;
        let mut targets = [0; 8];
        steps.find_targets(here.spot, self.directions.step_codes(), &mut targets);
        for (dir, other) in Dir::ALL.into_iter().zip(targets) {
            if other != span && is_asked_for(other) {
                let column = steps.neighbor_of(column, dir) as u32;
                let beyond = tariff.foothold_beside(Spot { span: other, column }, &here);
                let there = self.step([&here, &beyond], dir);
                let back = match self.is_symmetric {
                    true => there,
                    false => self.step([&beyond, &here], dir.opposite()),
                };
                found(Edge { other, there, back });
            }
        }
        let is_asked_for = |exit: &&Exit| is_asked_for(exit.other.0);
        for exit in terrain.leaving(span).filter(is_asked_for) {
            let there = countable(tariff.link(exit));
            found(Edge { other: exit.other.0, there, back: NO_WAY });
        }
        for exit in terrain.entering(span).filter(is_asked_for) {
            let back = countable(tariff.link(exit));
            found(Edge { other: exit.other.0, there: NO_WAY, back });
        }
    }
}

/// Whether ways cost the same there and back, but for the marks of their ends.
pub(super) fn is_symmetric<M: CostModel + ?Sized>(tariff: &Tariff<M>) -> bool {
    tariff.is_symmetric() && tariff.terrain.grid().links().is_empty()
}

/// A cost and what is to be added to it, as far as it can be counted.
fn sum(cost: u32, more: i64) -> u32 {
    (i64::from(cost) + more).clamp(0, TOO_DEAR.into()) as u32
}

/// What a step or link costs, where that is told; as far as it can be counted.
pub(super) fn countable(cost: Option<u32>) -> u32 {
    cost.map_or(NO_WAY, |cost| cost.min(TOO_DEAR))
}
