//! Partial customization: updated costs equal those that are computed from nothing, and routes by
//! them cost what a search finds.

use std::sync::Arc;

use crate::cch::CustomizedHierarchy;
use crate::cch::hierarchy::Hierarchy;
use crate::cch::metric::RouteRules;
use crate::grid::AreaId;
use crate::path::path_search::PathSearch;
use crate::search::outcome::Engine;
use crate::tests::cch::RouteSearch;
use crate::tests::search::cases::{Case, cases, run};
use crate::tests::search::random::Random;
use crate::tests::search::random_grids::AGENT;
use crate::view::NavPoint;
use crate::view::Obstacle;
use crate::view::View;
use crate::view::overlay::{ObstacleId, Overlay};

use crate::tests::cch::random_parameters;

/// Places an obstacle, takes one away, changes the factor of an area, or opens or closes a link.
pub(super) fn change(case: &mut Case, overlay: &mut Overlay, placed: &mut Vec<ObstacleId>) {
    let span = case.span();
    let view = View::new(&case.grid, AGENT).expect("an agent");
    let base = NavPoint::center(&view.parts(), span).point;
    let side = view.cell_size();
    let random = &mut case.random;
    match random.below(6) {
        0 if !placed.is_empty() => {
            let id = placed.swap_remove(random.below(placed.len()));
            assert!(overlay.unblock(id));
        }
        1 => {
            let area = AreaId(random.below(case.grid.areas().len()) as u8);
            let factor = random.between(0.2, 9.0);
            assert!(overlay.set_factor(area, factor).is_ok());
        }
        2 if !case.grid.links().is_empty() => {
            let link = random.below(case.grid.links().len());
            assert!(overlay.set_link_open(link, random.chance(50)).is_ok());
        }
        _ => {
            let radius = side * random.between(0.0, 1.5);
            let obstacle = Obstacle::Cylinder { base, radius, height: 0.8 };
            placed.push(overlay.block(obstacle).expect("a cylinder"));
        }
    }
}

#[test]
fn updates_equal_customization() {
    let mut search = RouteSearch::default();
    let (mut changes, mut fewer, mut found) = (0, 0, 0);
    for mut case in cases(0..400) {
        let parameters = random_parameters(&mut case.random);
        let hierarchy = Hierarchy::with_parameters(&case.view().parts(), parameters);
        let rules = RouteRules::default();
        let mut overlay = Overlay::new(&case.grid);
        let mut costs = hierarchy.customize(&case.view(), &case.model, rules);
        let mut placed = Vec::new();
        for _ in 0..8 {
            for _ in 0..case.random.pick(&[1, 1, 3]) {
                change(&mut case, &mut overlay, &mut placed);
            }
            let (_, query) = case.query();
            let query = crate::search::Query {
                slope_limit: None,
                directions: crate::view::Directions::Eight,
                ..query
            };
            let view = View::new(&case.grid, AGENT)
                .expect("an agent")
                .with_overlay(Arc::new(overlay.clone()))
                .expect("its grid");
            let count = hierarchy.update(&mut costs, &view, &case.model);
            let fresh = hierarchy.customize(&view, &case.model, rules);
            assert!(costs == fresh, "seed {}", case.seed);
            changes += 1;
            fewer += usize::from(count < hierarchy.tree.supernodes.len());
            let expected = run(&mut PathSearch::default(), (&view, &case.model), &query).cost();
            let routes = CustomizedHierarchy { hierarchy: &hierarchy, metric: &costs };
            search.find(routes, (&view, &case.model), &query);
            assert_eq!(search.corridor().cost(), expected, "seed {}", case.seed);
            found += usize::from(search.engine() == Engine::Routes);
        }
    }
    assert!(changes > 2000 && fewer > 500 && found > 1000, "{changes}, {fewer}, {found}");
}

/// Routes whose costs are older than a change are not used.
#[test]
fn stale_costs_are_not_used() {
    let mut search = RouteSearch::default();
    let mut stale = 0;
    for mut case in cases(0..100) {
        let parameters = random_parameters(&mut case.random);
        let hierarchy = Hierarchy::with_parameters(&case.view().parts(), parameters);
        let costs = hierarchy.customize(&case.view(), &case.model, RouteRules::default());
        let mut overlay = Overlay::new(&case.grid);
        let area = AreaId(0);
        assert!(overlay.set_factor(area, 0.9 * case.grid.areas()[0].cost).is_ok());
        let (_, query) = case.query();
        let view = View::new(&case.grid, AGENT)
            .expect("an agent")
            .with_overlay(Arc::new(overlay.clone()))
            .expect("its grid");
        let routes = CustomizedHierarchy { hierarchy: &hierarchy, metric: &costs };
        search.find(routes, (&view, &case.model), &query);
        let expected = run(&mut PathSearch::default(), (&view, &case.model), &query).cost();
        assert_eq!(search.corridor().cost(), expected, "seed {}", case.seed);
        let found = !search.corridor().spans().is_empty();
        assert!(!found || search.engine() == Engine::AStar, "seed {}", case.seed);
        stale += usize::from(found);
    }
    assert!(stale > 50, "{stale}");
}

/// An overlay that has forgotten its first changes, or another one, leads to a full customization.
#[test]
fn lost_histories_lead_to_full_customization() {
    let mut case = cases(5..100).next().expect("a grid");
    let hierarchy =
        Hierarchy::with_parameters(&case.view().parts(), random_parameters(&mut Random(2)));
    let mut costs = hierarchy.customize(&case.view(), &case.model, RouteRules::default());
    let mut placed = Vec::new();
    for _ in 0..3 {
        let mut overlay = Overlay::new(&case.grid);
        for _ in 0..20 {
            change(&mut case, &mut overlay, &mut placed);
            placed.clear();
        }
        let view = View::new(&case.grid, AGENT)
            .expect("an agent")
            .with_overlay(Arc::new(overlay.clone()))
            .expect("its grid");
        assert_eq!(
            hierarchy.update(&mut costs, &view, &case.model),
            hierarchy.tree.supernodes.len(),
            "all of them"
        );
        assert!(costs == hierarchy.customize(&view, &case.model, RouteRules::default()));
    }
}
