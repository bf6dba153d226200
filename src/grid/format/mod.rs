//! The file of a grid: `.navgrid`.
//!
//! A header, then sections one after another, all little-endian. Each section says its name, its
//! length in the file and unpacked, and whether a reader that does not know it may ignore it; it
//! carries checksums of its header and of its bytes. The text sections are JSON, the bulk ones byte
//! planes of differences; all are deflated. What loads has passed the same validation as a fresh
//! grid, and the same grid always makes the same bytes.
//!
//! The sections have a fixed order: frame and counts (`HEAD`), agents, areas and links (`META`), the
//! bake's settings (`SETT`), names of nodes (`NODE`), on grids that were baked what the scene was (`SCEN`,
//! ignorable), spans in each column (`COLS`), the spans' floors, ceilings, normals and areas (`FLOR`,
//! `CEIL`, `NORM`, `GRND`), then for each agent its connections, states, far connections and sizes of
//! regions (`STEP`, `STAT`, `FARS`, `REGN`), its rooms where they are less than the cell (`ROOM`,
//! ignorable), what was measured beside spans (`MEAS`, ignorable), the low ceilings over them (`ROOF`,
//! ignorable) and, if routes are prepared for it, the order they are built on (`ORDR`, ignorable).
//! Sections that this program does not know may be anywhere between them.
//!
//! | file header, 32 bytes | section header, 32 bytes |
//! |---|---|
//! | magic, 8 bytes | tag, 4 letters |
//! | version, u32 | agent, u16 (0 for sections of the whole grid) |
//! | | flags, u16 |
//! | number of sections, u32 | length in the file, u64 |
//! | length of the file, u64 | length unpacked, u64 |
//! | 0, u32 | CRC-32 of the bytes in the file, u32 |
//! | CRC-32 of the 28 bytes before, u32 | CRC-32 of the 28 bytes before, u32 |
//!
//! Bit 0 of the flags is the *ignorable* bit. A reader skips a section that it does not know if the
//! bit is set, after it has checked length and checksums; if not, the grid cannot be read without
//! the section, and the reader asks for a newer program. The other bits are 0; a reader refuses a
//! section that it knows with flags that it does not know. A grid that is saved again has only the
//! sections that its program knows.
//!
//! Version 4 is written. Versions 1 to 3 are read: their links were a point wide and had no ids; before
//! version 3 the agent was an u32 in place of agent and
//! flags (always below 65536, so that the bytes are those of a section without flags), version 1
//! had no `ORDR`, and a last section `PADD` of zeros could make the file longer.

mod container;
mod differences;
mod error;
mod memory;
mod orders;
mod planes;
mod read;
mod replacement;
mod scene_records;
mod span_tables;
mod text;
mod varint;
mod write;

pub use error::FormatError;
pub use memory::LoadOptions;
pub use replacement::{Replacement, follow_links, is_stream, replace_file};

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::nav_grid::NavGrid;
use memory::MemoryLimit;

impl NavGrid {
    /// The grid as the bytes of a file; the same grid always gives the same bytes. O(spans).
    ///
    /// # Errors
    /// Settings in the provenance that nest too deeply for JSON.
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

    /// The grid in the bytes of a file, with the default [`LoadOptions`]. O(spans · agents).
    ///
    /// # Errors
    /// As [`NavGrid::from_bytes_with`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        NavGrid::from_bytes_with(bytes, &LoadOptions::default())
    }

    /// The grid in the bytes of a file. O(spans · agents).
    ///
    /// # Errors
    /// Bytes of another format, a newer version or section, damage, a file that takes more memory
    /// than allowed: the section and the byte offset. Arrays that are not a valid grid.
    ///
    /// ```
    /// use surefoot::NavGrid;
    /// use surefoot::grid::LoadOptions;
    /// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 2\nmap\n..\n", 1.0, &[])?;
    /// let options = LoadOptions { memory_limit: 64 << 20 };
    /// assert_eq!(NavGrid::from_bytes_with(&grid.to_bytes()?, &options)?, grid);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes_with(bytes: &[u8], options: &LoadOptions) -> Result<Self, FormatError> {
        Ok(NavGrid::new(read::read(bytes, MemoryLimit::new(options))?)?)
    }

    /// Loads a file, with the default [`LoadOptions`].
    ///
    /// # Errors
    /// As [`NavGrid::load_with`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        NavGrid::load_with(path, &LoadOptions::default())
    }

    /// Loads a file.
    ///
    /// # Errors
    /// As [`NavGrid::from_bytes_with`], and a file that cannot be read.
    pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, FormatError> {
        let (path, limit) = (path.as_ref(), MemoryLimit::new(options));
        let io = |source| FormatError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(io)?;
        let limit_with = |len| limit.hold(len, 0);
        let len = file.metadata().map_err(io)?.len();
        limit_with(len)?;
        let mut bytes = Vec::with_capacity(len as usize);
        // Pipes and the like have no length beforehand.
        file.take(limit.bytes() + 1).read_to_end(&mut bytes).map_err(io)?;
        let limit = limit_with(bytes.len() as u64)?;
        Ok(NavGrid::new(read::read(&bytes, limit)?)?)
    }

    /// Saves the grid: writes a temporary file in the same folder and renames it, so that a save
    /// that fails or is interrupted leaves an older file as it was. The file keeps its mode, and links
    /// are followed. Temporary files that a killed program left there are removed.
    ///
    /// # Errors
    /// As [`NavGrid::to_bytes`], and a folder that cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FormatError> {
        let path = path.as_ref();
        let bytes = self.to_bytes()?;
        replace_file(path, &bytes)
            .map_err(|source| FormatError::Io { path: path.to_owned(), source })
    }
}
