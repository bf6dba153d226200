//! How a query ends: with a path, or with a reason why there is none.

use nalgebra::Point3;

/// How a query ended.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The path leads to the goal.
    Complete,
    /// The path leads as near to the goal as was asked for or found.
    Partial {
        /// Why it does not lead to the goal.
        reason: PathError,
        /// Straight distance from its end to the goal [m].
        gap: f32,
    },
    /// There is no path.
    Failed(PathError),
}

/// Why there is no path, or none to the goal.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// The agent cannot stand anywhere near the start, within the query's tolerances.
    #[error("the agent cannot stand at the start{}", hint(.nearest))]
    StartOffGrid {
        /// The nearest point where it can stand, if there is one within 64 cells.
        nearest: Option<Point3<f32>>,
    },
    /// The agent cannot stand anywhere near the goal.
    #[error("the agent cannot stand at the goal{}", hint(.nearest))]
    GoalOffGrid {
        /// The nearest point where it can stand, if there is one within 64 cells.
        nearest: Option<Point3<f32>>,
    },
    /// Start and goal lie in regions that nothing joins. Known without a search.
    #[error("start and goal lie in different regions, and no link leads from one to the other")]
    DifferentRegion,
    /// Everything within reach was searched: the query's slope limit or filter, a cost model that
    /// forbids, obstacles or closed links keep the agent from the goal.
    #[error(
        "the goal is out of reach: obstacles, closed links, forbidden areas or the slope limit cut it off"
    )]
    Unreachable,
    /// The query's budget was used up.
    #[error("the search used up its budget before it reached the goal")]
    OutOfBudget,
    /// The query was cancelled.
    #[error("the query was cancelled")]
    Cancelled,
}

fn hint(nearest: &Option<Point3<f32>>) -> String {
    match nearest {
        Some(nearest) => {
            format!("; the nearest point where it can is {}", in_centimetres(*nearest))
        }
        None => " or anywhere near it".to_owned(),
    }
}

/// A point as `x,y,z`, rounded to centimetres.
pub(crate) fn in_centimetres(point: Point3<f32>) -> String {
    // Adding 0 makes a negative zero positive.
    let [x, y, z] = <[f32; 3]>::from(point).map(|v| (v * 100.0).round() / 100.0 + 0.0);
    format!("{x:.2},{y:.2},{z:.2}")
}

impl Outcome {
    /// Its name in lower case with underscores: `complete`, `partial`, or that of the error.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Complete => "complete",
            Outcome::Partial { .. } => "partial",
            Outcome::Failed(error) => error.name(),
        }
    }

    /// Whether there is a path.
    pub fn has_path(&self) -> bool {
        matches!(self, Outcome::Complete | Outcome::Partial { .. })
    }
}

impl PathError {
    /// Its name in lower case with underscores, such as `start_off_grid`.
    pub fn name(&self) -> &'static str {
        match self {
            PathError::StartOffGrid { .. } => "start_off_grid",
            PathError::GoalOffGrid { .. } => "goal_off_grid",
            PathError::DifferentRegion => "different_region",
            PathError::Unreachable => "unreachable",
            PathError::OutOfBudget => "out_of_budget",
            PathError::Cancelled => "cancelled",
        }
    }
}

/// What found an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Engine {
    /// The straight line, which was certain to be the cheapest path.
    Straight,
    /// A search from the start.
    #[default]
    AStar,
    /// Prepared routes.
    Routes,
    /// A cost field around a goal that several queries share.
    Field,
}

impl Engine {
    /// Its name in lower case: `straight`, `astar`, `index` (prepared routes), `field`.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Straight => "straight",
            Engine::AStar => "astar",
            Engine::Routes => "index",
            Engine::Field => "field",
        }
    }
}
