//! Clearance: the distance of a span's center from the nearest cell that the agent cannot stand on.
//!
//! Each span carries the offset in cells to the nearest cell that it has no connection to. Two raster
//! sweeps propagate offsets from neighbor to neighbor along connections, so that floors above each
//! other and the two sides of a wall never mix. The distance is measured to that cell's square, rounded
//! down to an eighth of a cell and capped at 255 eighths.
//! Based on: Danielsson, "Euclidean distance mapping", 1980, in the signed form of Ye, "The signed
//! Euclidean distance transform", 1988. Propagated offsets are not always the nearest: on open ground
//! the result is never too small, and at most an eighth of a cell too large (tests compare it with
//! brute force).

use std::ops::Range;

use super::connections::row_major_offsets;
use super::standing::{CLEARANCE_UNITS, ConnectionCode};
use super::{AgentLayer, CellOffset, Dir, GridFrame};

/// The longest clearance that can be stored, in eighths of a cell.
const LONGEST_CLEARANCE: f32 = 255.0;
/// Twice the longest clearance in cells, squared: distances are compared as squares in half cells.
const FARTHEST_SQUARE: u32 = {
    let half_cells = 2.0 * LONGEST_CLEARANCE / CLEARANCE_UNITS;
    (half_cells * half_cells) as u32 + 1
};

/// The clearance of the walkable spans of a layer whose verdicts and connections are final, over the
/// cells `within` the frame: what blocks the agent outside of them is not seen. O(spans of their rows).
pub(crate) fn measure_clearance(
    frame: &GridFrame,
    first: &[u32],
    layer: &AgentLayer,
    within: &GridFrame,
) -> ClearanceCodes {
    let columns = frame.size_x as usize;
    let west = (within.min.x - frame.min.x) as usize;
    let north = (within.min.z - frame.min.z) as usize;
    let rows = north..north + within.size_z as usize;
    let mut sweep = Sweep::new(frame, first, layer, &rows);
    let row = |z: usize| z * columns + west..z * columns + west + within.size_x as usize;
    let [east, south_east, south, south_west, west, north_west, north, north_east] = Dir::ALL;
    for row in rows.clone().map(row) {
        for index in row.clone() {
            sweep.seed(index);
            sweep.relax(index, [west, north_west, north, north_east]);
        }
        for index in row.rev() {
            sweep.relax(index, [east]);
        }
    }
    for row in rows.rev().map(row) {
        for index in row.clone().rev() {
            sweep.relax(index, [east, south_east, south, south_west]);
        }
        for index in row {
            sweep.relax(index, [west]);
        }
    }
    let codes: Vec<u8> = (0..=FARTHEST_SQUARE).map(code).collect();
    let code = |offset: &Offset| codes[(offset.0 >> 16).min(FARTHEST_SQUARE) as usize];
    ClearanceCodes { base: sweep.base, codes: sweep.nearest.iter().map(code).collect() }
}

/// The clearance of some rows of spans, in eighths of a cell; any number for spans that are not walkable
/// or were not asked for.
pub(crate) struct ClearanceCodes {
    /// The first span.
    base: u32,
    codes: Vec<u8>,
}

impl ClearanceCodes {
    /// The clearance of a span.
    #[inline]
    pub(crate) fn of(&self, span: u32) -> u8 {
        self.codes[(span - self.base) as usize]
    }

    /// The clearance of the spans from the first on.
    pub(crate) fn into_iter(self) -> impl Iterator<Item = u8> {
        self.codes.into_iter()
    }
}

/// A squared distance in half cells as eighths of a cell, rounded against the agent.
fn code(square: u32) -> u8 {
    ((square as f32).sqrt() / 2.0 * CLEARANCE_UNITS).min(LONGEST_CLEARANCE) as u8
}

/// Offset in cells to a blocked cell, with the squared distance to its square in half cells above:
/// square in bits 16..32, x in 8..16, z in 0..8.
#[derive(Clone, Copy)]
struct Offset(u32);

impl Offset {
    /// No blocked cell near enough.
    const NONE: Offset = Offset(u32::MAX);
    /// The span's own cell, which no neighbor takes over.
    const HERE: Offset = Offset(0);

    /// The offset to the same blocked cell from the neighbor at which a connection starts that leads
    /// here in direction `dir`.
    #[inline(always)]
    fn moved(self, dir: Dir) -> Self {
        let CellOffset { x, z } = dir.offset();
        let x = (self.0 >> 8) as u8 as i8 as i32 + x;
        let z = self.0 as u8 as i8 as i32 + z;
        let square = SQUARES[usize::from(x as u8)] + SQUARES[usize::from(z as u8)];
        let packed = square << 16 | u32::from(x as u8) << 8 | u32::from(z as u8);
        if square > FARTHEST_SQUARE { Offset::NONE } else { Offset(packed) }
    }

    /// This offset, or that of a neighbor in a direction if it is nearer. A neighbor's blocked cell is
    /// farther from here than from there, unless it lies on this side, and then another neighbor has it
    /// too: so a neighbor whose offset is not shorter need not be looked at.
    #[inline(always)]
    fn nearer(self, other: Offset, dir: Dir) -> Self {
        if other.0 >> 16 < self.0 >> 16 { Offset(self.0.min(other.moved(dir).0)) } else { self }
    }
}

/// For a distance in cells as an `i8`, the distance to the square of that cell in half cells,
/// squared.
static SQUARES: [u32; 256] = {
    let mut squares = [0; 256];
    let mut at = 0;
    while at < 256 {
        let cells = (at as u8 as i8).unsigned_abs() as u32;
        squares[at] = if cells == 0 { 0 } else { (2 * cells - 1) * (2 * cells - 1) };
        at += 1;
    }
    squares
};

struct Sweep<'a> {
    first: &'a [u32],
    layer: &'a AgentLayer,
    neighbors: [isize; 8],
    /// The first span of `nearest`.
    base: u32,
    nearest: Vec<Offset>,
}

impl<'a> Sweep<'a> {
    /// Prepares for sweeps over some rows, which look at one more on each side.
    fn new(
        frame: &GridFrame,
        first: &'a [u32],
        layer: &'a AgentLayer,
        rows: &Range<usize>,
    ) -> Self {
        let columns = frame.size_x as usize;
        let last = (rows.end + 1).min(frame.size_z as usize) * columns;
        let base = first[rows.start.saturating_sub(1) * columns];
        let nearest = vec![Offset::NONE; (first[last] - base) as usize];
        Sweep { first, layer, neighbors: row_major_offsets(frame), base, nearest }
    }

    /// Starts the spans of a column with the nearest neighbor that they have no connection to.
    #[inline]
    fn seed(&mut self, index: usize) {
        for span in self.first[index] as usize..self.first[index + 1] as usize {
            let standing = &self.layer.standings[span];
            let nearest = &mut self.nearest[span - self.base as usize];
            if !standing.is_walkable() {
                // No connection leads here, and nothing can be nearer.
                *nearest = Offset::HERE;
            } else if !standing.has_all_connections() {
                let mut dirs = Dir::STRAIGHT.iter().chain(&Dir::DIAGONAL);
                if let Some(dir) = dirs.find(|&&dir| !standing.has_connection(dir)) {
                    *nearest = Offset::HERE.moved(*dir);
                }
            }
        }
    }

    /// Takes over the offsets of the neighbors in some directions that are nearer.
    #[inline(always)]
    fn relax<const N: usize>(&mut self, index: usize, dirs: [Dir; N]) {
        let own = self.first[index];
        for span in own..self.first[index + 1] {
            let mut best = self.nearest[(span - self.base) as usize];
            // Next to a blocked cell, or in one: nothing is nearer.
            if best.0 >> 16 <= 1 {
                continue;
            }
            let standing = self.layer.standings[span as usize];
            let same_layer = |dir: Dir| {
                let column = index.wrapping_add_signed(self.neighbors[dir.index()]);
                self.first[column] + (span - own)
            };
            for dir in dirs {
                let to = if standing.is_level() {
                    same_layer(dir)
                } else {
                    match standing.connection_code(dir) {
                        ConnectionCode(0) => continue,
                        ConnectionCode::FAR => self.far(span, dir),
                        code => (same_layer(dir) + u32::from(code.0)).wrapping_sub(7),
                    }
                };
                best = best.nearer(self.nearest[(to - self.base) as usize], dir);
            }
            self.nearest[(span - self.base) as usize] = best;
        }
    }

    #[cold]
    fn far(&self, span: u32, dir: Dir) -> u32 {
        let far = &self.layer.far_connections;
        let found = far.binary_search_by_key(&(span, dir), |step| (step.from.0, step.dir));
        found.map_or(span, |at| far[at].to.0)
    }
}
