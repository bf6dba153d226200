//! Provides [`RouteIndex`]: the ground of one agent, prepared for routes by any costs.

use crate::grid::{AgentId, NavGrid, RouteOrder};
use crate::solve::Terrain;

use super::dissect::dissect;
use super::part::Part;
use super::shape::Shape;

/// What prepared routes of one agent have in common, whatever ways cost.
#[derive(Clone, Debug)]
pub struct RouteIndex {
    pub(super) shape: Shape,
    agent: AgentId,
}

impl RouteIndex {
    /// Prepares a grid for one of its agents, by the order that the grid has for it if there is
    /// one; `None` for an agent it does not have. O(spans · log spans) without an order.
    pub fn new(grid: &NavGrid, agent: AgentId) -> Option<Self> {
        let terrain = Terrain::new(grid, agent)?;
        let shape = match &grid.layers()[agent.index()].order {
            Some(order) => Shape::new(&terrain, order),
            None => Shape::new(&terrain, &dissect(&Part::of(&terrain))),
        };
        Some(RouteIndex { shape, agent })
    }

    /// Finds the order to prepare a grid by, to be kept with it; `None` for an agent it does not
    /// have. O(spans · log spans).
    pub fn order(grid: &NavGrid, agent: AgentId) -> Option<RouteOrder> {
        Some(dissect(&Part::of(&Terrain::new(grid, agent)?)))
    }

    /// Whose routes they are.
    pub fn agent(&self) -> AgentId {
        self.agent
    }
}
