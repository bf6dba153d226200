//! Provides [`WorldError`]: why a world cannot be read, written or walked, and what to do.

use std::io;
use std::path::PathBuf;

use crate::far::FarError;
use crate::grid::{FormatError, GridError};

use super::info::TilePlace;

/// Why a world cannot be read, written or walked, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The file system failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A part of the file could not be read.
    #[error("{part}, byte {offset}: it cannot be read: {source}")]
    Read {
        /// Which part.
        part: String,
        /// Where it starts, counted from the start of the file.
        offset: u64,
        /// What the source says.
        source: io::Error,
    },
    /// The bytes are not a `.navworld` file.
    #[error("this is not a .navworld file: its first bytes are not those of one")]
    NotANavworld,
    /// The version of the format is unknown.
    #[error(
        "the world has format version {found}, this program reads {supported}; use a newer surefoot"
    )]
    Version {
        /// The file's version.
        found: u32,
        /// The newest version this crate reads.
        supported: u32,
    },
    /// The file has something that a newer program wrote and that must not be ignored.
    #[error("section {section}, byte {offset}: {problem}; the world needs a newer surefoot")]
    Unsupported {
        /// The section's tag: four letters.
        section: String,
        /// Where its bytes start, counted from the start of the file.
        offset: u64,
        /// What is unknown.
        problem: String,
    },
    /// The bytes are not those that were written.
    #[error("{part}, byte {offset}: {problem}; the file is damaged, copy it or write it again")]
    Damaged {
        /// Which part: a section, a leaf of the directory, a tile.
        part: String,
        /// Where it starts, counted from the start of the file.
        offset: u64,
        /// What is wrong.
        problem: String,
    },
    /// Something takes more memory than allowed.
    #[error(
        "{part} takes {needed} bytes, more than the limit of {limit}; load less, or allow more"
    )]
    MemoryLimit {
        /// What takes it.
        part: String,
        /// How much it takes, as far as is known [bytes].
        needed: u64,
        /// The limit [bytes].
        limit: u64,
    },
    /// A tile of the file is not a grid that can be read.
    #[error("tile {place}, byte {offset}: {source}")]
    Tile {
        /// Which tile.
        place: TilePlace,
        /// Where it starts, counted from the start of the file.
        offset: u64,
        /// What is wrong in it; bytes are counted from its start.
        source: FormatError,
    },
    /// A grid is not the tile of its place.
    #[error("tile {place}: {problem}; bake it again")]
    Mismatch {
        /// Which tile.
        place: TilePlace,
        /// What is wrong.
        problem: String,
    },
    /// Tiles do not make a grid.
    #[error("the tiles around {place} do not make a grid: {source}; bake them again")]
    Merge {
        /// The least tile of them.
        place: TilePlace,
        /// What is wrong.
        source: GridError,
    },
    /// There can be no such world.
    #[error("the world cannot be used: {problem}")]
    Info {
        /// What is wrong with it.
        problem: String,
    },
    /// A tile or section cannot be written.
    #[error("{part} cannot be written: {problem}")]
    Unwritable {
        /// Which one.
        part: String,
        /// Why not.
        problem: String,
    },
    /// Points of interest, or a rectangle, are no numbers.
    #[error("point {at} is not finite")]
    NotFinite {
        /// Which number of the list.
        at: usize,
    },
    /// The points of interest lie too far apart for one window.
    #[error(
        "the points of interest lie up to {metres:.0} m apart: the columns between them alone take {needed} \
         bytes, more than half of the budget of {budget}; use a World::another for each group"
    )]
    TooFarApart {
        /// The longer side of the rectangle around their tiles [m].
        metres: f64,
        /// What its columns take [bytes].
        needed: u64,
        /// The budget [bytes].
        budget: u64,
    },
    /// No tile lies in a rectangle.
    #[error("the world has no tile there")]
    NoTile,
    /// There is no far path, or what it is found by cannot be used.
    #[error(transparent)]
    Far(#[from] FarError),
    /// The callback that generates tiles panicked.
    #[error(
        "a tile's callback panicked; the window stays as it was until the points of interest move"
    )]
    Panicked,
}

impl WorldError {
    /// The error for damage somewhere.
    pub(super) fn damaged(
        part: impl Into<String>,
        offset: u64,
        problem: impl Into<String>,
    ) -> Self {
        WorldError::Damaged { part: part.into(), offset, problem: problem.into() }
    }
}
