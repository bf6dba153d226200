//! Prepared routes: the cheapest paths between places far apart, without a search.
//!
//! A customizable contraction hierarchy (CCH). Based on: Dibbelt, Strasser and Wagner,
//! "Customizable contraction hierarchies", 2016.

mod arc_costs;
mod bounded_search;
mod bounds;
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

use crate::cost::CostModel;
use crate::grid::{AgentKey, NavGrid, RouteOrder, UnknownAgent};
use crate::view::View;

pub(crate) use elimination_tree::{NONE, Shape};
pub(crate) use hierarchy::RouteIndex;
pub(crate) use metric::RouteMetric;
pub use metric::RouteRules;
pub(crate) use route_query::{RouteQuery, Routes, TableEnds};

/// Finds the nested dissection order of an agent's ground, to be kept in the grid by
/// [`NavGrid::with_order`]: preparing routes is then several times faster. O(spans · log spans).
///
/// # Errors
/// The grid has no such agent.
pub fn find_order(grid: &NavGrid, agent: impl AgentKey) -> Result<RouteOrder, UnknownAgent> {
    Ok(RouteIndex::order(&View::new(grid, agent)?))
}

/// Memory that prepared routes take [bytes].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteBytes {
    /// The hierarchy, which all cost models share.
    pub index: usize,
    /// The costs by one model, for the agent's own slope limit.
    pub costs: usize,
}

/// Computes how much memory prepared routes would take, without computing their costs; `None` for
/// ground that cannot be prepared. O(spans) if the grid has an order for the agent.
pub fn route_bytes<M: CostModel + ?Sized>(view: &View, model: &M) -> Option<RouteBytes> {
    let index = RouteIndex::new(view.grid(), view.agent_id())?;
    Some(RouteBytes { index: index.bytes(), costs: index.cost_bytes(view, model) })
}
