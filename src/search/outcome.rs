//! What a search answers: never an empty list, never a bare `None`.

use nalgebra::Point3;

use crate::path::Path;

/// How a query ended.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The way leads to the goal.
    Complete,
    /// The way leads as near to the goal as was asked for or found.
    Partial {
        /// Why it does not lead to the goal.
        reason: Shortfall,
        /// Straight distance from its end to the goal [m].
        gap: f32,
    },
    /// The agent can stand nowhere near the start, within the query's tolerances.
    StartOffGrid {
        /// The nearest place where it can stand, if there is one within 64 cells.
        nearest: Option<Point3<f32>>,
    },
    /// The agent can stand nowhere near the goal.
    GoalOffGrid {
        /// The nearest place where it can stand, if there is one within 64 cells.
        nearest: Option<Point3<f32>>,
    },
    /// Start and goal lie in regions that no way joins; known without a search.
    DifferentRegion,
    /// Everything that can be reached was searched: the query's slope limit, a forbidding cost
    /// model, obstacles or closed links keep the agent from the goal.
    Unreachable,
    /// The query's budget was used up.
    OutOfBudget,
    /// The query was cancelled.
    Cancelled,
}

/// Why a way does not lead to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shortfall {
    /// The agent cannot stand at the goal.
    GoalOffGrid,
    /// No way leads to the goal's region.
    DifferentRegion,
    /// Everything that can be reached was searched.
    Unreachable,
    /// The budget was used up.
    OutOfBudget,
}

impl Outcome {
    /// Its name in lower case with underscores: `complete`, `start_off_grid`...
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Complete => "complete",
            Outcome::Partial { .. } => "partial",
            Outcome::StartOffGrid { .. } => "start_off_grid",
            Outcome::GoalOffGrid { .. } => "goal_off_grid",
            Outcome::DifferentRegion => "different_region",
            Outcome::Unreachable => "unreachable",
            Outcome::OutOfBudget => "out_of_budget",
            Outcome::Cancelled => "cancelled",
        }
    }

    /// Whether there is a way.
    pub fn has_path(&self) -> bool {
        matches!(self, Outcome::Complete | Outcome::Partial { .. })
    }
}

impl Shortfall {
    /// Its name in lower case with underscores, as that of the outcome it stands for.
    pub fn name(&self) -> &'static str {
        self.outcome().name()
    }

    /// What the answer is where nothing less than the goal will do.
    pub(crate) fn outcome(self) -> Outcome {
        match self {
            Shortfall::GoalOffGrid => Outcome::GoalOffGrid { nearest: None },
            Shortfall::DifferentRegion => Outcome::DifferentRegion,
            Shortfall::Unreachable => Outcome::Unreachable,
            Shortfall::OutOfBudget => Outcome::OutOfBudget,
        }
    }
}

/// What found an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Engine {
    /// The straight line was certain to be the cheapest way.
    Straight,
    /// A search from the start.
    #[default]
    AStar,
    /// Prepared routes.
    Index,
    /// A cost field around a goal that several queries share.
    Field,
}

impl Engine {
    /// Its name in lower case: `straight`, `astar`, `index`, `field`.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Straight => "straight",
            Engine::AStar => "astar",
            Engine::Index => "index",
            Engine::Field => "field",
        }
    }
}
