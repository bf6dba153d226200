//! Worlds that are too large for one grid: the file `.navworld`, and the streaming of its tiles.
//!
//! In come tiles, grids of their own cells and a few around them, from a file or a callback; out goes one
//! [`NavGrid`](crate::NavGrid) of those near the points of interest, again and again as they move. Whoever
//! walks goes on to the next grid by [`Navigator::set_grid`](crate::Navigator::set_grid) and
//! [`Crowd::set_grid`](crate::Crowd::set_grid). Reading and assembling happen in the background, so that
//! no frame waits for them.
//!
//! What is asked of such a grid is answered as by one grid of the whole world, as long as the answer lies
//! within it: costs are the same, to the unit. Clearance within
//! [`CHANGE_REACH`](crate::grid::baker::CHANGE_REACH) cells of its edge may be less, since nothing is known
//! beyond, and regions are those of the loaded ground: what is joined by a detour far away counts as apart.

mod assemble;
mod error;
mod far_changes;
mod far_paths;
mod format;
mod hilbert;
mod info;
mod journey;
mod links;
mod load;
mod origin;
mod plan;
mod region_index;
mod regions;
mod section_reader;
mod source;
mod streaming;
mod summary;
mod tile_set;
mod window;

pub use error::WorldError;
pub use format::{ReadAt, WorldWriter};
pub use hilbert::TileOrder;
pub use info::{TilePlace, WorldInfo};
pub use journey::FarJourney;
pub use links::WorldLink;
pub use region_index::{RegionIndex, TileRegions, WorldRegion};
pub use streaming::World;
pub use summary::{SectionSummary, WorldSummary};
pub use window::WorldBudget;
