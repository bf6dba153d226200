//! A* and Dijkstra's search over the spans of a view.

pub(crate) mod astar;
pub(crate) mod endpoints;
pub(crate) mod expander;
pub(crate) mod field;
pub(crate) mod heuristic;
pub(crate) mod nodes;
pub(crate) mod open_list;
pub(crate) mod outcome;
pub(crate) mod pruning;
pub(crate) mod query;
pub(crate) mod random;
pub(crate) mod task;

pub(crate) use astar::{AStar, SearchParameters};
pub(crate) use endpoints::{Endpoints, Goal};
pub(crate) use expander::{Expander, Visitor};
pub use field::{CostField, FieldQuery};
pub use heuristic::Heuristic;
pub(crate) use heuristic::{Estimate, EstimateParameters};
pub(crate) use nodes::{Nodes, Parent};
pub(crate) use open_list::OpenList;
pub use outcome::{Engine, Outcome, PathError};
pub use query::{GoalMode, LARGEST_WEIGHT, Query};
pub(crate) use random::Random;
pub(crate) use task::{ExpansionBudget, SearchTask, Stop};
