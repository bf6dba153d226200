//! Provides [`NavGrid`]: validated arrays that never change, and what is derived from them.
//!
//! The derived arrays that only some programs need are computed when they are first used, and all
//! clones of a grid share them.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::attributes::SpanAttributes;
use super::frame::GridFrame;
use super::ground_blocks::GroundBlocks;
use super::identity::Identity;
use super::link_edges::LinkEdges;
use super::order::RouteOrder;
use super::order_check::check_order;
use super::parts::{AgentLayer, GridError, GridParts, Provenance, fail};
use super::reach::Reach;
use super::span::{AgentId, RegionId, Span};
use super::uniform_cells::{RowsOf, UniformCells};
use super::validate::{validate, validate_lists};
use crate::agent::Agent;
use crate::level::{Area, Link};

/// A baked, validated, frozen level. Clones share one copy of the data, so cloning is cheap.
#[derive(Clone, Debug)]
pub struct NavGrid {
    data: Arc<GridData>,
}

/// What all clones of a grid share. All but the parts is derived from them.
#[derive(Debug)]
struct GridData {
    parts: GridParts,
    /// For each agent, which region reaches which.
    reach: Vec<Reach>,
    /// For each agent, the links that leave and enter spans.
    link_edges: Vec<LinkEdges>,
    attributes: OnceLock<SpanAttributes>,
    /// One for each agent.
    uniform_cells: Vec<OnceLock<UniformCells>>,
    ground_blocks: OnceLock<GroundBlocks>,
    identity: Identity,
}

impl PartialEq for NavGrid {
    fn eq(&self, other: &Self) -> bool {
        self.data.parts == other.data.parts
    }
}

impl NavGrid {
    /// Validates the arrays and freezes them into a grid. O(spans · agents).
    ///
    /// # Errors
    /// The first broken invariant: where it is and what is wrong.
    pub fn new(parts: GridParts) -> Result<Self, GridError> {
        validate(&parts)?;
        Ok(Self::from_validated(parts))
    }

    /// Freezes the arrays of a baker. Validates what comes from a scene and from settings: areas,
    /// links, agents and names. Spans and agent layers are sound by construction and are validated
    /// only in builds with debug assertions.
    ///
    /// # Errors
    /// As [`NavGrid::new`].
    pub fn from_baker(parts: GridParts) -> Result<Self, GridError> {
        if cfg!(debug_assertions) {
            return Self::new(parts);
        }
        validate_lists(&parts)?;
        Ok(Self::from_validated(parts))
    }

    /// Does the same for a grid that differs only in some rows from an older one of the same frame and
    /// agents, except for regions, clearance and the numbers of nodes: what was derived from the older one
    /// is derived at the cost of those rows.
    ///
    /// # Errors
    /// As [`NavGrid::new`]; or the frame, the agents or the rows are not those of the older grid.
    pub fn from_baker_after(
        parts: GridParts,
        older: &NavGrid,
        rows: Range<usize>,
    ) -> Result<Self, GridError> {
        let agents = |parts: &GridParts| -> Vec<Agent> {
            parts.layers.iter().map(|layer| layer.agent.clone()).collect()
        };
        let is_alike =
            parts.frame == older.data.parts.frame && agents(&parts) == agents(older.parts());
        if !is_alike || rows.start > rows.end || rows.end > parts.frame.size_z as usize {
            return fail("rows", format!("{rows:?} of a grid of another frame or other agents"));
        }
        let grid = Self::from_baker(parts)?;
        for (agent, cells) in (0..).map(AgentId).zip(&grid.data.uniform_cells) {
            if let Some(known) = older.data.uniform_cells[agent.index()].get() {
                let changed = RowsOf { parts: grid.parts(), agent, rows: rows.clone() };
                cells.set(known.after(&older.data.parts.first, changed)).ok();
            }
        }
        if let Some(known) = older.data.ground_blocks.get() {
            grid.data.ground_blocks.set(known.after(grid.parts(), rows)).ok();
        }
        Ok(grid)
    }

    fn from_validated(parts: GridParts) -> Self {
        let agents = || (0..parts.layers.len() as u16).map(AgentId);
        let reach = agents().map(|agent| Reach::new(&parts, agent)).collect();
        let link_edges = agents().map(|agent| LinkEdges::new(&parts.links, agent)).collect();
        let uniform_cells = parts.layers.iter().map(|_| OnceLock::new()).collect();
        let data = GridData {
            parts,
            reach,
            link_edges,
            attributes: OnceLock::new(),
            uniform_cells,
            ground_blocks: OnceLock::new(),
            identity: Identity::new(),
        };
        NavGrid { data: Arc::new(data) }
    }

    /// Takes the grid apart so that its arrays can be changed; [`NavGrid::new`] makes a grid of
    /// them again. Copies the arrays if another clone of the grid exists.
    pub fn into_parts(self) -> GridParts {
        match Arc::try_unwrap(self.data) {
            Ok(data) => data.parts,
            Err(shared) => shared.parts.clone(),
        }
    }

    /// Takes the grid apart without copying anything.
    ///
    /// # Errors
    /// Returns the grid if another clone of it exists.
    pub fn try_into_parts(self) -> Result<GridParts, Self> {
        Arc::try_unwrap(self.data).map(|data| data.parts).map_err(|data| NavGrid { data })
    }

    /// The arrays of the grid.
    pub fn parts(&self) -> &GridParts {
        &self.data.parts
    }

    /// Where the grid lies.
    pub fn frame(&self) -> &GridFrame {
        &self.data.parts.frame
    }

    /// All spans, column by column, low to high.
    pub fn spans(&self) -> &[Span] {
        &self.data.parts.spans
    }

    /// What each agent may do; indexed by [`AgentId`].
    pub fn layers(&self) -> &[AgentLayer] {
        &self.data.parts.layers
    }

    /// Off-mesh connections.
    pub fn links(&self) -> &[Link] {
        &self.data.parts.links
    }

    /// Kinds of ground; indexed by [`AreaId`](super::AreaId).
    pub fn areas(&self) -> &[Area] {
        &self.data.parts.areas
    }

    /// Names of the scene's nodes; indexed by [`NodeId`](super::NodeId).
    pub fn nodes(&self) -> &[String] {
        &self.data.parts.nodes
    }

    /// Where the grid came from.
    pub fn provenance(&self) -> &Provenance {
        &self.data.parts.provenance
    }

    /// Whether an agent in region `from` can get to region `to`: they are the same region, or
    /// one-way links lead from one to the other. O(log regions at one-way links).
    pub fn region_reaches(&self, agent: AgentId, from: RegionId, to: RegionId) -> bool {
        self.data.reach.get(agent.index()).is_some_and(|reach| reach.reaches(from, to))
    }

    /// The nested dissection that an agent's prepared routes are built on; `None` if the grid has
    /// none for the agent.
    pub fn order(&self, agent: AgentId) -> Option<&RouteOrder> {
        self.layers().get(agent.index())?.order.as_ref()
    }

    /// Stores an order with the grid, and so in its file; it replaces the agent's last one.
    /// O(spans).
    ///
    /// # Errors
    /// An order that does not fit this agent's connections, or an agent the grid does not have.
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
        Ok(NavGrid::from_validated(parts))
    }

    /// A number that only clones of this grid share, as long as the program runs.
    pub(crate) fn number(&self) -> u64 {
        self.data.identity.number()
    }

    /// A hash of everything that matters to agents: grids that behave alike share it. O(spans)
    /// the first time.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.data.identity.fingerprint(&self.data.parts)
    }

    /// The links of an agent that the grid has.
    pub(crate) fn link_edges(&self, agent: AgentId) -> &LinkEdges {
        &self.data.link_edges[agent.index()]
    }

    /// The attributes of all spans. O(spans) the first time.
    pub(crate) fn attributes(&self) -> &SpanAttributes {
        self.data.attributes.get_or_init(|| SpanAttributes::new(&self.data.parts))
    }

    /// Hashes of the ground, block by block. O(cells + spans · agents) the first time.
    pub(super) fn ground_blocks(&self) -> &GroundBlocks {
        self.data.ground_blocks.get_or_init(|| GroundBlocks::new(&self.data.parts))
    }

    /// Derives now what the first query would derive, and what walkers go on to it by.
    /// O(cells + spans · agents).
    pub(crate) fn derive_all(&self) {
        self.attributes();
        self.ground_blocks();
        for agent in (0..self.layers().len() as u16).map(AgentId) {
            self.uniform_cells(agent);
        }
    }

    /// The attributes of all spans if they have been computed.
    pub(super) fn known_attributes(&self) -> Option<&SpanAttributes> {
        self.data.attributes.get()
    }

    /// The uniform cells of an agent that the grid has. O(spans) the first time.
    pub(crate) fn uniform_cells(&self, agent: AgentId) -> &UniformCells {
        let cells = &self.data.uniform_cells[agent.index()];
        cells.get_or_init(|| UniformCells::new(&self.data.parts, agent))
    }
}
