//! Provides [`Pricing`]: what each step and link costs, in both directions.
//!
//! Where the direction of a step matters by the heights of its ends alone, as it does for the
//! built-in models, every span has a mark for its height, and a way costs what it costs on average
//! there and back, and the difference of the marks at its ends. So routes count by those averages:
//! one number serves both directions, which halves memory and work. Only what goes in and comes out
//! is told in the tariff's own costs.

use crate::cost::{CostModel, Metric, SearchNode};
use crate::grid::{Dir, LinkEdge, SpanAddress};
use crate::view::{Directions, UniformGround};

/// No way. Twice as much is a number, too, so that two costs can be added without a look.
pub(crate) const NO_WAY: u32 = u32::MAX / 2;

/// A way, but one that costs too much to be counted.
pub(crate) const TOO_DEAR: u32 = NO_WAY - 1;

/// The prices of a query's tariff.
pub(crate) struct Pricing<'a, M: ?Sized> {
    pub metric: &'a Metric<'a, M>,
    pub directions: Directions,
    /// Where only natural steps need to be looked at.
    pub uniform_ground: Option<UniformGround<'a>>,
    /// Ways cost the same there and back, but for the marks of their ends.
    pub is_symmetric: bool,
}

/// What joins a span with another: the other, what it costs to get there, and to come from there.
pub(crate) struct Edge {
    pub other: u32,
    pub there: u32,
    pub back: u32,
}

impl<'a, M: CostModel + ?Sized> Pricing<'a, M> {
    pub(crate) fn new(metric: &'a Metric<'a, M>, directions: Directions) -> Self {
        let uniform_ground = metric.uniform_ground(directions);
        Pricing { metric, directions, uniform_ground, is_symmetric: is_symmetric(metric) }
    }

    /// What a step costs, as routes count.
    #[inline(always)]
    fn step(&self, [from, to]: [&SearchNode; 2], dir: Dir) -> u32 {
        let cost = countable(self.metric.between([from, to], dir));
        if cost >= TOO_DEAR || !self.is_symmetric {
            cost
        } else {
            sum(cost, from.node_potential() - to.node_potential())
        }
    }

    /// The mark of a span's height; where ways do not cost the same there and back, all are alike.
    #[inline]
    pub(crate) fn mark(&self, span: u32) -> i64 {
        let metric = self.metric;
        if self.is_symmetric { metric.least.potential(metric.view.floor(span)).node() } else { 0 }
    }

    /// How much dearer a way is than routes count it, or cheaper, by its ends.
    pub(crate) fn uphill(&self, [from, to]: [u32; 2]) -> i64 {
        let [start, end] = [from, to].map(|span| self.mark(span));
        end - start
    }

    /// What a way costs as routes count, by what it costs in the tariff; the largest number where
    /// there is none. As far as it can be counted.
    pub(crate) fn counted(&self, cost: u32, ends: [u32; 2]) -> u32 {
        if cost == u32::MAX { NO_WAY } else { sum(cost, -self.uphill(ends)) }
    }

    /// What a way costs by the tariff that costs so much as routes count; as far as it can be
    /// counted.
    pub(crate) fn told(&self, cost: u32, ends: [u32; 2]) -> u32 {
        if cost >= TOO_DEAR { cost } else { sum(cost, self.uphill(ends)) }
    }

    /// Calls for everything that joins a span with those others that are asked for.
    #[inline]
    pub(crate) fn edges(
        &self,
        span: u32,
        is_asked_for: impl Fn(u32) -> bool,
        mut found: impl FnMut(Edge),
    ) {
        let (metric, view) = (self.metric, self.metric.view);
        let (steps, here) = (view.connections(), metric.search_node(view.address(span)));
        let column = here.address.column as usize;
        let mut targets = [0; 8];
        steps.find_targets(here.address, self.directions.step_codes(), &mut targets);
        for (dir, other) in Dir::ALL.into_iter().zip(targets) {
            if other != span && is_asked_for(other) {
                let column = steps.neighbor_of(column, dir) as u32;
                let beyond = metric.search_node_beside(SpanAddress { span: other, column }, &here);
                let there = self.step([&here, &beyond], dir);
                let back = match self.is_symmetric {
                    true => there,
                    false => self.step([&beyond, &here], dir.opposite()),
                };
                found(Edge { other, there, back });
            }
        }
        let is_asked_for = |link_edge: &&LinkEdge| is_asked_for(link_edge.other.0);
        for link_edge in view.leaving(span).filter(is_asked_for) {
            let there = countable(metric.link(link_edge));
            found(Edge { other: link_edge.other.0, there, back: NO_WAY });
        }
        for link_edge in view.entering(span).filter(is_asked_for) {
            let back = countable(metric.link(link_edge));
            found(Edge { other: link_edge.other.0, there: NO_WAY, back });
        }
    }
}

/// Whether ways cost the same there and back, but for the marks of their ends.
pub(crate) fn is_symmetric<M: CostModel + ?Sized>(metric: &Metric<M>) -> bool {
    metric.is_symmetric() && metric.view.grid().links().is_empty()
}

/// A cost and what is to be added to it, as far as it can be counted.
fn sum(cost: u32, more: i64) -> u32 {
    (i64::from(cost) + more).clamp(0, TOO_DEAR.into()) as u32
}

/// What a step or link costs, where that is told; as far as it can be counted.
pub(crate) fn countable(cost: Option<u32>) -> u32 {
    cost.map_or(NO_WAY, |cost| cost.min(TOO_DEAR))
}
