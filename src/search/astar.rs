//! A*: expands spans, lowest estimated total first, until the goal is next.
//!
//! Neighbors are not stored; they follow from a span's connections. The open list is in order only from
//! bucket to bucket: a span to which a better path turns up after it was closed is expanded again, which
//! is rare, and the search goes on until nothing open can improve the path to the goal.
//!
//! A weighted search finds better paths to closed spans all the time; expanding them again cost up to
//! thousands of times what an exact search does. It need not: with a consistent heuristic and an exact
//! order of totals the bound holds even if every span is closed once (ARA*).
//! Based on: Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum
//! cost paths", 1968; Pohl, "Heuristic search viewed as path finding in a graph", 1970; Likhachev,
//! Gordon and Thrun, "ARA*: Anytime A* with provable bounds on sub-optimality", 2003.

use crate::cost::{CostModel, Metric, SearchNode};
use crate::grid::LinkEdge;
use crate::view::{Directions, Flow, UniformGround};

use super::expander::{Expander, Visitor};
use super::heuristic::Estimate;
use super::nodes::{Nodes, Parent};
use super::open_list::OpenList;

/// What a search has reached so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct AStar {
    pub nodes: Nodes,
    open: OpenList,
    /// The links by which spans were reached, in order; the last one of a span counts. Costs alone do not
    /// tell: two links between the same ends may cost the same.
    arrivals: Vec<LinkEdge>,
    /// A cost overflowed; what lies behind it was not searched.
    pub overflowed: bool,
    /// The span that was expanded last.
    pub last: Option<u32>,
}

/// What a search goes by.
pub(crate) struct SearchParameters<'a, M: ?Sized> {
    pub metric: &'a Metric<'a, M>,
    pub estimate: &'a Estimate,
    /// The connection codes of the directions that count.
    pub direction_codes: u32,
    /// Weight of the heuristic [256ths].
    pub weight: u64,
    /// Closed spans are not expanded again, though better paths to them turn up.
    pub closes_once: bool,
    /// Where only natural neighbors have to be visited.
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
    /// Forgets what it has reached, and keeps its memory: that of millions of spans takes milliseconds to
    /// get and to give back.
    pub(crate) fn forget(&mut self) {
        self.nodes.clear(0);
        self.arrivals.clear();
        (self.overflowed, self.last) = (false, None);
    }

    /// Begins at a span.
    pub(crate) fn begin<M: CostModel + ?Sized>(
        &mut self,
        parameters: &SearchParameters<M>,
        start: u32,
    ) {
        self.nodes.clear(parameters.metric.view.spans().len());
        // If spans are closed once, their order has to be exact: buckets one unit wide.
        self.open.clear(if parameters.closes_once { 0 } else { parameters.metric.reach() });
        self.arrivals.clear();
        self.nodes.reach(start, 0, Parent::Start);
        let address = parameters.metric.view.address(start);
        self.open.push(parameters.weighted(parameters.rest(start)), address);
        (self.overflowed, self.last) = (false, None);
    }

    /// Expands the next span, unless the best path to the goal is known.
    ///
    /// Inlined into the loop that calls it: as a function of its own it fetches everything it reads anew
    /// for each span, which costs a tenth of a search.
    #[inline(always)]
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
            // Once there is a path to the goal (the incumbent), only spans that may improve it count.
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
        let mut visitor = AStarVisitor { search: self, parameters };
        expander.expand(&mut visitor, address);
        let so_far = visitor.search.nodes.cost(span);
        for (link, cost) in expander.links(span, so_far) {
            let metric = parameters.metric;
            let end = metric.search_node(metric.view.address(link.other.0));
            if visitor.relax(&end, cost, Parent::Link) {
                let arrival = LinkEdge { at: link.other, other: link.at, link: link.link };
                visitor.search.arrivals.push(arrival);
            }
        }
        Expansion::More
    }

    /// Searches from a span to another. Returns the number of spans that were expanded; `None` if there is
    /// no path.
    pub(crate) fn find<M: CostModel + ?Sized>(
        &mut self,
        parameters: &SearchParameters<M>,
        [from, to]: [u32; 2],
    ) -> Option<u32> {
        let mut expanded = 0;
        self.begin(parameters, from);
        loop {
            match self.expand(parameters, to) {
                Expansion::More => expanded += 1,
                Expansion::Goal => return Some(expanded),
                Expansion::Nothing => return None,
            }
        }
    }

    /// The link by which a span was reached, with its start in `other`; `None` if it was reached by a
    /// connection.
    pub(crate) fn arrival(&self, span: u32) -> Option<&LinkEdge> {
        self.arrivals.iter().rev().find(|link| link.at.0 == span)
    }
}

/// A search and its parameters.
struct AStarVisitor<'f, 'l, M: ?Sized> {
    search: &'f mut AStar,
    parameters: &'l SearchParameters<'l, M>,
}

impl<M: CostModel + ?Sized> AStarVisitor<'_, '_, M> {
    /// Relaxes an edge: keeps the path to a span if it is the cheapest so far, and returns whether it is.
    #[inline(always)]
    fn relax(&mut self, to: &SearchNode, cost: u32, parent: Parent) -> bool {
        let AStarVisitor { search, parameters } = self;
        let span = to.address.span;
        if cost >= search.nodes.cost(span) {
            search.overflowed |= cost == u32::MAX;
            return false;
        }
        if parameters.closes_once && search.nodes.is_closed(span) {
            return false;
        }
        let cell = parameters.metric.view.rows().cell_offset(to.address.column as usize);
        let rest = parameters.estimate.at_potential(cell, to.potential);
        let total = cost.saturating_add(parameters.weighted(rest));
        if total == u32::MAX {
            // Saturated totals have no order to search by.
            search.overflowed = true;
            return false;
        }
        search.nodes.reach(span, cost, parent);
        search.open.push(total, to.address);
        true
    }
}

impl<M: CostModel + ?Sized> Visitor for AStarVisitor<'_, '_, M> {
    #[inline(always)]
    fn nodes(&self) -> &Nodes {
        &self.search.nodes
    }

    #[inline(always)]
    fn visit(&mut self, to: &SearchNode, cost: u32, parent: Parent) {
        self.relax(to, cost, parent);
    }
}

impl<'a, M: CostModel + ?Sized> SearchParameters<'a, M> {
    /// Those of an exact search.
    pub(crate) fn exact(
        metric: &'a Metric<'a, M>,
        estimate: &'a Estimate,
        directions: Directions,
    ) -> Self {
        SearchParameters {
            metric,
            estimate,
            direction_codes: directions.step_codes(),
            weight: 256,
            closes_once: false,
            uniform_ground: metric.uniform_ground(directions),
        }
    }

    #[inline(always)]
    fn expander(&self) -> Expander<'_, M> {
        let SearchParameters { metric, direction_codes, uniform_ground, .. } = *self;
        Expander { metric, flow: Flow::FromSources, direction_codes, uniform_ground }
    }

    /// The heuristic: a lower bound of the cost from a span to the goal [units].
    #[inline(always)]
    pub(crate) fn rest(&self, span: u32) -> u32 {
        let view = self.metric.view;
        self.estimate.at(view.cell_offset(span), view.floor(span))
    }

    #[inline]
    fn weighted(&self, rest: u32) -> u32 {
        ((u64::from(rest) * self.weight) >> 8).min(u64::from(u32::MAX)) as u32
    }
}
