//! Provides [`OrderParameters`]: how finely ground is dissected, and which costs are stored.

/// They decide how fast queries and updates are and how much memory a metric takes, never what is
/// found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OrderParameters {
    /// Cells of at most this many spans are not dissected further.
    pub leaf_spans: usize,
    /// Cells of at most this many spans are blocks: queries search them, and no costs within them
    /// are stored.
    pub block_spans: u32,
    /// On open ground, cells of at most this many spans with a long boundary are blocks as well:
    /// a frontal matrix grows with the square of the boundary, so there is more to save.
    pub open_block_spans: u32,
    /// Of this many levels above the blocks, one stores its contributions. An update computes the
    /// others from those.
    pub contribution_levels: u8,
    /// A contribution is also stored wherever it has at most this many costs a span of its cell.
    pub cheap_contribution: usize,
    /// Cells of fewer spans are left to one thread.
    pub parallel_spans: usize,
}

/// The size of a cell of the dissection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellSize {
    pub spans: u32,
    /// Spans of its boundary.
    pub boundary: usize,
}

/// A boundary is long if its square is more than this many times the spans within. Around a square
/// it is 16 times.
const LONG_BOUNDARY: usize = 13;

impl OrderParameters {
    /// What measured best.
    pub(crate) const DEFAULT: OrderParameters = OrderParameters {
        leaf_spans: 64,
        block_spans: 64,
        open_block_spans: 256,
        contribution_levels: 3,
        cheap_contribution: 6,
        parallel_spans: 1 << 14,
    };

    /// Whether a cell is a block, on open ground or not.
    pub(crate) fn makes_block(&self, cell: CellSize, is_open: bool) -> bool {
        let is_open_block = is_open && cell.spans <= self.open_block_spans;
        cell.spans <= self.block_spans || is_open_block && cell.has_long_boundary()
    }
}

impl CellSize {
    fn has_long_boundary(self) -> bool {
        self.boundary * self.boundary > LONG_BOUNDARY * self.spans as usize
    }
}

/// Whether ground of this many spans is open as a whole: only wide separators take it apart. In
/// levels, whose rooms have doors, frontal matrices are smaller.
pub(crate) fn is_open(spans: usize, widest_front: usize) -> bool {
    widest_front * widest_front > spans
}
