//! Provides [`SearchOptions`]: the costs, limits and heuristic of `path` and `paths`.
//!
//! Each number is checked as it is parsed, so that every query made from the options is valid.

use clap::ValueEnum;
use surefoot::NavGrid;
use surefoot::cch::RouteRules;
use surefoot::cost::HeightCost;
use surefoot::grid::AgentId;
use surefoot::search::{GoalMode, Heuristic, LARGEST_WEIGHT, Query};
use surefoot::view::Directions;

use crate::shared::numbers::number;

/// The options that `path` and `paths` share.
#[derive(Debug, clap::Args)]
pub struct SearchOptions {
    /// Extra cost of a metre of rise, in metres of level ground
    #[arg(long, value_name = "C", default_value_t = HeightCost::default().ascend,
        value_parser = not_negative, allow_hyphen_values = true)]
    ascend_cost: f32,

    /// Extra cost of a metre of fall, in metres of level ground
    #[arg(long, value_name = "C", default_value_t = HeightCost::default().descend,
        value_parser = not_negative, allow_hyphen_values = true)]
    descend_cost: f32,

    /// Do not cross ground that is steeper than this [default: the agent's slope limit]
    #[arg(long, value_name = "DEGREES", value_parser = slope, allow_hyphen_values = true)]
    slope_limit: Option<f32>,

    /// What to do if the goal cannot be reached
    #[arg(long, value_name = "MODE", default_value = "fail")]
    goal: GoalOption,

    /// Number of directions to step in: 4 leaves out diagonals
    #[arg(long, value_name = "N", default_value = "8")]
    directions: DirectionsOption,

    /// What guides the search; does not change the cost of the path
    #[arg(long, value_name = "NAME", default_value = "octile")]
    heuristic: HeuristicOption,

    /// Weight of the heuristic, from 1 to 1000
    ///
    /// Above 1 the search is faster, and the path costs at most this many times the lowest cost.
    #[arg(long, value_name = "W", default_value_t = 1.0, value_parser = weight,
        allow_hyphen_values = true)]
    weight: f32,

    /// What finds the path
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub engine: EngineOption,

    /// Give up a search after expanding this many spans [default: no limit]
    #[arg(long, value_name = "N", default_value_t = u32::MAX, hide_default_value = true,
        allow_hyphen_values = true)]
    budget: u32,

    /// Move start and goal at most this far to where the agent can stand, in metres [default: twice
    /// its radius]
    #[arg(long, value_name = "M", value_parser = not_negative, allow_hyphen_values = true)]
    snap_radius: Option<f32>,

    /// Accept a start and goal at most this far above or below their floor, in metres [default: the
    /// agent's height]
    #[arg(long, value_name = "M", value_parser = not_negative, allow_hyphen_values = true)]
    vertical_tolerance: Option<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GoalOption {
    /// Find no path
    Fail,
    /// Find a path to the reachable place nearest to the goal
    Ring,
    /// Find a path to the first reachable place on the straight line from the goal to the start
    Line,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DirectionsOption {
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HeuristicOption {
    Octile,
    Manhattan,
    Euclidean,
    None,
}

/// What is to find the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineOption {
    /// A search; for `paths` also prepared routes, if the grid was baked with --routes
    Auto,
    /// A search
    Astar,
    /// Prepared routes, which are prepared first if the grid has none
    Index,
}

impl EngineOption {
    /// Whether many queries on a grid are to be answered by prepared routes.
    pub fn prepares_many(self, grid: &NavGrid, agent: AgentId) -> bool {
        match self {
            EngineOption::Auto => grid.order(agent).is_some(),
            EngineOption::Astar => false,
            EngineOption::Index => true,
        }
    }
}

impl SearchOptions {
    /// The first option that is not as it is by default: border costs know no others.
    pub fn first_given(&self) -> Option<&'static str> {
        let costs = HeightCost::default();
        let given = [
            ("--ascend-cost", self.ascend_cost != costs.ascend),
            ("--descend-cost", self.descend_cost != costs.descend),
            ("--slope-limit", self.slope_limit.is_some()),
            ("--goal", self.goal != GoalOption::Fail),
            ("--directions", self.directions != DirectionsOption::Eight),
            ("--heuristic", self.heuristic != HeuristicOption::Octile),
            ("--weight", self.weight != 1.0),
            ("--engine", self.engine != EngineOption::Auto),
            ("--budget", self.budget != u32::MAX),
            ("--snap-radius", self.snap_radius.is_some()),
            ("--vertical-tolerance", self.vertical_tolerance.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }

    /// What routes are prepared for.
    pub fn route_rules(&self) -> RouteRules {
        RouteRules::of(&self.query([[0.0; 3]; 2]))
    }

    /// The cost model.
    pub fn model(&self) -> HeightCost {
        HeightCost { ascend: self.ascend_cost, descend: self.descend_cost }
    }

    /// A query for a path from one point to another [m].
    pub fn query(&self, [from, to]: [[f32; 3]; 2]) -> Query {
        Query {
            goal: match self.goal {
                GoalOption::Fail => GoalMode::Fail,
                GoalOption::Ring => GoalMode::NearestByRing,
                GoalOption::Line => GoalMode::NearestAlongLine,
            },
            vertical_tolerance: self.vertical_tolerance,
            snap_radius: self.snap_radius,
            slope_limit: self.slope_limit.map(f32::to_radians),
            directions: match self.directions {
                DirectionsOption::Four => Directions::Four,
                DirectionsOption::Eight => Directions::Eight,
            },
            heuristic: match self.heuristic {
                HeuristicOption::Octile => Heuristic::Octile,
                HeuristicOption::Manhattan => Heuristic::Manhattan,
                HeuristicOption::Euclidean => Heuristic::Euclidean,
                HeuristicOption::None => Heuristic::None,
            },
            weight: self.weight,
            budget: self.budget,
            ..Query::new(from, to)
        }
    }
}

fn not_negative(text: &str) -> Result<f32, String> {
    let value = number(text)?;
    if value < 0.0 { Err("must be 0 or more".to_owned()) } else { Ok(value) }
}

fn weight(text: &str) -> Result<f32, String> {
    let value = number(text)?;
    match (1.0..=LARGEST_WEIGHT).contains(&value) {
        true => Ok(value),
        false => Err(format!("must be from 1 to {LARGEST_WEIGHT}")),
    }
}

fn slope(text: &str) -> Result<f32, String> {
    let value = number(text)?;
    match (0.0..90.0).contains(&value) {
        true => Ok(value),
        false => Err("must be at least 0 and less than 90 degrees".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_numbers_are_refused() {
        let check = |parsed: Result<f32, String>, message: &str| {
            assert_eq!(parsed.unwrap_err(), message);
        };
        check(not_negative("-1"), "must be 0 or more");
        check(not_negative("nan"), "\"nan\" is not a number");
        check(weight("0.99"), "must be from 1 to 1000");
        check(weight("1000.1"), "must be from 1 to 1000");
        check(weight("inf"), "\"inf\" is not a number");
        check(slope("90"), "must be at least 0 and less than 90 degrees");
        check(slope("-1"), "must be at least 0 and less than 90 degrees");
    }
}
