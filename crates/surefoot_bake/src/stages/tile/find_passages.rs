//! Finds passages: how wide and how high it is between things where an agent's body does not fit, and what
//! stands between there and the next centers.
//!
//! Only answers to why an agent cannot get somewhere depend on it.

use nalgebra::Point3;

use crate::casts::{Beside, HeadroomQuery, PassageQuery, TileCaster};
use surefoot::grid::baker::row_major_offsets;
use surefoot::grid::{LowCeiling, SpanEntry, SpanId, SpanMeasure, Verdict};

use super::judge_standing::AgentFloors;
use super::work::{FloorIndex, TileWork};

/// Under a low ceiling, what is higher than this far below it does not count: a beam's own sides would [m].
const BELOW_CEILING: f32 = 0.25;

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
    let probe = judged.agent;
    let cell_size = work.frame.cell_size;
    let within = work.plan.probes[probe].reach(cell_size * std::f32::consts::SQRT_2);
    let most_aside =
        work.plan.probes[probe].body.radius + cell_size * std::f32::consts::FRAC_1_SQRT_2;
    for range in work.inner_floors_until_cancelled() {
        for index in range {
            // Other verdicts say nothing of what is beside the body.
            if !matches!(judged.verdicts[index], Verdict::Obstacle(_) | Verdict::LowCeiling) {
                continue;
            }
            let feet = work.feet[index];
            let at = FloorIndex { cell: work.floors.cell_of(index), floor: index };
            let wall_dirs = entered_from(work, judged, at);
            let ceiling = Ceiling::find(work, judged, at);
            let own = work.floors.floors[index].span.headroom();
            let headroom = ceiling.as_ref().map_or(own, |ceiling| own.min(ceiling.low.headroom))
                - BELOW_CEILING;
            let query = PassageQuery {
                probe,
                feet,
                within,
                most_aside,
                step: cell_size,
                wall_dirs,
                headroom,
            };
            let Beside { passage, mut walls } = work.caster.beside(&query);
            if let Some(ceiling) = &ceiling {
                ceiling.correct(&mut walls);
            }
            if passage.is_some() || walls.contains(&true) || ceiling.is_some() {
                let beside = SpanMeasure::beside(passage, walls);
                let value = ceiling.map_or(beside, |ceiling| beside.under(ceiling.low));
                passages.push(SpanEntry { span: SpanId(index as u32), value });
            }
        }
    }
    passages
}

/// Returns in which directions a floor has a neighbor that a body may come from.
fn entered_from<T>(work: &TileWork<T>, judged: &AgentFloors, at: FloorIndex) -> [bool; 8] {
    let offsets = row_major_offsets(&work.frame);
    let height = work.floors.floors[at.floor].span.floor;
    let rise = work.plan.probes[judged.agent].body.bottom;
    offsets.map(|offset| {
        let mut near = work.floors.near(at.cell.wrapping_add_signed(offset), height, rise);
        near.any(|floor| judged.verdicts[floor] != Verdict::InsideSolid)
    })
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
        judged: &AgentFloors,
        at: FloorIndex,
    ) -> Option<Self> {
        let (probe, feet) = (judged.agent, work.feet[at.floor]);
        let most = work.plan.probes[probe].body.top;
        let headroom = work.caster.headroom(&HeadroomQuery { probe, feet: [feet; 2], most })?;
        let mut lips = [None; 8];
        let mut is_open = [None; 8];
        for (dir, offset) in row_major_offsets(&work.frame).into_iter().enumerate() {
            let next = work.feet_beside(judged, at, offset);
            let Some(to) = next else { continue };
            let over_both = HeadroomQuery { probe, feet: [to; 2], most: headroom };
            let Some(most) = work.caster.headroom(&over_both) else { continue };
            let between = work.caster.headroom(&HeadroomQuery { probe, feet: [feet, to], most });
            is_open[dir] = Some(between.is_some());
            lips[dir] = between.filter(|between| *between < most - LEAST_LIP);
        }
        let lip = lips.into_iter().flatten().reduce(f32::min).unwrap_or(0.0);
        let low = LowCeiling { headroom, lip, lips: lips.map(|lip| lip.is_some()) };
        // Where the agent's own body fits, something else keeps it off.
        (headroom < most || lip > 0.0).then_some(Ceiling { low, is_open })
    }

    /// Corrects which directions have walls: what a low body gets under is none.
    fn correct(&self, walls: &mut [bool; 8]) {
        for (is_wall, is_open) in walls.iter_mut().zip(self.is_open) {
            *is_wall = is_open.map_or(*is_wall, |is_open| !is_open);
        }
    }
}

impl<T> TileWork<'_, T> {
    /// Returns where a body stands in the next cell that comes from a floor.
    fn feet_beside(
        &self,
        judged: &AgentFloors,
        at: FloorIndex,
        offset: isize,
    ) -> Option<Point3<f32>> {
        let height = self.feet[at.floor].y;
        let rise = self.plan.probes[judged.agent].body.bottom;
        let mut near = self.floors.near(at.cell.wrapping_add_signed(offset), height, rise);
        let is_level = |&floor: &usize| {
            judged.verdicts[floor] != Verdict::InsideSolid
                && (self.feet[floor].y - height).abs() <= rise
        };
        near.find(is_level).map(|floor| self.feet[floor])
    }
}
