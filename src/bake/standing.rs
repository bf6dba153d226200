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
                        result.ask(work, agent, (cell, floor));
                    }
                }
            }
        }
        result
    }

    /// Casts for the room round the body on a floor, unless that was done.
    pub fn ask<T: TileCaster>(
        &mut self,
        work: &mut TileWork<T>,
        agent: usize,
        (cell, floor): (usize, usize),
    ) {
        if std::mem::replace(&mut self.cast[floor], true) {
            return;
        }
        let feet = work.feet(cell, floor);
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

/// Which cells are cast for first: every so many, so that each other cell is next to one.
struct Lattice {
    spacing: i32,
    width: usize,
    min: [i32; 2],
}

impl Lattice {
    /// Over flat ground the room is what the body is lifted. Every other cell is enough where that
    /// proves the cells between and the steps between those.
    fn new<T: TileCaster>(work: &TileWork<T>, agent: usize) -> Self {
        let cells_of_room = work.plan.enough(agent) / work.frame.cell_size;
        let spacing = if cells_of_room >= LEAST_CELLS_OF_ROOM { 2 } else { 1 };
        let min = [work.frame.min.x, work.frame.min.z];
        Lattice { spacing, width: work.frame.size_x as usize, min }
    }

    fn is_anchor(&self, cell: usize) -> bool {
        let x = self.min[0] + (cell % self.width) as i32;
        let z = self.min[1] + (cell / self.width) as i32;
        let middle = self.spacing / 2;
        x.rem_euclid(self.spacing) == middle && z.rem_euclid(self.spacing) == middle
    }

    /// The best bound on the room over a floor that the anchors round its cell give.
    fn bound<T: TileCaster>(
        &self,
        work: &TileWork<T>,
        judged: &AgentFloors,
        (cell, floor): (usize, usize),
    ) -> f32 {
        if self.spacing == 1 {
            return 0.0;
        }
        let feet = work.feet(cell, floor);
        let mut best = 0.0f32;
        for anchor in self.anchors_round(cell, work.frame.size_z as usize) {
            for other in work.floors.column(anchor) {
                if judged.cast[other] && judged.verdicts[other] == Verdict::Walkable {
                    let way = (work.feet(anchor, other) - feet).norm();
                    best = best.max(judged.rooms[other] - way);
                }
            }
        }
        best
    }

    /// The anchors at the corners of the lattice square a cell lies in.
    fn anchors_round(&self, cell: usize, height: usize) -> impl Iterator<Item = usize> + use<> {
        let (x, z) = ((cell % self.width) as i32, (cell / self.width) as i32);
        let middle = self.spacing / 2;
        let below = |at: i32, min: i32| at - (min + at - middle).rem_euclid(self.spacing);
        let (x0, z0) = (below(x, self.min[0]), below(z, self.min[1]));
        let (spacing, width) = (self.spacing, self.width);
        let corner = move |i: i32| (x0 + spacing * (i & 1), z0 + spacing * (i >> 1));
        (0..4).map(corner).filter_map(move |(x, z)| {
            let inside = x >= 0 && z >= 0 && (x as usize) < width && (z as usize) < height;
            inside.then(|| z as usize * width + x as usize)
        })
    }
}
