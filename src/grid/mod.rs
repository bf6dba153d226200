//! The height grid that agents walk on: data only.
//!
//! A [`NavGrid`] is a rectangle of columns. A column holds the floors over one cell, low to high, as
//! [`Span`]s; a span's index in its column is its *layer*. For each agent a span has a [`Standing`]:
//! whether the agent can stand there and why not, its clearance, its region, and its connections to
//! neighboring spans. A baker fills flat arrays ([`GridParts`]), validation checks every promise they
//! make, and then they are frozen: a grid from a file has passed the same checks as a fresh bake, and
//! searches rely on them.
//!
//! Based on: the compact heightfield of Recast (Mononen, 2009).

mod attributes;
pub mod baker;
mod block_check;
mod build;
mod change;
mod clearance;
mod connections;
mod crop;
mod finish;
mod format;
mod frame;
mod ground_blocks;
mod height;
mod identity;
mod layer_check;
mod link_edges;
mod lookup;
mod map;
mod measure;
mod names;
mod nav_grid;
mod next_grid;
mod order;
mod order_check;
mod parts;
mod queries;
mod reach;
mod regions;
mod regions_of_change;
mod room;
mod scene_record;
mod span;
mod span_bits;
mod span_table;
mod standing;
mod strips;
mod summary;
mod tiles;
mod uniform_cells;
mod validate;

#[cfg(test)]
pub(crate) use build::bare_parts;
pub(crate) use {
    attributes::{Factors, SpanAttributes, factors},
    connections::{Connections, Cursor, SpanAddress},
    frame::{RowDivider, SUBCELLS},
    link_edges::{LinkEdge, LinkEdges},
    lookup::{Within, plane},
    next_grid::{GroundRect, NextGrid},
    order_check::MOST_LEVELS,
    room::nearest_on_segment,
    uniform_cells::UniformCells,
};

pub use crate::level::{
    Area, AreaId, Link, LinkId, LinkKind, LinkLane, LinkMotion, LinkStop, SpanId,
};
pub use format::{FormatError, LoadOptions, Replacement, follow_links, is_stream, replace_file};
pub use frame::{Cell, CellLayer, CellOffset, Dir, GridFrame};
pub use map::MapError;
pub use measure::{GroundEnd, LowCeiling, SpanMeasure};
pub use names::{AgentKey, UnknownAgent, UnknownArea};
pub use nav_grid::NavGrid;
pub use order::{RouteOrder, RouteSupernode};
pub use parts::{AgentLayer, FarConnection, GridError, GridParts, Provenance, Region};
pub use room::{RoomLimit, SpanRoom};
pub use scene_record::{ColliderRecord, ContentHash, SceneRecord};
pub use span::{AgentId, NodeId, RegionId, Span};
pub use span_table::{EntriesOfRange, Measures, Rooms, SpanEntry, SpanTable};
pub use standing::{Standing, Verdict};
pub use summary::{AgentSummary, GridSummary, VerdictCounts};
pub use tiles::{GridTile, merge_tiles};
