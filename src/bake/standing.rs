//! Standing: whether each agent's body fits over each floor, and why not.
//!
//! The cheap reasons come first; only what passes them is cast. Free room round a body shrinks by
//! no more than the way to another place, so one cast proves its neighbors free as well, and the
//! room of a large body proves a smaller one free. Such a bound says less than a cast, so it is
//! marked, and a later stage that needs more asks again.

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
    /// Whether the room was cast for rather than concluded.
    pub cast: Vec<bool>,
}

/// A floor may be steeper than the limit by this much and count as within [rad]: what rounding
/// does to the normal of a floor built at the limit.
const SLOPE_TOLERANCE: f32 = 1e-3;
/// Headroom may fall short of the height by this much [m]: what rounding does to heights.
const HEADROOM_TOLERANCE: f32 = 1e-3;
/// A concluded room must be at least this to count [m]; it keeps rounding from mattering.
const SURE: f32 = 2e-3;

impl AgentFloors {
    /// Judges every floor of a tile for one agent. `larger` are those already judged.
    pub fn judge<T: TileCaster>(
        work: &mut TileWork<T>,
        agent: usize,
        larger: &[Option<AgentFloors>],
    ) -> Self {
        let count = work.floors.floors.len();
        let limit = Limits::of(&work.plan.agents[agent]);
        let mut result = AgentFloors {
            verdicts: work.floors.floors.iter().map(|floor| limit.verdict(floor)).collect(),
            rooms: vec![0.0; count],
            cast: vec![false; count],
        };
        let lattice = Lattice::new(work, agent);
        for on_anchor in [true, false] {
            for cell in 0..work.frame.cells() {
                if lattice.is_anchor(cell) != on_anchor {
                    continue;
                }
                for floor in work.floors.column(cell) {
                    if result.verdicts[floor] != Verdict::Walkable {
                        continue;
                    }
                    let bound = bound_from_larger(work, agent, floor, larger).max(lattice.bound(
                        work,
                        &result,
                        (cell, floor),
                    ));
                    let proven =
                        bound >= if on_anchor { SURE.max(work.plan.enough(agent)) } else { SURE };
                    if proven {
                        result.rooms[floor] = bound;
                    } else {
                        result.ask(work, agent, floor);
                    }
                }
            }
        }
        result
    }

    /// Casts for the room round the body on a floor, unless that was done.
    pub fn ask<T: TileCaster>(&mut self, work: &mut TileWork<T>, agent: usize, floor: usize) {
        if std::mem::replace(&mut self.cast[floor], true) {
            return;
        }
        let feet = work.feet[floor];
        match work.caster.room(&work.plan.bodies[agent], feet, work.plan.enough(agent)) {
            Room::Free(room) => self.rooms[floor] = room,
            Room::Blocked(solid) => {
                self.verdicts[floor] = Verdict::Obstacle(work.world.node(solid));
            }
        }
    }
}

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

/// The room that larger bodies on the same floor leave for this one.
fn bound_from_larger<T: TileCaster>(
    work: &TileWork<T>,
    agent: usize,
    floor: usize,
    larger: &[Option<AgentFloors>],
) -> f32 {
    let body = &work.plan.bodies[agent];
    let bound = |(other, judged): (usize, &Option<AgentFloors>)| {
        let judged = judged.as_ref()?;
        let free = judged.verdicts[floor] == Verdict::Walkable;
        let shrink = body.shrink_within(&work.plan.bodies[other])?;
        free.then(|| judged.rooms[floor] - shrink)
    };
    larger.iter().enumerate().filter_map(bound).fold(0.0, f32::max)
}

/// Room of `r` cells at every other cell leaves `r - 1.41` and `r - 1` between; two of those next
/// to each other must make up for the cell from one to the other.
const LEAST_CELLS_OF_ROOM: f32 = 1.75;

/// Which cells are cast for first: those with odd x and odd z, so that each other cell is next to
/// one; or all.
struct Lattice {
    every_cell: bool,
    width: usize,
    height: usize,
    /// Least x and z of the frame, odd or even.
    odd: [usize; 2],
}

impl Lattice {
    /// Over flat ground the room is what the body is lifted. Every other cell is enough where that
    /// proves the cells between and the steps between those.
    fn new<T: TileCaster>(work: &TileWork<T>, agent: usize) -> Self {
        let cells_of_room = work.plan.enough(agent) / work.frame.cell_size;
        let odd = [work.frame.min.x, work.frame.min.z].map(|v| (v & 1) as usize);
        let [width, height] = [work.frame.size_x, work.frame.size_z].map(|v| v as usize);
        Lattice { every_cell: cells_of_room < LEAST_CELLS_OF_ROOM, width, height, odd }
    }

    fn place(&self, cell: usize) -> [usize; 2] {
        [cell % self.width, cell / self.width]
    }

    fn is_anchor(&self, cell: usize) -> bool {
        let [x, z] = self.place(cell);
        self.every_cell || ((x + self.odd[0]) & 1 == 1 && (z + self.odd[1]) & 1 == 1)
    }

    /// The best bound on the room over a floor that the anchors next to its cell give.
    fn bound<T: TileCaster>(
        &self,
        work: &TileWork<T>,
        judged: &AgentFloors,
        (cell, floor): (usize, usize),
    ) -> f32 {
        if self.every_cell {
            return 0.0;
        }
        let feet = work.feet[floor];
        let mut best = 0.0f32;
        let [x, z] = self.place(cell);
        for z in self.anchors_along(z, self.odd[1], self.height) {
            for x in self.anchors_along(x, self.odd[0], self.width) {
                for other in work.floors.column(z * self.width + x) {
                    if judged.cast[other] && judged.verdicts[other] == Verdict::Walkable {
                        let way = (work.feet[other] - feet).norm();
                        best = best.max(judged.rooms[other] - way);
                    }
                }
            }
        }
        best
    }

    /// Along one axis the place itself if it is odd, else the two beside it, inside the frame.
    fn anchors_along(&self, at: usize, odd: usize, size: usize) -> impl Iterator<Item = usize> {
        let is_odd = (at + odd) & 1 == 1;
        let (first, last) = if is_odd { (at, at) } else { (at.saturating_sub(1), at + 1) };
        (first..=last.min(size - 1)).filter(move |place| (place + odd) & 1 == 1)
    }
}
