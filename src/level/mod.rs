//! What a level says beyond its geometry: areas and links.
//!
//! A baker writes these words into a grid and the run time reads them, so both share them here.

mod link;
mod link_motion;
mod link_record;

use serde::{Deserialize, Serialize};

pub use link::{Link, LinkId, LinkKind, LinkLane, LinkStop, make_ids_unique};
pub use link_motion::LinkMotion;

/// Index of a span in its grid: column by column, low to high within each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SpanId(pub u32);

impl SpanId {
    /// Position in the grid's array of spans.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Index of an area in its grid; 0 is plain walkable ground.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct AreaId(pub u8);

impl AreaId {
    /// Position in the grid's list of areas.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A kind of ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Its name; unique within a grid.
    pub name: String,
    /// Cost of one metre on it, relative to one metre on plain ground [> 0, finite].
    pub cost: f32,
    /// Whether agents are kept off it.
    pub forbidden: bool,
}

impl Area {
    /// Plain walkable ground: the first area of every grid.
    pub fn walkable() -> Self {
        Area { name: "walkable".to_owned(), cost: 1.0, forbidden: false }
    }
}
