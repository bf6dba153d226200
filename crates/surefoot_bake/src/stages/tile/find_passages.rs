//! Finds passages: how wide and how high it is between things where an agent's body does not fit, and what
//! stands between there and the next centers.
//!
//! Only answers to why an agent cannot get somewhere depend on it.

use nalgebra::{Point3, Vector3};

use crate::casts::{Beside, HeadroomQuery, PassageQuery, TileCaster};
use surefoot::grid::baker::row_major_offsets;
use surefoot::grid::{LowCeiling, SpanEntry, SpanId, SpanMeasure, Verdict};

use super::find_walls::{BELOW_CEILING, BodyFloors};
use super::judge_standing::{AgentFloors, rest_height};
use super::work::{FloorIndex, TileWork};

/// Finds what is beside an agent's body where it does not fit over a tile's own cells, in the order of floors.
/// The spans are indices of floors.
///
/// From the center of a cell on the middle of a passage, both sides are within the body's radius and the
/// diagonal of a cell: in one that is wider the body would fit somewhere.
pub(super) fn find_passages<T: TileCaster>(
    work: &mut TileWork<T>,
    judged: &AgentFloors,
) -> Vec<SpanEntry<SpanMeasure>> {
    let mut passages = Vec::new();
    let mut headrooms = Headrooms::new(work, judged);
    for range in work.inner_floors_until_cancelled() {
        for index in range {
            if !headrooms.is_measured(index) {
                continue;
            }
            let at = FloorIndex { cell: work.floors.cell_of(index), floor: index };
            if let Some(value) = measure(work, &mut headrooms, at) {
                passages.push(SpanEntry { span: SpanId(index as u32), value });
            }
        }
    }
    passages
}

/// Measures what is beside the body over a floor; `None` if that is nothing.
fn measure<T: TileCaster>(
    work: &mut TileWork<T>,
    headrooms: &mut Headrooms,
    at: FloorIndex,
) -> Option<SpanMeasure> {
    let agent = headrooms.judged.agent;
    let probe = &work.plan.probes[agent];
    let step = work.frame.cell_size;
    let ceiling = Ceiling::find(work, headrooms, at);
    let query = PassageQuery {
        probe: agent,
        feet: work.feet[at.floor],
        within: probe.reach(step * std::f32::consts::SQRT_2),
        most_aside: probe.body.radius + step * std::f32::consts::FRAC_1_SQRT_2,
        step,
        wall_dirs: headrooms.floors.entered_from(work, at),
        headroom: headrooms.below_ceiling(work, at.floor),
    };
    let Beside { passage, walls } = work.caster.beside(&query);
    let found = PassageQuery { wall_dirs: walls, ..query };
    let mut walls = headrooms.walls_below_ceilings(work, at, &found);
    if let Some(ceiling) = &ceiling {
        ceiling.correct(&mut walls);
    }
    let over_steps = headrooms.floors.walls_over_steps(work, at, &query);
    let has_walls = walls.contains(&true) || over_steps.contains(&true);
    if passage.is_none() && !has_walls && ceiling.is_none() {
        return None;
    }
    let beside = SpanMeasure::beside(passage, walls).with_walls_over_steps(over_steps);
    Some(ceiling.map_or(beside, |ceiling| beside.under(ceiling.low)))
}

/// What hangs over a floor where the agent's body is too high, and a lower one fits.
struct Ceiling {
    low: LowCeiling,
    /// Whether the lowest body gets to the next center, where it fits over that.
    is_open: [Option<bool>; 8],
}

/// Less is no lip [m].
const LEAST_LIP: f32 = 2e-3;

impl Ceiling {
    /// Finds the ceiling over a floor; `None` if no body fits there.
    fn find<T: TileCaster>(
        work: &mut TileWork<T>,
        headrooms: &mut Headrooms,
        at: FloorIndex,
    ) -> Option<Self> {
        let own = headrooms.of(work, at.floor)?;
        let mut lips = [None; 8];
        let mut is_open = [None; 8];
        for (dir, offset) in row_major_offsets(&work.frame).into_iter().enumerate() {
            let Some(next) = headrooms.floor_beside(work, at, offset) else { continue };
            let Some(over_next) = headrooms.of(work, next) else { continue };
            // One of two neighbors that are measured tells what is between them.
            if next < at.floor && headrooms.is_measured(next) {
                is_open[dir] = Some(true);
                continue;
            }
            let most = own.min(over_next);
            let feet = [at.floor, next].map(|floor| work.feet[floor]);
            let query = HeadroomQuery { probe: headrooms.judged.agent, feet, most };
            let between = work.caster.headroom(&query);
            is_open[dir] = Some(between.is_some());
            lips[dir] = between.filter(|between| *between < most - LEAST_LIP);
        }
        let lip = lips.into_iter().flatten().reduce(f32::min).unwrap_or(0.0);
        let low = LowCeiling { headroom: own, lip, lips: lips.map(|lip| lip.is_some()) };
        // Where the agent's own body fits, something else keeps it off.
        (own < headrooms.top || lip > 0.0).then_some(Ceiling { low, is_open })
    }

    /// Corrects which directions have walls: what a low body gets under is none.
    fn correct(&self, walls: &mut [bool; 8]) {
        for (is_wall, is_open) in walls.iter_mut().zip(self.is_open) {
            *is_wall = is_open.map_or(*is_wall, |is_open| !is_open);
        }
    }
}

/// How high bodies may be that are as wide and lifted as far as an agent's, over the floors of a tile.
struct Headrooms<'a> {
    judged: &'a AgentFloors,
    floors: BodyFloors,
    /// For each floor, once it is known [m]; `None` where no body fits.
    known: Vec<Option<Option<f32>>>,
    /// How high the agent's own body reaches, and the lowest [m].
    top: f32,
    least: f32,
}

impl<'a> Headrooms<'a> {
    fn new<T>(work: &TileWork<T>, judged: &'a AgentFloors) -> Self {
        let body = work.plan.probes[judged.agent].body;
        let known = vec![None; work.feet.len()];
        let floors = BodyFloors::new(work, judged);
        Headrooms { judged, floors, known, top: body.top, least: body.lowest().top }
    }

    /// Returns whether a floor's ceiling is measured: where the agent's own body does not fit.
    fn is_measured(&self, floor: usize) -> bool {
        // Other verdicts say nothing of what is beside the body.
        matches!(self.judged.verdicts[floor], Verdict::Obstacle(_) | Verdict::LowCeiling)
    }

    /// Returns the headroom over a floor [m].
    fn of<T: TileCaster>(&mut self, work: &mut TileWork<T>, floor: usize) -> Option<f32> {
        if !self.is_measured(floor) {
            return Some(self.top);
        }
        if let Some(known) = self.known[floor] {
            return known;
        }
        let most = self.top.min(work.floors.floors[floor].span.headroom());
        let found = if most < self.least { None } else { self.find(work, work.feet[floor], most) };
        self.known[floor] = Some(found);
        found
    }

    /// Returns up to how far above a floor things count that are beside it, and no ceiling [m].
    fn below_ceiling<T: TileCaster>(&mut self, work: &mut TileWork<T>, floor: usize) -> f32 {
        let own = work.floors.floors[floor].span.headroom();
        match self.of(work, floor) {
            Some(headroom) => own.min(headroom) - BELOW_CEILING,
            // Also the lowest body touches it.
            None if own < self.top => (own - BELOW_CEILING).min(self.least),
            None => own - BELOW_CEILING,
        }
    }

    /// Returns in which directions of a query walls are left: the side of what hangs over the next floor is none.
    fn walls_below_ceilings<T: TileCaster>(
        &mut self,
        work: &mut TileWork<T>,
        at: FloorIndex,
        query: &PassageQuery,
    ) -> [bool; 8] {
        let offsets = row_major_offsets(&work.frame);
        let mut walls = query.wall_dirs;
        for (dir, is_wall) in walls.iter_mut().enumerate().filter(|(_, is_wall)| **is_wall) {
            let Some(next) = self.floor_beside(work, at, offsets[dir]) else { continue };
            let headroom = self.below_ceiling(work, next);
            if headroom < query.headroom {
                let mut wall_dirs = [false; 8];
                wall_dirs[dir] = true;
                *is_wall = work.caster.walls(&PassageQuery { headroom, wall_dirs, ..*query })[dir];
            }
        }
        walls
    }

    /// Finds the headroom over a point, where a body may come to rest higher, on something beside it [m].
    fn find<T: TileCaster>(
        &self,
        work: &mut TileWork<T>,
        feet: Point3<f32>,
        most: f32,
    ) -> Option<f32> {
        let probe = self.judged.agent;
        let cast = HeadroomQuery { probe, feet: [feet; 2], most };
        let over_floor = work.caster.headroom(&cast)?;
        let rise = rest_height(work.plan.probes[probe].body.bottom, |by| {
            let feet = [feet, feet - Vector3::y() * by];
            work.caster.headroom(&HeadroomQuery { probe, feet, most: self.least }).is_some()
        });
        if rise == 0.0 {
            return Some(over_floor);
        }
        let at_rest = [feet + Vector3::y() * rise; 2];
        work.caster.headroom(&HeadroomQuery { probe, feet: at_rest, most: over_floor })
    }

    /// Returns the floor of the next cell that a body comes to from a floor.
    fn floor_beside<T>(&self, work: &TileWork<T>, at: FloorIndex, offset: isize) -> Option<usize> {
        let height = work.feet[at.floor].y;
        let rise = work.plan.probes[self.judged.agent].body.bottom;
        let mut near = work.floors.near(at.cell.wrapping_add_signed(offset), height, rise);
        near.find(|&floor| {
            self.floors.contains(floor) && (work.feet[floor].y - height).abs() <= rise
        })
    }
}
