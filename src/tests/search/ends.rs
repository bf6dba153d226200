//! The ends of queries: off the grid, in walls, between storeys, out of reach, no numbers at all.

use nalgebra::{Point3, Vector3};

use crate::agent::Agent;
use crate::cost::model::HeightCost;
use crate::grid::{Cell, GridFrame, NavGrid, Span, SpanId};
use crate::path::answer::Answer;
use crate::path::path_search::PathSearch;
use crate::search::outcome::{Outcome, PathError};
use crate::search::query::{GoalMode, Query};
use crate::view::View;

use crate::tests::search::random_grids::AGENT;

/// Rows of 1 m cells: digits are floors in metres, `#` is nothing.
fn map(text: &str) -> NavGrid {
    let rows: Vec<Vec<f32>> = text
        .split('/')
        .map(|row| row.split_whitespace().map(|cell| cell.parse().unwrap_or(f32::NAN)).collect())
        .collect();
    let (size_x, size_z) = (rows[0].len() as u32, rows.len() as u32);
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x, size_z };
    NavGrid::from_heights(frame, &rows.concat(), &[Agent::new("walker")]).expect("a sound map")
}

fn answer(grid: &NavGrid, query: &Query) -> Answer {
    let view = View::new(grid, AGENT).expect("an agent");
    PathSearch::default().path(&view, &HeightCost::default(), query).clone()
}

fn outcome(grid: &NavGrid, from: [f32; 3], to: [f32; 3]) -> Outcome {
    answer(grid, &Query::new(from, to)).outcome
}

fn end(answer: &Answer) -> Point3<f32> {
    answer.path().ok().and_then(|path| path.waypoints().last()).expect("a way").point
}

const GROUND: [f32; 3] = [0.5, 0.0, 0.5];

#[test]
fn what_is_no_place_is_off_the_grid() {
    let grid = map("0 0 0 / 0 0 0");
    let numbers = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    for number in numbers {
        for axis in 0..3 {
            let mut point = GROUND;
            point[axis] = number;
            assert_eq!(
                outcome(&grid, point, GROUND),
                Outcome::Failed(PathError::StartOffGrid { nearest: None })
            );
            assert_eq!(
                outcome(&grid, GROUND, point),
                Outcome::Failed(PathError::GoalOffGrid { nearest: None })
            );
            for goal in [GoalMode::NearestByRing, GoalMode::NearestAlongLine] {
                let query = Query { goal, ..Query::new(GROUND, point) };
                assert_eq!(
                    answer(&grid, &query).outcome,
                    Outcome::Failed(PathError::GoalOffGrid { nearest: None })
                );
            }
        }
    }
    for far in [1e4, -1e6, 1e18, f32::MAX] {
        let point = [far, 0.0, 0.5];
        assert_eq!(
            outcome(&grid, point, GROUND),
            Outcome::Failed(PathError::StartOffGrid { nearest: None })
        );
        assert_eq!(
            outcome(&grid, GROUND, point),
            Outcome::Failed(PathError::GoalOffGrid { nearest: None })
        );
        for goal in [GoalMode::NearestByRing, GoalMode::NearestAlongLine] {
            let query = Query { goal, ..Query::new(GROUND, point) };
            check_far(&answer(&grid, &query), point.into());
        }
    }
}

/// The way leads to the side of the grid where the goal is, as far as the search can know.
fn check_far(answer: &Answer, goal: Point3<f32>) {
    let Outcome::Partial { reason: PathError::GoalOffGrid { nearest: None }, gap } = answer.outcome
    else {
        panic!("{goal:?}: {:?}", answer.outcome);
    };
    assert_eq!(gap, (goal - end(answer)).norm());
    if gap < 1e7 {
        assert_eq!(end(answer).x > 1.5, goal.x > 0.0, "{goal:?}");
    }
}

#[test]
fn start_and_goal_may_be_one_place() {
    let grid = map("0 0 0");
    let answer = answer(&grid, &Query::new(GROUND, GROUND));
    let path = answer.path().expect("a way");
    assert_eq!((answer.outcome, path.waypoints().len()), (Outcome::Complete, 2));
    assert_eq!((path.cost(), path.length(), path.climb()), (0.0, 0.0, 0.0));
    assert_eq!(path.waypoints()[0].point, Point3::from(GROUND));
    let view = View::new(&grid, AGENT).expect("an agent");
    assert_eq!(path.sample(&view, 1.0), Some(Point3::from(GROUND)));
}

#[test]
fn a_start_in_a_wall_snaps_within_the_radius() {
    let grid = map("0 0 # # # #");
    let near = answer(&grid, &Query::new([2.3, 0.0, 0.5], GROUND));
    assert_eq!(near.outcome, Outcome::Complete);
    let start = near.path().expect("a way").waypoints()[0];
    assert!((start.point - Point3::new(2.0, 0.0, 0.5)).norm() < 0.01, "{start:?}");
    assert_eq!(start.span, SpanId(1));
    let nearest = |x: f32| match outcome(&grid, [x, 0.0, 0.5], GROUND) {
        Outcome::Failed(PathError::StartOffGrid { nearest }) => nearest.expect("a place"),
        other => panic!("{other:?}"),
    };
    // The agent's radius is 0.3, so that it is twice that to the border at x = 2.
    assert!((nearest(2.7) - Point3::new(2.0, 0.0, 0.5)).norm() < 0.01);
    assert!((nearest(5.5) - Point3::new(2.0, 0.0, 0.5)).norm() < 0.01);
    let query = Query { snap_radius: Some(5.0), ..Query::new([5.5, 0.0, 0.5], GROUND) };
    assert_eq!(answer(&grid, &query).outcome, Outcome::Complete);
    let query = Query { snap_radius: Some(0.0), ..Query::new([2.3, 0.0, 0.5], GROUND) };
    assert!(matches!(
        answer(&grid, &query).outcome,
        Outcome::Failed(PathError::StartOffGrid { .. })
    ));
}

#[test]
fn a_roof_out_of_reach_is_another_region() {
    let grid = map("0 0 0 0 9 9 9");
    let roof = Point3::new(6.5, 9.0, 0.5);
    assert_eq!(outcome(&grid, GROUND, roof.into()), Outcome::Failed(PathError::DifferentRegion));
    for (goal, nearest) in [
        (GoalMode::NearestByRing, Point3::new(4.0, 0.0, 0.5)),
        (GoalMode::NearestAlongLine, Point3::new(4.0, 0.0, 0.5)),
    ] {
        let answer = answer(&grid, &Query { goal, ..Query::new(GROUND, roof) });
        let gap = match answer.outcome {
            Outcome::Partial { reason: PathError::DifferentRegion, gap } => gap,
            other => panic!("{other:?}"),
        };
        assert!((end(&answer) - nearest).xz().norm() < 0.51, "{goal:?}: {:?}", end(&answer));
        assert!((gap - (roof - end(&answer)).norm()).abs() < 1e-5);
    }
}

/// By ring the nearest place counts, by line the first on the way back to the start.
#[test]
fn ring_and_line_differ() {
    let grid = map("0 0 0 0 0 0 0 / # # # # # # 0 / # # # # # # 0 / 0 # # # 9 # 0");
    let goal = [4.5, 9.0, 3.5];
    let by = |goal_mode| {
        let query = Query { goal: goal_mode, ..Query::new(GROUND, goal) };
        end(&answer(&grid, &query))
    };
    assert!((by(GoalMode::NearestByRing) - Point3::new(6.0, 0.0, 3.5)).norm() < 0.01);
    let line = by(GoalMode::NearestAlongLine);
    assert!(line.z < 1.0 && (0.5..2.0).contains(&line.x), "{line:?}");
}

/// Three storeys over a row of cells, joined nowhere; rooms 2.5 m high, floors 0.5 m thick.
fn storeys() -> NavGrid {
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 3, size_z: 1 };
    let flat = NavGrid::from_heights(frame, &[0.0; 3], &[Agent::new("walker")]).expect("flat");
    let mut parts = flat.into_parts();
    let floors = [0.0, 3.0, 6.0].map(|floor| Span::new(floor, floor + 2.5, Vector3::y()));
    parts.spans = [floors; 3].concat();
    parts.first = vec![0, 3, 6, 9];
    let layer = &mut parts.layers[0];
    let standings = std::mem::take(&mut layer.standings);
    let region = layer.regions[0];
    layer.regions = vec![region; 3];
    for standing in standings {
        for storey in 0..3 {
            let mut standing = standing;
            standing.set_region(crate::grid::RegionId(storey));
            layer.standings.push(standing);
        }
    }
    NavGrid::new(parts).expect("a sound grid")
}

#[test]
fn a_point_between_storeys_means_the_floor_it_stands_over() {
    let grid = storeys();
    let storey = |y: f32, tolerance: Option<f32>| {
        let point = [2.5, y, 0.5];
        let query = Query {
            vertical_tolerance: tolerance,
            snap_radius: Some(0.0),
            ..Query::new(point, point)
        };
        answer(&grid, &query).path().ok().map(|path| path.waypoints()[0].point.y)
    };
    assert_eq!(storey(0.0, None), Some(0.0));
    // In the room, however near its ceiling is; the agent is 1.8 m high.
    assert_eq!(storey(1.75, None), Some(0.0));
    assert_eq!(storey(3.0, None), Some(3.0));
    // In the floor of the storey above, and a little below its surface.
    assert_eq!(storey(2.8, None), Some(3.0));
    assert_eq!(storey(2.97, None), Some(3.0));
    assert_eq!(storey(4.7, None), Some(3.0));
    // Higher than the tolerance above the floor, and lower than it below the lowest.
    assert_eq!(storey(7.9, None), None);
    assert_eq!(storey(7.9, Some(2.0)), Some(6.0));
    assert_eq!(storey(-1.7, None), Some(0.0));
    assert_eq!(storey(-1.9, None), None);
    assert_eq!(storey(0.3, Some(0.2)), None);
    assert_eq!(storey(0.3, Some(0.4)), Some(0.0));
}

#[test]
fn storeys_that_nothing_joins_are_different_regions() {
    let grid = storeys();
    let between = |from: f32, to: f32| outcome(&grid, [0.5, from, 0.5], [2.5, to, 0.5]);
    assert_eq!(between(0.0, 0.0), Outcome::Complete);
    assert_eq!(between(3.0, 3.9), Outcome::Complete);
    assert_eq!(between(0.0, 3.0), Outcome::Failed(PathError::DifferentRegion));
    assert_eq!(between(6.0, 3.0), Outcome::Failed(PathError::DifferentRegion));
}

/// A goal on a wall: the ground beside it, within the tolerances, is as good.
#[test]
fn a_goal_that_can_be_reached_is_preferred_within_the_tolerances() {
    let grid = map("0 0 0 1.7 1.7 1.7 / 0 0 0 1.7 1.7 1.7");
    let wall = Point3::new(3.2, 1.7, 0.5);
    let close = answer(&grid, &Query::new(GROUND, wall));
    assert_eq!(close.outcome, Outcome::Complete);
    assert!((end(&close) - Point3::new(3.0, 0.0, 0.5)).norm() < 0.01, "{:?}", end(&close));
    // Too far aside, too far down.
    let aside = Query { snap_radius: Some(0.1), ..Query::new(GROUND, wall) };
    assert_eq!(answer(&grid, &aside).outcome, Outcome::Failed(PathError::DifferentRegion));
    let down = Query { vertical_tolerance: Some(0.5), ..Query::new(GROUND, wall) };
    assert_eq!(answer(&grid, &down).outcome, Outcome::Failed(PathError::DifferentRegion));
    // Where it stands itself it stays.
    let on_top = answer(&grid, &Query::new(wall, wall));
    assert_eq!(end(&on_top), wall);
}
