//! Provides [`PathSample`]: pairs of places on ground that two grids share, the same ones every time.

use surefoot::SpanId;
use surefoot::grid::Dir;

use super::changed_spans::ChangedSpans;
use super::clustering::StepLimit;
use super::grid_pair::AgentPair;

/// Ends of a path: a span of the old grid and its counterpart in the new one.
pub(super) type SampledEnd = [SpanId; 2];

/// Pairs of places. Three of four paths start on ground next to what changed, and two of these also end
/// there; all other ends lie anywhere.
pub(super) struct PathSample<'a> {
    pair: &'a AgentPair<'a>,
    /// The spans of the new grid where the agent can stand in both.
    shared: Vec<SpanId>,
    /// Those of them that lie next to what changed.
    near: Vec<SpanId>,
}

/// The seed of all samples.
const SEED: u64 = 0x5EED_0F00_D1FF;
/// 2^64 over the golden ratio: multiples of it, seen as shares of 2^64, are spread evenly.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl<'a> PathSample<'a> {
    /// Finds the ground to draw from. O(spans).
    pub fn new(pair: &'a AgentPair<'a>, changed: &ChangedSpans) -> Self {
        let shared: Vec<SpanId> = pair.shared_ground().map(|[_, new]| new).collect();
        PathSample { pair, shared, near: ground_beside(pair, changed) }
    }

    /// The start and the goal of the path of a number; `None` if the grids share no ground.
    pub fn path(&self, number: u64) -> Option<[SampledEnd; 2]> {
        if self.shared.is_empty() {
            return None;
        }
        let near = |number: u64| picked(&self.near, mixed(number));
        let is_near = !self.near.is_empty();
        let start = match number % 4 {
            0..3 if is_near => near(SEED ^ number),
            // Consecutive numbers are far apart, so that few paths are spread over all ground.
            _ => picked(&self.shared, number.wrapping_mul(GOLDEN)),
        };
        let goal = match number % 2 {
            0 if is_near => near(!SEED ^ number),
            _ => picked(&self.shared, mixed(!SEED ^ number)),
        };
        let end = |span: SpanId| Some([self.pair.grids.matching.old_of(span)?, span]);
        Some([end(start)?, end(goal)?])
    }
}

/// The item at a share of 2^64 of a list that is not empty.
fn picked(list: &[SpanId], share: u64) -> SpanId {
    list[((u128::from(share) * list.len() as u128) >> 64) as usize]
}

/// A number that looks random. Based on: Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014 (the output function of SplitMix64).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(GOLDEN);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

/// The spans of the new grid that are shared ground and lie next to what was gained or lost, each once.
fn ground_beside(pair: &AgentPair, changed: &ChangedSpans) -> Vec<SpanId> {
    let (old, new) = (pair.grids.old, pair.grids.new);
    let step = StepLimit { agent: &pair.new_layer().agent, cell_size: new.frame().cell_size };
    let is_old_ground = |span: SpanId| pair.old_standing(span).is_walkable();
    let is_new_ground = |span: SpanId| pair.new_standing(span).is_walkable();
    let mut beside = Vec::new();
    for &span in &changed.lost {
        let Some(cell) = old.cell_of(span) else { continue };
        for next in Dir::STRAIGHT.map(|dir| cell.neighbor(dir)) {
            let near = step.near(old, span, [cell, next]).filter(|&near| is_old_ground(near));
            let near = near.filter_map(|near| pair.grids.matching.new_of(near));
            beside.extend(near.filter(|&near| is_new_ground(near)));
        }
    }
    for &span in &changed.gained {
        let Some(cell) = new.cell_of(span) else { continue };
        for next in Dir::STRAIGHT.map(|dir| cell.neighbor(dir)) {
            let near = step.near(new, span, [cell, next]).filter(|&near| is_new_ground(near));
            let was = |near: &SpanId| pair.grids.matching.old_of(*near).is_some_and(is_old_ground);
            beside.extend(near.filter(was));
        }
    }
    beside.sort_unstable();
    beside.dedup();
    beside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_reach_all_of_a_list() {
        let list: Vec<SpanId> = (0..5).map(SpanId).collect();
        assert_eq!((picked(&list, 0).0, picked(&list, u64::MAX).0), (0, 4));
        let mut counts = [0; 5];
        (0..1000).for_each(|number| counts[picked(&list, mixed(number)).index()] += 1);
        assert!(counts.iter().all(|&count| (150..250).contains(&count)), "{counts:?}");
    }
}
