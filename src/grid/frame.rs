//! The frame of a grid: the only place that rounds between metres and cells.
//!
//! Cells are aligned to world multiples of the cell size: cell `i` covers `[i·s, (i+1)·s)` and is
//! sampled at its center. Two grids of the same cell size therefore agree on every cell they share.

use std::cmp::Ordering;

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

/// Fixed point of positions on lines over cells: this many units to a cell's side, so that one unit
/// is a quarter of a millimetre at 0.25 m.
pub(crate) const SUBCELLS: i64 = 1024;

/// The address of a column: cell `x` covers `[x·s, (x+1)·s)`, for the cell size `s`; likewise `z`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Cell {
    /// Along world z; rows of the grid. First, so that cells sort as they are stored.
    pub z: i32,
    /// Along world x.
    pub x: i32,
}

/// A span by its address: the same in every grid that has the same floors over its cell.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct CellLayer {
    /// The cell that it lies over.
    pub cell: Cell,
    /// Its index in the column there, from below.
    pub layer: u32,
}

impl Cell {
    /// The cell at column `x` of row `z`.
    pub const fn new(x: i32, z: i32) -> Self {
        Cell { x, z }
    }

    /// The neighboring cell in a direction. Cells are numbered in a circle: the last is next to the first.
    pub const fn neighbor(self, dir: Dir) -> Cell {
        self.moved(dir.offset())
    }

    /// The cell at an offset, in the same circle.
    pub(crate) const fn moved(self, CellOffset { x, z }: CellOffset) -> Cell {
        Cell { x: self.x.wrapping_add(x), z: self.z.wrapping_add(z) }
    }
}

/// A difference of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellOffset {
    /// Along world x.
    pub x: i32,
    /// Along world z.
    pub z: i32,
}

impl CellOffset {
    /// One step on.
    #[inline(always)]
    pub(crate) const fn step(self, dir: Dir) -> Self {
        let CellOffset { x, z } = dir.offset();
        CellOffset { x: self.x + x, z: self.z + z }
    }

    /// From this offset to another.
    #[inline(always)]
    pub(crate) const fn to(self, end: Self) -> Self {
        CellOffset { x: end.x - self.x, z: end.z - self.z }
    }
}

/// One of the 8 directions to a neighboring cell, counted from +x by way of +z in steps of 45°.
///
/// Even ones are straight, odd ones diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dir(u8);

impl Dir {
    /// All 8 directions.
    pub const ALL: [Dir; 8] = [Dir(0), Dir(1), Dir(2), Dir(3), Dir(4), Dir(5), Dir(6), Dir(7)];
    /// +x, +z, -x, -z.
    pub const STRAIGHT: [Dir; 4] = [Dir(0), Dir(2), Dir(4), Dir(6)];
    /// The four diagonals, from that towards +x and +z by way of that towards -x and +z.
    pub const DIAGONAL: [Dir; 4] = [Dir(1), Dir(3), Dir(5), Dir(7)];
    /// Towards greater x or z: half of the directions. Each connection is stored at both its ends, so
    /// that looking at these visits each pair of neighbors once.
    pub(crate) const FORWARD: [Dir; 4] = [Dir(0), Dir(1), Dir(2), Dir(3)];

    /// Position in [`Dir::ALL`] `[0..8)`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The offset of the neighboring cell, each way -1, 0 or 1.
    pub const fn offset(self) -> CellOffset {
        const X: [i32; 8] = [1, 1, 0, -1, -1, -1, 0, 1];
        const Z: [i32; 8] = [0, 1, 1, 1, 0, -1, -1, -1];
        CellOffset { x: X[self.0 as usize], z: Z[self.0 as usize] }
    }

    /// The two directions towards a cell at an offset: over the corner, then along the longer axis.
    pub(crate) fn towards(CellOffset { x, z }: CellOffset) -> [Dir; 2] {
        let (x_dir, z_dir) = (Dir(if x < 0 { 4 } else { 0 }), Dir(if z < 0 { 6 } else { 2 }));
        let corner = match (x < 0, z < 0) {
            (false, false) => Dir(1),
            (true, false) => Dir(3),
            (true, true) => Dir(5),
            (false, true) => Dir(7),
        };
        [corner, if x.abs() < z.abs() { z_dir } else { x_dir }]
    }

    /// The opposite direction.
    pub const fn opposite(self) -> Dir {
        Dir((self.0 + 4) % 8)
    }

    /// The direction turned by a number of eighths of a full turn, from +x towards +z.
    pub const fn turned(self, eighths: u8) -> Dir {
        Dir((self.0 + eighths % 8) % 8)
    }

    /// Whether it leads to a cell that shares only a corner.
    pub const fn is_diagonal(self) -> bool {
        self.0 % 2 == 1
    }

    /// Distance between the centers of two cells in this direction [cells].
    pub const fn length(self) -> f32 {
        if self.is_diagonal() { std::f32::consts::SQRT_2 } else { 1.0 }
    }
}

/// Where a grid lies: its cell size and the rectangle of cells it covers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GridFrame {
    /// Length of a cell's side [m, > 0].
    pub cell_size: f32,
    /// The cell with the least x and z.
    pub min: Cell,
    /// Number of cells along x.
    pub size_x: u32,
    /// Number of cells along z.
    pub size_z: u32,
}

impl GridFrame {
    /// The smallest frame whose cells cover the rectangle from `min` to `max` (x, z) [m].
    ///
    /// `None` if a number is not finite, if `min` is greater than `max`, if the cell size is not
    /// positive, or if the rectangle lies 2^30 or more cells from the origin.
    pub fn covering(cell_size: f32, min: [f32; 2], max: [f32; 2]) -> Option<Self> {
        let size = f64::from(cell_size);
        let low = min.map(|v| (f64::from(v) / size).floor());
        let high = max.map(|v| (f64::from(v) / size).ceil());
        let fits = |v: f64| v.abs() < f64::from(1 << 30);
        let sound = cell_size > 0.0
            && low.iter().chain(&high).all(|&v| fits(v))
            && low[0] <= high[0]
            && low[1] <= high[1];
        sound.then(|| GridFrame {
            cell_size,
            min: Cell::new(low[0] as i32, low[1] as i32),
            size_x: (high[0] - low[0]) as u32,
            size_z: (high[1] - low[1]) as u32,
        })
    }

    /// Number of cells in the frame.
    pub fn cells(&self) -> usize {
        (self.size_x as usize).saturating_mul(self.size_z as usize)
    }

    /// The cell under a point (x, z) [m], inside the frame or not.
    pub fn cell_at(&self, x: f32, z: f32) -> Cell {
        let size = f64::from(self.cell_size);
        let index = |v: f32| (f64::from(v) / size).floor() as i32;
        Cell::new(index(x), index(z))
    }

    /// The point (x, z) of a cell that is nearest to a point [m]. [`GridFrame::cell_at`] finds that
    /// cell there and not the next one, to which the far borders belong, unless the cells are smaller
    /// than the spacing of `f32` numbers.
    pub(crate) fn nearest_in(&self, cell: Cell, [x, z]: [f32; 2]) -> [f32; 2] {
        let size = f64::from(self.cell_size);
        let along = |v: f32, i: i32| {
            let border = |i: f64| (i * size) as f32;
            let inside = v.max(border(i.into())).min(border(f64::from(i) + 1.0));
            // Borders are rounded, up or down.
            match ((f64::from(inside) / size).floor() as i32).cmp(&i) {
                Ordering::Less => inside.next_up(),
                Ordering::Equal => inside,
                Ordering::Greater => inside.next_down(),
            }
        };
        [along(x, cell.x), along(z, cell.z)]
    }

    /// The center of a cell (x, z) [m].
    pub fn center(&self, cell: Cell) -> [f32; 2] {
        let size = f64::from(self.cell_size);
        let center = |i: i32| ((f64::from(i) + 0.5) * size) as f32;
        [center(cell.x), center(cell.z)]
    }

    /// The point at a height over the center of a cell.
    pub fn point(&self, cell: Cell, y: f32) -> Point3<f32> {
        let [x, z] = self.center(cell);
        Point3::new(x, y, z)
    }

    /// A point (x, z) [m] as an offset from the frame's least corner, in [`SUBCELLS`] to the cell:
    /// integers, so that lines over cells can be traced exactly. Rounded within its own cell, so that
    /// the center of a cell of any size stays its center.
    pub fn subcells(&self, x: f32, z: f32) -> [i64; 2] {
        let size = f64::from(self.cell_size);
        let parts = |v: f32, min: i32| {
            let cells = f64::from(v) / size;
            // Points that are farther away than numbers reach saturate. Functions that round would be called
            // twice for each end of each line.
            let truncated = cells as i64;
            let whole = truncated.saturating_sub(i64::from(cells < truncated as f64));
            let inside = ((cells - whole as f64) * SUBCELLS as f64 + 0.5) as i64;
            let whole = whole.saturating_sub(i64::from(min));
            whole.saturating_mul(SUBCELLS).saturating_add(inside.min(SUBCELLS - 1))
        };
        [parts(x, self.min.x), parts(z, self.min.z)]
    }

    /// Position of a cell in row-major order, rows along x; `None` outside the frame.
    pub fn index(&self, cell: Cell) -> Option<usize> {
        let x = cell.x.wrapping_sub(self.min.x) as u32;
        let z = cell.z.wrapping_sub(self.min.z) as u32;
        (x < self.size_x && z < self.size_z).then(|| z as usize * self.size_x as usize + x as usize)
    }

    /// The cell at a position in row-major order. Positions behind the last one go on in rows below
    /// the frame; a frame without columns counts as one column wide.
    pub fn cell(&self, index: usize) -> Cell {
        let width = self.size_x.max(1) as usize;
        let (z, x) = (index / width, index % width);
        Cell::new(self.min.x.wrapping_add(x as i32), self.min.z.wrapping_add(z as i32))
    }

    /// Turns row-major positions into cells without a division.
    pub fn row_divider(&self) -> RowDivider {
        let width = self.size_x.max(1);
        RowDivider { width, reciprocal: FIXED_ONE / u64::from(width) + 1 }
    }

    /// The borders of a cell: least (x, z), greatest (x, z) [m].
    pub fn borders(&self, cell: Cell) -> [[f64; 2]; 2] {
        let size = f64::from(self.cell_size);
        let [x, z] = [cell.x, cell.z].map(f64::from);
        [[x * size, z * size], [(x + 1.0) * size, (z + 1.0) * size]]
    }

    /// A place next to a cell or over it, moved over it by rounding: a border belongs to one of its two
    /// cells, and rounding to `f32` may lead over it.
    pub(crate) fn rounded_into(&self, cell: Cell, mut place: [f32; 2]) -> [f32; 2] {
        let center = self.center(cell);
        for _ in 0..MOST_NUDGES {
            if self.cell_at(place[0], place[1]) == cell {
                break;
            }
            place = [0, 1].map(|axis| {
                let inwards = center[axis] > place[axis];
                if inwards { place[axis].next_up() } else { place[axis].next_down() }
            });
        }
        place
    }

    /// The rectangle covered: least (x, z), greatest (x, z) [m].
    pub fn bounds(&self) -> ([f32; 2], [f32; 2]) {
        let size = f64::from(self.cell_size);
        let corner = |x: i64, z: i64| [(x as f64 * size) as f32, (z as f64 * size) as f32];
        let (x, z) = (i64::from(self.min.x), i64::from(self.min.z));
        (corner(x, z), corner(x + i64::from(self.size_x), z + i64::from(self.size_z)))
    }

    /// The smallest frame that has the cells of two frames of one cell size. One without cells adds nothing.
    pub fn bounding(&self, other: &GridFrame) -> GridFrame {
        if self.cells() == 0 || other.cells() == 0 {
            return if self.cells() == 0 { *other } else { *self };
        }
        let along = |a: (i32, u32), b: (i32, u32)| {
            let end = |(min, size): (i32, u32)| i64::from(min) + i64::from(size);
            let min = a.0.min(b.0);
            (min, (end(a).max(end(b)) - i64::from(min)) as u32)
        };
        let (x, size_x) = along((self.min.x, self.size_x), (other.min.x, other.size_x));
        let (z, size_z) = along((self.min.z, self.size_z), (other.min.z, other.size_z));
        GridFrame { min: Cell::new(x, z), size_x, size_z, ..*self }
    }

    /// The cells that two frames of one cell size share; a frame of no cells if they share none.
    pub fn overlap(&self, other: &GridFrame) -> GridFrame {
        let along = |a: (i32, u32), b: (i32, u32)| {
            let end = |(min, size): (i32, u32)| i64::from(min) + i64::from(size);
            let min = a.0.max(b.0);
            (min, (end(a).min(end(b)) - i64::from(min)).max(0) as u32)
        };
        let (x, size_x) = along((self.min.x, self.size_x), (other.min.x, other.size_x));
        let (z, size_z) = along((self.min.z, self.size_z), (other.min.z, other.size_z));
        GridFrame { min: Cell::new(x, z), size_x, size_z, ..*self }
    }

    /// The frame grown by a number of cells on every side, as far as cells can be numbered.
    pub fn grown(&self, by: u32) -> GridFrame {
        let min = [self.min.x, self.min.z].map(|min| min.saturating_sub_unsigned(by));
        let size = |size: u32| size.saturating_add(by.saturating_mul(2));
        GridFrame {
            min: Cell::new(min[0], min[1]),
            size_x: size(self.size_x),
            size_z: size(self.size_z),
            ..*self
        }
    }
}

/// A place next to a border is moved into its cell by at most this many of the smallest steps.
const MOST_NUDGES: usize = 4;

/// Divides row-major positions by the width of a row: one multiplication takes a fraction of the
/// time of a division, which is the slowest thing a search does with a position.
/// Based on: Granlund and Montgomery, "Division by invariant integers using multiplication", 1994.
#[derive(Clone, Copy, Debug)]
pub struct RowDivider {
    width: u32,
    /// [`FIXED_ONE`] divided by the width, rounded up.
    reciprocal: u64,
}

/// The fixed point of reciprocals. Rounding up adds less than one part in 2^63 for each of 2^32
/// positions, which is less than the share 1 / width of a row that one position is, as long as the
/// width is below 2^31. So positions of 32 bits are divided exactly.
const FIXED_ONE: u64 = 1 << 63;

impl RowDivider {
    /// The offset of the cell at a row-major position [0..2^32) from the frame's least cell.
    #[inline(always)]
    pub fn cell_offset(self, index: usize) -> CellOffset {
        let index = index as u32;
        let row = (u128::from(self.reciprocal) * u128::from(index) / u128::from(FIXED_ONE)) as u32;
        CellOffset { x: (index - row * self.width) as i32, z: row as i32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_divided_exactly() {
        const LAST: u32 = u32::MAX;
        let widths = [1, 2, 3, 7, 640, 641, 65_535, 65_537, 123_456_789, (1 << 31) - 1];
        for size_x in widths {
            let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x, size_z: 1 };
            let divider = frame.row_divider();
            let spread = (0..10_000u32).map(|at| at.wrapping_mul(2_654_435_761));
            let ends = (1..=LAST / size_x).rev().take(1000).map(|row| row * size_x);
            for index in spread.chain(ends.flat_map(|end| [end - 1, end])).chain([0, LAST]) {
                let expected =
                    CellOffset { x: (index % size_x) as i32, z: (index / size_x) as i32 };
                assert_eq!(divider.cell_offset(index as usize), expected, "{index} by {size_x}");
            }
        }
    }
}
