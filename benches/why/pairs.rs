//! Pairs of places in different regions.

use nalgebra::Point3;
use surefoot::grid::{AgentId, NavGrid, SpanId};
use surefoot_testing::Random;

/// Pairs of centers of walkable cells, so that no path leads from the first to the second, at random.
/// Every cell is as likely; empty if all walkable ground is connected.
pub fn random_pairs(grid: &NavGrid, count: usize, seed: u64) -> Vec<[Point3<f32>; 2]> {
    let agent = AgentId(0);
    let ids = (0..grid.spans().len() as u32).map(SpanId);
    let walkable: Vec<SpanId> = ids.filter(|&id| grid.is_walkable(agent, id)).collect();
    let region = |span: SpanId| grid.region(agent, span).expect("it is walkable");
    let mut random = Random(seed);
    let mut pairs = Vec::new();
    if grid.layers()[0].regions.len() < 2 {
        return pairs;
    }
    while pairs.len() < count {
        let from = walkable[random.below(walkable.len())];
        let is_apart = |to: &SpanId| !grid.region_reaches(agent, region(from), region(*to));
        let others: Vec<SpanId> = walkable.iter().copied().filter(is_apart).collect();
        if !others.is_empty() {
            let to = others[random.below(others.len())];
            pairs.push([from, to].map(|span| grid.point(span).expect("it exists")));
        }
    }
    pairs
}
