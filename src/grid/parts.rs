//! The arrays that a grid is made of: what a baker fills, a file stores and validation checks.

use serde::{Deserialize, Serialize};

use super::frame::{Dir, GridFrame};
use super::order::RouteOrder;
use super::scene_record::SceneRecord;
use super::span::Span;
use super::span_table::{Measures, Rooms};
use super::standing::Standing;
use crate::agent::Agent;
use crate::level::{Area, Link, SpanId};

/// The arrays of a grid, before validation.
#[derive(Clone, Debug, PartialEq)]
pub struct GridParts {
    /// Where the grid lies.
    pub frame: GridFrame,
    /// For each cell, in row-major order, the index of its first span; one more entry closes the
    /// list. Length: cells + 1.
    pub first: Vec<u32>,
    /// All spans, column by column, low to high.
    pub spans: Vec<Span>,
    /// What each agent may do; indexed by [`AgentId`](super::AgentId).
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

/// What one agent may do on every span of a grid. Not to be mixed up with the layer of a span, its
/// index in its column.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentLayer {
    /// The agent.
    pub agent: Agent,
    /// One for each span.
    pub standings: Vec<Standing>,
    /// Connections between spans whose layers differ too much for a [`Standing`], sorted by span
    /// and direction. Nearly always empty.
    pub far_connections: Vec<FarConnection>,
    /// The regions, largest first; indexed by [`RegionId`](super::RegionId).
    pub regions: Vec<Region>,
    /// Where around the centers of cells the body may stand. Empty if it may stand anywhere in the cell
    /// of a walkable span: on grids without geometry, and from files that do not know it.
    pub rooms: Rooms,
    /// What is beside spans where the agent cannot stand, and where the ground ends: for answers to why not.
    /// Empty on grids without geometry, and from files that do not know it.
    pub measures: Measures,
    /// The nested dissection that prepared routes are built on, if there is one.
    pub order: Option<RouteOrder>,
}

/// A connection between spans whose layers differ by more than a [`Standing`] can store.
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
    /// Number of spans in it [> 0].
    pub spans: u32,
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
    /// What the scene was; `None` on grids that were not baked, and from files that do not know it.
    #[serde(skip)]
    pub record: Option<SceneRecord>,
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

/// The error for a problem somewhere.
pub(super) fn fail<T>(
    place: impl Into<String>,
    problem: impl Into<String>,
) -> Result<T, GridError> {
    Err(GridError { place: place.into(), problem: problem.into() })
}
