//! Connects floors: which neighboring floors an agent can step between.
//!
//! Two floors are connected if the step at the edge that their cells share, extrapolated from both
//! slopes, is within the agent's climb, the rise from center to center is within its climb or slope
//! limit, and its body touches nothing on the way. A diagonal is connected if all four floors
//! around the corner are, and the body touches nothing along the diagonal either.

use crate::casts::TileCaster;
use surefoot::grid::{Dir, Verdict};

use super::find_candidates::{Candidates, NO_FLOOR};
use super::find_squares::Square;
use super::judge_standing::AgentFloors;
use super::work::TileWork;

/// The connections between the floors of a tile for one agent, each in both directions.
pub(super) struct FloorConnections {
    /// For each floor those it is connected to in the first four directions (+x, +x+z, +z, -x+z),
    /// or [`NO_FLOOR`].
    pub to: Vec<[u32; 4]>,
    /// For each floor a bit for each of the 8 directions in which it is connected.
    dirs: Vec<u8>,
}

/// By how much free room must exceed a motion to prove it clear [m]; far more than rounding.
pub(super) const ROOM_MARGIN: f32 = 1e-3;

/// The steps between the floors of a tile that agents with the same step rule could take.
pub(super) struct PossibleSteps<'a> {
    pub candidates: &'a Candidates,
    /// For each floor.
    pub squares: &'a [Square],
}

impl FloorConnections {
    /// Connects the floors of a tile for one agent.
    pub fn find<T: TileCaster>(
        work: &mut TileWork<T>,
        judged: &AgentFloors,
        PossibleSteps { candidates, squares }: &PossibleSteps,
    ) -> Self {
        let count = work.floors.floors.len();
        let mut connections =
            FloorConnections { to: vec![[NO_FLOOR; 4]; count], dirs: vec![0; count] };
        let is_free = |floor: usize| judged.verdicts[floor] == Verdict::Walkable;
        let mut others = Vec::new();
        for range in work.floors_until_cancelled() {
            for floor in range {
                if squares[floor].is_open(floor, &judged.rooms) {
                    connections.connect_square(floor, &squares[floor]);
                    continue;
                }
                if !is_free(floor) {
                    continue;
                }
                others.push(floor);
                for (candidates, dir) in candidates.axes.iter().zip(Dir::STRAIGHT) {
                    if let Some(to) = candidates.of(&work.floors, floor, is_free)
                        && can_step(work, judged, [floor, to])
                    {
                        connections.connect(floor, to, dir);
                    }
                }
            }
        }
        for floor in others {
            let Some(diagonals) = connections.diagonals_at(floor) else { continue };
            for (stride, ends) in candidates.diagonals.iter().zip(diagonals) {
                let floors = ends.map(|floor| &work.floors.floors[floor]);
                if stride.step_height(floors).is_some() && can_step(work, judged, ends) {
                    connections.connect(ends[0], ends[1], stride.dir);
                }
            }
        }
        connections
    }

    /// Connects a floor with two others of its square, and the diagonals of the square.
    #[inline]
    fn connect_square(&mut self, floor: usize, square: &Square) {
        let [east, south, opposite] =
            [square.east, square.south, square.opposite].map(|floor| floor as usize);
        let [toward_x, toward_both, toward_z, back] = [0, 1, 2, 3].map(|dir| Dir::ALL[dir]);
        self.connect(floor, east, toward_x);
        self.connect(floor, opposite, toward_both);
        self.connect(floor, south, toward_z);
        self.connect(east, south, back);
    }

    /// Connects two floors; the direction is one of the first four.
    #[inline]
    fn connect(&mut self, from: usize, to: usize, dir: Dir) {
        self.to[from][dir.index()] = to as u32;
        self.dirs[from] |= 1 << dir.index();
        self.dirs[to] |= 1 << dir.opposite().index();
    }

    /// Returns whether a floor is connected in a direction.
    pub fn has(&self, floor: usize, dir: Dir) -> bool {
        self.dirs[floor] >> dir.index() & 1 == 1
    }

    /// Returns whether a floor is connected in all directions.
    pub fn has_all(&self, floor: usize) -> bool {
        self.dirs[floor] == u8::MAX
    }

    /// Returns the ends of both diagonals of four connected floors around a corner, given the one
    /// with the least x and z.
    fn diagonals_at(&self, floor: usize) -> Option<[[usize; 2]; 2]> {
        let [east, _, south, _] = self.to[floor];
        if east == NO_FLOOR || south == NO_FLOOR {
            return None;
        }
        let (east, south) = (east as usize, south as usize);
        let opposite = self.to[east][2];
        let closes = opposite != NO_FLOOR && self.to[south][0] == opposite;
        closes.then_some([[floor, opposite as usize], [east, south]])
    }
}

/// Returns whether the body touches nothing from one floor to a neighboring one: proven by the free
/// room at both ends, or else by a cast.
#[inline]
fn can_step<T: TileCaster>(
    work: &mut TileWork<T>,
    judged: &AgentFloors,
    floors: [usize; 2],
) -> bool {
    let [from, to] = floors.map(|floor| work.feet[floor]);
    let room = judged.rooms[floors[0]] + judged.rooms[floors[1]] - ROOM_MARGIN;
    // Squares spare a root for each step.
    room > 0.0 && room * room >= (to - from).norm_squared()
        || work.caster.can_move(judged.agent, [from, to])
}
