//! Finds squares: four floors around a corner that are connected to each other wherever nothing is near.
//!
//! That depends on the step rule and not on an agent's size. So whether a large, a medium and a small body
//! can take the six steps of a square is for each a comparison of four rooms with one number.

use nalgebra::Point3;

use super::connect_floors::ROOM_MARGIN;
use super::find_candidates::{AxisCandidates, Candidates};
use super::find_floors::Floor;

/// Floors around the corner of a cell with greater x and z, for agents with the same step rule.
#[derive(Clone, Copy)]
pub(super) struct Square {
    /// The floors at the next cell toward greater x, toward greater z, and toward both.
    pub east: u32,
    pub south: u32,
    pub opposite: u32,
    /// At least half the longest of the six ways from one of the floors to another [m]; infinite unless
    /// each is the only candidate of its neighbors, and all steps are within the limits.
    half_longest: f32,
}

/// Finds the square of each floor, given where feet stand on them.
pub(super) fn find_squares(
    candidates: &Candidates,
    floors: &[Floor],
    feet: &[Point3<f32>],
) -> Vec<Square> {
    let [along_x, along_z] = &candidates.axes;
    let only = |axis: &AxisCandidates, floor: u32| axis.only(floor as usize);
    let square = |floor: u32| {
        let (east, south) = (only(along_x, floor)?, only(along_z, floor)?);
        let opposite = only(along_z, east)?;
        let closes = only(along_x, south)? == opposite;
        let diagonals = [[floor, opposite], [east, south]];
        let fits = candidates.diagonals.iter().zip(diagonals).all(|(stride, ends)| {
            stride.step_height(ends.map(|end| &floors[end as usize])).is_some()
        });
        let around = [floor, east, opposite, south];
        (closes && fits).then(|| Square {
            east,
            south,
            opposite,
            half_longest: half_longest(feet, around),
        })
    };
    let none = |floor: u32| Square {
        east: floor,
        south: floor,
        opposite: floor,
        half_longest: f32::INFINITY,
    };
    (0..floors.len() as u32).map(|floor| square(floor).unwrap_or_else(|| none(floor))).collect()
}

/// Returns at least half the longest way from one of the floors around a corner to another [m].
fn half_longest(feet: &[Point3<f32>], around: [u32; 4]) -> f32 {
    let [a, b, c, d] = around.map(|floor| &feet[floor as usize]);
    let lower = |a: f32, b: f32| if a < b { a } else { b };
    let low = lower(lower(a.y, b.y), lower(c.y, d.y));
    let high = -lower(lower(-a.y, -b.y), lower(-c.y, -d.y));
    // Seen from above, both diagonals are as long.
    let across = [c.x - a.x, c.z - a.z, high - low];
    let square: f32 = across.iter().map(|v| v * v).sum();
    0.5 * (square.sqrt() + ROOM_MARGIN)
}

impl Square {
    /// Returns whether the free rooms around a body [m] prove all steps between the four floors. It has
    /// none where it cannot stand.
    #[inline]
    pub fn is_open(&self, floor: usize, rooms: &[f32]) -> bool {
        let [east, south, opposite] =
            [self.east, self.south, self.opposite].map(|floor| rooms[floor as usize]);
        let half = self.half_longest;
        rooms[floor] >= half && east >= half && south >= half && opposite >= half
    }
}
