//! Why a job failed.

use surefoot::Cancelled;
use surefoot::world::WorldError;
use surefoot_bake::scene::SceneError;
use surefoot_bake::{BakeError, WorldBakeError};

use crate::store::StoreError;

/// Why a job of a world failed, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The world cannot be read or baked.
    #[error(transparent)]
    Bake(#[from] WorldBakeError),
    /// The packed world cannot be written.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The plan cannot be used.
    #[error("{place}: {problem}")]
    Plan {
        /// The store.
        place: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// There is no such tile.
    #[error("there is no tile {index}: the plan has tiles 0 to {}", tiles.saturating_sub(1))]
    NoSuchIndex {
        /// The index that was asked for.
        index: usize,
        /// How many tiles the plan has.
        tiles: usize,
    },
    /// The source is not what was planned.
    #[error("tile {index}: the world has changed since it was planned; plan it again")]
    Changed {
        /// The index of the tile.
        index: usize,
    },
    /// Tiles are not there yet.
    #[error(
        "{missing} of {tiles} tiles are not baked yet, the first is {first}; `surefoot world status` lists them"
    )]
    Missing {
        /// How many are missing.
        missing: usize,
        /// How many tiles the plan has.
        tiles: usize,
        /// The index of the first one that is missing.
        first: usize,
    },
    /// A tile is not there yet.
    #[error("tile {index} is not baked yet; bake it with `surefoot world tile --index {index}`")]
    NotBaked {
        /// Its index.
        index: usize,
    },
    /// The borders of a tile are not there yet.
    #[error(
        "the borders of tile {index} are not there yet; run `surefoot world seams --index {index}`"
    )]
    NoBorders {
        /// Its index.
        index: usize,
    },
    /// A tile of the store is damaged, or that of something else.
    #[error("tile {index} ({name}): {problem}; bake it again with --again")]
    Tile {
        /// Its index.
        index: usize,
        /// Its name in the store.
        name: String,
        /// What is wrong.
        problem: String,
    },
}

impl From<Cancelled> for JobError {
    fn from(cancelled: Cancelled) -> Self {
        WorldBakeError::from(BakeError::from(cancelled)).into()
    }
}

impl JobError {
    /// Whether the job may go well if it is run again later, as it is: where a disk is full, a network is
    /// down, or another job is not done. Other faults stay until someone does what the error says.
    pub fn is_temporary(&self) -> bool {
        match self {
            JobError::Store(error) => error.is_temporary,
            JobError::NotBaked { .. } => true,
            _ => false,
        }
    }

    /// Whether the observer cancelled the job.
    pub fn is_cancelled(&self) -> bool {
        matches!(
            self,
            JobError::Bake(
                WorldBakeError::Bake(BakeError::Cancelled)
                    | WorldBakeError::Source(SceneError::Cancelled(_))
            )
        )
    }
}
