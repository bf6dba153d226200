//! Joins: which neighboring floors an agent can step between.
//!
//! Two floors are joined where the step at the edge the cells share, estimated from both surfaces'
//! slopes, is one the agent climbs, where the rise from center to center is within its climb or
//! its slope, and where its body gets across. A diagonal is joined where all four floors round the
//! corner are and the body gets across that way too.

use crate::casts::TileCaster;
use surefoot::grid::{Dir, Verdict};

use super::partners::{NONE, Partners};
use super::rule::{Rule, Stride};
use super::standing::AgentFloors;
use super::tile::TileWork;

/// For each floor of a tile the floors it is joined to, in the first four directions: +x, +x+z,
/// +z, -x+z; or [`NONE`]. Joins hold both ways.
pub(super) struct Joins {
    pub to: Vec<[u32; 4]>,
    /// For each floor the directions it is joined in, a bit for each of the 8.
    dirs: Vec<u8>,
}

/// Rooms must prove a step by this much [m]; it keeps rounding from mattering.
pub(super) const SURE: f32 = 1e-3;

impl Joins {
    /// Joins the floors of a tile for one agent, given what agents that climb alike share.
    pub fn find<T: TileCaster>(
        work: &mut TileWork<T>,
        (agent, judged): (usize, &AgentFloors),
        (rule, partners): (&Rule, &Partners),
    ) -> Self {
        let count = work.floors.floors.len();
        let mut joins = Joins { to: vec![[NONE; 4]; count], dirs: vec![0; count] };
        let is_free = |floor: usize| judged.verdicts[floor] == Verdict::Walkable;
        for cell in 0..work.frame.cells() {
            for floor in work.floors.column(cell).filter(|&floor| is_free(floor)) {
                for (axis, dir) in Dir::STRAIGHT[..2].iter().enumerate() {
                    if let Some(to) = partners.of(&work.floors, (cell, floor, axis), is_free)
                        && can_step(work, (agent, judged), [floor, to])
                    {
                        joins.join(floor, to, *dir);
                    }
                }
            }
        }
        let diagonals = [1, 3].map(|dir| rule.stride(Dir::ALL[dir], work.frame.cell_size));
        for floor in 0..count {
            joins.cross_corner(work, (agent, judged, &diagonals), floor);
        }
        joins
    }

    /// Joins two floors; the direction is one of the first four.
    fn join(&mut self, from: usize, to: usize, dir: Dir) {
        self.to[from][dir.index()] = to as u32;
        self.dirs[from] |= 1 << dir.index();
        self.dirs[to] |= 1 << dir.opposite().index();
    }

    /// Whether a floor is joined in a direction.
    pub fn has(&self, floor: usize, dir: Dir) -> bool {
        self.dirs[floor] >> dir.index() & 1 == 1
    }

    /// Whether a floor is joined in all directions.
    pub fn has_all(&self, floor: usize) -> bool {
        self.dirs[floor] == u8::MAX
    }

    /// Joins the two diagonals of the four floors whose least corner is at a place.
    fn cross_corner<T: TileCaster>(
        &mut self,
        work: &mut TileWork<T>,
        (agent, judged, diagonals): (usize, &AgentFloors, &[Stride; 2]),
        floor: usize,
    ) {
        let [right, _, down, _] = self.to[floor];
        if right == NONE || down == NONE {
            return;
        }
        let (right, down) = (right as usize, down as usize);
        let across = self.to[right][2];
        if across == NONE || self.to[down][0] != across {
            return;
        }
        for (stride, ends) in diagonals.iter().zip([[floor, across as usize], [right, down]]) {
            let fits = stride.step(ends.map(|floor| &work.floors.floors[floor])).is_some();
            if fits && can_step(work, (agent, judged), ends) {
                self.join(ends[0], ends[1], stride.dir);
            }
        }
    }
}

/// Whether the body gets from one floor to a neighboring one: proven by the room at both ends, or
/// else cast.
fn can_step<T: TileCaster>(
    work: &mut TileWork<T>,
    (agent, judged): (usize, &AgentFloors),
    floors: [usize; 2],
) -> bool {
    let [from, to] = floors.map(|floor| work.feet[floor]);
    let way = (to - from).norm() + SURE;
    judged.rooms[floors[0]] + judged.rooms[floors[1]] >= way
        || work.caster.can_move(agent, [from, to])
}
