//! Finds passages: how wide it is between things where an agent's body does not fit, and what stands between
//! there and the next centers.
//!
//! Only answers to why an agent cannot get somewhere depend on it.

use crate::casts::{Beside, PassageQuery, TileCaster};
use surefoot::grid::baker::row_major_offsets;
use surefoot::grid::{SpanEntry, SpanId, SpanMeasure, Verdict};

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
            let headroom = work.floors.floors[index].span.headroom() - BELOW_CEILING;
            let wall_dirs = entered_from(
                work,
                judged,
                FloorIndex { cell: work.floors.cell_of(index), floor: index },
            );
            let query = PassageQuery {
                probe,
                feet,
                within,
                most_aside,
                step: cell_size,
                wall_dirs,
                headroom,
            };
            let Beside { passage, walls } = work.caster.beside(&query);
            if passage.is_some() || walls.contains(&true) {
                let span = SpanId(index as u32);
                passages.push(SpanEntry { span, value: SpanMeasure::beside(passage, walls) });
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
