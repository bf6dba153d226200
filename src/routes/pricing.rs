//! Provides [`Pricing`]: what each step and link costs, in both directions.

use crate::grid::Dir;
use crate::solve::{CostModel, Tariff};

/// No way. Twice as much still fits in an `i32`.
pub(super) const NO_WAY: u32 = (1 << 30) - 1;

/// A way, but one that costs too much to be counted.
pub(super) const TOO_DEAR: u32 = NO_WAY - 1;

/// The prices of a query's tariff.
pub(super) struct Pricing<'a, M: ?Sized> {
    pub tariff: &'a Tariff<'a, M>,
    /// The step codes of the directions there are.
    pub steps: u32,
}

/// What joins a span with another: the other, what it costs to get there, and to come from there.
pub(super) struct Edge {
    pub other: u32,
    pub there: u32,
    pub back: u32,
}

impl<M: CostModel + ?Sized> Pricing<'_, M> {
    /// Calls for everything that joins a span with others.
    #[inline]
    pub(super) fn edges(&self, span: u32, mut found: impl FnMut(Edge)) {
        let (tariff, terrain) = (self.tariff, self.tariff.terrain);
        let targets = terrain.steps().targets(terrain.column(span), span, self.steps);
        for (dir, other) in Dir::ALL.into_iter().zip(targets) {
            if other != span {
                let there = countable(tariff.step(span, other, dir));
                let back = countable(tariff.step(other, span, dir.opposite()));
                found(Edge { other, there, back });
            }
        }
        for exit in terrain.leaving(span) {
            let there = countable(tariff.link(exit));
            found(Edge { other: exit.other.0, there, back: NO_WAY });
        }
        for exit in terrain.entering(span) {
            let back = countable(tariff.link(exit));
            found(Edge { other: exit.other.0, there: NO_WAY, back });
        }
    }
}

/// What a step or link costs, where that is told; as far as it can be counted.
pub(super) fn countable(cost: Option<u32>) -> u32 {
    cost.map_or(NO_WAY, |cost| cost.min(TOO_DEAR))
}
