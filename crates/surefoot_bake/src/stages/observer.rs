//! Observing and cancelling a bake.

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
    /// Finds where around the centers of cells every agent can stand.
    Rooms,
    /// Assembles the tiles to one grid.
    Assemble,
    /// Marks ledges.
    Ledges,
    /// Snaps links, computes clearance and regions, validates the grid.
    Freeze,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Stage; 11] = [
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
            Stage::Freeze => "freeze",
        }
    }
}

/// Observes a bake, and may cancel it. `()` does neither. Called from many threads.
pub trait Observer: Sync {
    /// Called when a thread begins a stage; its previous stage ends then.
    fn begin(&self, _stage: Stage) {}

    /// Called when another tile is done, with the number of tiles done and of all tiles.
    fn tiles_done(&self, _done: usize, _of: usize) {}

    /// Called before the first tile of a bake that is estimated to take more than 1 GiB of memory on
    /// top of the scene, with the estimate [bytes].
    fn memory_estimated(&self, _bytes: u64) {}

    /// Called between stages, and for every cell of a tile while bodies are cast; `true` ends the bake
    /// with [`BakeError::Cancelled`].
    ///
    /// [`BakeError::Cancelled`]: super::BakeError::Cancelled
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl Observer for () {}
