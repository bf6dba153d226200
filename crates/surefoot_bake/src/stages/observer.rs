//! Observing and cancelling a bake.

use surefoot::Observer;

/// A stage of a bake. Those from [`Stage::Gather`] to [`Stage::Rooms`] run tile by tile, on
/// many threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Stage {
    /// Indexes the scene's triangles.
    Index,
    /// Gathers the geometry near a tile.
    Gather,
    /// Casts a vertical line through every cell.
    Columns,
    /// Turns surfaces into floors.
    Floors,
    /// Judges where every agent can stand.
    Standing,
    /// Connects neighboring floors that an agent can step between.
    Connections,
    /// Finds where floors end.
    BorderEdges,
    /// Finds where around the centers of cells every agent can stand, and what is beside it where it does not
    /// fit.
    Rooms,
    /// Assembles the tiles to one grid.
    Assemble,
    /// Marks ledges.
    Ledges,
    /// Generates links for the agents that can do more than walk.
    Links,
    /// Snaps links, computes clearance and regions, drops small regions, validates the grid.
    Freeze,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Stage; 12] = [
        Stage::Index,
        Stage::Gather,
        Stage::Columns,
        Stage::Floors,
        Stage::Standing,
        Stage::Connections,
        Stage::BorderEdges,
        Stage::Rooms,
        Stage::Assemble,
        Stage::Ledges,
        Stage::Links,
        Stage::Freeze,
    ];

    /// Returns its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Index => "index",
            Stage::Gather => "gather",
            Stage::Columns => "columns",
            Stage::Floors => "floors",
            Stage::Standing => "standing",
            Stage::Connections => "connections",
            Stage::BorderEdges => "border_edges",
            Stage::Rooms => "rooms",
            Stage::Assemble => "assemble",
            Stage::Ledges => "ledges",
            Stage::Links => "links",
            Stage::Freeze => "freeze",
        }
    }
}

/// Observes a bake: an [`Observer`] that also hears of stages and memory. `()` watches nothing.
///
/// The parts of the work are tiles. [`Observer::is_cancelled`] is called between stages, and for every
/// cell of a tile while bodies are cast; `true` ends the bake with [`BakeError::Cancelled`].
///
/// [`BakeError::Cancelled`]: super::BakeError::Cancelled
pub trait BakeObserver: Observer {
    /// Called when a thread begins a stage; its previous stage ends then.
    fn begin(&self, _stage: Stage) {}

    /// Called before the first tile of a bake that is estimated to take more than 1 GiB of memory on
    /// top of the scene, with the estimate [bytes].
    fn memory_estimated(&self, _bytes: u64) {}
}

impl BakeObserver for () {}
