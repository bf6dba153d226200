//! The file of a grid: `.navgrid`.
//!
//! A header, then sections one after another, all little-endian. Each section says its name, its
//! length in the file and unpacked, and carries checksums of its header and of its bytes. The text
//! sections are JSON, the bulk ones byte planes of differences; all are deflated. What loads has
//! passed the same validation as a fresh grid, and the same grid always makes the same bytes.
//!
//! The sections stand in one order: frame and counts, text, spans, then for each agent its
//! standings, far steps and regions, and, where routes are prepared for it, the order they are
//! built on.
//!
//! | file header, 32 bytes | section header, 32 bytes |
//! |---|---|
//! | magic, 8 bytes | tag, 4 letters |
//! | version, u32 | agent, u32 (0 for sections of the whole grid) |
//! | number of sections, u32 | length in the file, u64 |
//! | length of the file, u64 | length unpacked, u64 |
//! | 0, u32 | CRC-32 of the bytes in the file, u32 |
//! | CRC-32 of the 28 bytes before, u32 | CRC-32 of the 28 bytes before, u32 |

mod memory;
mod container;
mod differences;
mod varint;
mod orders;
mod planes;
mod read;
mod text;
mod write;

#[cfg(feature = "draw")]
pub(crate) use write::replace_file;

use std::path::{Path, PathBuf};

use super::{GridError, NavGrid};

/// The first bytes of every file. The high bit and the line ends betray transfers as text.
const MAGIC: [u8; 8] = *b"\x8eNAVG\r\n\x1a";
/// The newest version this crate reads, and the one it writes for grids with an order, which
/// version 1 has no section for: a program that knows version 1 only says so, where it would take
/// the section for damage.
const VERSION: u32 = 2;
/// The version of all other grids. Nothing else has changed since: the same grid still gives the
/// same bytes, and programs that know no orders read them.
const VERSION_WITHOUT_ORDERS: u32 = 1;

/// Why a file could not be saved or loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file system failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The bytes are something else.
    #[error("this is no .navgrid file: it starts with other bytes")]
    NotANavgrid,
    /// Another version of the format.
    #[error(
        "the file has format version {found}, this program reads versions up to {supported}; \
         bake the scene again, or use the program that wrote it"
    )]
    Version {
        /// The file's version.
        found: u32,
        /// The newest version this crate reads.
        supported: u32,
    },
    /// The bytes are not what was written.
    #[error("section {section}, byte {offset}: {problem}; the file is damaged, bake it again")]
    Damaged {
        /// The section at fault: four letters, or "header".
        section: String,
        /// Where it starts, or the fault lies, counted from the start of the file.
        offset: u64,
        /// What is wrong.
        problem: String,
    },
    /// The file is whole, but what it holds makes no grid.
    #[error("{0}; whatever wrote this file made no valid grid")]
    Invalid(#[from] GridError),
}

impl NavGrid {
    /// The grid as the bytes of a file; the same grid always gives the same bytes. O(spans).
    ///
    /// # Errors
    /// Settings in the provenance that JSON cannot hold.
    ///
    /// ```
    /// use surefoot::NavGrid;
    /// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 2\nmap\n..\n", 1.0, &[])?;
    /// let bytes = grid.to_bytes()?;
    /// assert_eq!(NavGrid::from_bytes(&bytes)?, grid);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        write::write(self.parts())
    }

    /// The grid in the bytes of a file. O(spans · agents).
    ///
    /// # Errors
    /// Bytes that are no such file, another version, or anything that is not as it was written:
    /// the section and the byte offset.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        Ok(NavGrid::new(read::read(bytes)?)?)
    }

    /// Loads a file.
    ///
    /// # Errors
    /// As [`NavGrid::from_bytes`], and a file that cannot be read.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        let path = path.as_ref();
        let bytes = std::fs::read(path)
            .map_err(|source| FormatError::Io { path: path.to_owned(), source })?;
        NavGrid::from_bytes(&bytes)
    }

    /// Saves the grid: writes a temporary file in the same folder and renames it, so that a save
    /// that fails or is cut short leaves the file that was there before whole.
    ///
    /// # Errors
    /// As [`NavGrid::to_bytes`], and a folder that cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FormatError> {
        let path = path.as_ref();
        let bytes = self.to_bytes()?;
        write::replace_file(path, &bytes)
            .map_err(|source| FormatError::Io { path: path.to_owned(), source })
    }
}
