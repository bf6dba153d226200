//! Provides [`GroundBlocks`]: hashes of the ground, block by block, which tell where two grids differ.
//!
//! A block is a square of cells at a multiple of its side, so that all grids of one cell size have the same
//! blocks. Its hash is of all that a walk over it depends on: floors, ceilings, slopes, areas, verdicts,
//! connections and rooms. Nothing that depends on what lies elsewhere is in it: no clearance, no region, no
//! number of a node. Connections to the next block have hashes of their own, since they come and go with that.

use std::ops::Range;

use super::identity::{joined, mix};
use super::{Cell, Dir, GridFrame, GridParts, SpanId};

/// The hashes of all blocks that a grid has cells of.
#[derive(Clone, Debug)]
pub(super) struct GroundBlocks {
    /// Its cells are the blocks.
    pub frame: GridFrame,
    pub blocks: Vec<GroundBlock>,
}

/// The hashes of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GroundBlock {
    /// Of the ground, with the connections within the block.
    pub ground: u64,
    /// Of the connections to the next block along x, and to the one along z.
    pub across: [u64; 2],
    /// How many of its columns have floors.
    pub columns: u32,
}

/// Side of a block [cells].
pub(super) const BLOCK_SIDE: i32 = 32;

/// For the connections of a span, the bits of those that stay in its block, and of those that lead to the
/// next one along x, and along z.
type Masks = [u32; 3];

impl GroundBlocks {
    /// Hashes the ground of validated parts. O(cells + spans).
    pub fn new(parts: &GridParts) -> Self {
        let frame = frame_of_blocks(&parts.frame);
        let blocks = vec![GroundBlock::default(); frame.cells()];
        let mut all = GroundBlocks { frame, blocks };
        all.hash_rows(parts, 0..frame.size_z as usize);
        all
    }

    /// Hashes the ground after a change in some rows of cells. O(cells + spans of those rows).
    pub fn after(&self, parts: &GridParts, rows: Range<usize>) -> Self {
        let row_of = |row: i64| {
            let block = (i64::from(parts.frame.min.z) + row).div_euclid(BLOCK_SIDE.into());
            (block - i64::from(self.frame.min.z)).clamp(0, self.frame.size_z.into()) as usize
        };
        // Connections of the rows beside may have changed, too.
        let changed = row_of(rows.start as i64 - 1)..row_of(rows.end as i64) + 1;
        let mut all = self.clone();
        all.hash_rows(parts, changed.start..changed.end.min(self.frame.size_z as usize));
        all
    }

    /// The block at a place among the blocks; without ground if the grid has no cells there.
    pub fn at(&self, place: Cell) -> GroundBlock {
        let index = self.frame.index(place);
        index.and_then(|index| self.blocks.get(index).copied()).unwrap_or_default()
    }

    /// Hashes some rows of blocks.
    fn hash_rows(&mut self, parts: &GridParts, rows: Range<usize>) {
        let GridFrame { min, size_x, size_z, .. } = parts.frame;
        let width = self.frame.size_x as usize;
        self.blocks[rows.start * width..rows.end.max(rows.start) * width]
            .fill(GroundBlock::default());
        let masks = all_masks();
        for row in 0..size_z as i32 {
            let z = min.z + row;
            let block_row = (z.div_euclid(BLOCK_SIDE) - self.frame.min.z) as usize;
            if !rows.contains(&block_row) {
                continue;
            }
            let inside_z = z.rem_euclid(BLOCK_SIDE);
            let mut column = row as usize * size_x as usize;
            let end = column + size_x as usize;
            while column < end {
                let x = min.x + (column - (end - size_x as usize)) as i32;
                let inside_x = x.rem_euclid(BLOCK_SIDE);
                let count = ((BLOCK_SIDE - inside_x) as usize).min(end - column);
                let at = (x.div_euclid(BLOCK_SIDE) - self.frame.min.x) as usize;
                let strip = Strip {
                    parts,
                    columns: column..column + count,
                    inside: Cell::new(inside_x, inside_z),
                };
                strip.hash(&masks, &mut self.blocks[block_row * width + at]);
                column += count;
            }
        }
    }
}

/// Columns of one row within a block.
struct Strip<'a> {
    parts: &'a GridParts,
    columns: Range<usize>,
    /// The first one, counted from the block's corner.
    inside: Cell,
}

impl Strip<'_> {
    fn hash(&self, masks: &[Masks; 9], block: &mut GroundBlock) {
        let GridParts { first, spans, layers, .. } = self.parts;
        let Cell { x, z } = self.inside;
        for (x, column) in (x..).zip(self.columns.clone()) {
            let range = first[column] as usize..first[column + 1] as usize;
            if range.is_empty() {
                continue;
            }
            block.columns += 1;
            let [inside, along_x, along_z] = masks[3 * side(z) + side(x)];
            let place = (x as u64) << 40 | (z as u64) << 45;
            for (layer, at) in (0u64..).zip(range) {
                let span = &spans[at];
                let kind = u64::from(span.word(2)) | u64::from(span.area().0) << 32;
                let heights = joined([span.floor.to_bits(), span.ceiling.to_bits()]);
                block.ground = mix(mix(block.ground, heights), kind | place | layer << 50);
                for agent in layers {
                    let standing = &agent.standings[at];
                    let codes = standing.connection_codes();
                    let own = joined([codes & inside, standing.code()]);
                    block.ground = mix(block.ground, own);
                    if let Some(room) = agent.rooms.of(SpanId(at as u32)) {
                        block.ground = mix(block.ground, u64::from_le_bytes(room.to_bytes()));
                    }
                    for (across, mask) in block.across.iter_mut().zip([along_x, along_z]) {
                        if mask != 0 {
                            *across = mix(*across, joined([codes & mask, layer as u32]));
                        }
                    }
                }
            }
        }
    }
}

/// 0 for the first cell of a block, 2 for the last, 1 for those between.
fn side(inside: i32) -> usize {
    match inside {
        0 => 0,
        _ if inside == BLOCK_SIDE - 1 => 2,
        _ => 1,
    }
}

/// The masks of cells at the sides of a block, at its corners and inside.
fn all_masks() -> [Masks; 9] {
    std::array::from_fn(|at| {
        let leaves = |side: usize, by: i32| match side {
            0 => by.min(0),
            2 => by.max(0),
            _ => 0,
        };
        let mut masks = [0; 3];
        for dir in Dir::ALL {
            let offset = dir.offset();
            let nibble = 15 << (4 * dir.index());
            match [leaves(at % 3, offset.x), leaves(at / 3, offset.z)] {
                [0, 0] => masks[0] |= nibble,
                [1, 0] => masks[1] |= nibble,
                [0, 1] => masks[2] |= nibble,
                // The other block has those that lead back, and corners depend on a third one.
                _ => {}
            }
        }
        masks
    })
}

/// The blocks that have cells of a frame, as a frame.
fn frame_of_blocks(frame: &GridFrame) -> GridFrame {
    let along = |min: i32, size: u32| {
        let side = i64::from(BLOCK_SIDE);
        let first = i64::from(min).div_euclid(side);
        let end = (i64::from(min) + i64::from(size) + side - 1).div_euclid(side);
        (first as i32, if size == 0 { 0 } else { (end - first) as u32 })
    };
    let (x, size_x) = along(frame.min.x, frame.size_x);
    let (z, size_z) = along(frame.min.z, frame.size_z);
    let cell_size = frame.cell_size * BLOCK_SIDE as f32;
    GridFrame { cell_size, min: Cell::new(x, z), size_x, size_z }
}
