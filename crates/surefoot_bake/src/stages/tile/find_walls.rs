//! Finds walls: what stands between the center of a cell and the next ones, where an agent's body does not fit.
//!
//! At the height of a body on the higher of the two floors: what carries that floor is no wall. Only answers to
//! why an agent cannot get somewhere depend on it.

use std::ops::Range;

use nalgebra::Point3;

use crate::casts::{PassageQuery, TileCaster};
use surefoot::grid::baker::{SLIT, row_major_offsets};
use surefoot::grid::{CellOffset, Dir, Verdict};

use super::judge_standing::AgentFloors;
use super::work::{FloorIndex, TileWork};

/// What is higher than this far below a low ceiling is no wall: a beam's own sides would be [m].
pub(super) const BELOW_CEILING: f32 = 0.25;

/// The floors of a tile that are floors for some body: neither inside of something nor in a slit.
pub(super) struct BodyFloors {
    /// For each floor of the tile the first of them from it on, itself or a later one.
    next: Vec<usize>,
    /// Up to how far above a floor a body gets by itself [m].
    reach: f32,
}

impl BodyFloors {
    /// O(floors): a column may have any number of them.
    pub fn new<T>(work: &TileWork<T>, judged: &AgentFloors) -> Self {
        let least_headroom = SLIT * work.plan.agents[judged.agent].height;
        let count = work.feet.len();
        let mut next = vec![count; count];
        let mut known = count;
        for floor in (0..count).rev() {
            let has_room = work.floors.floors[floor].span.headroom() >= least_headroom;
            if has_room && judged.verdicts[floor] != Verdict::InsideSolid {
                known = floor;
            }
            next[floor] = known;
        }
        BodyFloors { next, reach: work.plan.probes[judged.agent].body.bottom }
    }

    /// Returns whether a floor is one of them.
    pub fn contains(&self, floor: usize) -> bool {
        self.next[floor] == floor
    }

    /// Returns the lowest of them in a part of a column.
    fn lowest(&self, part: Range<usize>) -> Option<usize> {
        self.next.get(part.start).copied().filter(|floor| part.contains(floor))
    }

    /// Returns in which directions a floor has a neighbor that a body may come from, or fall to.
    pub fn entered_from<T>(&self, work: &TileWork<T>, at: FloorIndex) -> [bool; 8] {
        let most = work.floors.floors[at.floor].span.floor + self.reach;
        row_major_offsets(&work.frame).map(|offset| {
            let column = work.floors.column(at.cell.wrapping_add_signed(offset));
            let lowest = self.lowest(column);
            lowest.is_some_and(|lowest| work.floors.floors[lowest].span.floor <= most)
        })
    }

    /// Returns in which straight directions something stands between a floor and the next higher one, over the
    /// step between them. The query is that for walls beside the floor.
    pub fn walls_over_steps<T: TileCaster>(
        &self,
        work: &mut TileWork<T>,
        at: FloorIndex,
        query: &PassageQuery,
    ) -> [bool; 4] {
        Dir::STRAIGHT.map(|dir| {
            let Some(higher) = self.next_higher(work, at, dir) else { return false };
            let [own, next] = [at.floor, higher].map(|floor| &work.floors.floors[floor]);
            let CellOffset { x, z } = dir.opposite().offset();
            let half = 0.5 * work.frame.cell_size;
            let to_edge = half * (next.gradient[0] * x as f32 + next.gradient[1] * z as f32);
            let top = next.span.floor + to_edge.max(0.0);
            let feet = Point3::new(query.feet.x, top, query.feet.z);
            let headroom = own.span.ceiling.min(next.span.ceiling) - top - BELOW_CEILING;
            let mut wall_dirs = [false; 8];
            wall_dirs[dir.index()] = true;
            let over_step = PassageQuery { feet, wall_dirs, headroom, ..*query };
            work.caster.walls(&over_step)[dir.index()]
        })
    }

    /// Returns the lowest floor in a direction that a body cannot climb to. O(log floors).
    fn next_higher<T>(&self, work: &TileWork<T>, at: FloorIndex, dir: Dir) -> Option<usize> {
        let most = work.floors.floors[at.floor].span.floor + self.reach;
        let offset = row_major_offsets(&work.frame)[dir.index()];
        let column = work.floors.column(at.cell.wrapping_add_signed(offset));
        let floors = &work.floors.floors[column.clone()];
        let above = floors.partition_point(|floor| floor.span.floor <= most);
        self.lowest(column.start + above..column.end)
    }
}
