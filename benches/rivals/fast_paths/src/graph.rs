//! A grid as the rival's graph.

use fast_paths::InputGraph;
use surefoot::SpanId;
use surefoot::cost::{CostModel, Edge, HeightCost};
use surefoot::grid::{CellOffset, Dir};
use surefoot::view::View;

/// Spans are its nodes and connections its edges, at their costs in the units that surefoot counts in.
pub fn of(view: &View, model: &HeightCost) -> InputGraph {
    let (grid, side, units) = (view.grid(), view.cell_size(), model.units(view));
    let mut graph = InputGraph::new();
    for from in (0..grid.spans().len() as u32).map(SpanId) {
        for dir in Dir::ALL {
            let Some(to) = view.neighbor(from, dir) else { continue };
            let [low, high] = [from, to].map(|span| &grid.spans()[span.index()]);
            let CellOffset { x, z } = dir.offset();
            let along = [x as f32 * side, z as f32 * side];
            let rise = high.floor - low.floor;
            let cost = model.cost(&Edge { from: low, to: high, along, rise, factor: 1.0 });
            graph.add_edge(from.index(), to.index(), (cost * units).round() as usize);
        }
    }
    graph.freeze();
    graph
}
