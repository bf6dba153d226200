//! Provides [`WorldFile`]: a world that is read by range.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::container::{
    HEADER_BYTES, ROW_BYTES, SectionRow, TRAILER_BYTES, Tag, Trailer, check_header, checksum,
    read_table, tag_name,
};
use super::directory::{LeafRow, TileEntry, read_leaf_table};
use super::meta::{MEMORY_PER_META_BYTE, read_info};
use super::read_at::ReadAt;
use super::tile_bytes::{StoredTile, unpack_tile};
use crate::grid::{LoadOptions, NavGrid};
use crate::world::error::WorldError;
use crate::world::hilbert::Curve;
use crate::world::info::{TilePlace, WorldInfo};

/// A file opens with one read of so many of its last bytes: they have the root directory of a world of
/// 100,000 tiles.
const TAIL_BYTES: u64 = 16 << 10;
/// So many leaves are kept: less than 3 MiB, for the entries of 65,536 tiles.
const MOST_LEAVES: usize = 128;

/// Lists are in memory as they are in the file, and unpacked.
const MEMORY_PER_LIST_BYTE: u64 = 3;

/// A world that is read by range.
pub(in crate::world) struct WorldFile {
    bytes: Bytes,
    info: Arc<WorldInfo>,
    curve: Curve,
    tiles: u64,
    sections: Vec<SectionRow>,
    leaves: Vec<LeafRow>,
    /// Where tiles and leaves end at the latest.
    end: u64,
    /// Leaves that were read, by their numbers.
    known: Mutex<BTreeMap<usize, Arc<Vec<TileEntry>>>>,
}

impl std::fmt::Debug for WorldFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WorldFile({:?}, {} tiles)", self.info.name, self.tiles)
    }
}

/// The bytes of the file, and how many of them may be in memory at once.
struct Bytes {
    source: Box<dyn ReadAt>,
    length: u64,
    limit: u64,
    /// The last bytes, as long as the file is being opened.
    tail: Vec<u8>,
}

impl Bytes {
    fn read(&self, range: Range<u64>, part: &dyn Fn() -> String) -> Result<Vec<u8>, WorldError> {
        let length = range.end - range.start;
        self.check_limit(length, part)?;
        let tail_at = self.length - self.tail.len() as u64;
        if range.start >= tail_at && range.end <= self.length {
            let [start, end] = [range.start, range.end].map(|at| (at - tail_at) as usize);
            return Ok(self.tail[start..end].to_vec());
        }
        let offset = range.start;
        let read = |source| WorldError::Read { part: part(), offset, source };
        let bytes = self.source.read_at(offset, length as usize).map_err(read)?;
        if bytes.len() as u64 != length {
            return Err(read(std::io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(bytes)
    }

    fn check_limit(&self, needed: u64, part: &dyn Fn() -> String) -> Result<(), WorldError> {
        if needed > self.limit {
            return Err(WorldError::MemoryLimit { part: part(), needed, limit: self.limit });
        }
        Ok(())
    }

    fn section(&self, row: &SectionRow) -> Result<Vec<u8>, WorldError> {
        let part = || format!("section {}", row.name());
        let bytes = self.read(row.offset..row.offset + row.length, &part)?;
        if checksum(&bytes) != row.checksum {
            return Err(WorldError::damaged(part(), row.offset, "its checksum does not match"));
        }
        Ok(bytes)
    }
}

impl WorldFile {
    /// Reads the root directory.
    ///
    /// # Errors
    /// Bytes of another format or version, damage, more memory than allowed.
    pub(in crate::world) fn open(
        source: Box<dyn ReadAt>,
        options: &LoadOptions,
    ) -> Result<Self, WorldError> {
        let part = || "file".to_owned();
        let read = |source| WorldError::Read { part: part(), offset: 0, source };
        let length = source.length().map_err(read)?;
        let limit = options.memory_limit.min(isize::MAX as u64);
        let mut bytes = Bytes { source, length, limit, tail: Vec::new() };
        check_header(&bytes.read(0..length.min(HEADER_BYTES as u64), &part)?)?;
        if length < (HEADER_BYTES + TRAILER_BYTES) as u64 {
            return Err(WorldError::damaged("trailer", length, "the file ends before it"));
        }
        bytes.tail = bytes.read(length - length.min(TAIL_BYTES)..length, &part)?;
        let trailer = &bytes.tail[bytes.tail.len() - TRAILER_BYTES..];
        let trailer = Trailer::read(trailer, length)?;
        let end = trailer.table + u64::from(trailer.sections) * ROW_BYTES as u64;
        let table = bytes.read(trailer.table..end, &|| "table of sections".to_owned())?;
        let sections = read_table(&table, &trailer)?;
        Self::with_sections(bytes, sections, trailer.table)
    }

    fn with_sections(
        mut bytes: Bytes,
        sections: Vec<SectionRow>,
        end: u64,
    ) -> Result<Self, WorldError> {
        let row = |tag: &Tag| {
            let row = sections.iter().find(|row| row.tag == *tag);
            row.ok_or_else(|| {
                let problem = format!("it has no section {}", tag_name(*tag));
                WorldError::damaged("table of sections", end, problem)
            })
        };
        let [head, meta, leaf] = [row(b"HEAD")?, row(b"META")?, row(b"LEAF")?];
        let texts = meta.length.saturating_mul(MEMORY_PER_META_BYTE);
        let lists = leaf.length.saturating_mul(MEMORY_PER_LIST_BYTE);
        bytes.check_limit(texts.saturating_add(lists), &|| "root directory".to_owned())?;
        let texts = [bytes.section(head)?, bytes.section(meta)?];
        let (info, tiles) = read_info([&texts[0], &texts[1]], [head.offset, meta.offset])?;
        let leaves = read_leaf_table(&bytes.section(leaf)?, leaf.offset, tiles)?;
        bytes.tail = Vec::new();
        let curve = Curve::new(&info);
        let known = Mutex::default();
        Ok(WorldFile { bytes, info: Arc::new(info), curve, tiles, sections, leaves, end, known })
    }

    pub(in crate::world) fn info(&self) -> &Arc<WorldInfo> {
        &self.info
    }

    /// How many tiles it has.
    pub(in crate::world) fn tiles(&self) -> u64 {
        self.tiles
    }

    /// How long the file is [bytes].
    pub(in crate::world) fn length(&self) -> u64 {
        self.bytes.length
    }

    /// The tag and the length [bytes] of each section, in the order of the file.
    pub(in crate::world) fn sections(&self) -> impl Iterator<Item = (Tag, u64)> + '_ {
        self.sections.iter().map(|row| (row.tag, row.length))
    }

    /// Reads a section; `None` if there is none.
    pub(in crate::world) fn section(&self, kind: Tag) -> Result<Option<Vec<u8>>, WorldError> {
        let row = self.sections.iter().find(|row| row.tag == kind);
        row.map(|row| self.bytes.section(row)).transpose()
    }

    /// Finds the entry of a tile; `None` if there is no such tile.
    pub(in crate::world) fn find(&self, place: TilePlace) -> Result<Option<TileEntry>, WorldError> {
        let Some(key) = self.curve.key(place) else { return Ok(None) };
        let Some(leaf) = self.leaves.partition_point(|leaf| leaf.first <= key).checked_sub(1)
        else {
            return Ok(None);
        };
        let entries = self.leaf(leaf)?;
        let found = entries.binary_search_by_key(&key, |entry| entry.key);
        Ok(found.ok().map(|at| entries[at]))
    }

    fn leaf(&self, at: usize) -> Result<Arc<Vec<TileEntry>>, WorldError> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entries) = known().get(&at) {
            return Ok(entries.clone());
        }
        let row = &self.leaves[at];
        let range = row.offset..row.offset + row.length() as u64;
        let bytes = self.bytes.read(range, &|| "leaf of the directory".to_owned())?;
        let next = self.leaves.get(at + 1).map(|next| next.first);
        let entries = Arc::new(row.read(&bytes, self.end, next)?);
        let mut known = known();
        if known.len() >= MOST_LEAVES {
            known.clear();
        }
        known.insert(at, entries.clone());
        Ok(entries)
    }

    /// Calls back for each tile, in the order of the file.
    pub(in crate::world) fn for_each_tile(
        &self,
        mut call: impl FnMut(TilePlace, &TileEntry) -> Result<(), WorldError>,
    ) -> Result<(), WorldError> {
        for leaf in 0..self.leaves.len() {
            for entry in &*self.leaf(leaf)? {
                if let Some(place) = self.curve.place(entry.key) {
                    call(place, entry)?;
                }
            }
        }
        Ok(())
    }

    /// Reads a tile, given its entry.
    pub(in crate::world) fn tile(
        &self,
        place: TilePlace,
        entry: &TileEntry,
    ) -> Result<NavGrid, WorldError> {
        let part = || format!("tile {place}");
        let range = entry.offset..entry.offset + u64::from(entry.length);
        let bytes = self.bytes.read(range, &part)?;
        if checksum(&bytes) != entry.checksum {
            return Err(WorldError::damaged(part(), entry.offset, "its checksum does not match"));
        }
        let stored = StoredTile { bytes, is_moved: entry.is_moved };
        let memory_limit = self.bytes.limit - u64::from(entry.length);
        let tile = unpack_tile(&stored, &self.info.cells_of(place), &LoadOptions { memory_limit })
            .map_err(|source| WorldError::Tile { place, offset: entry.offset, source })?;
        if tile.spans().len() as u64 != u64::from(entry.spans) {
            let problem =
                format!("it has {} spans, its entry says {}", tile.spans().len(), entry.spans);
            return Err(WorldError::damaged(part(), entry.offset, problem));
        }
        self.info.check_tile(place, &tile)?;
        Ok(tile)
    }
}
