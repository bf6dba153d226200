//! Prepared routes of a level that changes: an order that was carried over is sound, costs that were
//! carried over equal those computed from nothing, and routes by them cost what a search finds.

use std::sync::Arc;

use crate::cch::elimination_tree::EliminationTree;
use crate::cch::hierarchy::Hierarchy;
use crate::cch::metric::{HierarchyMetric, RouteRules};
use crate::cch::{CustomizedHierarchy, GridStep};
use crate::grid::{RouteOrder, RouteSupernode, SpanId};
use crate::path::path_search::PathSearch;
use crate::search::outcome::{Engine, Outcome};
use crate::search::query::Query;
use crate::tests::cch::change_laws::change;
use crate::tests::cch::{RouteSearch, random_parameters};
use crate::tests::search::cases::{Case, cases, metric, run, units};
use crate::tests::search::random_grids::AGENT;
use crate::view::overlay::{ObstacleId, Overlay};
use crate::view::{Directions, View};

/// The order that a hierarchy was built by.
fn order_of(hierarchy: &Hierarchy) -> RouteOrder {
    let tree = &hierarchy.tree;
    let supernode = |at: usize| RouteSupernode {
        children: tree.children(at).len() as u32,
        spans: tree.separator_size(at) as u32,
    };
    RouteOrder {
        spans: tree.order.iter().map(|&span| SpanId(span)).collect(),
        supernodes: (0..tree.supernodes.len()).map(supernode).collect(),
    }
}

/// A query for which the routes' rules are asked for.
fn query(case: &mut Case) -> ([SpanId; 2], Query) {
    let (ends, query) = case.query();
    let directions = Directions::Eight;
    (ends, Query { slope_limit: None, directions, ..query })
}

/// A level that changes, and the routes that follow it.
struct ChangingLevel {
    case: Case,
    hierarchy: Hierarchy,
    costs: HierarchyMetric,
    overlay: Overlay,
    placed: Vec<ObstacleId>,
}

impl ChangingLevel {
    fn new(mut case: Case) -> Self {
        let parameters = random_parameters(&mut case.random);
        let hierarchy = Hierarchy::with_parameters(&case.view().parts(), parameters);
        let costs = hierarchy.customize(&case.view(), &case.model, RouteRules::default());
        let overlay = Overlay::new(&case.grid);
        ChangingLevel { case, hierarchy, costs, overlay, placed: Vec::new() }
    }

    fn view(&self) -> View {
        let overlay = Arc::new(self.overlay.clone());
        self.case.view().with_overlay(overlay).expect("its grid")
    }

    /// Changes the overlay so often, then the ground; false if nobody walks there any more. The costs
    /// may be older than the last changes of the overlay.
    fn edit(&mut self, changes: usize) -> bool {
        for _ in 0..changes {
            change(&mut self.case, &mut self.overlay, &mut self.placed);
        }
        if self.case.random.chance(50) {
            let view = self.view();
            self.hierarchy.update(&mut self.costs, &view, &self.case.model);
        }
        self.case.edit();
        !self.case.walkable.is_empty()
    }

    /// Carries routes over from an old view; false if they were prepared anew.
    fn follow(&mut self, before: &View) -> bool {
        self.overlay = self.overlay.over(&self.case.grid);
        let (view, model) = (self.view(), &self.case.model);
        // The order is carried over however bad it gets.
        self.hierarchy.fresh_work = u64::MAX / 4;
        let Some(step) = GridStep::new(&self.hierarchy, [before, &view]) else {
            let parameters = self.hierarchy.tree.parameters;
            self.hierarchy = Hierarchy::with_parameters(&self.case.view().parts(), parameters);
            self.costs = self.hierarchy.customize(&view, model, RouteRules::default());
            return false;
        };
        let order = order_of(&step.hierarchy);
        let sound = self.case.grid.clone().with_order(AGENT, order.clone());
        assert!(sound.is_ok(), "seed {}: {:?}", self.case.seed, sound.err());
        let baked = self.case.view().without_overlay();
        let parameters = self.hierarchy.tree.parameters;
        let tree = EliminationTree::new(&baked.parts(), &order, parameters);
        let carried = &step.hierarchy.tree;
        for at in 0..tree.supernodes.len() {
            assert_eq!(carried.boundary(at), tree.boundary(at), "seed {}", self.case.seed);
            assert_eq!(carried.relative_indices(at), tree.relative_indices(at));
        }
        self.costs = step.customize(self.costs.clone(), model);
        self.hierarchy = step.hierarchy;
        true
    }
}

#[test]
fn routes_follow_the_grid() {
    let mut search = RouteSearch::default();
    let (mut steps, mut anew, mut found) = (0, 0, 0);
    for case in cases(0..600) {
        let mut level = ChangingLevel::new(case);
        for _ in 0..10 {
            let changes = level.case.random.pick(&[0, 0, 1, 3]);
            let mut before = level.view();
            let goes_on = level.edit(changes);
            if !goes_on {
                break;
            }
            before = before.with_overlay(Arc::new(level.overlay.clone())).expect("its grid");
            steps += 1;
            anew += usize::from(!level.follow(&before));
            let (view, seed) = (level.view(), level.case.seed);
            let (_, query) = query(&mut level.case);
            let ChangingLevel { case, hierarchy, costs, .. } = &level;
            let fresh = hierarchy.customize(&view, &case.model, RouteRules::default());
            assert!(*costs == fresh, "seed {seed}");
            let on = (&view, &case.model);
            let expected = run(&mut PathSearch::default(), on, &query).cost();
            search.find(CustomizedHierarchy { hierarchy, metric: costs }, on, &query);
            assert_eq!(search.corridor().cost(), expected, "seed {seed}");
            found += usize::from(search.engine() == Engine::Routes);
        }
    }
    assert!(steps > 4000 && found > 2000 && anew < steps / 50, "{steps}, {anew}, {found}");
}

/// Without an overlay, against Dijkstra's algorithm.
#[test]
fn routes_that_followed_cost_what_the_plainest_search_finds() {
    let (mut search, mut found) = (RouteSearch::default(), 0);
    for case in cases(600..900) {
        let mut level = ChangingLevel::new(case);
        for _ in 0..10 {
            let before = level.view();
            if !level.edit(0) {
                break;
            }
            level.follow(&before);
            let (view, (ends, query)) = (level.view(), query(&mut level.case));
            let ChangingLevel { case, hierarchy, costs, .. } = &level;
            let parts = view.parts();
            let metric = metric(&parts, &case.model, &query, 0);
            let least = case.graph.costs(ends[0].0, |edge| units(&metric, &query, edge));
            let least = least[ends[1].index()];
            let routes = CustomizedHierarchy { hierarchy, metric: costs };
            let outcome = search.find(routes, (&view, &case.model), &query);
            assert_eq!(outcome == Outcome::Complete, least.is_finite(), "seed {}", case.seed);
            if least.is_finite() {
                let cost = metric.cost(least as u32);
                assert_eq!(search.corridor().cost(), cost, "seed {}", case.seed);
                found += usize::from(search.engine() == Engine::Routes);
            }
        }
    }
    assert!(found > 500, "{found}");
}
