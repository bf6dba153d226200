//! Laws of steps whose direction matters by the heights of their ends alone.

use crate::cost::Stride;
use crate::cost::metric::Metric;
use crate::cost::model::{CostModel, Edge, HeightCost};
use crate::grid::CellOffset;
use crate::search::query::Query;
use crate::tests::search::cases::{cases, metric, step};
use crate::tests::search::models::Model;
use crate::tests::search::plain::By;

/// There and back differ by just what their marks tell, to the unit, and each costs what the model
/// says, to five units.
#[test]
fn there_and_back_differ_by_marks() {
    let mut count = [0; 2];
    for mut case in cases(0..1000) {
        let (_, query) = case.query();
        let query = Query { slope_limit: None, ..query };
        let view = case.view();
        let parts = view.parts();
        let metric = metric(&parts, &case.model, &query, 0);
        if !metric.is_symmetric() {
            assert!(matches!(case.model, Model::Windy(_)), "seed {}", case.seed);
            continue;
        }
        for edge in case.graph.0.iter().flatten() {
            let By::Step(dir) = edge.by else { continue };
            let [from, to] = [edge.from, edge.to];
            let there = step(&metric, [from, to], dir).expect("a step");
            let back = step(&metric, [to, from], dir.opposite()).expect("a step back");
            let mark = |span| metric.least.potential(parts.floor(span)).node();
            let more = i64::from(there) - i64::from(back);
            assert_eq!(more, 2 * (mark(to) - mark(from)), "seed {}", case.seed);
            let CellOffset { x, z } = dir.offset();
            let along = [x, z].map(|cells| cells as f32 * view.cell_size());
            let rise = parts.floor(to) - parts.floor(from);
            let stride = Stride { along, rise, share: 0.5 };
            let piece: Edge = metric.edge([from, to], stride);
            let exact = f64::from(case.model.cost(&piece)) / metric.unit();
            let off = (f64::from(there) - exact).abs();
            assert!(off <= 5.0 + 1e-5 * exact, "seed {}: {there} for {exact}", case.seed);
            count[usize::from(rise != 0.0)] += 1;
        }
    }
    assert!(count[0] > 10_000 && count[1] > 10_000, "{count:?}");
}

/// A rise that costs more than can be said forbids what rises, and is not forgotten.
#[test]
fn what_cannot_be_counted_is_not_left_out() {
    let endless = HeightCost { ascend: f32::INFINITY, descend: 0.0 };
    let mut count = 0;
    for case in cases(0..50) {
        let view = case.view();
        let parts = view.parts();
        let metric = Metric::new(&parts, &endless, None, 0);
        assert!(!metric.is_symmetric());
        for edge in case.graph.0.iter().flatten() {
            let By::Step(dir) = edge.by else { continue };
            if parts.floor(edge.to) > parts.floor(edge.from) {
                assert_eq!(step(&metric, [edge.from, edge.to], dir), None, "seed {}", case.seed);
                count += 1;
            }
        }
    }
    assert!(count > 500, "only {count}");
}
