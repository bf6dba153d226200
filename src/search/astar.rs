//! The A* search itself: expands spans, cheapest estimate first, until the goal is next.
//!
//! Neighbors are not stored; they follow from a span's steps. The open list takes spans nearly in
//! order: a span to which a better way is found after it was left is left again, which is rare, and
//! the search goes on until nothing open can better the path to the goal.
//!
//! A weighted search finds better paths to what it has left all the time, and would leave spans again
//! and again for it. It need not: the bound holds for paths to spans that are left once, in the order of
//! their totals, by an estimate that falls along no step or link by more than that costs.
//! Based on: Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum
//! cost paths", 1968; weighted as in Pohl, "Heuristic search viewed as path finding in a graph",
//! 1970, and left once as in Likhachev, Gordon and Thrun, "ARA*: Anytime A* with provable bounds on
//! sub-optimality", 2003.

use crate::grid::{Dir, LinkEdge};

use crate::cost::CostModel;
use crate::cost::{Metric, SearchNode};
use crate::search::expander::{Expander, Visitor};
use crate::search::heuristic::Estimate;
use crate::search::nodes::{Nodes, Parent};
use crate::search::open_list::OpenList;
use crate::view::Flow;
use crate::view::UniformGround;

/// What a search has reached so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct AStar {
    pub nodes: Nodes,
    open: OpenList,
    /// The links by which spans were reached, in order; the last one of a span counts. What the
    /// costs tell is not enough: between ends that cost the same both ways look alike.
    arrivals: Vec<LinkEdge>,
    /// A cost was met that the units are too fine for; what lies behind it was not searched.
    pub overflowed: bool,
    /// The span that was expanded last.
    pub last: Option<u32>,
}

/// How a search is led.
pub(crate) struct SearchParameters<'a, M: ?Sized> {
    pub metric: &'a Metric<'a, M>,
    pub estimate: &'a Estimate,
    /// The step codes of the directions there are.
    pub direction_codes: u32,
    /// Of the heuristic, in 256ths.
    pub weight: u64,
    /// Spans that were left are not left again, though better paths to them turn up.
    pub closes_once: bool,
    /// Where only natural steps need to be looked at.
    pub uniform_ground: Option<UniformGround<'a>>,
}

/// What expanding a span led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expansion {
    /// More may follow.
    More,
    /// The goal was next.
    Goal,
    /// Nothing is left to expand.
    Nothing,
}

impl AStar {
    /// Begins at a span.
    pub(crate) fn begin<M: CostModel + ?Sized>(
        &mut self,
        parameters: &SearchParameters<M>,
        start: u32,
    ) {
        self.nodes.clear(parameters.metric.view.spans().len());
        // Where spans are left once, their order has to be right.
        self.open.clear(if parameters.closes_once { 0 } else { parameters.metric.reach() });
        self.arrivals.clear();
        self.nodes.reach(start, 0, Parent::Start);
        let address = parameters.metric.view.address(start);
        self.open.push(parameters.weighted(parameters.rest(start)), address);
        (self.overflowed, self.last) = (false, None);
    }

    /// Expands the next span, unless the path to the goal is known to be the cheapest.
    #[inline]
    pub(crate) fn expand<M: CostModel + ?Sized>(
        &mut self,
        parameters: &SearchParameters<M>,
        goal: u32,
    ) -> Expansion {
        let address = loop {
            let next = self.open.pop();
            let found = self.nodes.cost(goal);
            let Some(address) = next.filter(|_| self.open.base() <= found) else {
                return if found < u32::MAX { Expansion::Goal } else { Expansion::Nothing };
            };
            // Once there is a path to the goal, only what may better it is looked at.
            let span = address.span;
            let better = found == u32::MAX
                || self.nodes.cost(span).saturating_add(parameters.rest(span)) < found;
            if better && !self.nodes.is_closed(span) {
                break address;
            }
        };
        let span = address.span;
        self.nodes.close(span);
        self.last = Some(span);
        let expander = parameters.expander();
        expander.expand(&mut AStarVisitor { frontier: self, parameters }, address);
        let so_far = self.nodes.cost(span);
        for (link_edge, cost) in expander.links((span, so_far)) {
            let other =
                parameters.metric.search_node(parameters.metric.view.address(link_edge.other.0));
            if self.relax(parameters, &other, (cost, Parent::Link)) {
                self.arrivals.push(LinkEdge {
                    at: link_edge.other,
                    other: link_edge.at,
                    link: link_edge.link,
                });
            }
        }
        Expansion::More
    }

    /// The link by which a span was reached, and in `other` where it starts; `None` where it was
    /// reached by none.
    pub(crate) fn arrival(&self, span: u32) -> Option<&LinkEdge> {
        self.arrivals.iter().rev().find(|link_edge| link_edge.at.0 == span)
    }

    /// Notes a path to a span, where it is the cheapest so far. Whether it is.
    #[inline(always)]
    fn relax<M: CostModel + ?Sized>(
        &mut self,
        parameters: &SearchParameters<M>,
        to: &SearchNode,
        (cost, parent): (u32, Parent),
    ) -> bool {
        let span = to.address.span;
        if cost >= self.nodes.cost(span) {
            self.overflowed |= cost == u32::MAX;
            return false;
        }
        if parameters.closes_once && self.nodes.is_closed(span) {
            return false;
        }
        let place = parameters.metric.view.rows().cell_offset(to.address.column as usize);
        let rest = parameters.estimate.at_potential(place, to.potential);
        let total = cost.saturating_add(parameters.weighted(rest));
        if total == u32::MAX {
            // Among totals that cannot be told apart there is no order to search by.
            self.overflowed = true;
            return false;
        }
        self.nodes.reach(span, cost, parent);
        self.open.push(total, to.address);
        true
    }
}

/// A frontier, and how it is led.
struct AStarVisitor<'f, 'l, M: ?Sized> {
    frontier: &'f mut AStar,
    parameters: &'l SearchParameters<'l, M>,
}

impl<M: CostModel + ?Sized> Visitor for AStarVisitor<'_, '_, M> {
    #[inline(always)]
    fn nodes(&self) -> &Nodes {
        &self.frontier.nodes
    }

    #[inline(always)]
    fn visit(&mut self, to: &SearchNode, way: (u32, Parent)) {
        self.frontier.relax(self.parameters, to, way);
    }
}

/// The place one step on.
#[inline(always)]
pub(crate) fn beyond((x, z): (i32, i32), dir: Dir) -> (i32, i32) {
    let (along_x, along_z) = dir.offset();
    (x + along_x, z + along_z)
}

impl<M: CostModel + ?Sized> SearchParameters<'_, M> {
    #[inline(always)]
    fn expander(&self) -> Expander<'_, M> {
        let SearchParameters { metric, direction_codes, uniform_ground, .. } = *self;
        Expander { metric, flow: Flow::FromSources, direction_codes, uniform_ground }
    }

    /// The least that is left to go from a span.
    #[inline]
    pub(crate) fn rest(&self, span: u32) -> u32 {
        let view = self.metric.view;
        self.estimate.at(view.place(span), view.floor(span))
    }

    #[inline]
    fn weighted(&self, rest: u32) -> u32 {
        ((u64::from(rest) * self.weight) >> 8).min(u64::from(u32::MAX)) as u32
    }
}
