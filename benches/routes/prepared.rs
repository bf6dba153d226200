//! Sites with their routes prepared.

use surefoot::cch::find_order;
use surefoot::grid::RegionId;
use surefoot::{AgentId, HeightCost, NavGrid, Navigator, SpanId};

use crate::figures::timed;

const AGENT: AgentId = AgentId(0);

/// Prepared routes for the only agent of a grid, and what it took to prepare them.
pub struct Prepared {
    /// With its order.
    pub grid: NavGrid,
    pub nav: Navigator,
    pub seconds: Seconds,
}

/// How long each part of the work took [s].
pub struct Seconds {
    pub order: f64,
    /// All that [`Navigator::prepare`] does if the grid has an order.
    pub prepare: f64,
}

impl Prepared {
    pub fn new(grid: NavGrid, model: &HeightCost) -> Prepared {
        let (order, order_seconds) = timed(|| find_order(&grid, AGENT, &()).expect("one agent"));
        let grid = grid.with_order(AGENT, order).expect("it was found for this grid");
        let mut nav = navigator(&grid, model);
        let (prepared, prepare) = timed(|| nav.prepare());
        prepared.expect("ground that comes apart");
        Prepared { grid, nav, seconds: Seconds { order: order_seconds, prepare } }
    }
}

/// A navigator for a grid's only agent, without prepared routes.
pub fn navigator(grid: &NavGrid, model: &HeightCost) -> Navigator {
    Navigator::with_model(grid.clone(), AGENT, *model).expect("one agent")
}

/// The spans of the largest region.
pub fn largest_region(grid: &NavGrid) -> Vec<SpanId> {
    let spans = (0..grid.spans().len() as u32).map(SpanId);
    spans.filter(|&span| grid.region(AGENT, span) == Some(RegionId(0))).collect()
}
