//! Rims: where an agent's body could go on and the floor does not.
//!
//! A rim is found between a place where the agent can stand and a neighboring cell without floor in
//! reach, if its body can move there; a railing or a wall prevents that. Where exactly the floor
//! ends between the two centers is found by halving, so that ledge margins are kept to what lies
//! between neighboring rims and not to the cell. Diagonals are looked along too: a corner of a hole
//! may reach towards a cell whose straight neighbors all have floor.

use crate::grid::{Dir, Verdict};
use crate::world::{Hit, TileCaster};

use super::joins::{Joins, Rule};
use super::standing::AgentFloors;
use super::tile::TileWork;

/// The end of a floor, seen from one of its cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rim {
    /// Index of the floor in its tile.
    pub floor: u32,
    /// In which direction it ends.
    pub dir: Dir,
    /// How far from the cell's center, along x or z [m]; along a diagonal the same along both.
    pub distance: f32,
}

/// Halvings until the end of a floor is known to 1/256 of a cell.
const HALVINGS: usize = 8;

/// Finds the rims of a tile's own cells for one agent.
pub(super) fn find<T: TileCaster>(
    work: &mut TileWork<T>,
    agent: usize,
    judged: &AgentFloors,
    joins: &Joins,
) -> Vec<Rim> {
    let mut rims = Vec::new();
    if work.plan.agents[agent].ledge_margin() == 0.0 {
        return rims;
    }
    let rule = Rule::of(&work.plan.agents[agent]);
    let mut hits = Vec::new();
    for cell in work.own_cells() {
        for floor in work.floors.column(cell) {
            if judged.verdicts[floor] != Verdict::Walkable {
                continue;
            }
            for dir in Dir::ALL {
                if joins.has(floor, dir) {
                    continue;
                }
                let Some(next) = work.neighbor(cell, dir) else { continue };
                if goes_on(work, &rule, (floor, next), dir) {
                    continue;
                }
                if could_go(work, agent, judged, (floor, dir)) {
                    let distance = end_of_floor(work, &rule, (floor, dir), &mut hits);
                    rims.push(Rim { floor: floor as u32, dir, distance });
                }
            }
        }
    }
    rims
}

/// Whether any floor of the next column continues a floor, whatever stands on it.
fn goes_on<T: TileCaster>(
    work: &TileWork<T>,
    rule: &Rule,
    (floor, next): (usize, usize),
    dir: Dir,
) -> bool {
    let floors = &work.floors.floors;
    let step = |to: usize| rule.edge_step([&floors[floor], &floors[to]], dir, work.frame.cell_size);
    work.floors.column(next).any(|to| step(to).is_some())
}

/// Whether the body can move level to the center of the next cell.
fn could_go<T: TileCaster>(
    work: &mut TileWork<T>,
    agent: usize,
    judged: &AgentFloors,
    (floor, dir): (usize, Dir),
) -> bool {
    let size = work.frame.cell_size;
    if judged.rooms[floor] >= size * dir.length() {
        return true;
    }
    let (x, z) = dir.offset();
    let from = work.feet[floor];
    let to = from + nalgebra::Vector3::new(x as f32 * size, 0.0, z as f32 * size);
    work.caster.can_move(&work.plan.bodies[agent], [from, to])
}

/// How far from a cell's center its floor ends in a direction, somewhere before the next center.
fn end_of_floor<T: TileCaster>(
    work: &mut TileWork<T>,
    rule: &Rule,
    (index, dir): (usize, Dir),
    hits: &mut Vec<Hit>,
) -> f32 {
    let floor = work.floors.floors[index];
    let feet = work.feet[index];
    let (x, z) = dir.offset();
    let (mut floor_at, mut none_at) = (0.0, work.frame.cell_size);
    let rise = rule.most_rise(dir.length() * work.frame.cell_size);
    let heights = [feet.y - rise, feet.y + rise];
    for _ in 0..HALVINGS {
        let middle = 0.5 * (floor_at + none_at);
        let offset = [x as f32 * middle, z as f32 * middle];
        work.caster.hits_at([feet.x + offset[0], feet.z + offset[1]], heights, hits);
        let is_floor = |hit: &Hit| hit.faces_up() || work.world.surface(hit).two_sided;
        let goes_on = hits.iter().any(|hit| is_floor(hit) && rule.goes_on(&floor, offset, hit.y));
        if goes_on { floor_at = middle } else { none_at = middle }
    }
    floor_at
}
