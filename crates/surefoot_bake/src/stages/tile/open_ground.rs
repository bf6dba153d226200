//! Finds open ground: patches of cells where nothing comes near an agent's body.
//!
//! One query answers for all floors of a patch, with room to spare. What it does not prove is left to
//! queries about single floors.

use std::ops::Range;

use nalgebra::Point3;

use super::work::TileWork;
use crate::casts::TileCaster;
use surefoot::grid::{Cell, GridFrame};

/// Side of a patch in cells: half that of a square of the broad phase.
const PATCH_CELLS: usize = 5;
/// The room that is asked for, in cells: as much at both ends of a step proves it on any usual slope, and
/// as much at one end proves that a body could step off.
const ROOM_CELLS: f32 = 1.45;
/// The room that is asked for is at most this part of the lift, or the ground itself would take it away.
const ROOM_OF_LIFT: f32 = 0.75;
/// Fewer floors are judged one by one.
const FEWEST_FLOORS: usize = 3;

/// Calls back with floors on open ground for a probe's body, and the room there [m]. Only floors that are
/// asked about count.
pub(super) fn find_open_ground<T: TileCaster>(
    work: &mut TileWork<T>,
    probe: usize,
    asked: &[bool],
    mut call: impl FnMut(usize, f32),
) {
    let lift = work.plan.probes[probe].body.bottom;
    let room = (ROOM_CELLS * work.frame.cell_size).min(ROOM_OF_LIFT * lift);
    let (width, height) = (work.frame.size_x as usize, work.frame.size_z as usize);
    let [starts_x, starts_z] = [width, height].map(|size| (0..size).step_by(PATCH_CELLS));
    let starts = starts_z.flat_map(|z| starts_x.clone().map(move |x| [x, z]));
    for [x, z] in work.until_cancelled(starts) {
        let patch =
            Patch { columns: x..width.min(x + PATCH_CELLS), rows: z..height.min(z + PATCH_CELLS) };
        let Some([low, high]) = patch.heights(work, asked, lift) else { continue };
        // Ground that rises by more takes the room away by itself.
        if high - low > lift - room {
            continue;
        }
        let feet = patch.corners(&work.frame, [low, high]);
        if work.caster.has_room_throughout(probe, feet, room) {
            let is_proven =
                |&floor: &usize| asked[floor] && (low..=high).contains(&work.feet[floor].y);
            patch.floors(work).filter(is_proven).for_each(|floor| call(floor, room));
        }
    }
}

/// A rectangle of a tile's cells.
struct Patch {
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Patch {
    /// Returns the floors over its cells.
    fn floors<T: TileCaster>(&self, work: &TileWork<T>) -> impl Iterator<Item = usize> {
        let (first, width) = (&work.floors.first, work.frame.size_x as usize);
        let Range { start, end } = self.columns;
        let row =
            move |z: usize| first[z * width + start] as usize..first[z * width + end] as usize;
        self.rows.clone().flat_map(row)
    }

    /// Returns the heights of the lowest and the highest floor of those that are asked about and lie on the
    /// storey of the first; `None` if they are few [m].
    fn heights<T: TileCaster>(
        &self,
        work: &TileWork<T>,
        asked: &[bool],
        storey: f32,
    ) -> Option<[f32; 2]> {
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut count = 0;
        for floor in self.floors(work).filter(|&floor| asked[floor]) {
            let y = work.feet[floor].y;
            if count == 0 || (y >= low - storey && y <= high + storey) {
                (low, high) = (low.min(y), high.max(y));
                count += 1;
            }
        }
        (count >= FEWEST_FLOORS).then_some([low, high])
    }

    /// Returns the corners of the box around the places between two heights over the centers of its cells.
    fn corners(&self, frame: &GridFrame, [low, high]: [f32; 2]) -> [Point3<f32>; 2] {
        let cell = |x: usize, z: usize| Cell::new(frame.min.x + x as i32, frame.min.z + z as i32);
        let (columns, rows) = (&self.columns, &self.rows);
        [
            frame.point(cell(columns.start, rows.start), low),
            frame.point(cell(columns.end - 1, rows.end - 1), high),
        ]
    }
}
