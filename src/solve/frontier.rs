//! The A* search itself: expands spans, cheapest estimate first, until the goal is next.
//!
//! Neighbors are not stored; they follow from a span's steps. The heuristic is consistent, so that
//! no span is ever left twice.
//! Based on: Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum
//! cost paths", 1968; weighted as in Pohl, "Heuristic search viewed as path finding in a graph",
//! 1970.

use super::cost::CostModel;
use super::heuristic::{Estimate, place_of};
use super::nodes::{Came, Nodes};
use super::open::OpenList;
use super::query::Directions;
use super::tariff::Tariff;

/// What a search has reached so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontier {
    pub nodes: Nodes,
    open: OpenList,
    /// A cost was met that the units are too fine for; what lies behind it was not searched.
    pub too_dear: bool,
    /// The span that was expanded last.
    pub last: Option<u32>,
}

/// How a search is led.
pub(crate) struct Lead<'a> {
    pub estimate: &'a Estimate,
    pub directions: Directions,
    /// Of the heuristic, in 256ths.
    pub weight: u64,
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
    pub(crate) fn begin<M: CostModel + ?Sized>(
        &mut self,
        tariff: &Tariff<M>,
        lead: &Lead,
        start: u32,
    ) {
        let spans = tariff.terrain.spans();
        let (x, z) = place_of(tariff.terrain, start);
        let rest = lead.estimate.at(x, z, spans[start as usize].floor);
        self.nodes.clear(spans.len());
        self.open.clear(spans.len(), rest);
        self.nodes.reach(start, 0, Came::Start);
        self.open.push(lead.weighted(rest), rest, start);
        (self.too_dear, self.last) = (false, None);
    }

    /// Expands the next span, unless it is the goal.
    #[inline]
    pub(crate) fn expand<M: CostModel + ?Sized>(
        &mut self,
        tariff: &Tariff<M>,
        lead: &Lead,
        goal: u32,
    ) -> Expanded {
        let span = loop {
            let Some(span) = self.open.pop() else { return Expanded::Nothing };
            if !self.nodes.is_closed(span) {
                break span;
            }
        };
        self.nodes.close(span);
        self.last = Some(span);
        if span == goal {
            return Expanded::Goal;
        }
        self.step_out(tariff, lead, span);
        for exit in tariff.terrain.leaving(span) {
            let other = exit.other.0;
            if let Some(cost) = tariff.link(exit)
                && !self.nodes.is_closed(other)
            {
                let place = place_of(tariff.terrain, other);
                self.relax(tariff, lead, (other, place), (span, cost, Came::Link));
            }
        }
        Expanded::More
    }

    #[inline]
    fn step_out<M: CostModel + ?Sized>(&mut self, tariff: &Tariff<M>, lead: &Lead, span: u32) {
        let terrain = tariff.terrain;
        let (steps, spans) = (terrain.steps(), terrain.spans());
        let column = terrain.column(span);
        let (x, z) = place_of(terrain, span);
        for dir in steps.dirs(span) {
            if dir.is_diagonal() && lead.directions == Directions::Four {
                continue;
            }
            let Some(to) = steps.sure_target(column, span, dir) else { continue };
            if self.nodes.is_closed(to) {
                continue;
            }
            let (from_span, to_span) = (&spans[span as usize], &spans[to as usize]);
            let Some(cost) = tariff.step(from_span, to_span, dir) else { continue };
            let (along_x, along_z) = dir.offset();
            let place = (x + along_x, z + along_z);
            self.relax(tariff, lead, (to, place), (span, cost, Came::Step(dir)));
        }
    }

    /// Notes a way to a span, where it is the cheapest so far.
    #[inline]
    fn relax<M: CostModel + ?Sized>(
        &mut self,
        tariff: &Tariff<M>,
        lead: &Lead,
        (to, (x, z)): (u32, (i32, i32)),
        (from, cost, came): (u32, u32, Came),
    ) {
        let cost = self.nodes.cost(from).saturating_add(cost);
        if cost >= self.nodes.cost(to) {
            self.too_dear |= cost == u32::MAX;
            return;
        }
        let rest = lead.estimate.at(x, z, tariff.terrain.spans()[to as usize].floor);
        let total = cost.saturating_add(lead.weighted(rest));
        self.too_dear |= total == u32::MAX;
        self.nodes.reach(to, cost, came);
        self.open.push(total, rest, to);
    }
}

impl Lead<'_> {
    #[inline]
    fn weighted(&self, rest: u32) -> u32 {
        (u64::from(rest) * self.weight >> 8).min(u64::from(u32::MAX)) as u32
    }
}
