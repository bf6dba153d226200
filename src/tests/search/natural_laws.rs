//! Laws of natural steps: where they are enough, and that the costs found with them are the same.

use std::sync::Arc;

use nalgebra::Point3;

use crate::cost::metric::Metric;
use crate::cost::model::HeightCost;
use crate::grid::{AreaId, Dir, SpanId};
use crate::path::path_search::PathSearch;
use crate::search::field::{CostField, FieldQuery};
use crate::search::query::Query;
use crate::view::Directions;
use crate::view::Obstacle;
use crate::view::View;
use crate::view::overlay::Overlay;

use crate::tests::search::cases::{cases, run};
use crate::tests::search::plain::{By, Edge};
use crate::tests::search::random_grids::AGENT;

/// By the definition: nine alike in a square, and each step between two of them that are neighbors.
#[test]
fn even_spans_lie_in_the_middle_of_level_ground() {
    let mut count = 0;
    for case in cases(0..3000) {
        let grid = &case.grid;
        let targets = |span: u32| {
            let step = |edge: &Edge| match edge.by {
                By::Step(dir) => Some((dir.index(), edge.to)),
                By::Link(_) => None,
            };
            case.graph.0[span as usize].iter().filter_map(step)
        };
        for span in 0..grid.spans().len() as u32 {
            let own = &grid.spans()[span as usize];
            let layer = |span| grid.layer_of(SpanId(span));
            let ring: Vec<u32> = targets(span).map(|(_, to)| to).collect();
            let alike = ring.iter().all(|&to| {
                let other = &grid.spans()[to as usize];
                (other.floor, other.normal(), other.area(), layer(to))
                    == (own.floor, own.normal(), own.area(), layer(span))
            });
            // Of a square of nine each straight neighbor has steps to five others, each diagonal
            // one to three.
            let joined = targets(span).all(|(dir, to)| {
                let inside = targets(to).filter(|(_, to)| *to == span || ring.contains(to));
                inside.count() == if Dir::ALL[dir].is_diagonal() { 3 } else { 5 }
            });
            let expected = ring.len() == 8 && alike && joined;
            assert_eq!(
                grid.uniform_cells(AGENT).contains(span),
                expected,
                "seed {}, {span}",
                case.seed
            );
            count += usize::from(expected);
        }
    }
    assert!(count > 2000, "only {count}");
}

/// What a field costs that looks at every neighbor: natural steps are not enough within a circle.
fn all_neighbors(field: &mut CostField, (view, model): (&View, &HeightCost), from: SpanId) {
    let everywhere = Some((Point3::origin(), f32::INFINITY));
    let sources = [from];
    let query = FieldQuery { circle: everywhere, ..FieldQuery::from(&sources) };
    field.fill(view, model, &query);
}

/// With obstacles and other factors, too, searches and fields both ways find the same costs.
#[test]
fn changes_take_natural_steps_away() {
    let [mut natural, mut back, mut plain] = [0; 3].map(|_| CostField::default());
    let mut search = PathSearch::default();
    let mut compared = 0;
    for mut case in cases(0..2000) {
        let mut overlay = Overlay::new(&case.grid);
        for _ in 0..case.random.below(4) {
            let span = case.span();
            let base = case.grid.point(span).expect("a span");
            let radius = case.random.between(0.01, 1.0);
            let obstacle = Obstacle::Cylinder { base, radius, height: 1.0 };
            overlay.block(obstacle).expect("a sound obstacle");
        }
        let factor = case.random.pick(&[0.0, 0.5, 1.0, 3.0]);
        assert_eq!(overlay.set_factor(AreaId(1), factor).is_ok(), factor > 0.0);
        let view = View::new(&case.grid, AGENT)
            .expect("an agent")
            .with_overlay(Arc::new(overlay.clone()))
            .expect("its own overlay");
        let model = case.random.pick(&[HeightCost::FLAT, HeightCost::default()]);
        let parts = view.parts();
        let metric = Metric::new(&parts, &model, None, 0);
        let from = case.random.pick(&case.walkable);
        if metric.uniform_ground(Directions::Eight).is_none() || !view.is_walkable(from) {
            continue;
        }
        all_neighbors(&mut plain, (&view, &model), from);
        natural.fill(&view, &model, &FieldQuery::from(&[from]));
        for &to in plain.reached() {
            assert_eq!(natural.cost(to), plain.cost(to), "seed {}, {from:?} {to:?}", case.seed);
        }
        assert_eq!(natural.reached().len(), plain.reached().len(), "seed {}", case.seed);
        let to = case.random.pick(plain.reached());
        back.fill(&view, &model, &FieldQuery::to(&[to]));
        assert_eq!(back.cost(from), plain.cost(to), "seed {}, back", case.seed);
        let [start, goal] = [from, to].map(|span| case.grid.point(span).expect("a span"));
        let query = Query {
            snap_radius: Some(0.0),
            vertical_tolerance: Some(0.2),
            ..Query::new(start, goal)
        };
        let cost = run(&mut search, (&view, &model), &query).cost();
        assert_eq!(Some(cost), plain.cost(to), "seed {}, {from:?} {to:?}", case.seed);
        compared += plain.reached().len();
    }
    assert!(compared > 8_000, "only {compared}");
}
