//! Worlds: levels that are baked tile by tile, each from what it sees alone.
//!
//! A tile sees its own cells, and around them as far as bodies, ledges and links reach; so it is a function
//! of that and of the settings, wherever it is baked. What takes the whole world, such as regions and the
//! author's links, is found when tiles are merged.

mod bake_tile;
mod error;
mod links;
mod live_tiles;
mod merge;
mod source;
mod tiling;

pub use error::WorldBakeError;
pub use links::{WorldLinkFound, WorldLinkRules};
pub use live_tiles::{LiveTile, LiveTiles};
pub use source::{SceneSource, WorldSource};
pub use tiling::{TileInput, WorldTiling};
