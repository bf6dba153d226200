//! Sites with their routes prepared.

use surefoot::grid::{RegionId, RouteOrder};
use surefoot::cch::RouteRules;
use surefoot::cost::HeightCost;
use surefoot::view::View;
use surefoot::{AgentId, NavGrid, SpanId};

use crate::figures::timed;

const AGENT: AgentId = AgentId(0);

/// Routes of the only agent of a grid, and what it took to prepare them.
pub struct Prepared {
    pub grid: NavGrid,
    pub index: RouteIndex,
    pub costs: RouteCosts,
    pub seconds: Seconds,
}

/// How long each part of the work took [s].
pub struct Seconds {
    pub order: f64,
    /// With the order at hand.
    pub index: f64,
    pub price: f64,
}

impl Prepared {
    pub fn new(grid: NavGrid, model: &HeightCost) -> Prepared {
        let (order, order_seconds) = timed(|| RouteIndex::order(&grid, AGENT).expect("one agent"));
        let grid = keep(grid, order);
        let (index, index_seconds) = timed(|| RouteIndex::new(&grid, AGENT).expect("one agent"));
        let terrain = terrain(&grid);
        let (costs, price) = timed(|| index.price(&terrain, model, RouteRules::default()));
        let seconds = Seconds { order: order_seconds, index: index_seconds, price };
        Prepared { grid, index, costs, seconds }
    }

    pub fn terrain(&self) -> View<'_> {
        terrain(&self.grid)
    }

    pub fn routes(&self) -> Routes<'_> {
        Routes { index: &self.index, costs: &self.costs }
    }
}

/// The ground of a grid's only agent.
pub fn terrain(grid: &NavGrid) -> View<'_> {
    View::new(grid, AGENT).expect("one agent")
}

/// The grid, with an order kept for its only agent.
fn keep(grid: NavGrid, order: RouteOrder) -> NavGrid {
    let mut parts = grid.into_parts();
    parts.layers[AGENT.index()].order = Some(order);
    NavGrid::new(parts).expect("it was one before")
}

/// The spans of the largest region.
pub fn largest_region(grid: &NavGrid) -> Vec<SpanId> {
    let spans = (0..grid.spans().len() as u32).map(SpanId);
    spans.filter(|&span| grid.region(AGENT, span) == Some(RegionId(0))).collect()
}
