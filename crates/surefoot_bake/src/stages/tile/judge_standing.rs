//! Judges standing: whether each agent's body fits over each floor, and why not.
//!
//! The cheap reasons come first; only floors that pass them are cast against the world. The free
//! room around a body is kept, because it proves the steps to its neighbors.
//!
//! On stairs and slopes a body comes to rest with its side on an edge or on the higher ground, and
//! so above the floor at its center. If something is close above, it has to fit there.

use nalgebra::{Point3, Vector3};

use crate::casts::{Room, SKIN, TileCaster};
use crate::stages::plan::{BakePlan, EnclosingBody};
use surefoot::agent::Agent;
use surefoot::grid::Verdict;

use super::find_floors::Floor;
use super::open_ground::find_open_ground;
use super::work::{FloorIndex, TileWork};

/// What one agent may do on each floor of a tile.
pub(super) struct AgentFloors {
    /// Index of the agent.
    pub agent: usize,
    pub verdicts: Vec<Verdict>,
    /// Free room around the body where it can stand, and 0 elsewhere [m]; a lower bound.
    pub rooms: Vec<f32>,
    /// The same for a body that reaches higher by all that it can come to rest above the floor.
    higher_rooms: Vec<f32>,
}

/// Judges every floor of a tile for all agents; returns them in the order of agents.
///
/// Large bodies are cast first: where one has room, those that fit into it have as much.
pub(super) fn judge_standing<T: TileCaster>(work: &mut TileWork<T>) -> Vec<AgentFloors> {
    let size = work.frame.cell_size;
    let enough = work.floors.floors.iter().map(|floor| enough_room(floor, size)).collect();
    let agents = work.plan.agents.iter().map(|_| None).collect();
    let mut judged = JudgedFloors { agents, enough };
    for &agent in &work.plan.by_size {
        let floors = AgentFloors::judge(work, agent, &judged);
        judged.agents[agent] = Some(floors);
    }
    judged.agents.into_iter().flatten().collect()
}

/// What is known of the floors of a tile so far.
struct JudgedFloors {
    /// For each agent, once it is judged.
    agents: Vec<Option<AgentFloors>>,
    /// For each floor how much room is enough, see [`enough_room`] [m].
    enough: Vec<f32>,
}

/// How much a floor may exceed the slope limit [rad]: rounding of a floor built at the limit.
const SLOPE_TOLERANCE: f32 = 1e-3;
/// How much headroom may fall short of the agent's height [m]: rounding of heights.
const HEADROOM_TOLERANCE: f32 = 1e-3;

impl AgentFloors {
    /// Judges every floor of a tile for one agent.
    fn judge<T: TileCaster>(work: &mut TileWork<T>, agent: usize, larger: &JudgedFloors) -> Self {
        let limits = StandingLimits::of(&work.plan.agents[agent]);
        let floors = &work.floors.floors;
        let verdicts = floors.iter().map(|floor| limits.verdict(floor)).collect();
        let rooms = vec![0.0; floors.len()];
        let mut judged = AgentFloors { agent, verdicts, higher_rooms: rooms.clone(), rooms };
        let probes = [agent, work.plan.higher_probe(agent)];
        let enclosing = probes.map(|probe| EnclosingRooms::of(work.plan, probe, larger));
        judged.find_open_ground(work, &enclosing[1]);
        for range in work.floors_until_cancelled() {
            for floor in range {
                if judged.verdicts[floor] != Verdict::Walkable || judged.rooms[floor] > 0.0 {
                    continue;
                }
                let at = FloorIndex { cell: work.floors.cell_of(floor), floor };
                if let Some(solid) = judged.touched(work, &enclosing, at) {
                    judged.verdicts[at.floor] = Verdict::Obstacle(work.world.node(solid));
                }
            }
        }
        judged
    }

    /// Finds the rooms of floors under open sky where a larger body has enough, or nothing is near.
    fn find_open_ground<T: TileCaster>(&mut self, work: &mut TileWork<T>, higher: &EnclosingRooms) {
        let AgentFloors { verdicts, rooms, higher_rooms, .. } = self;
        let top = work.plan.probes[higher.probe].body.top;
        let mut asked = vec![false; rooms.len()];
        for (index, floor) in work.floors.floors.iter().enumerate() {
            if verdicts[index] == Verdict::Walkable && floor.span.headroom() >= top {
                let room = higher.of_floor(index);
                let is_enough = room >= higher.enough[index];
                if is_enough {
                    (rooms[index], higher_rooms[index]) = (room, room);
                }
                asked[index] = !is_enough;
            }
        }
        find_open_ground(work, higher.probe, &asked, |floor, room| {
            (rooms[floor], higher_rooms[floor]) = (room, room);
        });
    }

    /// Returns the solid that the agent's body touches when it stands on a floor or comes to rest
    /// on it; keeps its room otherwise.
    fn touched<T: TileCaster>(
        &mut self,
        work: &mut TileWork<T>,
        [enclosing, enclosing_higher]: &[EnclosingRooms; 2],
        at: FloorIndex,
    ) -> Option<u32> {
        let FloorIndex { floor, .. } = at;
        // Under open sky the higher body nearly always fits, which saves the search for its rest.
        let height = work.plan.probes[enclosing_higher.probe].body.top;
        if work.floors.floors[floor].span.headroom() >= height
            && let Room::Free(room) = room(work, enclosing_higher, &self.higher_rooms, at)
        {
            (self.rooms[floor], self.higher_rooms[floor]) = (room, room);
            return None;
        }
        let room = match room(work, enclosing, &self.rooms, at) {
            Room::Free(room) => room,
            Room::Blocked(solid) => return Some(solid),
        };
        let touched = touched_at_rest(work, self.agent, work.feet[floor]);
        if touched.is_none() {
            self.rooms[floor] = room;
        }
        touched
    }
}

/// The rooms of the larger bodies that a probe's body fits into.
struct EnclosingRooms<'a> {
    probe: usize,
    /// No body's room is known to be more [m].
    max_room: f32,
    bodies: Vec<RaisedRooms<'a>>,
    /// For each floor how much room is enough, see [`enough_room`] [m].
    enough: &'a [f32],
}

/// The rooms of a larger body, for a body that is raised to fit into it.
struct RaisedRooms<'a> {
    /// For each floor [m].
    rooms: &'a [f32],
    /// [m, >= 0]
    rise: f32,
}

impl<'a> EnclosingRooms<'a> {
    fn of(plan: &BakePlan, probe: usize, judged: &'a JudgedFloors) -> Self {
        let rooms = |body: &EnclosingBody| {
            let floors = judged.agents[body.agent].as_ref()?;
            let rooms = if body.is_higher { &floors.higher_rooms } else { &floors.rooms };
            Some(RaisedRooms { rooms, rise: body.rise })
        };
        let max_room = plan.probes.iter().map(|probe| probe.max_room).fold(0.0, f32::max);
        let bodies = plan.enclosing[probe].iter().filter_map(rooms).collect();
        EnclosingRooms { probe, max_room, bodies, enough: &judged.enough }
    }

    /// Returns the room that larger bodies prove on a floor [m, >= 0].
    fn of_floor(&self, floor: usize) -> f32 {
        let room = |body: &RaisedRooms| body.rooms[floor] - body.rise;
        self.bodies.iter().map(room).fold(0.0, |most, room| if room > most { room } else { most })
    }
}

/// Returns how much room proves enough for a search to end: the cell of a floor and, on level ground, all
/// steps to neighbors that have as much [m].
fn enough_room(floor: &Floor, cell_size: f32) -> f32 {
    let to_corner = TO_CORNER_MARGIN * floor.way_to_corner(cell_size);
    to_corner.max(ENOUGH_ROOM_CELLS * cell_size)
}

/// Returns the room around a probe's body that stands on a floor, given its rooms so far.
///
/// It is at least what a larger body has there. It is also at least what the rooms over the cells
/// before it along x and z leave: moving a body takes away no more than the distance. A cast is
/// needed only if neither proves enough.
fn room<T: TileCaster>(
    work: &mut TileWork<T>,
    enclosing: &EnclosingRooms,
    rooms: &[f32],
    FloorIndex { cell, floor }: FloorIndex,
) -> Room {
    let enough = enclosing.enough[floor];
    let larger = enclosing.of_floor(floor);
    if larger >= enough {
        return Room::Free(larger);
    }
    let width = work.frame.size_x as usize;
    let before = [(cell % width > 0).then(|| cell - 1), cell.checked_sub(width)];
    let height = work.feet[floor].y;
    let near = |cell: usize| work.floors.near(cell, height, enclosing.max_room);
    let near = before.into_iter().flatten().flat_map(near);
    let near = near.filter(|&other| rooms[other] >= enough);
    let bound = |other: usize| rooms[other] - (work.feet[other] - work.feet[floor]).norm();
    let bound = near.map(bound).fold(0.0, f32::max);
    if bound >= enough {
        return Room::Free(bound);
    }
    work.caster.room(enclosing.probe, work.feet[floor])
}

/// Returns the solid that a body touches that comes to rest above where it was cast.
fn touched_at_rest<T: TileCaster>(
    work: &mut TileWork<T>,
    agent: usize,
    feet: Point3<f32>,
) -> Option<u32> {
    let lift = work.plan.probes[agent].body.bottom;
    let rise =
        rest_height(lift, |by| work.caster.can_move(agent, [feet, feet - Vector3::y() * by]));
    if rise == 0.0 {
        return None;
    }
    match work.caster.room(agent, feet + Vector3::y() * rise) {
        Room::Free(_) => None,
        Room::Blocked(solid) => Some(solid),
    }
}

/// Returns how far above the floor at its center a body comes to rest that is lowered onto it [m]; 0 if that is
/// no more than [`SKIN`]. The body is lifted by so much [m], and `sinks` says whether it gets down by a part of it.
pub(super) fn rest_height(lift: f32, mut sinks: impl FnMut(f32) -> bool) -> f32 {
    let [mut free, mut blocked] = [0.0, (lift - SKIN).max(0.0)];
    if sinks(blocked) {
        return 0.0;
    }
    for _ in 0..REST_BISECTIONS {
        let between = 0.5 * (free + blocked);
        *(if sinks(between) { &mut free } else { &mut blocked }) = between;
    }
    lift - free
}

/// Bisections that find where a lowered body comes to rest: to less than 2 mm of half a metre.
const REST_BISECTIONS: u32 = 8;

/// Room of this many cells proves a floor free and, on level ground, all steps to neighbors that
/// have as much. A diagonal needs half of √2 at both ends.
const ENOUGH_ROOM_CELLS: f32 = 0.72;
/// Room as far as this many times the way to the corners of the cell proves the whole cell free.
const TO_CORNER_MARGIN: f32 = 1.01;

/// The limits that need no cast.
struct StandingLimits {
    /// The least y of a floor's unit normal.
    min_up: f32,
    /// The least headroom [m].
    min_headroom: f32,
}

impl StandingLimits {
    fn of(agent: &Agent) -> Self {
        StandingLimits {
            min_up: (agent.slope_limit + SLOPE_TOLERANCE).cos(),
            min_headroom: agent.height - HEADROOM_TOLERANCE,
        }
    }

    fn verdict(&self, floor: &Floor) -> Verdict {
        if floor.inside {
            Verdict::InsideSolid
        } else if floor.forbidden {
            Verdict::Forbidden
        } else if floor.up < self.min_up {
            Verdict::TooSteep
        } else if floor.span.headroom() < self.min_headroom {
            Verdict::LowCeiling
        } else {
            Verdict::Walkable
        }
    }
}
