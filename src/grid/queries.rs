//! Questions about one column or one span: its floor, its neighbors, what an agent may do there.

use std::ops::Range;

use nalgebra::Point3;

use super::connections::Connections;
use super::frame::{Cell, CellLayer, Dir};
use super::nav_grid::NavGrid;
use super::span::{AgentId, NodeId, RegionId, Span};
use super::standing::{CLEARANCE_UNITS, Standing, Verdict};
use crate::level::SpanId;

impl NavGrid {
    /// A span by its id; `None` beyond the last one. O(1).
    pub fn span(&self, id: SpanId) -> Option<&Span> {
        self.spans().get(id.index())
    }

    /// The point on the floor at the center of a span's cell; `None` beyond the last span.
    /// O(log columns).
    pub fn point(&self, id: SpanId) -> Option<Point3<f32>> {
        Some(self.frame().point(self.cell_of(id)?, self.span(id)?.floor))
    }

    /// What an agent may do on a span; `None` if agent or span do not exist. O(1).
    pub fn standing(&self, agent: AgentId, id: SpanId) -> Option<&Standing> {
        self.layers().get(agent.index())?.standings.get(id.index())
    }

    /// Why a span is or is not walkable for an agent; `None` if agent or span do not exist. O(1).
    pub fn verdict(&self, agent: AgentId, id: SpanId) -> Option<Verdict> {
        self.standing(agent, id).map(Standing::verdict)
    }

    /// Whether a span is walkable for an agent; false if agent or span do not exist. O(1).
    pub fn is_walkable(&self, agent: AgentId, id: SpanId) -> bool {
        self.standing(agent, id).is_some_and(Standing::is_walkable)
    }

    /// Distance along the floor from a span's center to the nearest cell that the agent cannot stand
    /// on [m], rounded down to an eighth of a cell, at most 255 eighths; 0 if the span itself is not
    /// walkable; `None` if agent or span do not exist. O(1).
    pub fn clearance(&self, agent: AgentId, id: SpanId) -> Option<f32> {
        let code = f32::from(self.standing(agent, id)?.clearance_code());
        Some(code / CLEARANCE_UNITS * self.frame().cell_size)
    }

    /// The node that lies over a span: of its ceiling if that is too low for some agent, of the solid around
    /// it if it lies inside one. Of several solids in each other it is the highest. Files that do not name
    /// low ceilings have the node of the next floor above instead, and none for one-sided ceilings. O(spans
    /// of the column).
    pub fn node_above(&self, id: SpanId) -> Option<NodeId> {
        let column = self.column_range(self.column_of(id)?);
        let mut layers = self.layers().iter();
        let ceiling = layers.find_map(|layer| layer.standings[id.index()].ceiling_node());
        if ceiling.is_some() {
            return ceiling;
        }
        let inside = |span: &u32| {
            let mut verdicts = self.layers().iter().map(|layer| &layer.standings[*span as usize]);
            verdicts.any(|standing| standing.verdict() == Verdict::InsideSolid)
        };
        let above = (id.0 + 1..column.end).find(|span| !inside(span))?;
        let node = self.spans()[above as usize].node();
        (node != NodeId::NONE).then_some(node)
    }

    /// The region of a span; `None` if it is not walkable or does not exist. O(1).
    pub fn region(&self, agent: AgentId, id: SpanId) -> Option<RegionId> {
        self.standing(agent, id)?.region()
    }

    /// The neighboring span that an agent can step to from a span in a direction; `None` if there
    /// is no connection. O(log columns), and O(1) once a search has been made.
    pub fn neighbor(&self, agent: AgentId, span: SpanId, dir: Dir) -> Option<SpanId> {
        let layer = self.layers().get(agent.index())?;
        let connections = Connections::new(self.frame(), &self.parts().first, layer);
        connections.known_target(self.column_of(span)?, span.0, dir).map(SpanId)
    }

    /// The spans over a cell, low to high; empty outside the frame. O(1).
    pub fn column(&self, cell: Cell) -> &[Span] {
        let range = self.column_spans(cell);
        &self.spans()[range.start as usize..range.end as usize]
    }

    /// The ids of the spans over a cell, low to high; empty outside the frame. O(1).
    pub fn column_spans(&self, cell: Cell) -> Range<u32> {
        self.frame().index(cell).map_or(0..0, |index| self.column_range(index))
    }

    /// The ids of the spans in the column at a row-major position [0..cells).
    pub(crate) fn column_range(&self, index: usize) -> Range<u32> {
        self.parts().first[index]..self.parts().first[index + 1]
    }

    /// The cell under a span; `None` for an id beyond the last span. O(log columns), and O(1) once
    /// a search has been made.
    pub fn cell_of(&self, span: SpanId) -> Option<Cell> {
        self.column_of(span).map(|index| self.frame().cell(index))
    }

    /// The layer of a span, its index in its column; `None` for an id beyond the last span. O(log columns), and
    /// O(1) once a search has been made.
    pub fn layer_of(&self, span: SpanId) -> Option<u32> {
        self.column_of(span).map(|index| span.0 - self.parts().first[index])
    }

    /// The address of a span; `None` for an id beyond the last span. O(log columns), and O(1) once a search has
    /// been made.
    pub fn cell_layer(&self, span: SpanId) -> Option<CellLayer> {
        let column = self.column_of(span)?;
        let layer = span.0 - self.parts().first[column];
        Some(CellLayer { cell: self.frame().cell(column), layer })
    }

    /// The span of an address; `None` if the grid has none there. O(1).
    pub fn span_of(&self, address: CellLayer) -> Option<SpanId> {
        let spans = self.column_spans(address.cell);
        (address.layer < spans.end - spans.start).then(|| SpanId(spans.start + address.layer))
    }

    /// The row-major position of a span's column; `None` for an id beyond the last span.
    fn column_of(&self, span: SpanId) -> Option<usize> {
        if let Some(attributes) = self.known_attributes() {
            return attributes.columns.get(span.index()).map(|&column| column as usize);
        }
        let known = span.index() < self.spans().len();
        known.then(|| self.parts().first.partition_point(|&first| first <= span.0) - 1)
    }
}
