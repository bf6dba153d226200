//! Why a part of a world could not be baked.

use crate::scene::SceneError;
use crate::stages::BakeError;

/// Why a part of a world could not be baked, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorldBakeError {
    /// The source of the world cannot be read or used.
    #[error(transparent)]
    Source(#[from] SceneError),
    /// The settings, or what was baked, cannot be used.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// There is no such tile.
    #[error("there is no tile {index}: the world has tiles 0 to {}", tiles.saturating_sub(1))]
    NoSuchTile {
        /// The number that was asked for.
        index: usize,
        /// How many tiles there are.
        tiles: usize,
    },
    /// A world has no bounds of its own.
    #[error("a world is baked whole, without bounds; bake the tiles that you need")]
    Bounds,
    /// A tile was not baked for this plan.
    #[error("tile {index}: {problem}; bake it again")]
    Tile {
        /// Its number.
        index: usize,
        /// What is wrong with it.
        problem: String,
    },
}
