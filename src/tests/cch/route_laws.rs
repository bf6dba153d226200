//! Prepared routes against the plainest search: costs, outcomes, corridors, paths.

use crate::cch::CustomizedHierarchy;
use crate::cch::hierarchy::Hierarchy;
use crate::cch::metric::{HierarchyMetric, RouteRules};
use crate::path::path_search::PathSearch;
use crate::path::{GridSight, Sight};
use crate::search::outcome::{Engine, Outcome, PathError};
use crate::search::query::{GoalMode, Query};
use crate::tests::cch::RouteSearch;
use crate::tests::search::cases::{Case, cases, check_corridor, metric, run, units};
use crate::tests::search::models::Model;
use crate::view::NavPoint;

use crate::tests::cch::random_parameters;

const SEEDS: std::ops::Range<u64> = 0..2500;

/// Routes for queries with the rules of one.
fn prepare(case: &mut Case, query: &Query) -> (Hierarchy, HierarchyMetric) {
    let parameters = random_parameters(&mut case.random);
    let hierarchy = Hierarchy::with_parameters(&case.view().parts(), parameters);
    let costs = hierarchy.customize(&case.view(), &case.model, RouteRules::of(query));
    (hierarchy, costs)
}

#[test]
fn routes_cost_what_the_plainest_search_finds() {
    let mut search = RouteSearch::default();
    let (mut complete, mut failed, mut searched, mut symmetric) = (0, 0, 0, 0);
    for mut case in cases(SEEDS) {
        let (_, like) = case.query();
        let (hierarchy, costs) = prepare(&mut case, &like);
        symmetric += usize::from(costs.basis.is_symmetric);
        let routes = CustomizedHierarchy { hierarchy: &hierarchy, metric: &costs };
        for _ in 0..6 {
            let (ends, query) = case.query();
            let Query { slope_limit, directions, .. } = like;
            let query = Query { slope_limit, directions, ..query };
            let view = case.view();
            let parts = view.parts();
            let metric = metric(&parts, &case.model, &query, 0);
            let least = case.graph.costs(ends[0].0, |edge| units(&metric, &query, edge));
            let least = least[ends[1].index()];
            let outcome = search.find(routes, (&view, &case.model), &query);
            let expected = if !case.graph.joins(ends[0], ends[1]) {
                Outcome::Failed(PathError::DifferentRegion)
            } else if least.is_infinite() {
                Outcome::Failed(PathError::Unreachable)
            } else {
                Outcome::Complete
            };
            assert_eq!(outcome, expected, "seed {}", case.seed);
            if expected == Outcome::Complete {
                complete += 1;
                assert_eq!(search.engine(), Engine::Routes, "seed {}", case.seed);
                let corridor = search.corridor();
                assert_eq!(corridor.cost(), metric.cost(least as u32), "seed {}", case.seed);
                check_corridor(&case, &query, corridor, ends);
            } else if expected == Outcome::Failed(PathError::Unreachable) {
                failed += 1;
                // If costs are very large, routes may have missed a path.
                searched += usize::from(search.engine() != Engine::Routes);
            }
        }
    }
    assert!(complete > 5000 && failed > 200, "{complete}, {failed}");
    assert!(searched < failed / 20, "{searched} of {failed}");
    assert!((200..2000).contains(&symmetric), "{symmetric} symmetric metrics");
}

#[test]
fn answers_are_those_of_a_search() {
    let (mut routed, mut plain) = (RouteSearch::default(), PathSearch::default());
    for mut case in cases(SEEDS) {
        let (_, query) = case.query();
        let (hierarchy, costs) = prepare(&mut case, &query);
        let routes = CustomizedHierarchy { hierarchy: &hierarchy, metric: &costs };
        for goal in [GoalMode::Fail, GoalMode::NearestByRing, GoalMode::NearestAlongLine] {
            let query = Query { goal, ..query.clone() };
            let view = case.view();
            let expected = plain.path(&view, &case.model, &query).clone();
            let answer = routed.path(routes, (&view, &case.model), &query);
            assert_eq!(answer.outcome, expected.outcome, "seed {}", case.seed);
            let (Ok(path), Ok(other)) = (answer.path(), expected.path()) else { continue };
            let ends = |path: &crate::path::Path| {
                let waypoints = path.waypoints();
                [waypoints[0].point, waypoints[waypoints.len() - 1].point]
            };
            assert_eq!(ends(path), ends(other), "seed {}", case.seed);
            let bound = path.corridor_cost() * 1.000_001 + 1e-4;
            assert!(path.cost() <= bound, "seed {}: {} over {bound}", case.seed, path.cost());
            for pair in path.waypoints().windows(2).filter(|pair| pair[0].link.is_none()) {
                let [from, to] =
                    [0, 1].map(|at| NavPoint { span: pair[at].span, point: pair[at].point });
                assert!(GridSight.is_clear(&view, &from, &to), "seed {}: {pair:?}", case.seed);
            }
        }
    }
}

/// Costs are for one slope limit, one set of directions and one state of the ground. Other queries
/// are searched.
#[test]
fn other_queries_are_searched() {
    let mut search = RouteSearch::default();
    let mut asked = 0;
    for mut case in cases(0..200) {
        let (_, query) = case.query();
        let (hierarchy, costs) = prepare(&mut case, &query);
        let steeper = Query { slope_limit: Some(1.2), ..query.clone() };
        let view = case.view();
        let routes = CustomizedHierarchy { hierarchy: &hierarchy, metric: &costs };
        let expected = run(&mut PathSearch::default(), (&view, &case.model), &steeper).cost();
        let outcome = search.find(routes, (&view, &case.model), &steeper);
        if outcome == Outcome::Complete {
            assert_eq!(search.engine(), Engine::AStar, "seed {}", case.seed);
            assert_eq!(search.corridor().cost(), expected, "seed {}", case.seed);
            asked += 1;
        }
    }
    assert!(asked > 50, "{asked}");
}

#[test]
fn the_same_query_has_the_same_answer() {
    let mut used = RouteSearch::default();
    for mut case in cases(0..500) {
        let (_, query) = case.query();
        let (hierarchy, costs) = prepare(&mut case, &query);
        let routes = CustomizedHierarchy { hierarchy: &hierarchy, metric: &costs };
        let view = case.view();
        let first = used.path(routes, (&view, &case.model), &query).clone();
        let mut fresh = RouteSearch::default();
        assert_eq!(*fresh.path(routes, (&view, &case.model), &query), first);
        assert_eq!(*used.path(routes, (&view, &case.model), &query), first);
    }
}

/// Routes that were customized by another model than the query's lead along steps and links that
/// exist, or nowhere.
#[test]
fn another_model_makes_no_impossible_corridors() {
    let (mut search, mut found) = (RouteSearch::default(), 0);
    for mut case in cases(0..800) {
        let (_, query) = case.query();
        let (hierarchy, costs) = prepare(&mut case, &query);
        let routes = CustomizedHierarchy { hierarchy: &hierarchy, metric: &costs };
        let model = Model::random(case.grid.frame().cell_size, &mut case.random);
        let view = case.view();
        if search.find(routes, (&view, &model), &query) == Outcome::Complete {
            assert!(search.corridor().is_valid(&view), "seed {}", case.seed);
            found += 1;
        }
    }
    assert!(found > 200, "{found}");
}
