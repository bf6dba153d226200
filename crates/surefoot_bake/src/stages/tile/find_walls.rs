//! Finds walls: what stands between the center of a cell and the next ones, where an agent's body does not fit.
//!
//! At the height of a body on the higher of the two floors: what carries that floor is no wall. Only answers to
//! why an agent cannot get somewhere depend on it.

use nalgebra::Point3;

use crate::casts::{PassageQuery, TileCaster};
use surefoot::grid::baker::{SLIT, row_major_offsets};
use surefoot::grid::{CellOffset, Dir, Verdict};

use super::judge_standing::AgentFloors;
use super::work::{FloorIndex, TileWork};

/// What is higher than this far below a low ceiling is no wall: a beam's own sides would be [m].
pub(super) const BELOW_CEILING: f32 = 0.25;

/// Returns in which directions a floor has a neighbor that a body may come from, or fall to.
pub(super) fn entered_from<T>(
    work: &TileWork<T>,
    judged: &AgentFloors,
    at: FloorIndex,
) -> [bool; 8] {
    let most = work.floors.floors[at.floor].span.floor + work.plan.probes[judged.agent].body.bottom;
    row_major_offsets(&work.frame).map(|offset| {
        let mut floors = work.floors.column(at.cell.wrapping_add_signed(offset));
        floors.any(|floor| {
            is_floor(work, judged, floor) && work.floors.floors[floor].span.floor <= most
        })
    })
}

/// Returns in which straight directions something stands between a floor and the next higher one, over the step
/// between them. The query is that for walls beside the floor.
pub(super) fn walls_over_steps<T: TileCaster>(
    work: &mut TileWork<T>,
    judged: &AgentFloors,
    at: FloorIndex,
    query: &PassageQuery,
) -> [bool; 4] {
    Dir::STRAIGHT.map(|dir| {
        let Some(higher) = next_higher(work, judged, at, dir) else { return false };
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

/// Returns the lowest floor in a direction that a body cannot climb to.
fn next_higher<T>(
    work: &TileWork<T>,
    judged: &AgentFloors,
    at: FloorIndex,
    dir: Dir,
) -> Option<usize> {
    let within_reach =
        work.floors.floors[at.floor].span.floor + work.plan.probes[judged.agent].body.bottom;
    let cell = at.cell.wrapping_add_signed(row_major_offsets(&work.frame)[dir.index()]);
    let column = work.floors.column(cell);
    let spans = &work.floors.floors[column.clone()];
    let above = spans.partition_point(|floor| floor.span.floor <= within_reach);
    (column.start + above..column.end).find(|&floor| is_floor(work, judged, floor))
}

/// Returns whether a floor is one for some body: neither inside of something nor in a slit.
pub(super) fn is_floor<T>(work: &TileWork<T>, judged: &AgentFloors, floor: usize) -> bool {
    let least_headroom = SLIT * work.plan.agents[judged.agent].height;
    let has_room = work.floors.floors[floor].span.headroom() >= least_headroom;
    has_room && judged.verdicts[floor] != Verdict::InsideSolid
}
