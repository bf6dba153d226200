//! Provides [`WorldWriter`]: writes the file of a world, tile by tile.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use super::container::{
    KNOWN, MOST_SECTIONS, SectionRow, Tag, Trailer, checksum, header, tag_name,
};
use super::directory::{LeafRow, MOST_ENTRIES, TileEntry, leaf_bytes, leaf_table_bytes};
use super::meta::{head_bytes, meta_bytes};
use super::tile_bytes::pack_tile;
use crate::grid::{NavGrid, Replacement};
use crate::world::error::WorldError;
use crate::world::hilbert::{Curve, TileOrder};
use crate::world::info::{TilePlace, WorldInfo};

/// Writes the file of a world. Tiles come one at a time, in an order that it gives; it keeps none of them,
/// so that it takes as much memory for a large world as for a small one, but for 24 bytes for each 512
/// tiles. The file takes the place of an older one when it is complete, by [`WorldWriter::finish`]; dropped
/// before that, it leaves no trace.
///
/// ```
/// use surefoot::NavGrid;
/// use surefoot::world::{World, WorldInfo, WorldWriter};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("small.navworld");
/// let map = format!("type octile\nheight 8\nwidth 8\nmap\n{}", "........\n".repeat(8));
/// let tile = NavGrid::from_map(&map, 0.5, &[])?;
/// let mut writer = WorldWriter::create(&path, WorldInfo::of_tile(&tile, *tile.frame(), 8))?;
/// for place in writer.order() {
///     writer.tile(place, &tile)?;
/// }
/// writer.finish()?;
/// assert_eq!(World::open(&path)?.tiles(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WorldWriter {
    path: PathBuf,
    file: BufWriter<Replacement>,
    info: WorldInfo,
    curve: Curve,
    /// Bytes written so far.
    length: u64,
    /// Of the leaf that is being filled.
    entries: Vec<TileEntry>,
    leaves: Vec<LeafRow>,
    tiles: u64,
    last: Option<u64>,
    known: KnownTiles,
    sections: Vec<SectionRow>,
}

impl WorldWriter {
    /// Begins to write a world.
    ///
    /// # Errors
    /// There can be no such world, see [`WorldInfo::check`]; the folder cannot be written.
    pub fn create(path: impl AsRef<Path>, info: WorldInfo) -> Result<Self, WorldError> {
        info.check()?;
        meta_bytes(&info)?;
        let path = path.as_ref().to_owned();
        let file = Replacement::begin(&path);
        let file = file.map_err(|source| WorldError::Io { path: path.clone(), source })?;
        let mut writer = WorldWriter {
            path,
            file: BufWriter::new(file),
            curve: Curve::new(&info),
            info,
            length: 0,
            entries: Vec::new(),
            leaves: Vec::new(),
            tiles: 0,
            last: None,
            known: KnownTiles::default(),
            sections: Vec::new(),
        };
        writer.write(&header())?;
        Ok(writer)
    }

    /// The places of all tiles in the order in which they have to come. Those that are empty are left out.
    pub fn order(&self) -> TileOrder {
        TileOrder::new(self.curve)
    }

    /// Writes a tile; one that was written before costs an entry only.
    ///
    /// # Errors
    /// It is not the tile of its place, or does not come in the order of [`WorldWriter::order`]; the file
    /// cannot be written.
    pub fn tile(&mut self, place: TilePlace, tile: &NavGrid) -> Result<(), WorldError> {
        self.info.check_tile(place, tile)?;
        let unwritable = |problem: String| {
            Err(WorldError::Unwritable { part: format!("tile {place}"), problem })
        };
        let Some(key) = self.curve.key(place) else {
            return unwritable("it lies outside the world".to_owned());
        };
        if self.last.is_some_and(|last| last >= key) {
            return unwritable(
                "it does not follow the one before in WorldWriter::order".to_owned(),
            );
        }
        let stored = match pack_tile(tile, &self.info.cells_of(place)) {
            Ok(stored) => stored,
            Err(error) => return unwritable(error.to_string()),
        };
        let Ok(length) = u32::try_from(stored.bytes.len()) else {
            return unwritable(format!("it has {} bytes", stored.bytes.len()));
        };
        let known = self.known.find(&stored.bytes);
        let offset = known.unwrap_or(self.length);
        let (checksum, spans) = (checksum(&stored.bytes), tile.spans().len() as u32);
        let is_moved = stored.is_moved;
        self.entries.push(TileEntry { key, offset, length, checksum, spans, is_moved });
        self.last = Some(key);
        self.tiles += 1;
        if known.is_none() {
            self.write(&stored.bytes)?;
            self.known.add(stored.bytes, offset);
        }
        if self.entries.len() == MOST_ENTRIES { self.write_leaf() } else { Ok(()) }
    }

    /// Writes tiles with their places.
    ///
    /// # Errors
    /// As [`WorldWriter::tile`].
    pub fn tiles(
        &mut self,
        tiles: impl IntoIterator<Item = (TilePlace, NavGrid)>,
    ) -> Result<(), WorldError> {
        tiles.into_iter().try_for_each(|(place, tile)| self.tile(place, &tile))
    }

    /// Writes a section of the program's own, such as an index, under four letters. Programs that do not
    /// know it ignore it; [`World::section`](super::super::World::section) reads it.
    ///
    /// # Errors
    /// There is one of that kind, or it is one of the format's own; the file cannot be written.
    pub fn section(&mut self, kind: [u8; 4], bytes: &[u8]) -> Result<(), WorldError> {
        let is_taken = |kind| self.sections.iter().any(|section| section.tag == kind);
        let problem = if KNOWN.contains(&kind) || is_taken(kind) {
            "there is one already"
        } else if self.sections.len() + KNOWN.len() >= MOST_SECTIONS as usize {
            "there are too many"
        } else {
            return self.append(kind, true, bytes);
        };
        let part = format!("section {}", tag_name(kind));
        Err(WorldError::Unwritable { part, problem: problem.to_owned() })
    }

    /// Completes the file, and puts it in its place.
    ///
    /// # Errors
    /// The file cannot be written; an older one stays as it was.
    pub fn finish(mut self) -> Result<(), WorldError> {
        self.write_leaf()?;
        let (head, meta) = (head_bytes(&self.info, self.tiles), meta_bytes(&self.info)?);
        self.append(*b"HEAD", false, &head)?;
        self.append(*b"META", false, &meta)?;
        let leaves = leaf_table_bytes(&self.leaves);
        self.append(*b"LEAF", false, &leaves)?;
        let table: Vec<u8> = self.sections.iter().flat_map(SectionRow::bytes).collect();
        let trailer = Trailer {
            table: self.length,
            sections: self.sections.len() as u32,
            checksum: checksum(&table),
        };
        self.write(&table)?;
        let length = self.length + super::container::TRAILER_BYTES as u64;
        self.write(&trailer.bytes(length))?;
        let WorldWriter { path, file, .. } = self;
        let finish = || file.into_inner().map_err(io::IntoInnerError::into_error)?.finish();
        finish().map_err(|source| WorldError::Io { path, source })
    }

    fn append(&mut self, tag: Tag, is_ignorable: bool, bytes: &[u8]) -> Result<(), WorldError> {
        let (offset, length) = (self.length, bytes.len() as u64);
        let checksum = checksum(bytes);
        self.write(bytes)?;
        self.sections.push(SectionRow { tag, is_ignorable, offset, length, checksum });
        Ok(())
    }

    fn write_leaf(&mut self) -> Result<(), WorldError> {
        let entries = std::mem::take(&mut self.entries);
        let Some(first) = entries.first() else { return Ok(()) };
        let bytes = leaf_bytes(&entries);
        self.leaves.push(LeafRow {
            first: first.key,
            offset: self.length,
            entries: entries.len() as u32,
            checksum: checksum(&bytes),
        });
        self.write(&bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), WorldError> {
        let io = |source| WorldError::Io { path: self.path.clone(), source };
        self.file.write_all(bytes).map_err(io)?;
        self.length += bytes.len() as u64;
        Ok(())
    }
}

/// Tiles that were written lately, to find equal ones: those of two ages, of which the older is forgotten
/// when the younger is full. What comes again and again stays.
#[derive(Debug, Default)]
struct KnownTiles {
    young: BTreeMap<Vec<u8>, u64>,
    old: BTreeMap<Vec<u8>, u64>,
    /// Bytes of the young ones.
    bytes: usize,
}

/// Bytes of the tiles of an age.
const MOST_KNOWN_BYTES: usize = 16 << 20;

impl KnownTiles {
    /// Finds where an equal tile was written.
    fn find(&mut self, bytes: &[u8]) -> Option<u64> {
        if let Some(&offset) = self.young.get(bytes) {
            return Some(offset);
        }
        let (bytes, offset) = self.old.remove_entry(bytes)?;
        self.add(bytes, offset);
        Some(offset)
    }

    fn add(&mut self, bytes: Vec<u8>, offset: u64) {
        if self.bytes >= MOST_KNOWN_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += bytes.len();
        self.young.insert(bytes, offset);
    }
}
