//! Provides [`LinkGround`]: the ground of one agent, as the stage of links reads it.

use nalgebra::{Point3, Vector3};

use surefoot::agent::Agent;
use surefoot::grid::baker::Connections;
use surefoot::grid::{AgentLayer, Cell, Dir, GridFrame, GridParts, Span, SpanId, Verdict};

/// The ground of one agent: verdicts and connections are final.
#[derive(Clone, Copy)]
pub(super) struct LinkGround<'a> {
    pub agent: &'a Agent,
    pub frame: &'a GridFrame,
    pub first: &'a [u32],
    pub spans: &'a [Span],
    pub layer: &'a AgentLayer,
    pub connections: Connections<'a>,
    /// For each region the piece of ground that it is part of, if regions are not final.
    pub pieces: Option<&'a [u32]>,
}

/// The piece of all ground that may be joined through what changed.
pub(super) const NEAR_WINDOWS: u32 = 0;

/// A span, and the row-major position of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SpanAddress {
    pub column: usize,
    pub span: u32,
}

impl<'a> LinkGround<'a> {
    pub fn new(parts: &'a GridParts, agent: usize) -> Self {
        let GridParts { frame, first, spans, layers, .. } = parts;
        let layer = &layers[agent];
        let connections = Connections::new(frame, first, layer);
        LinkGround { agent: &layer.agent, frame, first, spans, layer, connections, pieces: None }
    }

    /// Returns the spans of a column.
    pub fn column(&self, column: usize) -> impl Iterator<Item = SpanAddress> + use<> {
        (self.first[column]..self.first[column + 1]).map(move |span| SpanAddress { column, span })
    }

    /// Returns the column so many cells on in a direction; `None` outside the frame.
    pub fn column_beyond(&self, column: usize, dir: Dir, cells: i32) -> Option<usize> {
        let Cell { x, z } = self.frame.cell(column);
        let along = dir.offset();
        self.frame.index(Cell::new(x + cells * along.x, z + cells * along.z))
    }

    pub fn is_walkable(&self, floor: SpanAddress) -> bool {
        self.layer.standings[floor.span as usize].is_walkable()
    }

    pub fn verdict(&self, floor: SpanAddress) -> Verdict {
        self.layer.standings[floor.span as usize].verdict()
    }

    /// Returns the floor that a connection leads to.
    pub fn neighbor(&self, floor: SpanAddress, dir: Dir) -> Option<SpanAddress> {
        let span = self.connections.known_target(floor.column, floor.span, dir)?;
        Some(SpanAddress { column: self.connections.neighbor_of(floor.column, dir), span })
    }

    pub fn has_neighbor(&self, floor: SpanAddress, dir: Dir) -> bool {
        self.layer.standings[floor.span as usize].has_connection(dir)
    }

    /// Returns the height of a floor [m].
    pub fn height(&self, floor: SpanAddress) -> f32 {
        self.spans[floor.span as usize].floor
    }

    /// Returns the point on a floor at the center of its cell.
    pub fn point(&self, floor: SpanAddress) -> Point3<f32> {
        self.frame.point(self.frame.cell(floor.column), self.height(floor))
    }

    /// Returns the piece of ground that a walkable floor is part of: floors of different pieces are not
    /// joined by walking.
    pub fn piece(&self, floor: SpanAddress) -> Option<u32> {
        let region = self.layer.standings[floor.span as usize].region()?.0;
        let piece = |pieces: &[u32]| pieces.get(region as usize).copied().unwrap_or(NEAR_WINDOWS);
        Some(self.pieces.map_or(region, piece))
    }

    /// Returns the way to the next cell in a direction, seen from above [m].
    pub fn step(&self, dir: Dir) -> Vector3<f32> {
        let (offset, size) = (dir.offset(), self.frame.cell_size);
        Vector3::new(offset.x as f32 * size, 0.0, offset.z as f32 * size)
    }

    /// Returns the length of a step in a direction, seen from above [m].
    pub fn step_length(&self, dir: Dir) -> f32 {
        dir.length() * self.frame.cell_size
    }
}

impl SpanAddress {
    pub fn id(self) -> SpanId {
        SpanId(self.span)
    }
}
