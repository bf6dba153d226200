//! Provides [`ViewRef`]: the parts of a [`View`] that searches read, borrowed and looked up once.
//!
//! Searches see a grid only through here: which spans the agent may stand on, where their connections
//! and links lead, what their ground costs.

use crate::agent::Agent;
use crate::grid::{
    AgentId, AreaId, Cell, CellOffset, Connections, Factors, GridFrame, LinkEdge, LinkEdges,
    NavGrid, Rooms, RowDivider, Span, SpanAddress, SpanAttributes, SpanId, Standing,
};

use super::agent_view::View;
use super::cell_room::CellRoom;
use super::flow::Flow;
use super::overlay::Change;
use super::uniform_ground::UniformGround;

/// The parts of a [`View`] that hot loops read, looked up once.
#[derive(Clone)]
pub(crate) struct ViewRef<'a> {
    pub view: &'a View,
    grid: &'a NavGrid,
    connections: Connections<'a>,
    link_edges: &'a LinkEdges,
    row_divider: RowDivider,
    attributes: &'a SpanAttributes,
    rooms: &'a Rooms,
    /// Cost factor of each area.
    factors: &'a Factors,
    /// The factor of every area, if that is one and the same.
    uniform_factor: Option<f32>,
}

/// Identifies the grid, the agent and the changes that a search began on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(super) grid: u64,
    pub(super) agent: AgentId,
    pub(super) state: u64,
}

impl<'a> ViewRef<'a> {
    pub(super) fn new(view: &'a View) -> Self {
        let (grid, agent) = (view.grid(), view.agent_id());
        let mut parts = ViewRef {
            view,
            grid,
            connections: view.connections(),
            link_edges: grid.link_edges(agent),
            row_divider: grid.frame().row_divider(),
            attributes: grid.attributes(),
            rooms: &grid.layers()[agent.index()].rooms,
            factors: view.factors(),
            uniform_factor: None,
        };
        let range = view.range;
        let is_uniform =
            range.lowest == range.highest && range.highest > 0.0 && parts.forbids_no_area();
        parts.uniform_factor = is_uniform.then_some(range.lowest);
        parts
    }

    /// Whether no area that some span has is forbidden by a query's filter.
    fn forbids_no_area(&self) -> bool {
        self.open_factors().all(f32::is_finite)
    }

    /// Whether the query's filter lets a path cross a span.
    pub(crate) fn is_allowed(&self, span: SpanId) -> bool {
        self.uniform_factor.is_some() || self.factor_on(span.0).is_finite()
    }

    /// The grid below.
    pub(crate) fn grid(&self) -> &'a NavGrid {
        self.grid
    }

    /// Whose view it is.
    pub(crate) fn agent_id(&self) -> AgentId {
        self.view.agent_id()
    }

    /// The body that walks here.
    pub(crate) fn agent(&self) -> &'a Agent {
        self.view.agent()
    }

    /// Side of a cell [m].
    pub(crate) fn cell_size(&self) -> f32 {
        self.grid.frame().cell_size
    }

    /// The factors of the areas that some span has and nobody is forbidden.
    pub(crate) fn open_factors(&self) -> impl Iterator<Item = f32> {
        let areas = self.grid.areas();
        let open = self
            .attributes
            .areas_in_use
            .iter()
            .filter(|kind| !areas[usize::from(kind.0)].forbidden);
        open.map(|&kind| self.factor(kind))
    }

    /// Whether the agent can stand on a span now; false for ids that do not exist.
    pub(crate) fn is_walkable(&self, span: SpanId) -> bool {
        self.standing(span).is_some_and(Standing::is_walkable)
    }

    /// What the agent may do on a span now. If an obstacle blocks it, the verdict names no
    /// node.
    pub(crate) fn standing(&self, span: SpanId) -> Option<&'a Standing> {
        self.connections.standings().get(span.index())
    }

    /// Whether the bake found spans whose room is less than their cell.
    pub(crate) fn has_limited_rooms(&self) -> bool {
        !self.rooms.is_empty()
    }

    /// Where over the cell of a span the body may be; `None` if it may be anywhere over it.
    #[inline]
    pub(crate) fn cell_room(&self, span: SpanId) -> Option<CellRoom<'a>> {
        let room = self.rooms.of(span)?;
        self.standing(span).map(|standing| CellRoom { room, standing })
    }

    /// The height of a body's feet at a place on the floor of a span [m]; `None` if the place is not over
    /// the span's cell.
    ///
    /// That is the ground. But where the body has no room off the line to a neighbor, it is not lower than
    /// the straight way that the bake has moved the body along: over a step, the body rises before the edge.
    pub(crate) fn feet_height(&self, [x, z]: [f32; 2], span: SpanId) -> Option<f32> {
        let ground = self.grid.ground_height(x, z, span)?;
        let Some(room) = self.cell_room(span) else { return Some(ground) };
        let column = self.column(span.0);
        let offset = self.offset_in_cell(column, [x, z]);
        let Some(dir) = room.connection_at(offset) else { return Some(ground) };
        let Some(next) = self.connections().known_target(column, span.0, dir) else {
            return Some(ground);
        };
        let part = offset.map(f32::abs).into_iter().fold(0.0, f32::max);
        let [here, there] = [span.0, next].map(|span| self.floor(span));
        Some(ground.max(here + (there - here) * part))
    }

    /// The offset of a place from the center of a column's cell [cells].
    #[inline]
    pub(crate) fn offset_in_cell(&self, column: usize, place: [f32; 2]) -> [f32; 2] {
        self.offsets_in_cell(column, [place])[0]
    }

    /// As [`Self::offset_in_cell`] for several places.
    #[inline]
    pub(crate) fn offsets_in_cell<const N: usize>(
        &self,
        column: usize,
        mut places: [[f32; 2]; N],
    ) -> [[f32; 2]; N] {
        let frame = self.frame();
        let CellOffset { x, z } = self.row_divider.cell_offset(column);
        let center = frame.center(Cell::new(frame.min.x + x, frame.min.z + z));
        for place in &mut places {
            *place = [
                (place[0] - center[0]) / frame.cell_size,
                (place[1] - center[1]) / frame.cell_size,
            ];
        }
        places
    }

    /// The place over a column's cell at an offset from its center [cells], rounded so that it lies over
    /// that cell and no other.
    pub(crate) fn place_in_cell(&self, column: usize, offset: [f32; 2]) -> [f32; 2] {
        let frame = self.frame();
        let cell = frame.cell(column);
        let center = frame.center(cell);
        let place = [0, 1].map(|axis| center[axis] + offset[axis] * frame.cell_size);
        frame.rounded_into(cell, place)
    }

    pub(crate) fn frame(&self) -> &'a GridFrame {
        self.grid.frame()
    }

    #[inline]
    pub(crate) fn spans(&self) -> &'a [Span] {
        self.grid.spans()
    }

    #[inline]
    pub(crate) fn connections(&self) -> &Connections<'a> {
        &self.connections
    }

    /// Row-major position of a span's column.
    #[inline]
    pub(crate) fn column(&self, span: u32) -> usize {
        self.attributes.columns[span as usize] as usize
    }

    /// A span, and where it is.
    #[inline]
    pub(crate) fn address(&self, span: u32) -> SpanAddress {
        SpanAddress { span, column: self.attributes.columns[span as usize] }
    }

    /// Height of a span's floor [m].
    #[inline]
    pub(crate) fn floor(&self, span: u32) -> f32 {
        self.attributes.floors[span as usize]
    }

    /// Cost factor of a span's area.
    #[inline]
    pub(crate) fn factor_on(&self, span: u32) -> f32 {
        match self.uniform_factor {
            Some(factor) => factor,
            None => self.factors[usize::from(self.attributes.areas[span as usize].0)],
        }
    }

    /// Cost factor of every area, if that is one and the same.
    #[inline]
    pub(crate) fn uniform_factor(&self) -> Option<f32> {
        self.uniform_factor
    }

    /// The lowest and the highest factor that some span has.
    pub(crate) fn highest_factor(&self) -> f32 {
        self.view.range.highest
    }

    pub(crate) fn least_factor(&self) -> f32 {
        self.view.range.lowest
    }

    pub(crate) fn factor(&self, area: AreaId) -> f32 {
        self.factors[usize::from(area.0)]
    }

    #[inline]
    pub(crate) fn rows(&self) -> RowDivider {
        self.row_divider
    }

    /// The offset of a span's column from the frame's corner.
    #[inline]
    pub(crate) fn cell_offset(&self, span: u32) -> CellOffset {
        self.row_divider.cell_offset(self.column(span))
    }

    /// The open links that start at a span.
    #[inline]
    pub(crate) fn leaving(&self, span: u32) -> impl Iterator<Item = &'a LinkEdge> {
        self.links_at(span, Flow::FromSources)
    }

    /// The open links that end at a span; their `other` is where they start.
    #[inline]
    pub(crate) fn entering(&self, span: u32) -> impl Iterator<Item = &'a LinkEdge> {
        self.links_at(span, Flow::ToSources)
    }

    /// The open links from a span, or to it.
    #[inline]
    pub(crate) fn links_at(&self, span: u32, flow: Flow) -> impl Iterator<Item = &'a LinkEdge> {
        let link_edges = match flow {
            Flow::FromSources => self.link_edges.leaving(SpanId(span)),
            Flow::ToSources => self.link_edges.entering(SpanId(span)),
        };
        link_edges.iter().filter(|link_edge| self.is_passable(link_edge))
    }

    /// All open links.
    pub(crate) fn open_links(&self) -> impl Iterator<Item = &'a LinkEdge> {
        self.link_edges.all().iter().filter(|link_edge| self.is_passable(link_edge))
    }

    /// Whether a link is open and both its ends are free, on ground that the query allows.
    fn is_passable(&self, link: &LinkEdge) -> bool {
        let ends = [link.at, link.other];
        if !self.allows_link(link.link) {
            return false;
        }
        let is_free = self.view.overlay().is_none_or(|overlay| {
            overlay.is_link_open(link.link as usize)
                && ends.iter().all(|&end| self.is_walkable(end))
        });
        is_free && ends.iter().all(|&end| self.is_allowed(end))
    }

    /// Whether the query's filter allows the kind of a link.
    pub(crate) fn allows_link(&self, link: u32) -> bool {
        let links = self.view.links;
        links.is_all() || links.allows(self.grid.links()[link as usize].kind)
    }

    pub(crate) fn stamp(&self) -> Stamp {
        self.view.stamp()
    }

    pub(crate) fn state(&self) -> u64 {
        self.view.state()
    }

    /// The changes after a state; `None` if they are not known.
    pub(crate) fn changes_since(&self, state: u64) -> Option<Vec<Change>> {
        match self.view.overlay() {
            Some(overlay) => overlay.changes_since(state).map(Iterator::collect),
            None => (state == 0).then(Vec::new),
        }
    }

    /// The middles of uniform ground; `None` if there are none.
    pub(crate) fn uniform_ground(&self) -> Option<UniformGround<'a>> {
        let agent = self.view.agent_id();
        let changed = self.view.overlay().and_then(|overlay| overlay.standings(agent));
        let uniform_cells = self.grid.uniform_cells(agent);
        (!uniform_cells.is_empty()).then_some(UniformGround { uniform_cells, changed })
    }
}
