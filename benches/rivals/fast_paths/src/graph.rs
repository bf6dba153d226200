//! A grid as the rival's graph.

use fast_paths::InputGraph;
use surefoot::SpanId;
use surefoot::grid::Dir;
use surefoot::solve::{CostModel, HeightCost, Piece, Terrain};

/// Spans are its nodes and steps its edges, at what they cost in the units that surefoot counts in.
pub fn of(terrain: &Terrain, model: &HeightCost) -> InputGraph {
    let (grid, side, units) = (terrain.grid(), terrain.cell_size(), model.units(terrain));
    let mut graph = InputGraph::new();
    for from in (0..grid.spans().len() as u32).map(SpanId) {
        let cell = grid.cell_of(from).expect("a span of the grid");
        for dir in Dir::ALL {
            let Some(to) = terrain.step(from, (cell, dir)) else { continue };
            let [low, high] = [from, to].map(|span| &grid.spans()[span.index()]);
            let (x, z) = dir.offset();
            let along = [x as f32 * side, z as f32 * side];
            let rise = high.floor - low.floor;
            let cost = model.cost(&Piece { from: low, to: high, along, rise, factor: 1.0 });
            graph.add_edge(from.index(), to.index(), (cost * units).round() as usize);
        }
    }
    graph.freeze();
    graph
}
