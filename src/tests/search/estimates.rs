//! The heuristics: consistent over every step and link, never above the least cost, and harmless
//! where a model lies.

use nalgebra::Point3;

use crate::agent::Agent;
use crate::cost::metric::Metric;
use crate::cost::model::{CostLowerBound, CostModel, Edge, HeightCost};
use crate::grid::{Cell, GridFrame, Link, LinkKind, LinkLane, NavGrid, SpanId};
use crate::path::path_search::PathSearch;
use crate::search::heuristic::{Estimate, EstimateParameters, Heuristic};
use crate::search::outcome::Outcome;
use crate::search::query::Query;
use crate::view::Directions;
use crate::view::Flow;
use crate::view::View;

use crate::tests::search::cases::{cases, metric, run, units};
use crate::tests::search::models::Liar;
use crate::tests::search::plain::Graph;
use crate::tests::search::random::Random;
use crate::tests::search::random_grids::AGENT;

const KINDS: [Heuristic; 4] =
    [Heuristic::Octile, Heuristic::Manhattan, Heuristic::Euclidean, Heuristic::None];

/// The estimate at each span.
fn estimates(metric: &Metric<impl CostModel>, query: &Query, goal: SpanId) -> Vec<f64> {
    let mut estimate = Estimate::default();
    estimate.begin(
        metric,
        EstimateParameters {
            heuristic: query.heuristic,
            directions: query.directions,
            flow: Flow::ToSources,
        },
    );
    estimate.aim(metric.view, goal);
    let at = |(span, ground): (u32, &crate::grid::Span)| {
        f64::from(estimate.at(metric.view.cell_offset(span), ground.floor))
    };
    (0..).zip(metric.view.grid().spans()).map(at).collect()
}

/// No edge brings the estimate down by more than it costs; hence it is never above what is left.
fn check_estimates(graph: &Graph, metric: &Metric<impl CostModel>, query: &Query, goal: SpanId) {
    let rest = estimates(metric, query, goal);
    assert_eq!(rest[goal.index()], 0.0);
    for edge in graph.0.iter().flatten() {
        let cost = units(metric, query, edge);
        let (here, there) = (rest[edge.from as usize], rest[edge.to as usize]);
        assert!(here <= cost + there, "{here} > {cost} + {there}: {edge:?}, {query:?}");
    }
}

#[test]
fn estimates_are_consistent_and_never_too_high() {
    for mut case in cases(0..3000) {
        for heuristic in KINDS {
            let (ends, query) = case.query();
            let query = Query { heuristic, ..query };
            let view = case.view();
            let parts = view.parts();
            let metric = metric(&parts, &case.model, &query, 0);
            check_estimates(&case.graph, &metric, &query, ends[1]);
            let costs = case.graph.costs(ends[0].0, |edge| units(&metric, &query, edge));
            let rest = estimates(&metric, &query, ends[1]);
            assert!(rest[ends[0].index()] <= costs[ends[1].index()], "seed {}", case.seed);
        }
    }
}

/// Estimates are worth their name: near what is left on open ground.
#[test]
fn estimates_are_exact_on_open_ground() {
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(0, 0), size_x: 20, size_z: 20 };
    let grid = NavGrid::from_heights(frame, &[1.0; 400], &[Agent::new("walker")]).expect("flat");
    let view = View::new(&grid, AGENT).expect("an agent");
    let graph = Graph::new(&grid);
    for (heuristic, directions) in
        [(Heuristic::Octile, Directions::Eight), (Heuristic::Manhattan, Directions::Four)]
    {
        let query = Query { heuristic, directions, ..Query::new([0.0; 3], [0.0; 3]) };
        let parts = view.parts();
        let metric = metric(&parts, &HeightCost::FLAT, &query, 0);
        let costs = graph.costs(210, |edge| units(&metric, &query, edge));
        assert_eq!(estimates(&metric, &query, SpanId(210)), costs);
    }
}

/// Links that cost just what the estimate between their ends is, or a unit more or less: where
/// estimates are rounded, several in a row must not add up to less than the whole.
#[test]
fn links_that_cost_what_is_estimated_keep_it_consistent() {
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 9, size_z: 9 };
    let flat = NavGrid::from_heights(frame, &[0.0; 81], &[Agent::new("walker")]).expect("flat");
    let mut random = Random(1);
    for round in 0..600 {
        let query = Query { heuristic: KINDS[round % 3], ..Query::new([0.0; 3], [0.0; 3]) };
        let ends: Vec<u32> = (0..4).map(|_| random.below(81) as u32).collect();
        let mut changed = flat.parts().clone();
        let bare = View::new(&flat, AGENT).expect("an agent");
        let parts = bare.parts();
        let bare_metric = metric(&parts, &HeightCost::FLAT, &query, 0);
        for pair in ends.windows(2) {
            let between = estimates(&bare_metric, &query, SpanId(pair[1]))[pair[0] as usize];
            let units = between + random.pick(&[-1.0, 0.0, 0.0, 1.0]);
            let cost = bare_metric.cost(units.max(0.0) as u32);
            let name = format!("link {}", changed.links.len());
            changed.links.push(Link {
                two_way: random.chance(50),
                cost,
                lanes: vec![vec![LinkLane::new([SpanId(pair[0]), SpanId(pair[1])])]],
                ..Link::new(name, LinkKind::Jump, [Point3::origin(); 2])
            });
        }
        let grid = NavGrid::new(changed).expect("a sound grid");
        let view = View::new(&grid, AGENT).expect("an agent");
        let parts = view.parts();
        let metric = metric(&parts, &HeightCost::FLAT, &query, 0);
        check_estimates(&Graph::new(&grid), &metric, &query, SpanId(ends[3]));
    }
}

/// A model that overstates its least costs gets a way, though not the cheapest.
#[test]
fn a_model_that_lies_gets_some_way() {
    let mut search = PathSearch::default();
    for mut case in cases(0..1500) {
        let (ends, query) = case.query();
        let query = Query { slope_limit: None, ..query };
        let lie = case.random.pick(&[1.5, 10.0, 1e6, 1e30, f32::INFINITY]);
        let view = case.view();
        let honest = run(&mut search, (&view, &HeightCost::default()), &query).cost();
        let outcome = search.outcome();
        let cost = run(&mut search, (&view, &Liar(lie)), &query).cost();
        assert_eq!(outcome == Outcome::Complete, case.graph.joins(ends[0], ends[1]));
        if lie < 1e6 || lie.is_infinite() {
            assert_eq!(search.outcome(), outcome, "seed {}", case.seed);
            assert!(cost >= honest * 0.999, "seed {}: {cost} for {honest}", case.seed);
        }
        search.path(&view, &Liar(lie), &query);
    }
}

/// States a bound that is no number, and prices that are none either.
struct Senseless(f32);

impl CostModel for Senseless {
    fn cost(&self, piece: &Edge) -> f32 {
        if piece.rise > 0.1 { self.0 } else { piece.run() }
    }

    fn lower_bound(&self, _: &View) -> CostLowerBound {
        CostLowerBound { straight: self.0, diagonal: self.0, ascend: self.0, descend: self.0 }
    }

    fn link_cost(&self, _: &Link) -> f32 {
        self.0
    }
}

#[test]
fn senseless_numbers_do_no_harm() {
    let mut search = PathSearch::default();
    for mut case in cases(0..600) {
        let (_, query) = case.query();
        let number = case.random.pick(&[f32::NAN, f32::INFINITY, -1.0, -1e30, f32::MAX, 0.0]);
        let view = case.view();
        let model = Senseless(number);
        run(&mut search, (&view, &model), &query);
        search.path(&view, &model, &query);
    }
}
