//! Clearance: how far a span's center is from the nearest place the agent may not stand.
//!
//! Each span carries the offset in cells to the nearest cell it cannot step into, passed on from
//! neighbor to neighbor along steps in two raster sweeps, so that floors above each other and
//! walls between cells never mix. Measured to that cell's square; rounded down to an eighth of a
//! cell and capped at 255 eighths.
//! Based on: Danielsson, "Euclidean distance mapping", 1980, in the signed form of Ye, "The signed
//! Euclidean distance transform", 1988. Offsets passed on between neighbors are not always the
//! nearest: on open ground the result is never too small, and at most 0.25 cells too large (the
//! tests hold this against brute force).

use super::span::{CLEARANCE_STEPS, StepCode};
use super::steps::row_major_offsets;
use super::{AgentLayer, Dir, GridFrame};

/// The longest clearance that can be stored, in eighths of a cell.
const LONGEST: f32 = 255.0;
/// Twice the longest clearance in cells, squared: distances are compared as squares in half cells.
const FARTHEST: u32 = {
    let half_cells = 2.0 * LONGEST / CLEARANCE_STEPS;
    (half_cells * half_cells) as u32 + 1
};

/// Writes the clearance of every walkable span of a layer whose steps stand. O(spans).
pub(crate) fn measure_clearance(frame: &GridFrame, first: &[u32], layer: &mut AgentLayer) {
    let mut sweep = Sweep::new(frame, first, layer);
    let (rows, columns) = (frame.size_z as usize, frame.size_x as usize);
    let [east, south_east, south, south_west, west, north_west, north, north_east] = Dir::ALL;
    for row in (0..rows).map(|z| z * columns..(z + 1) * columns) {
        for index in row.clone() {
            sweep.seed(index);
            sweep.relax(index, &[west, north_west, north, north_east]);
        }
        for index in row.rev() {
            sweep.relax(index, &[east]);
        }
    }
    for row in (0..rows).rev().map(|z| z * columns..(z + 1) * columns) {
        for index in row.clone().rev() {
            sweep.relax(index, &[east, south_east, south, south_west]);
        }
        for index in row {
            sweep.relax(index, &[west]);
        }
    }
    let Sweep { nearest, .. } = sweep;
    let codes: Vec<u8> = (0..=FARTHEST).map(code).collect();
    for (standing, offset) in layer.standings.iter_mut().zip(nearest) {
        if standing.is_walkable() {
            standing.set_clearance(codes[(offset.0 >> 16).min(FARTHEST) as usize]);
        }
    }
}

/// A squared distance in half cells as eighths of a cell, rounded against the agent.
fn code(square: u32) -> u8 {
    ((square as f32).sqrt() / 2.0 * CLEARANCE_STEPS).min(LONGEST) as u8
}

/// Offset in cells to a blocked cell, with the squared distance to its square in half cells above:
/// square in bits 16..32, x in 8..16, z in 0..8.
#[derive(Clone, Copy)]
struct Offset(u32);

impl Offset {
    /// Nothing within reach.
    const NONE: Offset = Offset(u32::MAX);
    /// The place itself; only ever moved from.
    const HERE: Offset = Offset(0);

    #[inline]
    fn new(x: i32, z: i32) -> Self {
        let half_cells = |v: i32| (2 * v.abs() - 1).max(0) as u32;
        let square = half_cells(x).pow(2) + half_cells(z).pow(2);
        if square > FARTHEST {
            return Offset::NONE;
        }
        Offset(square << 16 | u32::from(x as i8 as u8) << 8 | u32::from(z as i8 as u8))
    }

    #[inline]
    fn moved(self, dir: Dir) -> Self {
        let (x, z) = dir.offset();
        Offset::new(i32::from((self.0 >> 8) as i8) + x, i32::from(self.0 as i8) + z)
    }
}

struct Sweep<'a> {
    first: &'a [u32],
    layer: &'a AgentLayer,
    neighbors: [isize; 8],
    nearest: Vec<Offset>,
}

impl<'a> Sweep<'a> {
    fn new(frame: &GridFrame, first: &'a [u32], layer: &'a AgentLayer) -> Self {
        let nearest = vec![Offset::NONE; layer.standings.len()];
        Sweep { first, layer, neighbors: row_major_offsets(frame), nearest }
    }

    /// Starts the spans of a column with the nearest neighbor they cannot step to.
    #[inline]
    fn seed(&mut self, index: usize) {
        for span in self.first[index] as usize..self.first[index + 1] as usize {
            let standing = &self.layer.standings[span];
            let missing = Dir::STRAIGHT.iter().chain(&Dir::DIAGONAL);
            if standing.has_all_steps() || !standing.is_walkable() {
                continue;
            }
            if let Some(dir) = missing.copied().find(|&dir| !standing.has_step(dir)) {
                self.nearest[span] = Offset::HERE.moved(dir);
            }
        }
    }

    /// Takes over what the neighbors in some directions know, where it is nearer.
    #[inline]
    fn relax(&mut self, index: usize, dirs: &[Dir]) {
        let own = self.first[index];
        for span in own..self.first[index + 1] {
            let standing = self.layer.standings[span as usize];
            let mut best = self.nearest[span as usize].0;
            for &dir in dirs {
                let code = standing.step_code(dir);
                if code.0 == 0 {
                    continue;
                }
                let neighbor = index.wrapping_add_signed(self.neighbors[dir.index()]);
                let base = self.first[neighbor];
                let to = if code == StepCode::FAR {
                    self.far(span, dir)
                } else {
                    (i64::from(base) + i64::from(span - own) + code.rise()) as u32
                };
                let known = self.nearest[to as usize];
                // A neighbor's obstacle lies further from here than from there, unless it lies
                // on this side, and then another neighbor knows it too.
                if known.0 >> 16 < best >> 16 {
                    best = best.min(known.moved(dir).0);
                }
            }
            self.nearest[span as usize].0 = best;
        }
    }

    #[cold]
    fn far(&self, span: u32, dir: Dir) -> u32 {
        let far = &self.layer.far_steps;
        let found = far.binary_search_by_key(&(span, dir), |step| (step.from.0, step.dir));
        found.map_or(span, |at| far[at].to.0)
    }
}
