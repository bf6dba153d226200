//! A search under way: what was asked, between which places, and how far to go on at a time.

use crate::cost::CostModel;
use crate::cost::Metric;
use crate::search::astar::{AStar, Expansion, SearchParameters};
use crate::search::endpoints::Goal;
use crate::search::heuristic::Estimate;
use crate::search::outcome::Shortfall;
use crate::search::query::Query;
use crate::view::NavPoint;
use crate::view::Stamp;

/// A search under way.
#[derive(Clone, Debug)]
pub(crate) struct SearchTask {
    pub query: Query,
    pub stamp: Stamp,
    pub start: NavPoint,
    pub goal: Goal,
    pub coarseness: i32,
    /// On level ground only natural steps are looked at.
    pub is_pruned: bool,
    /// No span is left twice.
    pub closes_once: bool,
}

/// Why a search stopped.
pub(crate) enum Stop {
    Goal,
    Short(Shortfall),
    Cancelled,
}

/// Spans expanded between looks at whether the query was cancelled.
const BETWEEN_LOOKS: u32 = 1024;

impl SearchTask {
    pub(crate) fn parameters<'a, M: ?Sized>(
        &'a self,
        (metric, estimate): (&'a Metric<'a, M>, &'a Estimate),
    ) -> SearchParameters<'a, M> {
        let view = metric.view;
        let uniform_ground = if self.is_pruned { view.uniform_ground() } else { None };
        SearchParameters {
            uniform_ground,
            metric,
            estimate,
            direction_codes: self.query.directions.step_codes(),
            weight: self.query.weight_in_256ths(),
            closes_once: self.closes_once,
        }
    }

    /// Expands at most so many spans more; `None` where there is still more to do.
    pub(crate) fn expand<M: CostModel + ?Sized>(
        &self,
        (metric, estimate): (&Metric<M>, &Estimate),
        frontier: &mut AStar,
        (expanded, more): (&mut u32, u32),
    ) -> Option<Stop> {
        let (parameters, goal) = (self.parameters((metric, estimate)), self.goal.nav_point.span.0);
        for count in 0..more {
            if count % BETWEEN_LOOKS == 0 && self.query.is_cancelled() {
                return Some(Stop::Cancelled);
            }
            if *expanded >= self.query.budget {
                return Some(Stop::Short(Shortfall::OutOfBudget));
            }
            match frontier.expand(&parameters, goal) {
                Expansion::More => *expanded += 1,
                Expansion::Goal => return Some(Stop::Goal),
                Expansion::Nothing => return Some(Stop::Short(Shortfall::Unreachable)),
            }
        }
        None
    }
}
