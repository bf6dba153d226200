//! Which part of a grid a picture shows: all that there is to see, with a margin.

use nalgebra::Point3;

use surefoot::grid::{Cell, GridFrame};

/// The margin round what is shown: a part of its extent, and at least this many metres and cells.
const MARGIN: f32 = 0.12;
const MIN_MARGIN: f32 = 2.5;
const MIN_MARGIN_CELLS: u32 = 8;
/// The shorter side of the window is at least this part of the longer one.
const MIN_ASPECT: f32 = 0.55;
/// Windows that hold more than this part of the grid are opened to all of it.
const NEARLY_ALL: f32 = 0.7;

/// The part of the whole grid round some of its cells; all of it where there are none, and where
/// it would be most of it anyway.
pub(in super::super) fn around(whole: GridFrame, cells: impl Iterator<Item = Cell>) -> GridFrame {
    let Some([low, high]) = extent(cells) else { return whole };
    let size = |low: i32, high: i32| (high - low) as u32 + 1;
    let (size_x, size_z) = (size(low.x, high.x), size(low.z, high.z));
    let long = size_x.max(size_z);
    let metres = (MIN_MARGIN / whole.cell_size).ceil() as u32;
    let margin = ((long as f32 * MARGIN) as u32).max(metres).max(MIN_MARGIN_CELLS);
    let bare = GridFrame { min: low, size_x, size_z, ..whole };
    let window = whole.overlap(&rounder(&bare.grown(margin)));
    let most = window.cells() as f32 > NEARLY_ALL * whole.cells() as f32;
    if most { whole } else { window }
}

/// The cell of a window that a point lies over; `None` outside, and if the point is not finite.
pub(in super::super) fn cell_under(window: &GridFrame, point: &Point3<f32>) -> Option<Cell> {
    let cell = window.cell_at(point.x, point.z);
    let inside = point.iter().all(|v| v.is_finite()) && window.index(cell).is_some();
    inside.then_some(cell)
}

/// The least and the greatest of some cells.
fn extent(mut cells: impl Iterator<Item = Cell>) -> Option<[Cell; 2]> {
    let first = cells.next()?;
    Some(cells.fold([first; 2], |[low, high], cell| {
        let low = Cell::new(low.x.min(cell.x), low.z.min(cell.z));
        [low, Cell::new(high.x.max(cell.x), high.z.max(cell.z))]
    }))
}

/// The frame, widened where it is very long.
fn rounder(frame: &GridFrame) -> GridFrame {
    let least = (frame.size_x.max(frame.size_z) as f32 * MIN_ASPECT) as u32;
    let widened = |min: i32, size: u32| {
        let more = least.saturating_sub(size);
        (min - more as i32 / 2, size + more)
    };
    let (x, size_x) = widened(frame.min.x, frame.size_x);
    let (z, size_z) = widened(frame.min.z, frame.size_z);
    GridFrame { min: Cell::new(x, z), size_x, size_z, ..*frame }
}
