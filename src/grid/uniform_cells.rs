//! Which spans lie in the middle of level ground: nine spans in a square, all at one height, of one
//! kind, with every step between them. A search need not look at all neighbors of such a span.

use super::span::ConnectionCode;
use super::{AgentId, Dir, NavGrid};

/// A bit for each span of a grid, for one agent; none at all where no span lies so.
#[derive(Clone, Debug)]
pub(crate) struct UniformCells(Vec<u64>);

impl UniformCells {
    /// Whether no span lies in the middle of level ground as baked.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a span lies in the middle of level ground as baked.
    #[inline]
    pub(crate) fn contains(&self, span: u32) -> bool {
        self.0.get(span as usize / 64).is_some_and(|bits| bits >> (span % 64) & 1 == 1)
    }
}

impl NavGrid {
    /// O(spans) the first time: a bit for each.
    pub(crate) fn uniform_cells(&self, agent: AgentId) -> &UniformCells {
        self.data.uniform_cells[agent.index()].get_or_init(|| {
            let mut bits = vec![0; self.data.parts.spans.len().div_ceil(64)];
            for (column, range) in self.data.parts.first.windows(2).enumerate() {
                for span in (range[0]..range[1]).filter(|&span| self.is_even(agent, column, span)) {
                    bits[span as usize / 64] |= 1 << (span % 64);
                }
            }
            if bits.iter().all(|&bits| bits == 0) {
                bits = Vec::new();
            }
            UniformCells(bits)
        })
    }

    fn is_even(&self, agent: AgentId, column: usize, span: u32) -> bool {
        let parts = &self.data.parts;
        let standings = &parts.layers[agent.index()].standings;
        if !standings[span as usize].is_level() {
            return false;
        }
        let row = parts.frame.size_x as isize;
        let layer = span - parts.first[column];
        let neighbor = |dir: Dir| {
            let (x, z) = dir.offset();
            parts.first[column.wrapping_add_signed(z as isize * row + x as isize)] + layer
        };
        let own = &parts.spans[span as usize];
        let is_alike = |dir: Dir| {
            let other = &parts.spans[neighbor(dir) as usize];
            (other.floor, other.word(2), other.area()) == (own.floor, own.word(2), own.area())
        };
        // The steps from each straight neighbor to the four beside it.
        let is_joined = |dir: Dir| {
            let steps = &standings[neighbor(dir) as usize];
            [2, 3, 5, 6]
                .iter()
                .all(|&turn| steps.connection_code(dir.turned(turn)) == ConnectionCode::LEVEL)
        };
        Dir::ALL.into_iter().all(is_alike) && Dir::STRAIGHT.into_iter().all(is_joined)
    }
}
