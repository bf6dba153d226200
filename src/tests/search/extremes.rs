//! Numbers and grids that nobody plans with: expensive ways, charges without bound, another level in the
//! same place.

use std::sync::Arc;

use crate::agent::Agent;
use crate::cost::model::{CostLowerBound, CostModel, Edge, HeightCost};
use crate::grid::{Area, AreaId, Cell, GridFrame, NavGrid, NodeId, Span, SpanId};
use crate::path::Straightening;
use crate::path::path_search::{PathSearch, Progress};
use crate::path::sight::{GridSight, Sight};
use crate::search::field::{CostField, FieldQuery};
use crate::search::outcome::{Outcome, PathError};
use crate::search::query::{GoalMode, Query};
use crate::view::NavPoint;
use crate::view::Obstacle;
use crate::view::View;
use crate::view::overlay::Overlay;

use crate::tests::search::cases::run;
use crate::tests::search::random_grids::AGENT;

/// Ground of 1 m cells at the heights that `height` tells.
fn ground(size: [u32; 2], height: impl Fn(u32, u32) -> f32) -> NavGrid {
    let [size_x, size_z] = size;
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x, size_z };
    let heights: Vec<f32> =
        (0..size_x * size_z).map(|at| height(at % size_x, at / size_x)).collect();
    NavGrid::from_heights(frame, &heights, &[Agent::new("walker")]).expect("sound heights")
}

fn view(grid: &NavGrid) -> View {
    View::new(grid, AGENT).expect("an agent")
}

/// A hill 20 m high, all the way over which costs more units than there are.
#[test]
fn a_path_too_expensive_for_the_finest_units_is_found_without_detours() {
    let grid = ground([200, 40], |x, z| 0.2 * x.min(199 - x) as f32 + 0.01 * (z % 5) as f32);
    let query = Query::new([0.5, 0.0, 20.5], [100.5, 20.0, 3.5]);
    let spans = grid.spans().len() as u32;
    for ascend in [1e4, 3e4, 1e5, 1e6] {
        let mut search = PathSearch::default();
        let model = HeightCost { ascend, descend: 0.0 };
        let cost = run(&mut search, (&view(&grid), &model), &query).cost();
        assert_eq!(search.outcome(), Outcome::Complete);
        assert!(search.expanded() < 3 * spans, "{ascend}: {}", search.expanded());
        // The way up is nearly all that counts.
        assert!((cost / (20.0 * ascend) - 1.0).abs() < 0.02, "{ascend}: {cost}");
    }
}

/// A plain on which one span is of a area so expensive that it does not fit into units that are fine
/// enough for the rest.
#[test]
fn an_expensive_area_somewhere_does_not_make_other_paths_coarse() {
    for expensive in [1e6, 1e9, 1e20, f32::MAX] {
        let mut parts = ground([30, 30], |_, _| 0.0).into_parts();
        parts.areas.push(Area { name: "lava".to_owned(), cost: expensive, forbidden: false });
        let lava = SpanId(10 * 30 + 15);
        let span = &mut parts.spans[lava.index()];
        *span = Span::new(span.floor, span.ceiling, span.normal()).on(AreaId(1), NodeId::NONE);
        let grid = NavGrid::new(parts).expect("a sound grid");
        let (view, model) = (view(&grid), HeightCost::default());
        let query = Query::new([0.5, 0.0, 12.5], [29.5, 0.0, 12.5]);
        let cost = run(&mut PathSearch::default(), (&view, &model), &query).cost();
        assert!((cost - 29.0).abs() < 1e-3, "{expensive}: {cost}");
        let mut field = CostField::default();
        let goal = SpanId(12 * 30 + 29);
        field.fill(&view, &model, &FieldQuery::to(&[goal]));
        let start = SpanId(12 * 30);
        assert!((field.cost(start).expect("a way") - 29.0).abs() < 1e-3, "{expensive}");
        assert_eq!(field.reached().len(), 900, "{expensive}");
        // What is expensive itself is known, too, and leads on.
        let from_lava = field.cost(lava).expect("a way");
        assert!(from_lava > 0.2 * expensive, "{expensive}: {from_lava}");
        let next = field.next(lava).expect("a way on");
        assert!(field.cost(next).expect("a way") < 20.0, "{expensive}");
        let (sources, until) = ([goal], [lava, start]);
        let nearest = FieldQuery { until: &until, ..FieldQuery::from(&sources) };
        let nearest = field.nearest(&view, &model, &nearest);
        assert_eq!(nearest, Some(1), "{expensive}");
    }
}

#[test]
fn no_slope_limit_is_stricter_than_a_smaller_one() {
    let agent = Agent { slope_limit: 1.0, ..Agent::new("climber") };
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 9, size_z: 1 };
    let heights: Vec<f32> = (0..9).map(|x| 0.9 * x as f32).collect();
    let grid = NavGrid::from_heights(frame, &heights, &[agent]).expect("a slope");
    for slope_limit in [None, Some(1.4), Some(1.57), Some(1.571), Some(2.0), Some(f32::INFINITY)] {
        let query = Query { slope_limit, ..Query::new([0.5, 0.0, 0.5], [8.5, 7.2, 0.5]) };
        run(&mut PathSearch::default(), (&view(&grid), &HeightCost::default()), &query);
        let mut search = PathSearch::default();
        let answer = search.path(&view(&grid), &HeightCost::default(), &query);
        assert_eq!(answer.outcome, Outcome::Complete, "{slope_limit:?}");
    }
}

#[test]
fn a_charge_without_bound_forbids_rise_and_leaves_level_ground_free() {
    let model = HeightCost { ascend: f32::INFINITY, descend: 0.0 };
    let mut search = PathSearch::default();
    let query = Query::new([0.5, 0.0, 0.5], [5.5, 0.0, 1.5]);
    let level = ground([6, 2], |_, _| 0.0);
    assert_eq!(search.path(&view(&level), &model, &query).outcome, Outcome::Complete);
    let rising = ground([6, 2], |x, _| 0.1 * x as f32);
    assert_eq!(
        search.path(&view(&rising), &model, &query).outcome,
        Outcome::Failed(PathError::Unreachable)
    );
}

/// Asks less than nothing for going east.
struct Refund;

impl CostModel for Refund {
    fn cost(&self, piece: &Edge) -> f32 {
        if piece.along[0] > 0.0 { -3.0 } else { piece.length() }
    }

    fn lower_bound(&self, _: &View) -> CostLowerBound {
        CostLowerBound { straight: 0.5, diagonal: 0.7, ascend: 0.0, descend: 0.0 }
    }
}

#[test]
fn less_than_nothing_costs_the_least() {
    let grid = ground([9, 3], |_, _| 0.0);
    let query = Query::new([0.5, 0.0, 1.5], [8.5, 0.0, 1.5]);
    let mut search = PathSearch::default();
    assert!((run(&mut search, (&view(&grid), &Refund), &query).cost() - 4.0).abs() < 1e-3);
    assert!(search.path(&view(&grid), &Refund, &query).path().expect("a way").cost() >= 0.0);
}

/// A level is loaded in the place of another one while a search is under way.
#[test]
fn a_search_begins_again_on_another_grid_in_the_same_place() {
    let (model, query) = (HeightCost::default(), Query::new([0.5; 3], [2.5, 0.0, 2.5]));
    let wall = |x: u32, z: u32| if x == 30 && z > 0 { f32::NAN } else { 0.0 };
    let mut grid = ground([60, 60], wall);
    let mut search = PathSearch::default();
    let far = Query::new([0.5, 0.0, 50.5], [59.5, 0.0, 50.5]);
    search.begin(&view(&grid), &model, &far);
    assert_eq!(search.advance(&view(&grid), &model, 100), Progress::Running);
    grid = ground([3, 3], |_, _| 0.0);
    while search.advance(&view(&grid), &model, 100) == Progress::Running {}
    assert!(matches!(
        search.outcome(),
        Outcome::Failed(PathError::GoalOffGrid { .. })
            | Outcome::Failed(PathError::StartOffGrid { .. })
    ));
    // Nor is a corridor of one laid over the other.
    run(&mut search, (&view(&grid), &model), &query);
    grid = ground([3, 3], |x, _| if x == 1 { f32::NAN } else { 0.0 });
    assert!(search.straighten(&view(&grid), &model, Straightening::whole(None)).path().is_err());
}

#[test]
fn an_overlay_is_for_its_grid_and_its_likes() {
    let hill = |x: u32, _: u32| if x == 5 { 5.0 } else { 0.0 };
    let (flat, like, other) =
        (ground([9, 9], |_, _| 0.0), ground([9, 9], |_, _| 0.0), ground([9, 9], hill));
    let mut overlay = Overlay::new(&flat);
    let crate_there = Obstacle::Cylinder { base: [2.5, 0.0, 2.5].into(), radius: 0.3, height: 1.0 };
    assert!(overlay.block(crate_there).is_ok());
    assert!(
        View::new(&other, AGENT)
            .expect("an agent")
            .with_overlay(Arc::new(overlay.clone()))
            .is_err()
    );
    assert!(
        View::new(&like, AGENT).expect("an agent").with_overlay(Arc::new(overlay.clone())).is_ok()
    );
}

/// A goal that obstacles wall in: along the line means before the wall, not behind it.
#[test]
fn a_goal_cut_off_by_obstacles_is_approached_along_the_line() {
    let grid = ground([30, 30], |_, _| 0.0);
    let mut overlay = Overlay::new(&grid);
    for (center, half) in [
        ([10.5, 15.5], [0.5, 6.0]),
        ([15.5, 10.0], [5.0, 0.5]),
        ([15.5, 21.0], [5.0, 0.5]),
        ([18.5, 15.5], [0.5, 6.0]),
    ] {
        let center = [center[0], 1.0, center[1]].into();
        let half = [half[0], 1.0, half[1]].into();
        overlay.block(Obstacle::Box { center, half, yaw: 0.0 }).expect("a wall");
    }
    let changed = View::new(&grid, AGENT)
        .expect("an agent")
        .with_overlay(Arc::new(overlay.clone()))
        .expect("its grid");
    for (goal, expected) in [(GoalMode::NearestAlongLine, 9.5), (GoalMode::NearestByRing, 19.5)] {
        let query = Query { goal, ..Query::new([2.5, 0.0, 15.5], [16.5, 0.0, 15.5]) };
        let mut search = PathSearch::default();
        let answer = search.path(&changed, &HeightCost::default(), &query);
        let end = answer.path().ok().and_then(|path| path.waypoints().last()).expect("a way");
        assert!((end.point.x - expected).abs() < 0.6, "{goal:?}: {}", end.point);
    }
}

#[test]
fn spans_of_another_grid_lead_nowhere() {
    let (large, small) = (ground([20, 20], |_, _| 0.0), ground([2, 2], |_, _| 0.0));
    let (of_large, of_small) = (view(&large), view(&small));
    let nav_point = |span, point: [f32; 3]| NavPoint { span: SpanId(span), point: point.into() };
    let ends = [nav_point(99, [0.5, 0.0, 0.5]), nav_point(1, [1.5, 0.0, 0.5])];
    assert!(!GridSight.is_clear(&of_small, &ends[0], &ends[1]));
    let (model, mut search) = (HeightCost::default(), PathSearch::default());
    let query = Query::new([0.5, 0.0, 0.5], [19.5, 0.0, 9.5]);
    let corridor = run(&mut search, (&of_large, &model), &query);
    assert_eq!(corridor.length(&of_small), f32::INFINITY);
    let mut field = CostField::default();
    field.fill(&of_large, &model, &FieldQuery::from(&[SpanId(399)]));
    assert!((0..40).any(|seed| field.random_place(&of_small, seed).is_none()));
}
