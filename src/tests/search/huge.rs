//! Costs too large for the finest units: the way stays right, its cost to a thousandth.

use crate::agent::Agent;
use crate::cost::model::HeightCost;
use crate::grid::{Area, AreaId, Cell, GridFrame, NavGrid, NodeId, Span};
use crate::path::path_search::PathSearch;
use crate::search::heuristic::Heuristic;
use crate::search::outcome::Outcome;
use crate::search::query::Query;
use crate::view::View;

use crate::tests::search::cases::{goes, run};
use crate::tests::search::models::Model;
use crate::tests::search::plain::{By, Graph};
use crate::tests::search::random::Random;
use crate::tests::search::random_grids::AGENT;

/// A bumpy field in which stripes of some grounds lie next to each other.
fn striped(costs: [f32; 3], random: &mut Random) -> NavGrid {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(0, 0), size_x: 60, size_z: 6 };
    let heights: Vec<f32> = (0..360).map(|_| random.between(-0.1, 0.1)).collect();
    let grid = NavGrid::from_heights(frame, &heights, &[Agent::new("walker")]).expect("bumps");
    let mut parts = grid.into_parts();
    for (name, cost) in ["one", "two", "three"].into_iter().zip(costs) {
        parts.areas.push(Area { name: name.to_owned(), cost, forbidden: false });
    }
    for span in &mut parts.spans {
        let area = AreaId(1 + random.below(3) as u8);
        *span = Span::new(span.floor, span.ceiling, span.normal()).on(area, NodeId::NONE);
    }
    NavGrid::new(parts).expect("a sound grid")
}

/// Holds ways through the field against the documented prices.
fn check(model: HeightCost, costs: [f32; 3]) {
    let mut random = Random(3);
    let mut search = PathSearch::default();
    for round in 0..12 {
        let grid = striped(costs, &mut random);
        let view = View::new(&grid, AGENT).expect("an agent");
        let ends = [0; 2].map(|_| crate::grid::SpanId(random.below(360) as u32));
        let [from, to] = ends.map(|span| grid.point(span).expect("a span"));
        let heuristic = [Heuristic::Octile, Heuristic::Euclidean][round % 2];
        let query = Query { heuristic, ..Query::new(from, to) };
        let documented = Graph::new(&grid).costs(ends[0].0, |edge| match edge.by {
            By::Step(dir) if goes(&query, dir) => {
                let spans = [edge.from, edge.to].map(|span| &grid.spans()[span as usize]);
                Model::Height(model).documented(&grid, spans, dir)
            }
            _ => f64::INFINITY,
        });
        let least = documented[ends[1].index()];
        let cost = f64::from(run(&mut search, (&view, &model), &query).cost());
        assert_eq!(search.outcome(), Outcome::Complete, "{model:?} {costs:?}");
        let off = (cost - least).abs();
        assert!(off <= 1e-3 * least, "{model:?} {costs:?}: {cost} for {least}");
        let answer = search.path(&view, &model, &query);
        let path = answer.path().expect("a path");
        let most = f64::from(path.corridor_cost()) * (1.0 + 1e-5);
        assert!(f64::from(path.cost()) <= most && most <= least * 1.002, "{model:?} {costs:?}");
    }
}

#[test]
fn expensive_ground_is_crossed_the_cheapest_way() {
    check(HeightCost::default(), [1e6; 3]);
    check(HeightCost::default(), [1e5, 1e6, 3e6]);
    check(HeightCost::default(), [1.0, 1e6, 1e6]);
    check(HeightCost::default(), [1e9; 3]);
}

#[test]
fn expensive_climbs_are_avoided_the_cheapest_way() {
    check(HeightCost { ascend: 1e6, descend: 0.0 }, [1.0, 2.0, 3.0]);
    check(HeightCost { ascend: 1e5, descend: 1e7 }, [1.0, 2.0, 3.0]);
    check(HeightCost { ascend: 1e9, descend: 1e9 }, [1e6; 3]);
    check(HeightCost { ascend: 1e20, descend: 0.0 }, [1.0; 3]);
}

/// A search that had to begin again in coarser units stays within its budget, and what it found by
/// then is not forgotten.
#[test]
fn the_budget_holds_in_coarser_units() {
    let grid = striped([1e5; 3], &mut Random(5));
    let view = View::new(&grid, AGENT).expect("an agent");
    let model = HeightCost::default();
    let [from, to] = [0, 59].map(|span| grid.point(crate::grid::SpanId(span)).expect("a span"));
    let goal = crate::search::GoalMode::NearestByRing;
    let mut search = PathSearch::default();
    for budget in [10, 20, 40, 80, 100, 150] {
        let query = Query { budget, goal, ..Query::new(from, to) };
        let spans = run(&mut search, (&view, &model), &query).spans().len();
        assert!(search.expanded() <= budget && spans > 1, "{budget}: {spans}");
    }
}
