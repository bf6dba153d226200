//! Provides [`WorldSummary`]: how large the file of a world is, and what it holds.

use std::collections::BTreeSet;

use super::error::WorldError;
use super::format::{VERSION, tag_name};
use super::info::BYTES_PER_COLUMN;
use super::source::TileSource;
use super::streaming::World;
use crate::grid::GridFrame;

/// How large the file of a world is, and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldSummary {
    /// Version of the format.
    pub version: u32,
    /// Length of the file [bytes].
    pub bytes: u64,
    /// How many tiles there are.
    pub tiles: u64,
    /// How many of them differ: equal tiles are stored once.
    pub stored_tiles: u64,
    /// What those take [bytes].
    pub tile_bytes: u64,
    /// Spans of all tiles, each with those of the cells around its own.
    pub spans: u64,
    /// The most memory that one grid of all tiles takes while it is made [bytes], see [`World::load`].
    pub load_bytes: u64,
    /// In the order of the file.
    pub sections: Vec<SectionSummary>,
}

/// A section of the file of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionSummary {
    /// Its tag: four letters.
    pub tag: String,
    /// [bytes]
    pub bytes: u64,
}

impl World {
    /// How large the file is, and what it holds; `None` if tiles are generated. Reads all of the directory,
    /// and no tile. O(tiles · log tiles).
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn summary(&self) -> Result<Option<WorldSummary>, WorldError> {
        let TileSource::File(file) = &*self.tile_set.source else { return Ok(None) };
        let mut stored = BTreeSet::new();
        let (mut spans, mut bytes, mut frame) = (0, 0u64, None::<GridFrame>);
        let info = file.info();
        file.for_each_tile(|place, entry| {
            let own = info.cells_of(place);
            bytes = bytes.saturating_add(info.bytes_of(u64::from(entry.spans), &own));
            frame = Some(frame.map_or(own, |frame| frame.bounding(&own)));
            spans += u64::from(entry.spans);
            stored.insert((entry.offset, entry.length));
            Ok(())
        })?;
        let columns = frame.map_or(0, |frame| frame.cells() as u64);
        let columns = columns.saturating_mul(BYTES_PER_COLUMN);
        let section = |(tag, bytes)| SectionSummary { tag: tag_name(tag), bytes };
        Ok(Some(WorldSummary {
            version: VERSION,
            bytes: file.length(),
            tiles: file.tiles(),
            stored_tiles: stored.len() as u64,
            tile_bytes: stored.iter().map(|(_, length)| u64::from(*length)).sum(),
            spans,
            load_bytes: bytes.saturating_mul(2).saturating_add(columns),
            sections: file.sections().map(section).collect(),
        }))
    }
}
