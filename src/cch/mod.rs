//! Prepared routes: the cheapest paths between places far apart, without a search.
//!
//! A customizable contraction hierarchy (CCH). Based on: Dibbelt, Strasser and Wagner,
//! "Customizable contraction hierarchies", 2016.

mod arc_costs;
mod block_search;
mod cost_bounds;
mod customize;
pub(crate) mod dissect;
mod elimination_tree;
mod frontal_matrix;
mod greedy_descent;
pub(crate) mod hierarchy;
pub(crate) mod metric;
mod min_plus;
pub(crate) mod parameters;
mod query;
mod route_query;
mod shortcut;
pub(crate) mod subgraph;
mod unpack;
mod upward_search;

pub(crate) use elimination_tree::{NONE, Shape};
pub(crate) use hierarchy::RouteIndex;
pub(crate) use metric::RouteMetric;
pub use metric::RouteRules;
pub(crate) use route_query::{RouteQuery, Routes, TableEnds};
