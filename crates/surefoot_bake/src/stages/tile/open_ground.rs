//! Finds open ground: patches of cells where nothing comes near an agent's body.
//!
//! One query answers for all floors of a patch, with room to spare. It is asked about wide patches
//! first, then about narrow ones; what neither proves is left to queries about single floors.

use nalgebra::Point3;

use super::work::TileWork;
use crate::casts::TileCaster;

/// Sides of patches in cells. The broad phase keeps a neighbor list for each square of the first size.
const PATCH_CELLS: [usize; 2] = [6, 3];
/// The room that is asked for, in cells: as much at both ends of a step proves it on any usual slope, and
/// as much at one end proves that a body could step off.
const ROOM_CELLS: f32 = 1.45;
/// The room that is asked for is at most this part of the lift, or the ground itself would take it away.
const ROOM_OF_LIFT: f32 = 0.75;
/// Fewer floors are judged one by one.
const FEWEST_FLOORS: usize = 3;

/// The floors of a patch of open ground, at nearly one height.
pub(super) struct OpenPatch<'a> {
    /// Their indices.
    pub floors: &'a [usize],
    /// The free room around a body on each of them [m].
    pub room: f32,
}

/// Calls back with patches of open ground for a probe's body. Only floors that are `asked` about count,
/// each until it was part of one.
pub(super) fn find_open_ground<T: TileCaster>(
    work: &mut TileWork<T>,
    probe: usize,
    mut asked: Vec<bool>,
    mut call: impl FnMut(OpenPatch),
) {
    let (size, lift) = (work.frame.cell_size, work.plan.probes[probe].body.bottom);
    let room = (ROOM_CELLS * size).min(ROOM_OF_LIFT * lift);
    let mut patch = PatchFloors::default();
    let (width, height) = (work.frame.size_x as usize, work.frame.size_z as usize);
    for side in PATCH_CELLS {
        let starts = (0..height)
            .step_by(side)
            .flat_map(|z| (0..width).step_by(side).map(move |x| z * width + x));
        for start in work.cells_until_cancelled(starts) {
            let columns = side.min(width - start % width);
            patch.clear();
            for row in (start..width * height).step_by(width).take(side) {
                let [first, end] =
                    [row, row + columns].map(|cell| work.floors.first[cell] as usize);
                for (floor, _) in (first..end).zip(&asked[first..end]).filter(|(_, asked)| **asked)
                {
                    patch.add(floor, &work.feet[floor], lift);
                }
            }
            let [low, high] = patch.feet;
            // Ground that rises by more takes the room away by itself.
            if patch.floors.len() >= FEWEST_FLOORS
                && high.y - low.y <= lift - room
                && work.caster.has_room_throughout(probe, patch.feet, room)
            {
                patch.floors.iter().for_each(|&floor| asked[floor] = false);
                call(OpenPatch { floors: &patch.floors, room });
            }
        }
    }
}

/// Floors of a patch, and the box around where feet stand on them.
#[derive(Default)]
struct PatchFloors {
    floors: Vec<usize>,
    feet: [Point3<f32>; 2],
}

impl PatchFloors {
    fn clear(&mut self) {
        self.floors.clear();
        self.feet = [Point3::origin(); 2];
    }

    /// Adds a floor, unless it is on another storey than the first.
    fn add(&mut self, floor: usize, feet: &Point3<f32>, storey: f32) {
        if self.floors.is_empty() {
            self.feet = [*feet; 2];
        }
        let [low, high] = self.feet;
        if low.y - storey <= feet.y && feet.y <= high.y + storey {
            self.feet = [low.inf(feet), high.sup(feet)];
            self.floors.push(floor);
        }
    }
}
