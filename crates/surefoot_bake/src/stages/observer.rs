//! Watching and stopping a bake.

/// Where a bake is. Stages before [`Stage::Assemble`] happen tile by tile, on many threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Sorting the scene's triangles by place.
    Index,
    /// Collecting the geometry of a tile.
    Gather,
    /// Casting down every cell.
    Columns,
    /// From surfaces to floors.
    Floors,
    /// Casting every agent's body against what stands there.
    Standing,
    /// Which neighboring floors can be stepped between.
    Joins,
    /// Where floors end.
    Rims,
    /// From tiles to one grid.
    Assemble,
    /// Keeping the ledge margin.
    Ledges,
    /// Links, clearance, regions, validation.
    Freeze,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Stage; 10] = [
        Stage::Index,
        Stage::Gather,
        Stage::Columns,
        Stage::Floors,
        Stage::Standing,
        Stage::Joins,
        Stage::Rims,
        Stage::Assemble,
        Stage::Ledges,
        Stage::Freeze,
    ];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Index => "index",
            Stage::Gather => "gather",
            Stage::Columns => "columns",
            Stage::Floors => "floors",
            Stage::Standing => "standing",
            Stage::Joins => "joins",
            Stage::Rims => "rims",
            Stage::Assemble => "assemble",
            Stage::Ledges => "ledges",
            Stage::Freeze => "freeze",
        }
    }
}

/// Watches a bake, and may stop it. `()` watches nothing. Called from many threads.
pub trait Observer: Sync {
    /// The calling thread begins a stage; it ends with the next one the thread begins.
    fn begin(&self, _stage: Stage) {}

    /// So many of so many tiles are done.
    fn tiles_done(&self, _done: usize, _of: usize) {}

    /// Asked between tiles; `true` ends the bake with [`BakeError::Cancelled`].
    ///
    /// [`BakeError::Cancelled`]: super::BakeError::Cancelled
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl Observer for () {}
