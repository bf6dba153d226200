//! Joins: which neighboring floors an agent can step between.
//!
//! Two floors are joined where the step at the edge the cells share, estimated from both surfaces'
//! slopes, is one the agent climbs, where the rise from center to center is within its climb or
//! its slope, and where its body gets across. A diagonal is joined where all four floors round the
//! corner are and the body gets across that way too.

use std::ops::Range;

use crate::agent::Agent;
use crate::grid::{Dir, Verdict};
use crate::world::TileCaster;

use super::floors::Floor;
use super::standing::AgentFloors;
use super::tile::TileWork;

/// No floor joined.
pub(super) const NONE: u32 = u32::MAX;

/// For each floor of a tile the floors it is joined to, in the first four directions: +x, +x+z,
/// +z, -x+z; or [`NONE`]. Joins hold both ways.
pub(super) struct Joins {
    pub to: Vec<[u32; 4]>,
    /// For each floor the directions it is joined in, a bit for each of the 8.
    dirs: Vec<u8>,
}

/// A step may be higher than the climb by this much [m]: what rounding does to stairs built at
/// the limit.
const STEP_TOLERANCE: f32 = 1e-3;
/// Rooms must prove a step by this much [m]; it keeps rounding from mattering.
pub(super) const SURE: f32 = 1e-3;

impl Joins {
    /// Joins the floors of a tile for one agent.
    pub fn find<T: TileCaster>(work: &mut TileWork<T>, agent: usize, judged: &AgentFloors) -> Self {
        let count = work.floors.floors.len();
        let mut joins = Joins { to: vec![[NONE; 4]; count], dirs: vec![0; count] };
        let rule = Rule::of(&work.plan.agents[agent]);
        let (width, height) = (work.frame.size_x as usize, work.frame.size_z as usize);
        let strides = [0, 1, 2, 3].map(|dir| rule.stride(Dir::ALL[dir], work.frame.cell_size));
        for (z, x) in (0..height).flat_map(|z| (0..width).map(move |x| (z, x))) {
            let cell = z * width + x;
            if x + 1 < width {
                joins.step_between(work, (agent, judged, &strides[0]), [cell, cell + 1]);
            }
            if z + 1 < height {
                joins.step_between(work, (agent, judged, &strides[2]), [cell, cell + width]);
            }
        }
        for floor in 0..joins.to.len() {
            joins.cross_corner(work, (agent, judged, &strides), floor);
        }
        joins
    }

    /// Joins the floors of two neighboring columns.
    fn step_between<T: TileCaster>(
        &mut self,
        work: &mut TileWork<T>,
        (agent, judged, stride): (usize, &AgentFloors, &Stride),
        cells: [usize; 2],
    ) {
        let columns = cells.map(|cell| work.floors.column(cell));
        for floor in columns[0].clone() {
            if judged.verdicts[floor] != Verdict::Walkable {
                continue;
            }
            let Some(to) = partner(work, (stride, judged), floor, &columns) else { continue };
            if can_step(work, (agent, judged), [floor, to]) {
                self.join(floor, to, stride.dir);
            }
        }
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
        (agent, judged, strides): (usize, &AgentFloors, &[Stride; 4]),
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
        for (stride, ends) in
            [(&strides[1], [floor, across as usize]), (&strides[3], [right, down])]
        {
            let fits = stride.step(ends.map(|floor| &work.floors.floors[floor])).is_some();
            if fits && can_step(work, (agent, judged), ends) {
                self.join(ends[0], ends[1], stride.dir);
            }
        }
    }
}

/// What heights an agent can step between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rule {
    /// Highest step between two surfaces [m].
    pub max_climb: f32,
    steepest: f32,
}

impl Rule {
    pub fn of(agent: &Agent) -> Self {
        Rule { max_climb: agent.max_climb + STEP_TOLERANCE, steepest: agent.slope_limit.tan() }
    }

    /// What it allows between neighboring cells.
    pub fn stride(&self, dir: Dir, cell_size: f32) -> Stride {
        let (x, z) = dir.offset();
        Stride {
            dir,
            half: [0.5 * cell_size * x as f32, 0.5 * cell_size * z as f32],
            max_climb: self.max_climb,
            most_rise: self.most_rise(dir.length() * cell_size),
        }
    }

    /// The most the agent can rise on a way, both in metres.
    pub fn most_rise(&self, way: f32) -> f32 {
        self.max_climb.max(self.steepest * way + STEP_TOLERANCE)
    }

    /// Up to where on a way the agent's climb allows more of a rise than its slope limit, as a
    /// fraction of the way's length [m].
    pub fn climb_reach(&self, length: f32) -> f32 {
        let (climb, slope) = (self.max_climb - STEP_TOLERANCE, self.steepest * length);
        if slope > climb { climb / slope } else { 1.0 }
    }
}

/// What an agent can step between the centers of neighboring cells.
pub(super) struct Stride {
    dir: Dir,
    /// Half the way along x and z: to the shared edge or corner [m].
    half: [f32; 2],
    max_climb: f32,
    most_rise: f32,
}

impl Stride {
    /// The height of the step at the shared edge or corner, if the agent can take it [m, >= 0].
    #[inline]
    pub fn step(&self, [from, to]: [&Floor; 2]) -> Option<f32> {
        let edge =
            |floor: &Floor| floor.gradient[0] * self.half[0] + floor.gradient[1] * self.half[1];
        let step = (from.span.floor + edge(from) - (to.span.floor - edge(to))).abs();
        let rise = (to.span.floor - from.span.floor).abs();
        (step <= self.max_climb && rise <= self.most_rise).then_some(step)
    }
}

/// The floor of the next column that a floor belongs with: of those the agent could step to, the
/// one with the lowest step, if this floor is in turn the one it belongs with.
fn partner<T: TileCaster>(
    work: &TileWork<T>,
    (stride, judged): (&Stride, &AgentFloors),
    floor: usize,
    [column, next]: &[Range<usize>; 2],
) -> Option<usize> {
    let floors = &work.floors.floors;
    let is_free = |&floor: &usize| judged.verdicts[floor] == Verdict::Walkable;
    let step = |from: usize, to: usize| stride.step([&floors[from], &floors[to]]);
    let lowest = |steps: &mut dyn Iterator<Item = (Option<f32>, usize)>| {
        let possible = steps.filter_map(|(step, floor)| Some((step?, floor)));
        possible.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, floor)| floor)
    };
    if column.len() == 1 && next.len() == 1 {
        let to = next.start;
        return (is_free(&to) && step(floor, to).is_some()).then_some(to);
    }
    let to = lowest(&mut next.clone().filter(is_free).map(|to| (step(floor, to), to)))?;
    let back = lowest(&mut column.clone().filter(is_free).map(|from| (step(from, to), from)))?;
    (back == floor).then_some(to)
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
