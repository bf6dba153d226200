//! Standing: whether each agent's body fits over each floor, and why not.
//!
//! The cheap reasons come first; only what passes them is held against the world. How much free
//! room is left round a body is kept, for it proves the steps to its neighbors.

use crate::agent::Agent;
use crate::grid::Verdict;
use crate::world::{Room, TileCaster};

use super::floors::Floor;
use super::tile::TileWork;

/// What one agent may do on each floor of a tile.
pub(super) struct AgentFloors {
    pub verdicts: Vec<Verdict>,
    /// Free room round the body where it can stand [m]; a lower bound.
    pub rooms: Vec<f32>,
}

/// A floor may be steeper than the limit by this much and count as within [rad]: what rounding
/// does to the normal of a floor built at the limit.
const SLOPE_TOLERANCE: f32 = 1e-3;
/// Headroom may fall short of the height by this much [m]: what rounding does to heights.
const HEADROOM_TOLERANCE: f32 = 1e-3;

impl AgentFloors {
    /// Judges every floor of a tile for one agent.
    pub fn judge<T: TileCaster>(work: &mut TileWork<T>, agent: usize) -> Self {
        let limits = Limits::of(&work.plan.agents[agent]);
        let floors = &work.floors.floors;
        let verdicts = floors.iter().map(|floor| limits.verdict(floor)).collect();
        let mut judged = AgentFloors { verdicts, rooms: vec![0.0; floors.len()] };
        for cell in 0..work.frame.cells() {
            for floor in work.floors.column(cell) {
                if judged.verdicts[floor] != Verdict::Walkable {
                    continue;
                }
                let bound = judged.bound(work, (cell, floor));
                if bound >= PROVING * work.frame.cell_size {
                    judged.rooms[floor] = bound;
                    continue;
                }
                match work.caster.room(agent, work.feet[floor]) {
                    Room::Free(room) => judged.rooms[floor] = room,
                    Room::Blocked(solid) => {
                        judged.verdicts[floor] = Verdict::Obstacle(work.world.node(solid));
                    }
                }
            }
        }
        judged
    }

    /// The room over a floor that those over the cells before it along x and z leave: it is less by
    /// no more than the way.
    fn bound<T: TileCaster>(&self, work: &TileWork<T>, (cell, floor): (usize, usize)) -> f32 {
        let width = work.frame.size_x as usize;
        let before = [(cell % width > 0).then(|| cell - 1), cell.checked_sub(width)];
        let near = before.into_iter().flatten().flat_map(|cell| work.floors.column(cell));
        let bound = |other: usize| self.rooms[other] - (work.feet[other] - work.feet[floor]).norm();
        near.map(bound).fold(0.0, f32::max)
    }
}

/// Room of so many cells proves a floor free and, on level ground, all steps to neighbors with as
/// much.
const PROVING: f32 = 0.72;

/// The limits that need no cast.
struct Limits {
    least_up: f32,
    height: f32,
}

impl Limits {
    fn of(agent: &Agent) -> Self {
        Limits {
            least_up: (agent.slope_limit + SLOPE_TOLERANCE).cos(),
            height: agent.height - HEADROOM_TOLERANCE,
        }
    }

    fn verdict(&self, floor: &Floor) -> Verdict {
        if floor.inside {
            Verdict::InsideSolid
        } else if floor.forbidden {
            Verdict::Forbidden
        } else if floor.up < self.least_up {
            Verdict::TooSteep
        } else if floor.span.headroom() < self.height {
            Verdict::LowCeiling
        } else {
            Verdict::Walkable
        }
    }
}
