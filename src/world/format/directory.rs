//! The directory: leaves with the entries of tiles, and the table of leaves.

use super::container::{HEADER_BYTES, checksum, u32_at, u64_at};
use crate::world::error::WorldError;

/// The most entries of a leaf.
pub(super) const MOST_ENTRIES: usize = 512;
/// Bytes of an entry.
pub(super) const ENTRY_BYTES: usize = 32;
/// Bytes of a leaf's row in the table of leaves.
const LEAF_BYTES: usize = 24;
/// Set in an entry's flags if the tile is stored as if it lay at cell 0.
const MOVED: u32 = 1;

/// Where a tile's bytes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::world) struct TileEntry {
    /// The tile's place on the curve.
    pub key: u64,
    pub offset: u64,
    pub length: u32,
    pub checksum: u32,
    /// How many spans its grid has.
    pub spans: u32,
    /// Whether it is stored as if it lay at cell 0.
    pub is_moved: bool,
}

/// Where a leaf lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LeafRow {
    /// The key of its first entry.
    pub first: u64,
    pub offset: u64,
    pub entries: u32,
    pub checksum: u32,
}

impl TileEntry {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.key.to_le_bytes().to_vec();
        bytes.extend(self.offset.to_le_bytes());
        let flags = if self.is_moved { MOVED } else { 0 };
        for number in [self.length, self.checksum, self.spans, flags] {
            bytes.extend(number.to_le_bytes());
        }
        bytes
    }
}

/// The bytes of a leaf.
pub(super) fn leaf_bytes(entries: &[TileEntry]) -> Vec<u8> {
    entries.iter().flat_map(TileEntry::bytes).collect()
}

impl LeafRow {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.first.to_le_bytes().to_vec();
        bytes.extend(self.offset.to_le_bytes());
        bytes.extend(self.entries.to_le_bytes());
        bytes.extend(self.checksum.to_le_bytes());
        bytes
    }

    /// Bytes of its entries.
    pub(super) fn length(&self) -> usize {
        self.entries as usize * ENTRY_BYTES
    }

    /// Reads its entries. Tiles lie before `end`, and the next leaf's keys begin at `next`.
    ///
    /// # Errors
    /// Damage: a wrong checksum, keys out of order, tiles outside of the file.
    pub(super) fn read(
        &self,
        bytes: &[u8],
        end: u64,
        next: Option<u64>,
    ) -> Result<Vec<TileEntry>, WorldError> {
        let damaged =
            |problem: &str| WorldError::damaged("leaf of the directory", self.offset, problem);
        if checksum(bytes) != self.checksum {
            return Err(damaged("its checksum does not match"));
        }
        let mut entries: Vec<TileEntry> = Vec::with_capacity(self.entries as usize);
        for bytes in bytes.chunks_exact(ENTRY_BYTES) {
            let flags = u32_at(bytes, 28);
            if flags & !MOVED != 0 {
                return Err(damaged("a tile has flags that this program does not know"));
            }
            let entry = TileEntry {
                key: u64_at(bytes, 0),
                offset: u64_at(bytes, 8),
                length: u32_at(bytes, 16),
                checksum: u32_at(bytes, 20),
                spans: u32_at(bytes, 24),
                is_moved: flags & MOVED != 0,
            };
            let ends = entry.offset.checked_add(u64::from(entry.length));
            if entry.offset < HEADER_BYTES as u64 || ends.is_none_or(|ends| ends > end) {
                return Err(damaged("a tile lies outside of the file"));
            }
            if entries.last().is_some_and(|last| last.key >= entry.key) {
                return Err(damaged("its keys are not in order"));
            }
            entries.push(entry);
        }
        let begins = entries.first().is_some_and(|entry| entry.key == self.first);
        let is_before = |next| entries.last().is_some_and(|entry| entry.key < next);
        if !begins || !next.is_none_or(is_before) {
            return Err(damaged("its keys are not those of the table of leaves"));
        }
        Ok(entries)
    }
}

/// The bytes of the table of leaves.
pub(super) fn leaf_table_bytes(leaves: &[LeafRow]) -> Vec<u8> {
    leaves.iter().flat_map(LeafRow::bytes).collect()
}

/// Reads the table of leaves, which starts at `offset`; leaves lie before it.
///
/// # Errors
/// Damage: rows out of order, leaves outside of the file, another number of tiles than `tiles`.
pub(super) fn read_leaf_table(
    bytes: &[u8],
    offset: u64,
    tiles: u64,
) -> Result<Vec<LeafRow>, WorldError> {
    let damaged = |problem: String| WorldError::damaged("section LEAF", offset, problem);
    if !bytes.len().is_multiple_of(LEAF_BYTES) {
        return Err(damaged("its last row is cut off".to_owned()));
    }
    let mut leaves: Vec<LeafRow> = Vec::with_capacity(bytes.len() / LEAF_BYTES);
    for bytes in bytes.chunks_exact(LEAF_BYTES) {
        let leaf = LeafRow {
            first: u64_at(bytes, 0),
            offset: u64_at(bytes, 8),
            entries: u32_at(bytes, 16),
            checksum: u32_at(bytes, 20),
        };
        let ends = leaf.offset.checked_add(leaf.length() as u64);
        let is_inside =
            leaf.offset >= HEADER_BYTES as u64 && ends.is_some_and(|ends| ends <= offset);
        if !is_inside || !(1..=MOST_ENTRIES).contains(&(leaf.entries as usize)) {
            return Err(damaged(format!("leaf {} lies outside of the file", leaves.len())));
        }
        if leaves.last().is_some_and(|last| last.first >= leaf.first) {
            return Err(damaged("its keys are not in order".to_owned()));
        }
        leaves.push(leaf);
    }
    let found: u64 = leaves.iter().map(|leaf| u64::from(leaf.entries)).sum();
    if found != tiles {
        return Err(damaged(format!("it has {found} tiles, the head says {tiles}")));
    }
    Ok(leaves)
}
