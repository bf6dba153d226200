//! The rival's contraction hierarchies.

use std::time::Instant;

use surefoot::cost::CostModel;

use crate::level::Level;
use crate::{Side, graph};

/// Of an edge of what it prepares: five numbers of 8 bytes.
const EDGE: usize = 5 * 8;
/// Of a node: a rank, and where its edges begin in both directions.
const NODE: usize = 3 * 8;

/// From a graph that is there already.
pub fn run(level: &Level) -> Side {
    let nav = level.navigator();
    let graph = graph::of(nav.view(), &level.model);
    let start = Instant::now();
    let prepared = fast_paths::prepare(&graph);
    let seconds = start.elapsed().as_secs_f64();
    let edges = prepared.get_num_out_edges() + prepared.get_num_in_edges();
    let bytes = edges * EDGE + prepared.get_num_nodes() * NODE;
    let units = f64::from(level.model.units(nav.view()));
    let mut calculator = fast_paths::create_calculator(&prepared);
    let mut costs = Vec::new();
    let start = Instant::now();
    for [from, to] in &level.queries {
        let path = calculator.calc_path(&prepared, from.index(), to.index()).expect("a path");
        costs.push(path.get_weight() as f64 / units);
    }
    let micros = start.elapsed().as_secs_f64() * 1e6;
    Side { seconds, bytes, micros, costs }
}
