//! A search under way: what was asked, between which points, and how far it goes at a time.

use crate::cost::{CostModel, Metric, SlopeLimit};
use crate::view::{NavPoint, View, ViewRef};

use super::astar::{AStar, Expansion, SearchParameters};
use super::endpoints::Goal;
use super::heuristic::Estimate;
use super::outcome::PathError;
use super::query::Query;

/// A search under way.
#[derive(Clone, Debug)]
pub(crate) struct SearchTask {
    pub query: Query,
    /// The view it began on, with the factors of the query's filter.
    pub view: View,
    pub start: NavPoint,
    pub goal: Goal,
    pub unit_exponent: i32,
}

/// Why a search stopped.
pub(crate) enum Stop {
    Goal,
    Short(PathError),
}

/// How many spans were expanded so far, and how many more may be now.
pub(crate) struct ExpansionBudget<'a> {
    pub expanded: &'a mut u32,
    pub more: u32,
}

/// Spans expanded between looks at whether the query was cancelled.
const BETWEEN_LOOKS: u32 = 1024;

impl SearchTask {
    /// The costs it counts, on its view.
    pub(crate) fn metric<'a, M: CostModel + ?Sized>(
        &self,
        view: &'a ViewRef<'a>,
        model: &'a M,
    ) -> Metric<'a, M> {
        let limit = SlopeLimit::of(view, self.query.slope_limit);
        Metric::new(view, model, limit, self.unit_exponent)
    }

    pub(crate) fn parameters<'a, M: CostModel + ?Sized>(
        &self,
        metric: &'a Metric<'a, M>,
        estimate: &'a Estimate,
    ) -> SearchParameters<'a, M> {
        let weight = self.query.weight_in_256ths();
        let is_exact = weight == 256;
        let directions = self.query.directions;
        SearchParameters {
            metric,
            estimate,
            direction_codes: directions.step_codes(),
            weight,
            closes_once: !is_exact,
            uniform_ground: if is_exact { metric.uniform_ground(directions) } else { None },
        }
    }

    /// Expands at most `budget.more` spans; `None` if there is more to do after that.
    pub(crate) fn expand<M: CostModel + ?Sized>(
        &self,
        parameters: &SearchParameters<M>,
        frontier: &mut AStar,
        budget: ExpansionBudget,
    ) -> Option<Stop> {
        let goal = self.goal.nav_point.span.0;
        // A copy of its own stays in registers; what is behind a reference is fetched for each span.
        let parameters = &SearchParameters { ..*parameters };
        for count in 0..budget.more {
            if count % BETWEEN_LOOKS == 0 && self.query.is_cancelled() {
                return Some(Stop::Short(PathError::Cancelled));
            }
            if *budget.expanded >= self.query.budget {
                return Some(Stop::Short(PathError::OutOfBudget));
            }
            match frontier.expand(parameters, goal) {
                Expansion::More => *budget.expanded += 1,
                Expansion::Goal => return Some(Stop::Goal),
                Expansion::Nothing => return Some(Stop::Short(PathError::Unreachable)),
            }
        }
        None
    }
}
