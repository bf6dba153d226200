//! Prepared routes: the cheapest paths between places far apart, without a search of the ground
//! between them.
//!
//! ```text
//! ground ─► dissect ─► elimination_tree ─► customize ─► metric ─► query ─► unpack ─► Corridor
//! ```
//!
//! A customizable contraction hierarchy (CCH) in three phases: an order by nested dissection, which
//! costs do not change; customization by a cost model, whole or partial; queries that climb the
//! elimination tree. Supernodes are eliminated in dense frontal matrices instead of arc by arc: on
//! grids they are nearly full.
//! Based on: Dibbelt, Strasser and Wagner, "Customizable contraction hierarchies", 2016.

mod arc_costs;
mod block_search;
mod bounded_search;
pub(crate) mod carried_order;
mod cost_bounds;
mod cost_units;
mod customize;
pub(crate) mod dissect;
pub(crate) mod elimination_tree;
mod frontal_matrix;
mod greedy_descent;
pub(crate) mod grid_step;
pub(crate) mod hierarchy;
mod known_supernodes;
pub(crate) mod metric;
mod min_plus;
pub(crate) mod parameters;
mod query;
mod query_context;
mod route_query;
mod shortcut;
pub(crate) mod span_match;
pub(crate) mod subgraph;
mod unpack;
mod upward_search;

use crate::cost::CostModel;
use crate::grid::{AgentKey, NavGrid, RouteOrder, UnknownAgent};
use crate::observer::{Cancelled, Observer};
use crate::view::View;

pub(crate) use grid_step::GridStep;
pub(crate) use hierarchy::{CustomizedHierarchy, Hierarchy};
pub(crate) use metric::HierarchyMetric;
pub use metric::RouteRules;
pub(crate) use route_query::{RouteQuery, TableEnds};

/// Finds the order by which an agent's ground is prepared for routes. Kept with the grid
/// ([`NavGrid::with_order`]), it makes preparing several times faster. O(spans · log spans).
///
/// Pass `&()` as the observer if nobody watches.
///
/// # Errors
/// The grid has no such agent, and the error lists those it has; or the observer cancelled the work.
pub fn find_order(
    grid: &NavGrid,
    agent: impl AgentKey,
    observer: &dyn Observer,
) -> Result<RouteOrder, OrderError> {
    let view = View::new(grid, agent)?.without_overlay();
    let ground = subgraph::Subgraph::of(&view.parts(), observer)?;
    Ok(dissect::dissect(&ground, parameters::OrderParameters::DEFAULT, observer)?)
}

/// Why no order was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// The grid has no such agent.
    #[error(transparent)]
    UnknownAgent(#[from] UnknownAgent),
    /// The observer cancelled it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
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
    let hierarchy = Hierarchy::new(view.grid(), view.agent_id())?;
    let costs = hierarchy.metric_bytes(view, model);
    Some(RouteBytes { index: hierarchy.bytes(), costs })
}
