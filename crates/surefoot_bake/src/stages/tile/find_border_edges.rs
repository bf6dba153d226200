//! Rims: where an agent's body could go on and the floor does not.
//!
//! A rim is found between a place where the agent can stand and a neighboring cell without floor in
//! reach, if its body can move there; a railing or a wall prevents that. Where exactly the floor
//! ends between the two centers is known, so that ledge margins are kept to what lies between
//! neighboring rims and not to the cell. Diagonals are looked along too: a corner of a hole may
//! reach towards a cell whose straight neighbors all have floor.

use crate::casts::TileCaster;
use surefoot::grid::{Dir, Verdict};

use super::ends::{End, Ends};
use super::joins::{Joins, SURE};
use super::standing::AgentFloors;
use super::tile::TileWork;

/// The end of a floor, seen from one of its cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rim {
    /// The floor: its index in its tile, later its span.
    pub floor: u32,
    /// In which direction it ends.
    pub dir: Dir,
    pub end: End,
}

impl Rim {
    /// What rims are sorted by.
    pub fn place(&self) -> (u32, Dir) {
        (self.floor, self.dir)
    }
}

/// Finds the rims of a tile's own cells for one agent.
pub(super) fn find<T: TileCaster>(
    work: &mut TileWork<T>,
    agent: usize,
    (judged, joins): (&AgentFloors, &Joins),
    ends: &mut Ends,
) -> Vec<Rim> {
    let mut rims = Vec::new();
    if work.plan.agents[agent].ledge_margin() == 0.0 {
        return rims;
    }
    for cell in work.own_cells() {
        for floor in work.floors.column(cell) {
            if judged.verdicts[floor] != Verdict::Walkable || joins.has_all(floor) {
                continue;
            }
            for dir in Dir::ALL.into_iter().filter(|&dir| !joins.has(floor, dir)) {
                if let Some(end) = ends.end(work, (cell, floor), dir)
                    && could_go(work, agent, judged, (floor, dir))
                {
                    rims.push(Rim { floor: floor as u32, dir, end });
                }
            }
        }
    }
    rims
}

/// Whether the body can move level to the center of the next cell.
fn could_go<T: TileCaster>(
    work: &mut TileWork<T>,
    agent: usize,
    judged: &AgentFloors,
    (floor, dir): (usize, Dir),
) -> bool {
    let size = work.frame.cell_size;
    if judged.rooms[floor] >= size * dir.length() + SURE {
        return true;
    }
    let (x, z) = dir.offset();
    let from = work.feet[floor];
    let to = from + nalgebra::Vector3::new(x as f32 * size, 0.0, z as f32 * size);
    work.caster.can_move(agent, [from, to])
}
