//! How much memory a load takes, estimated from the section headers before anything is unpacked.
//!
//! Deflate packs up to a thousandfold, so a small file can ask for a lot. The estimate is an upper
//! bound on what is allocated; a file whose estimate is above the caller's limit is refused.

use super::container::{FileSection, HEADER_NAME};
use super::error::FormatError;
use crate::parallel::MOST_WORKERS;

/// Memory that every load may take: decompressors and lists of jobs [bytes].
const BASE: u64 = 1 << 20;
/// Memory for each byte of the settings: `{"":` is four bytes, and a map's node takes 632.
const PER_SETTINGS_BYTE: u64 = 160;
/// Memory for each byte of agents, areas and links.
const PER_META_BYTE: u64 = 32;
/// Memory for each byte of names: an empty one has 4 bytes in the file and 24 in memory, and up to
/// three times that while their list grows.
const PER_NAME_BYTE: u64 = 20;
/// Memory for each byte of far connections and region sizes, also while their lists grow.
const PER_LIST_BYTE: u64 = 8;
/// Memory for each byte of counts: there is at least one for each column, which becomes four.
const PER_COUNT_BYTE: u64 = 5;

/// Memory for each byte of the scene's record: its colliders are as large in memory as in the file.
const PER_SCENE_BYTE: u64 = 2;
/// Memory for each byte of rooms and measures: a room has 8 in the file, 8 in memory and 12 more
/// while it is read, a measure 10, 10 and 16, and the bits of eight spans take two.
const PER_TABLE_BYTE: u64 = 4;

/// How a file is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadOptions {
    /// The most memory that the load may take, by an upper bound computed from the section headers
    /// before anything is unpacked [bytes]. A file that is read by
    /// [`NavGrid::load_with`](super::super::NavGrid::load_with) counts, bytes passed to
    /// [`NavGrid::from_bytes_with`](super::super::NavGrid::from_bytes_with) do not. The grid itself is
    /// most of it: 16 bytes a span and 8 more for each agent. The default is 8 GiB, as for bakes; a
    /// program that loads files from strangers should set less.
    pub memory_limit: u64,
}

impl Default for LoadOptions {
    fn default() -> Self {
        LoadOptions { memory_limit: 8 << 30 }
    }
}

/// The caller's limit, and how much of it is already taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryLimit {
    limit: u64,
    held: u64,
}

impl MemoryLimit {
    pub(super) fn new(options: &LoadOptions) -> Self {
        // No allocation can be larger, so that lengths below the limit fit a `usize`.
        MemoryLimit { limit: options.memory_limit.min(isize::MAX as u64), held: 0 }
    }

    /// The limit [bytes].
    pub(super) fn bytes(self) -> u64 {
        self.limit
    }

    /// The limit when some bytes are held besides.
    ///
    /// # Errors
    /// The limit is exceeded: the header at an offset says so.
    pub(super) fn hold(self, bytes: u64, offset: u64) -> Result<Self, FormatError> {
        let held = self.held.saturating_add(bytes);
        if held > self.limit {
            return Err(self.exceeded(HEADER_NAME.to_owned(), offset, held));
        }
        Ok(MemoryLimit { held, ..self })
    }

    /// Refuses sections that would take more than the limit, and names the first that does not fit.
    pub(super) fn check(self, sections: &[FileSection]) -> Result<(), FormatError> {
        let mut estimate = MemoryEstimate::default();
        let mut too_much = None;
        for section in sections {
            estimate.add(section);
            let needed = self.held.saturating_add(estimate.bytes());
            if needed > self.limit && too_much.is_none() {
                too_much = Some(section);
            }
        }
        let Some(section) = too_much else { return Ok(()) };
        let needed = self.held.saturating_add(estimate.bytes());
        Err(self.exceeded(section.id.name(), section.offset as u64, needed))
    }

    fn exceeded(self, section: String, offset: u64, needed: u64) -> FormatError {
        FormatError::MemoryLimit { section, offset, needed, limit: self.limit }
    }
}

/// Upper bounds on what some sections take.
#[derive(Clone, Copy, Debug, Default)]
struct MemoryEstimate {
    /// Bytes that stay until the load is done.
    kept: u64,
    /// Bytes of the planes of all spans, which wait for each other.
    span_planes: u64,
    /// Bytes of the largest plane of standings.
    standing_plane: u64,
    spans: u64,
    orders: u64,
    order_bytes: u64,
}

impl MemoryEstimate {
    fn add(&mut self, section: &FileSection) {
        let raw = section.raw_len;
        let mut keep = |factor: u64| {
            self.kept = self.kept.saturating_add(raw.saturating_mul(factor));
        };
        match &section.id.tag {
            b"META" => keep(PER_META_BYTE),
            b"SETT" => keep(PER_SETTINGS_BYTE),
            b"NODE" => keep(PER_NAME_BYTE),
            b"SCEN" => keep(PER_SCENE_BYTE),
            b"COLS" => keep(PER_COUNT_BYTE),
            b"FARS" | b"REGN" => keep(PER_LIST_BYTE),
            b"ROOM" | b"MEAS" => keep(PER_TABLE_BYTE),
            b"FLOR" | b"CEIL" | b"NORM" | b"GRND" => {
                keep(1);
                self.span_planes = self.span_planes.saturating_add(raw);
                self.spans = self.spans.max(raw / 4);
            }
            b"STEP" | b"STAT" => {
                keep(1);
                self.standing_plane = self.standing_plane.max(raw);
            }
            b"ORDR" => {
                self.orders += 1;
                self.order_bytes = self.order_bytes.saturating_add(raw);
            }
            // The head has a fixed length, and padding is not unpacked.
            _ => {}
        }
    }

    /// Bytes at the worst moment.
    fn bytes(self) -> u64 {
        // Orders are unpacked when all planes are freed.
        let passing = self.planes().max(self.unpacked_orders());
        BASE.saturating_add(self.kept).saturating_add(passing)
    }

    /// The planes of spans, and of the standings that the other workers unpack meanwhile.
    fn planes(self) -> u64 {
        let standings = self.standing_plane.saturating_mul(2 * (MOST_WORKERS as u64 - 1));
        self.span_planes.saturating_add(standings)
    }

    /// The orders, and what it takes to unpack and then to validate them: a number for each span
    /// and worker, and for each supernode less than its bytes in the section.
    fn unpacked_orders(self) -> u64 {
        let numbers = self.orders.saturating_add(self.orders.min(MOST_WORKERS as u64));
        let spans = self.spans.saturating_mul(numbers.saturating_mul(4));
        spans.saturating_add(self.order_bytes.saturating_mul(2))
    }
}
