//! Standing: whether each agent's body fits over each floor, and why not.
//!
//! The cheap reasons come first; only what passes them is held against the world. How much free
//! room is left round a body is kept, for it proves the steps to its neighbors.
//!
//! On stairs and slopes a body comes to rest with its flank on an edge or on the higher ground, and
//! so above the floor at its middle: where something is close above, that is how it has to fit.

use nalgebra::{Point3, Vector3};

use crate::casts::{Room, SKIN, TileCaster};
use surefoot::agent::Agent;
use surefoot::grid::Verdict;

use super::floors::Floor;
use super::settings::{Around, Plan};
use super::tile::TileWork;

/// What one agent may do on each floor of a tile.
pub(super) struct AgentFloors {
    pub verdicts: Vec<Verdict>,
    /// Free room round the body where it can stand [m]; a lower bound.
    pub rooms: Vec<f32>,
    /// The same round a body that reaches higher by all it can come to rest above the floor.
    higher: Vec<f32>,
}

/// Judges every floor of a tile for all agents, in their order. Large bodies are held against the
/// world first: where one has room, those that fit into it have as much.
pub(super) fn judge_all<T: TileCaster>(work: &mut TileWork<T>) -> Vec<AgentFloors> {
    let mut judged: Judged = work.plan.agents.iter().map(|_| None).collect();
    for &agent in &work.plan.by_size {
        let floors = AgentFloors::judge(work, agent, &judged);
        judged[agent] = Some(floors);
    }
    judged.into_iter().flatten().collect()
}

/// For each agent what was found, once it was.
type Judged = Vec<Option<AgentFloors>>;

/// A floor may be steeper than the limit by this much and count as within [rad]: what rounding
/// does to the normal of a floor built at the limit.
const SLOPE_TOLERANCE: f32 = 1e-3;
/// Headroom may fall short of the height by this much [m]: what rounding does to heights.
const HEADROOM_TOLERANCE: f32 = 1e-3;

impl AgentFloors {
    /// Judges every floor of a tile for one agent.
    fn judge<T: TileCaster>(work: &mut TileWork<T>, agent: usize, larger: &Judged) -> Self {
        let limits = Limits::of(&work.plan.agents[agent]);
        let floors = &work.floors.floors;
        let verdicts = floors.iter().map(|floor| limits.verdict(floor)).collect();
        let rooms = vec![0.0; floors.len()];
        let mut judged = AgentFloors { verdicts, higher: rooms.clone(), rooms };
        let higher = work.plan.higher_probe(agent);
        let around = [agent, higher].map(|probe| rooms_around(work.plan, probe, larger));
        for cell in 0..work.frame.cells() {
            for floor in work.floors.column(cell) {
                if judged.verdicts[floor] != Verdict::Walkable {
                    continue;
                }
                if let Some(solid) = judged.touched(work, (agent, &around), (cell, floor)) {
                    judged.verdicts[floor] = Verdict::Obstacle(work.world.node(solid));
                }
            }
        }
        judged
    }

    /// What an agent's body touches that stands on a floor, or comes to rest on it.
    fn touched<T: TileCaster>(
        &mut self,
        work: &mut TileWork<T>,
        (agent, [around, around_higher]): (usize, &[RoomsAround; 2]),
        (cell, floor): (usize, usize),
    ) -> Option<u32> {
        let higher = work.plan.higher_probe(agent);
        if work.floors.floors[floor].span.headroom() >= work.plan.probes[higher].body.top
            && let Room::Free(room) =
                room(work, (higher, &self.higher, around_higher), (cell, floor))
        {
            (self.rooms[floor], self.higher[floor]) = (room, room);
            return None;
        }
        match room(work, (agent, &self.rooms, around), (cell, floor)) {
            Room::Free(room) => self.rooms[floor] = room,
            Room::Blocked(solid) => return Some(solid),
        }
        touched_at_rest(work, agent, work.feet[floor])
    }
}

/// The rooms of larger bodies that one fits into, and how far it is raised for that [m].
type RoomsAround<'a> = Vec<(&'a [f32], f32)>;

fn rooms_around<'a>(plan: &Plan, probe: usize, judged: &'a Judged) -> RoomsAround<'a> {
    let rooms = |around: &Around| {
        let floors = judged[around.agent].as_ref()?;
        let rooms = if around.is_higher { &floors.higher } else { &floors.rooms };
        Some((&rooms[..], around.rise))
    };
    plan.around[probe].iter().filter_map(rooms).collect()
}

/// The room round a body that stands on a floor: as much as a larger one has; or as the rooms over the
/// cells before it along x and z leave, for it is less by no more than the way; or else by a cast.
fn room<T: TileCaster>(
    work: &mut TileWork<T>,
    (probe, rooms, around): (usize, &[f32], &RoomsAround),
    (cell, floor): (usize, usize),
) -> Room {
    let proving = PROVING * work.frame.cell_size;
    let larger = around.iter().map(|(rooms, rise)| rooms[floor] - rise).fold(0.0, f32::max);
    if larger >= proving {
        return Room::Free(larger);
    }
    let width = work.frame.size_x as usize;
    let before = [(cell % width > 0).then(|| cell - 1), cell.checked_sub(width)];
    let near = before.into_iter().flatten().flat_map(|cell| work.floors.column(cell));
    let near = near.filter(|&other| rooms[other] >= proving);
    let bound = |other: usize| rooms[other] - (work.feet[other] - work.feet[floor]).norm();
    let bound = near.map(bound).fold(0.0, f32::max);
    if bound >= proving {
        return Room::Free(bound);
    }
    work.caster.room(probe, work.feet[floor])
}

/// What a body touches that comes to rest on a floor higher than it was held against the world.
fn touched_at_rest<T: TileCaster>(
    work: &mut TileWork<T>,
    agent: usize,
    feet: Point3<f32>,
) -> Option<u32> {
    let rise = rise(work, agent, feet);
    if rise == 0.0 {
        return None;
    }
    match work.caster.room(agent, feet + Vector3::y() * rise) {
        Room::Free(_) => None,
        Room::Blocked(solid) => Some(solid),
    }
}

/// How far above the floor at its middle a body comes to rest that is let down on it [m]; 0 where it
/// is so little that [`SKIN`] covers it.
fn rise<T: TileCaster>(work: &mut TileWork<T>, agent: usize, feet: Point3<f32>) -> f32 {
    let lift = work.plan.probes[agent].body.bottom;
    let mut sinks = |by: f32| work.caster.can_move(agent, [feet, feet - Vector3::y() * by]);
    let [mut free, mut blocked] = [0.0, (lift - SKIN).max(0.0)];
    if sinks(blocked) {
        return 0.0;
    }
    for _ in 0..HALVINGS {
        let between = 0.5 * (free + blocked);
        *(if sinks(between) { &mut free } else { &mut blocked }) = between;
    }
    lift - free
}

/// How often the way a body is let down is halved: to less than 2 mm of half a metre.
const HALVINGS: u32 = 8;

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
