//! The layered height grid that agents walk on.
//!
//! A [`NavGrid`] is a rectangle of columns. A column holds the floors over one cell, low to high,
//! as [`Span`]s; for each agent a span has a [`Standing`]: whether the agent can stand there and
//! why not, how much room it has, and the steps to neighboring columns. All of it lies in flat
//! arrays that are frozen once built: what loads from a file has passed the same
//! validation as a fresh bake, and nothing here changes afterwards.

mod names;
mod attributes;
pub mod baker;
mod build;
mod clearance;
mod connections;
mod crop;
mod finish;
mod format;
mod frame;
mod height;
mod identity;
mod layer_check;
mod block_check;
mod link_edges;
mod lookup;
mod map;
mod order;
mod order_check;
mod reach;
mod regions;
mod span;
mod queries;
mod strips;
mod summary;
mod uniform_cells;
mod validate;

use std::sync::{Arc, OnceLock};

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

use crate::agent::Agent;
use identity::Identity;
use reach::Reach;

#[cfg(test)]
pub(crate) use build::bare_parts;
pub(crate) use {
    attributes::{Factors, SpanAttributes, factors},
    connections::{Connections, SpanAddress},
    frame::{Rows, SUBCELLS},
    link_edges::{LinkEdge, LinkEdges},
    lookup::{Within, plane},
    order_check::MOST_LEVELS,
    uniform_cells::UniformCells,
};

pub use names::{AgentKey, UnknownAgent};
pub use format::{FormatError, LoadOptions, replace_file};
pub use frame::{Cell, Dir, GridFrame};
pub use map::MapError;
pub use order::{RouteDistrict, RouteOrder};
pub use span::{AgentId, AreaId, NodeId, RegionId, Span, SpanId, Standing, Verdict};
pub use summary::{AgentSummary, GridSummary, VerdictCounts};

/// A baked, validated, frozen level. Clones share one copy of the data, so cloning is cheap.
#[derive(Clone, Debug)]
pub struct NavGrid {
    data: Arc<GridData>,
}

/// What all clones of a grid share.
#[derive(Debug)]
struct GridData {
    parts: GridParts,
    /// For each agent, which region reaches which; follows from the parts, as all below.
    reach: Vec<Reach>,
    /// For each agent, the links that leave and enter spans.
    link_edges: Vec<LinkEdges>,
    /// What searches look at of each span.
    attributes: OnceLock<SpanAttributes>,
    /// For each agent, the spans in the middle of level ground.
    uniform_cells: Vec<OnceLock<UniformCells>>,
    identity: Identity,
}

impl PartialEq for NavGrid {
    fn eq(&self, other: &Self) -> bool {
        self.data.parts == other.data.parts
    }
}

/// The arrays a grid is made of, before validation.
#[derive(Clone, Debug, PartialEq)]
pub struct GridParts {
    /// Where the grid lies.
    pub frame: GridFrame,
    /// For each cell, in row-major order, the index of its first span; one more entry closes the
    /// list. Length: cells + 1.
    pub first: Vec<u32>,
    /// All spans, column by column, low to high.
    pub spans: Vec<Span>,
    /// What each agent may do.
    pub layers: Vec<AgentLayer>,
    /// Off-mesh connections.
    pub links: Vec<Link>,
    /// Kinds of ground; the first is plain walkable ground.
    pub areas: Vec<Area>,
    /// Names of the scene's nodes that floors and obstacles belong to.
    pub nodes: Vec<String>,
    /// Where the grid came from.
    pub provenance: Provenance,
}

/// What one agent may do on every span of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentLayer {
    /// The body it is for.
    pub agent: Agent,
    /// One for each span.
    pub standings: Vec<Standing>,
    /// Targets of the steps whose layers differ too much for a nibble, sorted by span and
    /// direction.
    pub far_connections: Vec<FarConnection>,
    /// Sizes of the regions, largest first; indexed by [`RegionId`].
    pub regions: Vec<Region>,
    /// What prepared routes are built on, where it has been found.
    pub order: Option<RouteOrder>,
}

/// A step between spans whose layers differ by more than a [`Standing`] can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FarConnection {
    /// Where it starts.
    pub from: SpanId,
    /// In which direction.
    pub dir: Dir,
    /// Where it ends.
    pub to: SpanId,
}

/// A maximal set of spans that reach each other for one agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Number of spans in it.
    pub spans: u32,
}

/// An area.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// What it is called.
    pub name: String,
    /// Metres-equivalent of one metre on it [> 0, finite].
    pub cost: f32,
    /// Nobody may stand on it.
    pub forbidden: bool,
}

impl Area {
    /// Plain walkable ground: the area every grid starts with.
    pub fn walkable() -> Self {
        Area { name: "walkable".to_owned(), cost: 1.0, forbidden: false }
    }
}

/// An off-mesh connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Name of the node that marked it, or of what found it.
    pub name: String,
    /// What kind of movement it takes.
    pub kind: LinkKind,
    /// Whether it can be taken back.
    pub two_way: bool,
    /// Metres-equivalent of taking it [>= 0].
    pub cost: f32,
    /// Where it starts [m].
    pub from: Point3<f32>,
    /// Where it ends [m].
    pub to: Point3<f32>,
    /// For each agent the spans it joins, start and end; `None` where the agent cannot take it.
    pub ends: Vec<Option<[SpanId; 2]>>,
}

impl Link {
    /// Whether it leads both ways and so joins regions into one; drops never do.
    pub fn returns(&self) -> bool {
        self.two_way && self.kind != LinkKind::Drop
    }
}

/// What kind of movement a link takes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum LinkKind {
    /// Anything else an author marked.
    #[default]
    Authored,
    /// Over a gap.
    Jump,
    /// Down only.
    Drop,
    /// Up or down a ladder.
    Ladder,
    /// Through a door.
    Door,
}

/// Where a grid came from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Name of the scene's file, without its folder.
    pub scene: String,
    /// Hash of the scene's content.
    pub scene_hash: String,
    /// The settings of the bake.
    pub settings: serde_json::Value,
}

/// Arrays that do not make a grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
#[non_exhaustive]
pub struct GridError {
    /// Which array, and where in it.
    pub place: String,
    /// What is wrong there.
    pub problem: String,
}

impl NavGrid {
    /// Validates the arrays and freezes them into a grid.
    ///
    /// # Errors
    /// The first broken invariant: where it is and what is wrong.
    pub fn new(parts: GridParts) -> Result<Self, GridError> {
        validate::validate(&parts)?;
        Ok(Self::of_sound(parts))
    }

    /// Freezes arrays that a baker has made. What a scene and settings name is validated; spans and
    /// layers are right by the way they are made, and validated where debug assertions are on.
    ///
    /// # Errors
    /// As [`NavGrid::new`].
    pub fn of_baked(parts: GridParts) -> Result<Self, GridError> {
        if cfg!(debug_assertions) {
            return Self::new(parts);
        }
        validate::validate_lists(&parts)?;
        Ok(Self::of_sound(parts))
    }

    fn of_sound(parts: GridParts) -> Self {
        let agents = || (0..parts.layers.len() as u16).map(AgentId);
        let reach = agents().map(|agent| Reach::new(&parts, agent)).collect();
        let link_edges = agents().map(|agent| LinkEdges::new(&parts.links, agent)).collect();
        let uniform_cells = parts.layers.iter().map(|_| OnceLock::new()).collect();
        let (attributes, identity) = (OnceLock::new(), Identity::new());
        let data = GridData { parts, reach, link_edges, attributes, uniform_cells, identity };
        NavGrid { data: Arc::new(data) }
    }

    /// Takes the grid apart, for a builder that changes it; [`NavGrid::new`] puts it together.
    /// Copies the arrays if another clone of the grid exists.
    pub fn into_parts(self) -> GridParts {
        match Arc::try_unwrap(self.data) {
            Ok(data) => data.parts,
            Err(shared) => shared.parts.clone(),
        }
    }

    /// The arrays the grid is made of.
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

    /// Kinds of ground; indexed by [`AreaId`].
    pub fn areas(&self) -> &[Area] {
        &self.data.parts.areas
    }

    /// Names of the scene's nodes; indexed by [`NodeId`].
    pub fn nodes(&self) -> &[String] {
        &self.data.parts.nodes
    }

    /// Where the grid came from.
    pub fn provenance(&self) -> &Provenance {
        &self.data.parts.provenance
    }
}
