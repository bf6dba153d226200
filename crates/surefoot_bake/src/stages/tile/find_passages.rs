//! Finds passages: how wide it is between things where an agent's body cannot stand for what it touches.
//!
//! Nothing depends on it but answers to why an agent cannot get somewhere.

use crate::casts::{Passage, PassageQuery, TileCaster};
use surefoot::grid::{SpanEntry, SpanId, SpanMeasure, Verdict};

use super::judge_standing::AgentFloors;
use super::work::TileWork;

/// How far below a low ceiling it is measured between things at most: nearer to it a beam's sides would count
/// [m].
const BELOW_CEILING: f32 = 0.25;

/// Finds the passages over a tile's own cells that an agent is too wide for, in the order of floors. The spans
/// are indices of floors.
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
            let query = PassageQuery { probe, feet, within, most_aside, step: cell_size, headroom };
            let found = work.caster.passage(&query);
            passages.extend(found.map(|Passage { ends, walls }| SpanEntry {
                span: SpanId(index as u32),
                value: SpanMeasure::passage(ends, walls),
            }));
        }
    }
    passages
}
