//! The A* search itself: expands spans, cheapest estimate first, until the goal is next.
//!
//! Neighbors are not stored; they follow from a span's steps. The open list takes spans nearly in
//! order: a span to which a better way is found after it was left is left again, which is rare, and
//! the search goes on until nothing open can better the way to the goal.
//!
//! A weighted search finds better ways to what it has left all the time, and would leave spans again
//! and again for it. It need not: the bound holds for ways to spans that are left once, in the order of
//! their totals, by an estimate that falls along no step or link by more than that costs.
//! Based on: Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum
//! cost paths", 1968; weighted as in Pohl, "Heuristic search viewed as path finding in a graph",
//! 1970, and left once as in Likhachev, Gordon and Thrun, "ARA*: Anytime A* with provable bounds on
//! sub-optimality", 2003.

use crate::grid::{Dir, Exit};

use super::Flow;
use super::cost::CostModel;
use super::heuristic::Estimate;
use super::natural::EvenGround;
use super::nodes::{Came, Nodes};
use super::onward::{Explore, Onward};
use super::open::OpenList;
use super::tariff::{Foothold, Tariff};

/// What a search has reached so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontier {
    pub nodes: Nodes,
    open: OpenList,
    /// The links by which spans were reached, in order; the last one of a span counts. What the
    /// costs tell is not enough: between ends that cost the same both ways look alike.
    arrivals: Vec<Exit>,
    /// A cost was met that the units are too fine for; what lies behind it was not searched.
    pub too_dear: bool,
    /// The span that was expanded last.
    pub last: Option<u32>,
}

/// How a search is led.
pub(crate) struct Lead<'a, M: ?Sized> {
    pub tariff: &'a Tariff<'a, M>,
    pub estimate: &'a Estimate,
    /// The step codes of the directions there are.
    pub codes: u32,
    /// Of the heuristic, in 256ths.
    pub weight: u64,
    /// Spans that were left are not left again, though better ways to them turn up.
    pub leaves_once: bool,
    /// Where only natural steps need to be looked at.
    pub even_ground: Option<EvenGround<'a>>,
}

/// What expanding a span led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expanded {
    /// More may follow.
    More,
    /// The goal was next.
    Goal,
    /// Nothing is left to expand.
    Nothing,
}

impl Frontier {
    /// Begins at a span.
    pub(crate) fn begin<M: CostModel + ?Sized>(&mut self, lead: &Lead<M>, start: u32) {
        self.nodes.clear(lead.tariff.terrain.spans().len());
        // Where spans are left once, their order has to be right.
        self.open.clear(if lead.leaves_once { 0 } else { lead.tariff.reach() });
        self.arrivals.clear();
        self.nodes.reach(start, 0, Came::Start);
        let spot = lead.tariff.terrain.spot(start);
        self.open.push(lead.weighted(lead.rest(start)), spot);
        (self.too_dear, self.last) = (false, None);
    }

    /// Expands the next span, unless the way to the goal is known to be the cheapest.
    #[inline]
    pub(crate) fn expand<M: CostModel + ?Sized>(&mut self, lead: &Lead<M>, goal: u32) -> Expanded {
        let spot = loop {
            let next = self.open.pop();
            let found = self.nodes.cost(goal);
            let Some(spot) = next.filter(|_| self.open.base() <= found) else {
                return if found < u32::MAX { Expanded::Goal } else { Expanded::Nothing };
            };
            // Once there is a way to the goal, only what may better it is looked at.
            let span = spot.span;
            let better =
                found == u32::MAX || self.nodes.cost(span).saturating_add(lead.rest(span)) < found;
            if better && !self.nodes.is_closed(span) {
                break spot;
            }
        };
        let span = spot.span;
        self.nodes.close(span);
        self.last = Some(span);
        let onward = lead.onward();
        onward.step_out(&mut Led { frontier: self, lead }, spot);
        let so_far = self.nodes.cost(span);
        for (exit, cost) in onward.links((span, so_far)) {
            let other = lead.tariff.foothold(lead.tariff.terrain.spot(exit.other.0));
            if self.relax(lead, &other, (cost, Came::Link)) {
                self.arrivals.push(Exit { at: exit.other, other: exit.at, link: exit.link });
            }
        }
        Expanded::More
    }

    /// The link by which a span was reached, and in `other` where it starts; `None` where it was
    /// reached by none.
    pub(crate) fn arrival(&self, span: u32) -> Option<&Exit> {
        self.arrivals.iter().rev().find(|exit| exit.at.0 == span)
    }

    /// Notes a way to a span, where it is the cheapest so far. Whether it is.
    #[inline(always)]
    fn relax<M: CostModel + ?Sized>(
        &mut self,
        lead: &Lead<M>,
        to: &Foothold,
        (cost, came): (u32, Came),
    ) -> bool {
        let span = to.spot.span;
        if cost >= self.nodes.cost(span) {
            self.too_dear |= cost == u32::MAX;
            return false;
        }
        if lead.leaves_once && self.nodes.is_closed(span) {
            return false;
        }
        let place = lead.tariff.terrain.rows().place(to.spot.column as usize);
        let rest = lead.estimate.at_marks(place, to.marks);
        let total = cost.saturating_add(lead.weighted(rest));
        if total == u32::MAX {
            // Among totals that cannot be told apart there is no order to search by.
            self.too_dear = true;
            return false;
        }
        self.nodes.reach(span, cost, came);
        self.open.push(total, to.spot);
        true
    }
}

/// A frontier, and how it is led.
struct Led<'f, 'l, M: ?Sized> {
    frontier: &'f mut Frontier,
    lead: &'l Lead<'l, M>,
}

impl<M: CostModel + ?Sized> Explore for Led<'_, '_, M> {
    #[inline(always)]
    fn nodes(&self) -> &Nodes {
        &self.frontier.nodes
    }

    #[inline(always)]
    fn hear_of(&mut self, to: &Foothold, way: (u32, Came)) {
        self.frontier.relax(self.lead, to, way);
    }
}

/// The place one step on.
#[inline(always)]
pub(crate) fn beyond((x, z): (i32, i32), dir: Dir) -> (i32, i32) {
    let (along_x, along_z) = dir.offset();
    (x + along_x, z + along_z)
}

impl<M: CostModel + ?Sized> Lead<'_, M> {
    #[inline(always)]
    fn onward(&self) -> Onward<'_, M> {
        let Lead { tariff, codes, even_ground, .. } = *self;
        Onward { tariff, flow: Flow::FromSources, codes, even_ground }
    }

    /// The least that is left to go from a span.
    #[inline]
    pub(crate) fn rest(&self, span: u32) -> u32 {
        let terrain = self.tariff.terrain;
        self.estimate.at(terrain.place(span), terrain.floor(span))
    }

    #[inline]
    fn weighted(&self, rest: u32) -> u32 {
        ((u64::from(rest) * self.weight) >> 8).min(u64::from(u32::MAX)) as u32
    }
}
