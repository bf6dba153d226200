//! Searches against the plainest search: costs, outcomes, corridors, weights, repetition.

use crate::path::path_search::PathSearch;
use crate::search::outcome::{Outcome, PathError};
use crate::search::query::{GoalMode, Query};
use crate::view::View;

use crate::tests::search::cases::{Case, cases, check_corridor, goes, metric, run, units};
use crate::tests::search::plain::{By, Edge};

const SEEDS: std::ops::Range<u64> = 0..3000;

/// What an edge costs a query by the documents, in floating point.
fn documented(case: &Case, query: &Query, edge: &Edge) -> f64 {
    let [from, to] = [edge.from, edge.to].map(|span| &case.grid.spans()[span as usize]);
    match edge.by {
        By::Link(link) => case.model.documented_link(&case.grid.links()[link as usize]),
        By::Step(dir) => {
            let run = f64::from(case.grid.frame().cell_size * dir.length());
            let rise = f64::from((to.floor - from.floor).abs());
            let climb = f64::from(case.grid.layers()[0].agent.max_climb);
            let allowed = query.slope_limit.is_none_or(|limit| {
                let steep = f64::from(to.normal().y) < f64::from(limit).cos() - 1e-4;
                !steep && rise <= climb.max(run * f64::from(limit).tan()) + 1e-4
            });
            let open = allowed && goes(query, dir);
            if open { case.model.documented(&case.grid, [from, to], dir) } else { f64::INFINITY }
        }
    }
}

#[test]
fn a_search_finds_what_the_plainest_one_finds() {
    let mut search = PathSearch::default();
    let (mut complete, mut failed) = (0, [0; 2]);
    for mut case in cases(SEEDS) {
        for _ in 0..4 {
            let (ends, query) = case.query();
            let view = case.view();
            let parts = view.parts();
            let metric = metric(&parts, &case.model, &query, 0);
            let costs = case.graph.costs(ends[0].0, |edge| units(&metric, &query, edge));
            let least = costs[ends[1].index()];
            let corridor = run(&mut search, (&view, &case.model), &query).clone();
            let expected = if !case.graph.joins(ends[0], ends[1]) {
                failed[0] += 1;
                Outcome::Failed(PathError::DifferentRegion)
            } else if least.is_infinite() {
                failed[1] += 1;
                Outcome::Failed(PathError::Unreachable)
            } else {
                complete += 1;
                assert_eq!(corridor.cost(), metric.cost(least as u32), "seed {}", case.seed);
                check_corridor(&case, &query, &corridor, ends);
                Outcome::Complete
            };
            assert_eq!(search.outcome(), expected, "seed {}", case.seed);
        }
    }
    assert!(complete > 3000 && failed[0] > 1000 && failed[1] > 100, "{complete}, {failed:?}");
}

#[test]
fn prices_are_those_of_the_documents() {
    let mut search = PathSearch::default();
    for mut case in cases(SEEDS) {
        let (ends, query) = case.query();
        let costs = case.graph.costs(ends[0].0, |edge| documented(&case, &query, edge));
        let least = costs[ends[1].index()];
        let view = case.view();
        let cost = f64::from(run(&mut search, (&view, &case.model), &query).cost());
        let complete = search.outcome() == Outcome::Complete;
        assert_eq!(complete, least.is_finite(), "seed {}: {least}", case.seed);
        if complete {
            // A step is rounded by half a unit, and by two for the marks of its ends.
            let step = 2.5 * metric(&view.parts(), &case.model, &query, 0).unit();
            let off = (cost - least).abs();
            assert!(off <= 1e-3 * least + step, "seed {}: {cost} for {least}", case.seed);
        }
    }
}

#[test]
fn a_weighted_search_keeps_its_bound() {
    let (mut search, mut costlier) = (PathSearch::default(), 0);
    for mut case in cases(SEEDS) {
        let (ends, exact) = case.query();
        let weight = case.random.pick(&[1.0, 1.25, 2.0, 10.0]);
        let view = case.view();
        let least = run(&mut search, (&view, &case.model), &exact).cost();
        let outcome = search.outcome();
        let query = Query { weight, ..exact };
        let corridor = run(&mut search, (&view, &case.model), &query).clone();
        assert_eq!(search.outcome(), outcome, "seed {}", case.seed);
        let once = weight == 1.0 || search.expanded() as usize <= case.grid.spans().len();
        assert!(once, "seed {}: {} spans are left", case.seed, search.expanded());
        assert_eq!(search.path(&view, &case.model, &query).bound, weight);
        assert!(corridor.cost() <= least * weight * 1.000_001, "seed {}", case.seed);
        if outcome == Outcome::Complete {
            let spans = corridor.spans();
            assert_eq!([spans[0], spans[spans.len() - 1]], ends, "seed {}", case.seed);
            assert!(corridor.is_valid(&view), "seed {}", case.seed);
            costlier += usize::from(corridor.cost() > least);
        }
    }
    assert!(costlier > 20, "{costlier}");
}

/// Weights that are no number, below 1 or too large are taken for the next that is sound.
#[test]
fn weights_are_kept_in_bounds() {
    for (weight, expected) in
        [(f32::NAN, 1.0), (0.0, 1.0), (-3.0, 1.0), (f32::INFINITY, 1000.0), (1.5, 1.5)]
    {
        let mut case = cases(7..100).next().expect("a grid");
        let (_, query) = case.query();
        let query = Query { weight, ..query };
        let view = case.view();
        let mut search = PathSearch::default();
        assert_eq!(search.path(&view, &case.model, &query).bound, expected);
    }
}

#[test]
fn the_same_query_has_the_same_answer() {
    let mut used = PathSearch::default();
    for mut case in cases(0..1000) {
        let (_, query) = case.query();
        let goal = case.random.pick(&[GoalMode::Fail, GoalMode::NearestByRing]);
        let query = Query { goal, ..query };
        let view = case.view();
        let answer = |search: &mut PathSearch, view: &View| {
            let answer = search.path(view, &case.model, &query).clone();
            (answer, search.corridor().clone())
        };
        let first = answer(&mut used, &view);
        assert_eq!(answer(&mut used, &view), first, "seed {}", case.seed);
        let elsewhere = std::thread::scope(|scope| {
            scope.spawn(|| answer(&mut PathSearch::default(), &case.view())).join()
        });
        assert_eq!(elsewhere.expect("no panic"), first, "seed {}", case.seed);
    }
}
