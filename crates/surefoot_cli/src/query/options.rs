//! How `path` and `paths` are to search: costs, limits, and what guides the search.
//!
//! Each number is checked as it is read, so that a query made from these options makes sense.

use clap::ValueEnum;
use surefoot::cch::RouteRules;
use surefoot::cost::HeightCost;
use surefoot::search::{GoalMode, Heuristic, LARGEST_WEIGHT, Query};
use surefoot::view::Directions;

use crate::shared::numbers::number;

/// The options that `path` and `paths` share.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// What a metre of rise costs in addition [metres-equivalent]
    #[arg(long, value_name = "C", default_value_t = HeightCost::default().ascend,
        value_parser = not_negative, allow_hyphen_values = true)]
    ascend_cost: f32,

    /// What a metre of fall costs in addition [metres-equivalent]
    #[arg(long, value_name = "C", default_value_t = HeightCost::default().descend,
        value_parser = not_negative, allow_hyphen_values = true)]
    descend_cost: f32,

    /// The steepest ground to cross; default: the agent's own limit
    #[arg(long, value_name = "DEGREES", value_parser = slope, allow_hyphen_values = true)]
    slope_limit: Option<f32>,

    /// What happens where the goal cannot be reached: no way, the way to the reachable place
    /// nearest to it, or to the first one on the straight line back to the start
    #[arg(long, value_name = "MODE", default_value = "fail")]
    goal: Goal,

    /// Step along the axes only, or along diagonals too
    #[arg(long, value_name = "4|8", default_value = "8")]
    directions: Ways,

    /// What guides the search; none changes the cost of the way
    #[arg(long, value_name = "NAME", default_value = "octile")]
    heuristic: Guide,

    /// Weight of the heuristic, from 1 to 1000: above 1 the search is faster, and the way costs at
    /// most so many times the least
    #[arg(long, value_name = "W", default_value_t = 1.0, value_parser = weight,
        allow_hyphen_values = true)]
    weight: f32,

    /// Who answers: a search (astar), prepared routes (index; where the grid has none, they are
    /// prepared first), or whoever is likely to be faster: in `path` a search, in `paths` routes
    /// too, where the grid has them
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub engine: EngineChoice,

    /// The most spans to expand in a search
    #[arg(long, value_name = "N", default_value_t = u32::MAX, hide_default_value = true,
        allow_hyphen_values = true)]
    budget: u32,

    /// How far an end may be moved to the nearest place where the agent can stand; default: twice
    /// its radius
    #[arg(long, value_name = "M", value_parser = not_negative, allow_hyphen_values = true)]
    snap_radius: Option<f32>,

    /// How far above or below its floor an end may be; default: the agent's height
    #[arg(long, value_name = "M", value_parser = not_negative, allow_hyphen_values = true)]
    vertical_tolerance: Option<f32>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Goal {
    Fail,
    Ring,
    Line,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Ways {
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Guide {
    Octile,
    Manhattan,
    Euclidean,
    None,
}

/// Who is to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineChoice {
    /// Whoever is likely to be faster.
    Auto,
    /// A search.
    Astar,
    /// Prepared routes.
    Index,
}

impl Options {
    /// What prepared routes have to hold for.
    pub fn rules(&self) -> RouteRules {
        RouteRules::of(&self.query([[0.0; 3]; 2]))
    }

    /// What ways cost.
    pub fn model(&self) -> HeightCost {
        HeightCost { ascend: self.ascend_cost, descend: self.descend_cost }
    }

    /// The question for a way from one point to another [m].
    pub fn query(&self, [from, to]: [[f32; 3]; 2]) -> Query {
        Query {
            goal: match self.goal {
                Goal::Fail => GoalMode::Fail,
                Goal::Ring => GoalMode::NearestByRing,
                Goal::Line => GoalMode::NearestAlongLine,
            },
            vertical_tolerance: self.vertical_tolerance,
            snap_radius: self.snap_radius,
            slope_limit: self.slope_limit.map(f32::to_radians),
            directions: match self.directions {
                Ways::Four => Directions::Four,
                Ways::Eight => Directions::Eight,
            },
            heuristic: match self.heuristic {
                Guide::Octile => Heuristic::Octile,
                Guide::Manhattan => Heuristic::Manhattan,
                Guide::Euclidean => Heuristic::Euclidean,
                Guide::None => Heuristic::None,
            },
            weight: self.weight,
            budget: self.budget,
            ..Query::new(from, to)
        }
    }
}

fn not_negative(text: &str) -> Result<f32, String> {
    let value = number(text)?;
    if value < 0.0 { Err(format!("{text} is less than 0")) } else { Ok(value) }
}

fn weight(text: &str) -> Result<f32, String> {
    let value = number(text)?;
    match (1.0..=LARGEST_WEIGHT).contains(&value) {
        true => Ok(value),
        false => Err(format!("{text} is not from 1 to {LARGEST_WEIGHT}")),
    }
}

fn slope(text: &str) -> Result<f32, String> {
    let value = number(text)?;
    match (0.0..90.0).contains(&value) {
        true => Ok(value),
        false => Err(format!("{text} is not from 0 to less than 90 degrees")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused() {
        let check = |parsed: Result<f32, String>, words: &str| {
            assert_eq!(parsed.unwrap_err(), words);
        };
        check(not_negative("-1"), "-1 is less than 0");
        check(not_negative("nan"), "\"nan\" is no number");
        check(weight("0.99"), "0.99 is not from 1 to 1000");
        check(weight("1000.1"), "1000.1 is not from 1 to 1000");
        check(weight("inf"), "\"inf\" is no number");
        check(slope("90"), "90 is not from 0 to less than 90 degrees");
        check(slope("-1"), "-1 is not from 0 to less than 90 degrees");
    }
}
