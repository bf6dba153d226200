//! Questions about one span: what it is, who can stand there, how much room there is.

use nalgebra::Point3;

use super::span::CLEARANCE_STEPS;
use super::{AgentId, AgentKey, NavGrid, RegionId, Span, SpanId, Standing, UnknownAgent, Verdict};

impl NavGrid {
    /// The id of an agent, by its name. O(agents).
    ///
    /// # Errors
    /// The grid has no such agent; the error lists those it has.
    pub fn agent_id(&self, name: &str) -> Result<AgentId, UnknownAgent> {
        name.find_in(self)
    }

    /// A span by its id; `None` beyond the last one. O(1).
    pub fn span(&self, id: SpanId) -> Option<&Span> {
        self.data.parts.spans.get(id.index())
    }

    /// The point on the floor at the center of a span's cell. O(log columns).
    pub fn point(&self, id: SpanId) -> Option<Point3<f32>> {
        Some(self.data.parts.frame.point(self.cell_of(id)?, self.span(id)?.floor))
    }

    /// What an agent may do on a span. O(1).
    pub fn standing(&self, agent: AgentId, id: SpanId) -> Option<&Standing> {
        self.data.parts.layers.get(agent.index())?.standings.get(id.index())
    }

    /// Why an agent can or cannot stand on a span. O(1).
    pub fn verdict(&self, agent: AgentId, id: SpanId) -> Option<Verdict> {
        self.standing(agent, id).map(Standing::verdict)
    }

    /// Whether an agent can stand on a span; false for ids that do not exist. O(1).
    pub fn is_walkable(&self, agent: AgentId, id: SpanId) -> bool {
        self.standing(agent, id).is_some_and(Standing::is_walkable)
    }

    /// Distance along the floor from a span's center to the nearest place the agent may not stand,
    /// rounded down to an eighth of a cell, at most 255 eighths [m]; 0 where it cannot stand
    /// itself. O(1).
    pub fn clearance(&self, agent: AgentId, id: SpanId) -> Option<f32> {
        let code = f32::from(self.standing(agent, id)?.clearance_code());
        Some(code / CLEARANCE_STEPS * self.data.parts.frame.cell_size)
    }

    /// The region a span belongs to; `None` where the agent cannot stand. O(1).
    pub fn region(&self, agent: AgentId, id: SpanId) -> Option<RegionId> {
        self.standing(agent, id)?.region()
    }
}
