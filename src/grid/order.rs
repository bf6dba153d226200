//! Provides [`RouteOrder`]: how one agent's ground comes apart into districts within districts.
//!
//! Prepared routes are built on it. It says nothing of costs, and the grid itself does nothing with
//! it but keep it, so that it has to be found only once.

use serde::{Deserialize, Serialize};

use super::order_check::check_order;
use super::validate::fail;
use std::sync::Arc;

use super::{AgentId, GridError, GridParts, NavGrid, SpanId};

/// The ground of one agent as districts within districts. Only spans of districts that one lies in
/// are neighbors of its spans, by steps and links, but for those within itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RouteOrder {
    /// Every span the agent can stand on, once, district by district.
    pub spans: Vec<SpanId>,
    /// The parts of a district come before it; none is without parts and spans of its own, and no
    /// more than 200 lie within each other.
    pub districts: Vec<RouteDistrict>,
}

/// Some districts, and spans between them and around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteDistrict {
    /// How many of the districts before are its parts: the last ones that are part of no other.
    pub parts: u32,
    /// How many spans are its own; they follow those of its parts. All together are as many as
    /// there are spans.
    pub own: u32,
}

impl RouteOrder {
    /// How much memory it takes [bytes].
    pub fn bytes(&self) -> usize {
        size_of_val(&self.spans[..]) + size_of_val(&self.districts[..])
    }
}

impl NavGrid {
    /// What prepared routes of an agent are built on; `None` where nothing has been kept, and for
    /// an agent the grid does not have.
    pub fn order(&self, agent: AgentId) -> Option<&RouteOrder> {
        self.layers().get(agent.index())?.order.as_ref()
    }

    /// Keeps an order with the grid, and in its file, in place of the one there may be. O(spans).
    ///
    /// # Errors
    /// An order that does not suit this agent's ground, or an agent the grid does not have.
    pub fn with_order(mut self, agent: AgentId, order: RouteOrder) -> Result<Self, GridError> {
        let agents = self.data.parts.layers.len();
        if agent.index() >= agents {
            return fail(format!("agent {}", agent.0), format!("the grid has {agents} agents"));
        }
        check_order(&self.data.parts, agent, &order)?;
        let set = |parts: &mut GridParts| parts.layers[agent.index()].order = Some(order);
        if let Some(data) = Arc::get_mut(&mut self.data) {
            set(&mut data.parts);
            return Ok(self);
        }
        let mut parts = self.into_parts();
        set(&mut parts);
        Ok(NavGrid::of_sound(parts))
    }
}
