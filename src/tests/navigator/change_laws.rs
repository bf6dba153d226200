//! A navigator whose ground or costs change while it is at work answers as if it had been asked
//! afterwards.

use std::sync::Arc;

use crate::cost::HeightCost;
use crate::grid::AreaId;
use crate::navigator::Navigator;
use crate::path::{Answer, PathSearch, Progress, Straightening};
use crate::search::{Engine, Outcome, PathError, Query};
use crate::tests::navigator::{WALKER, half_door, hills, query, searched};
use crate::tests::search::cases::{Case, cases, run};
use crate::tests::search::models::Model;
use crate::tests::search::random_grids::AGENT;
use crate::view::{Obstacle, OtherGrid, Overlay};

fn navigator(case: &Case, model: Model) -> Navigator {
    Navigator::with_model(case.grid.clone(), AGENT, model).expect("an agent")
}

/// A change of the ground.
fn change(case: &mut Case, nav: &mut Navigator) {
    match case.random.below(4) {
        0 => {
            let area = AreaId(case.random.below(case.grid.areas().len()) as u8);
            nav.set_factor(area, case.random.between(0.2, 9.0)).expect("it can be set");
        }
        1 if !case.grid.links().is_empty() => {
            nav.set_link_open(case.random.below(case.grid.links().len()), false)
                .expect("it can be set");
        }
        2 => {
            let mut overlay = Overlay::new(&case.grid);
            assert!(overlay.set_factor(AreaId(0), case.random.between(0.2, 9.0)).is_ok());
            nav.set_overlay(Arc::new(overlay)).expect("its grid");
        }
        _ => {
            let span = case.span();
            let base = case.grid.point(span).expect("a span");
            let obstacle = Obstacle::Cylinder { base, radius: 0.5, height: 0.8 };
            nav.block(obstacle).expect("a cylinder");
        }
    }
}

/// Answers a query that was begun.
fn finished(nav: &mut Navigator) -> Answer {
    while nav.advance(3) == Progress::Running {}
    nav.finish().clone()
}

/// What a search that was never asked before answers on the same ground, and its corridor's cost.
fn fresh(nav: &Navigator, query: &Query) -> (Answer, f32) {
    let mut search = PathSearch::default();
    run(&mut search, (nav.view(), nav.model()), query);
    let answer = search.straighten(nav.view(), nav.model(), Straightening::whole(None)).clone();
    (answer, search.corridor().cost())
}

#[test]
fn changes_while_a_query_is_under_way_are_as_if_it_began_after_them() {
    let (mut compared, mut differ) = (0, 0);
    for mut case in cases(0..3000) {
        let (_, query) = case.query();
        let query = Query { engine: Some(Engine::AStar), ..query };
        let mut nav = navigator(&case, case.model);
        let before = nav.find(&query).clone();
        let mut progress = nav.begin(&query);
        for _ in 0..case.random.below(3) {
            progress = nav.advance(2);
        }
        if progress == Progress::Done {
            continue;
        }
        for _ in 0..1 + case.random.below(3) {
            if case.random.chance(30) {
                nav.set_model(Model::random(case.grid.frame().cell_size, &mut case.random));
            } else {
                change(&mut case, &mut nav);
            }
            if case.random.chance(30) && nav.advance(1) == Progress::Done {
                break;
            }
        }
        if case.random.chance(20) {
            // A change that comes to nothing.
            nav.set_overlay(nav.overlay().clone()).expect("its grid");
        }
        let answer = finished(&mut nav);
        let (expected, cost) = fresh(&nav, &query);
        assert_eq!(answer, expected, "seed {}", case.seed);
        assert_eq!(nav.corridor().cost(), cost, "seed {}", case.seed);
        compared += 1;
        differ += usize::from(answer != before);
    }
    assert!(compared > 1000 && differ > 500, "{compared}, {differ}");
}

/// A corridor that was found and not straightened yet is void: the answer is no path over ground
/// that is not there any more.
#[test]
fn what_was_found_before_a_change_is_void() {
    let mut void = 0;
    for mut case in cases(0..1500) {
        let (_, query) = case.query();
        let query = Query { engine: Some(Engine::AStar), ..query };
        let mut nav = navigator(&case, case.model);
        if nav.begin(&query) == Progress::Done {
            continue;
        }
        while nav.advance(u32::MAX) == Progress::Running {}
        let is_found = nav.answer().outcome == Outcome::Complete;
        if case.random.chance(30) {
            nav.set_model(case.model);
        } else {
            change(&mut case, &mut nav);
        }
        let answer = nav.finish();
        if is_found {
            assert_eq!(answer.outcome, Outcome::Failed(PathError::Cancelled), "seed {}", case.seed);
            assert_eq!(answer.path(), Err(PathError::Cancelled), "seed {}", case.seed);
            void += 1;
        }
        // The next query is none the worse for it.
        let (expected, cost) = fresh(&nav, &query);
        let answer = nav.find(&query).clone();
        assert_eq!(answer.outcome, expected.outcome, "seed {}", case.seed);
        if answer.engine != Engine::Straight {
            assert_eq!(answer, expected, "seed {}", case.seed);
            assert_eq!(nav.corridor().cost(), cost, "seed {}", case.seed);
        }
    }
    assert!(void > 500, "{void}");
}

/// An overlay of another grid changes nothing, and does not keep queries from being answered.
#[test]
fn an_overlay_of_another_grid_is_refused() {
    let grid = hills();
    let other = crate::tests::crowd::gatherings::plain(40);
    let mut foreign = Overlay::new(&other);
    assert!(foreign.set_factor(AreaId(0), 3.0).is_ok());
    let foreign = Arc::new(foreign);
    let mut nav = Navigator::new(grid.clone(), WALKER).expect("one agent");
    nav.block(half_door()).expect("a box");
    let across = query([3, 80], [157, 80]);
    let expected = searched(nav.view(), &HeightCost::default(), &across);
    assert_eq!(nav.set_overlay(foreign.clone()), Err(OtherGrid));
    assert_eq!(nav.overlay().obstacles(), 1);
    nav.find(&across);
    assert_eq!(nav.corridor().cost(), expected);
    // Nor does it disturb a query that is under way.
    assert_eq!(nav.begin(&across), Progress::Running);
    assert_eq!(nav.advance(50), Progress::Running);
    assert_eq!(nav.set_overlay(foreign), Err(OtherGrid));
    while nav.advance(500) == Progress::Running {}
    assert_eq!(nav.finish().outcome, Outcome::Complete);
    assert_eq!(nav.corridor().cost(), expected);
    // One of a grid with the same contents fits.
    let mut like = Overlay::new(&hills());
    assert!(like.set_factor(AreaId(0), 2.0).is_ok());
    assert_eq!(nav.set_overlay(Arc::new(like)), Ok(()));
    nav.find(&across);
    assert_eq!(nav.corridor().cost(), searched(nav.view(), &HeightCost::default(), &across));
}
