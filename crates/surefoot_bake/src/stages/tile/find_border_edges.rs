//! Finds border edges: where the floor ends.
//!
//! A border edge lies between a floor where the agent can stand and a neighboring cell without
//! floor in reach. It is a drop if the agent's body can move there: a railing or a wall prevents that.
//! The floor's end between the two centers is known exactly, so that ledge margins keep to the edge and
//! not to the cells. Diagonals count too: a corner of a hole may reach toward a cell whose straight
//! neighbors all have floor.

use crate::casts::TileCaster;
use surefoot::grid::{CellOffset, Dir, Verdict};

use super::connect_floors::{FloorConnections, ROOM_MARGIN};
use super::find_floor_ends::{FloorEnd, FloorEnds};
use super::judge_standing::AgentFloors;
use super::work::{FloorIndex, TileWork};

/// The end of a floor, seen from one of its cells.
#[derive(Clone, Copy, Debug)]
pub(in crate::stages) struct BorderEdge {
    /// The floor: its index in its tile, later its span.
    pub floor: u32,
    /// The direction in which it ends.
    pub dir: Dir,
    pub end: FloorEnd,
    /// Whether the agent's body could go on there, and would fall. Ledge margins keep to these.
    pub is_drop: bool,
}

impl BorderEdge {
    /// Returns the key that border edges are sorted by.
    pub fn sort_key(&self) -> (u32, Dir) {
        (self.floor, self.dir)
    }
}

/// Finds the border edges of a tile's own cells for one agent.
pub(super) fn find_border_edges<T: TileCaster>(
    work: &mut TileWork<T>,
    judged: &AgentFloors,
    connections: &FloorConnections,
    ends: &mut FloorEnds,
) -> Vec<BorderEdge> {
    let mut edges = Vec::new();
    for range in work.inner_floors_until_cancelled() {
        for floor in range {
            if connections.has_all(floor) || judged.verdicts[floor] != Verdict::Walkable {
                continue;
            }
            let at = FloorIndex { cell: work.floors.cell_of(floor), floor };
            for dir in Dir::ALL.into_iter().filter(|&dir| !connections.has(floor, dir)) {
                if let Some(end) = ends.end(work, at, dir) {
                    let is_drop = could_step_off(work, judged, floor, dir);
                    // What a body meets there matters only to measures, which know no diagonals.
                    if is_drop || !dir.is_diagonal() {
                        edges.push(BorderEdge { floor: floor as u32, dir, end, is_drop });
                    }
                }
            }
        }
    }
    edges
}

/// Returns whether the body touches nothing on a level motion to the center of the next cell.
fn could_step_off<T: TileCaster>(
    work: &mut TileWork<T>,
    judged: &AgentFloors,
    floor: usize,
    dir: Dir,
) -> bool {
    let size = work.frame.cell_size;
    if judged.rooms[floor] >= size * dir.length() + ROOM_MARGIN {
        return true;
    }
    let CellOffset { x, z } = dir.offset();
    let from = work.feet[floor];
    let to = from + nalgebra::Vector3::new(x as f32 * size, 0.0, z as f32 * size);
    work.caster.can_move(judged.agent, [from, to])
}
