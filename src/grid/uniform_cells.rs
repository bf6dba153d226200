//! Uniform cells: spans in the middle of level ground, where a search can prune neighbors.
//!
//! The span and its eight neighbors lie at one height, have one slope and one area, and every
//! connection between them exists. What remains of a span's natural neighbors there is known beforehand.
//! Based on: Harabor and Grastien, "Online graph pruning for pathfinding on grid maps", 2011.

use std::ops::Range;

use super::frame::{CellOffset, Dir};
use super::parts::GridParts;
use super::span::AgentId;
use super::span_bits::{ReplacedSpans, bits_from};
use super::standing::ConnectionCode;

/// A bit for each span of a grid, for one agent; no bits at all if no span is uniform.
#[derive(Clone, Debug)]
pub(crate) struct UniformCells(Vec<u64>);

impl UniformCells {
    /// The uniform cells of validated parts, for an agent that they have. O(spans).
    pub(super) fn new(parts: &GridParts, agent: AgentId) -> Self {
        let mut cells = UniformCells(vec![0; parts.spans.len().div_ceil(64)]);
        cells.find(parts, agent, 0..parts.frame.cells());
        cells
    }

    /// The uniform cells of a grid that differs in some rows only from the one that these are of, whose
    /// columns start at `first`. O(spans of those rows + spans / 64).
    pub(super) fn after(&self, first: &[u32], grid: RowsOf) -> Self {
        let RowsOf { parts, agent, rows } = grid;
        let width = parts.frame.size_x as usize;
        // A span's neighbors count, too.
        let end = (rows.end + 1).min(parts.frame.size_z as usize);
        let columns = rows.start.saturating_sub(1) * width..end * width;
        let [old, new] =
            [first, &parts.first].map(|first| first[columns.start]..first[columns.end]);
        let (new, total) = (new.len() as u32, parts.spans.len() as u32);
        let word = |at: usize| self.0.get(at).copied().unwrap_or(0);
        let bits = ReplacedSpans { old, new, total }.move_bits(|span| bits_from(span, word));
        let mut cells = UniformCells(bits);
        cells.find(parts, agent, columns);
        cells
    }

    /// Finds those in some columns, of which none is set.
    fn find(&mut self, parts: &GridParts, agent: AgentId, columns: Range<usize>) {
        let UniformCells(bits) = self;
        for column in columns {
            let spans = parts.first[column]..parts.first[column + 1];
            for span in spans.filter(|&span| is_uniform(parts, agent, column, span)) {
                bits[span as usize / 64] |= 1 << (span % 64);
            }
        }
        if bits.iter().all(|&bits| bits == 0) {
            *bits = Vec::new();
        }
    }

    /// Whether no span is uniform as baked.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a span is uniform as baked.
    #[inline]
    pub(crate) fn contains(&self, span: u32) -> bool {
        self.0.get(span as usize / 64).is_some_and(|bits| bits >> (span % 64) & 1 == 1)
    }
}

/// Some rows of a grid, for one agent.
pub(super) struct RowsOf<'a> {
    pub parts: &'a GridParts,
    pub agent: AgentId,
    pub rows: Range<usize>,
}

fn is_uniform(parts: &GridParts, agent: AgentId, column: usize, span: u32) -> bool {
    let standings = &parts.layers[agent.index()].standings;
    if !standings[span as usize].is_level() {
        return false;
    }
    let row = parts.frame.size_x as isize;
    let layer = span - parts.first[column];
    // All connections exist and are level, so every neighbor is in the frame and in this layer.
    let neighbor = |dir: Dir| {
        let CellOffset { x, z } = dir.offset();
        parts.first[column.wrapping_add_signed(z as isize * row + x as isize)] + layer
    };
    let own = &parts.spans[span as usize];
    let is_alike = |dir: Dir| {
        let other = &parts.spans[neighbor(dir) as usize];
        (other.floor, other.word(2), other.area()) == (own.floor, own.word(2), own.area())
    };
    // The connections from each straight neighbor to the four neighbors beside it.
    let is_joined = |dir: Dir| {
        let standing = &standings[neighbor(dir) as usize];
        let is_level = |turn| standing.connection_code(dir.turned(turn)) == ConnectionCode::LEVEL;
        [2, 3, 5, 6].into_iter().all(is_level)
    };
    Dir::ALL.into_iter().all(is_alike) && Dir::STRAIGHT.into_iter().all(is_joined)
}
