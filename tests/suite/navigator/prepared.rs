//! Prepared routes on maps with known lengths, and the navigator's choice of an engine.

use surefoot::cost::HeightCost;
use surefoot::grid::AreaId;
use surefoot::path::{Progress, Sight};
use surefoot::search::{Engine, Outcome, Query};
use surefoot::view::{NavPoint, Obstacle, View};
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, Navigator, SpanId};
use surefoot_testing::{Random, data_folder, scenario};

const WALKER: AgentId = AgentId(0);
/// Queries per map.
const QUERIES: usize = 40;

/// Confirms nothing, so that the straight line is never the answer.
struct NoSight;

impl Sight for NoSight {
    fn is_clear(&self, _: &View, _: &NavPoint, _: &NavPoint) -> bool {
        false
    }
}

#[test]
fn routes_are_as_short_as_known() {
    let Some(folder) = data_folder() else { return };
    for map in scenario::MAPS {
        let (grid, queries) = scenario::load(&folder, map);
        let mut nav = Navigator::with_model(grid, WALKER, HeightCost::FLAT).expect("one agent");
        nav.prepare().expect("ground that comes apart");
        for (query, known) in queries.iter().step_by(queries.len() / QUERIES) {
            let query = Query { engine: Some(Engine::Routes), ..query.clone() };
            let answer = nav.with_sight(&NoSight).find(&query);
            let expected = (Outcome::Complete, Engine::Routes);
            assert_eq!((answer.outcome, answer.engine), expected, "{map}: {query:?}");
            assert!(nav.corridor().is_valid(nav.view()), "{map}: {query:?}");
            let length = nav.corridor().length(nav.view());
            assert!(scenario::is_shortest(length, *known), "{map}: {length}, {query:?}");
        }
        println!("{map}: {QUERIES} of {} queries", queries.len());
    }
}

const SIDE: u32 = 160;
const CELL: f32 = 0.5;

/// Hills with walls every 20 m, each with a door of 2 m: at one end, then at the other.
fn hills() -> NavGrid {
    let frame = GridFrame { cell_size: CELL, min: Cell::new(0, 0), size_x: SIDE, size_z: SIDE };
    let height = |at: u32| {
        let (x, z) = (at % SIDE, at / SIDE);
        let is_wall = x % 40 == 39 && if x / 40 % 2 == 0 { z >= 4 } else { z < SIDE - 4 };
        let hill = (x as f32 / 15.0).sin() * 1.5 + (z as f32 / 19.0).cos();
        if is_wall { f32::NAN } else { hill }
    };
    let heights: Vec<f32> = (0..SIDE * SIDE).map(height).collect();
    let walker = Agent { radius: 0.2, ledge_margin: Some(0.0), ..Agent::new("walker") };
    NavGrid::from_heights(frame, &heights, &[walker]).expect("sound heights")
}

fn prepared(grid: &NavGrid) -> Navigator {
    let mut nav = Navigator::new(grid.clone(), WALKER).expect("one agent");
    nav.prepare().expect("ground that comes apart");
    nav
}

/// A query between two places, given in cells.
fn query(from: [u32; 2], to: [u32; 2]) -> Query {
    let place = |[x, z]: [u32; 2]| [(x as f32 + 0.5) * CELL, 0.0, (z as f32 + 0.5) * CELL];
    Query { vertical_tolerance: Some(9.0), ..Query::new(place(from), place(to)) }
}

/// The cost of the cheapest corridor, by a search from nothing.
fn searched(view: &View, query: &Query) -> f32 {
    let mut nav = Navigator::new(view.grid().clone(), WALKER).expect("one agent");
    if let Some(overlay) = view.overlay() {
        nav.set_overlay(overlay.clone().into()).expect("its own grid");
    }
    nav.begin_search(query);
    while nav.advance(u32::MAX) == Progress::Running {}
    nav.corridor().cost()
}

#[test]
fn short_paths_are_searched_and_long_ones_looked_up() {
    let mut nav = prepared(&hills());
    let mut answered = [0; 3];
    let mut random = Random(5);
    for round in 0..200 {
        let mut place = || [0; 2].map(|_| random.below(SIDE as usize) as u32);
        let from = place();
        let to = if round % 2 == 0 { place() } else { from.map(|at| (at + 2).min(SIDE - 1)) };
        let query = query(from, to);
        let answer = nav.find(&query).clone();
        match answer.engine {
            Engine::Straight => answered[0] += 1,
            Engine::AStar => answered[1] += 1,
            engine => {
                assert_eq!(engine, Engine::Routes);
                answered[2] += 1;
            }
        }
        if answer.engine != Engine::Straight && answer.outcome == Outcome::Complete {
            assert_eq!(nav.corridor().cost(), searched(nav.view(), &query), "{query:?}");
        }
    }
    assert!(answered[1] > 50 && answered[2] > 50, "{answered:?}");
}

/// Both sides of a wall are near each other, and the path from one to the other is long.
#[test]
fn a_search_that_takes_longer_than_expected_is_given_up() {
    let mut nav = prepared(&hills());
    for x in [39, 79, 119] {
        let query = query([x - 2, SIDE / 2], [x + 2, SIDE / 2]);
        let by_search = Query { engine: Some(Engine::AStar), ..query.clone() };
        let expanded = nav.find(&by_search).expanded;
        let answer = nav.find(&query);
        assert_eq!((answer.engine, answer.outcome), (Engine::Routes, Outcome::Complete));
        assert!(answer.expanded < expanded / 2, "{} of {expanded}", answer.expanded);
        assert_eq!(nav.corridor().cost(), searched(nav.view(), &query), "{query:?}");
    }
}

#[test]
fn a_goal_that_many_share_gets_a_field() {
    let mut nav = prepared(&hills());
    let mut random = Random(6);
    let mut by_field = 0;
    for _ in 0..60 {
        let from = [0; 2].map(|_| random.below(SIDE as usize) as u32);
        let query = query(from, [SIDE - 5, 10]);
        let answer = nav.find(&query).clone();
        by_field += usize::from(answer.engine == Engine::Field);
        if answer.engine != Engine::Straight && answer.outcome == Outcome::Complete {
            assert!(nav.corridor().is_valid(nav.view()));
            assert_eq!(nav.corridor().cost(), searched(nav.view(), &query), "{query:?}");
        }
    }
    assert!(by_field > 30, "{by_field}");
}

/// A door, closed.
fn door(x: f32, z: f32) -> Obstacle {
    Obstacle::Box { center: [x, 1.0, z].into(), half: [0.4, 9.0, 0.3].into(), yaw: 0.0 }
}

/// A field that was filled before a change does not answer after it.
#[test]
fn a_shared_goal_is_that_of_one_state_of_the_ground() {
    let mut nav = prepared(&hills());
    let across = query([3, 80], [SIDE - 5, 80]);
    let mut costs = Vec::new();
    for (x, z) in [(19.75, 1.7), (39.75, 78.3)] {
        let id = nav.block(door(x, z)).expect("a box");
        let mut engine = Engine::AStar;
        for _ in 0..20 {
            engine = nav.find(&across).engine;
            assert_eq!(nav.corridor().cost(), searched(nav.view(), &across));
        }
        assert_eq!(engine, Engine::Field);
        costs.push(nav.corridor().cost());
        assert!(nav.unblock(id));
    }
    assert_ne!(costs[0], costs[1]);
}

/// Two overlays that have changed as often are not the same ground.
#[test]
fn overlays_that_are_exchanged_are_not_confused() {
    let grid = hills();
    let mut nav = prepared(&grid);
    let across = query([3, 80], [SIDE - 5, 80]);
    for (x, z) in [(19.75, 1.7), (39.75, 78.3)] {
        let mut overlay = surefoot::view::Overlay::new(&grid);
        overlay.block(door(x, z)).expect("a box");
        nav.set_overlay(overlay.into()).expect("its own grid");
        for _ in 0..20 {
            nav.find(&across);
            assert_eq!(nav.corridor().cost(), searched(nav.view(), &across));
        }
    }
}

/// Many starts and many goals at once, against one query each; after a change as before.
#[test]
fn tables_hold_what_single_queries_cost() {
    let grid = hills();
    let mut nav = prepared(&grid);
    let mut random = Random(8);
    let walkable: Vec<SpanId> = (0..grid.spans().len() as u32)
        .map(SpanId)
        .filter(|&span| nav.view().is_walkable(span))
        .collect();
    let mut some = |count| -> Vec<SpanId> {
        (0..count).map(|_| walkable[random.below(walkable.len())]).collect()
    };
    let (from, to) = (some(12), some(9));
    for is_changed in [false, true] {
        if is_changed {
            let (center, half) = ([19.75, 1.0, 1.7].into(), [0.4, 5.0, 0.4].into());
            nav.block(Obstacle::Box { center, half, yaw: 0.0 }).expect("a box");
        }
        let table = nav.table(&from, &to).expect("current costs");
        assert_eq!(table.len(), from.len() * to.len());
        for (row, &start) in table.chunks(to.len()).zip(&from) {
            for (&cost, &goal) in row.iter().zip(&to) {
                let point = |span| grid.point(span).expect("a span");
                let query =
                    Query { snap_radius: Some(0.0), ..Query::new(point(start), point(goal)) };
                assert_eq!(cost, searched(nav.view(), &query));
            }
        }
    }
}

#[test]
fn ground_that_nobody_walks_on_has_no_routes() {
    let map = "type octile\nheight 1\nwidth 2\nmap\n@@\n";
    let grid = NavGrid::from_map(map, 1.0, &[]).expect("a map");
    let mut nav = prepared(&grid);
    nav.set_factor(AreaId(0), 2.0).expect("it can be set");
    let query = Query::new([0.5, 0.0, 0.5], [1.5, 0.0, 0.5]);
    let nowhere = surefoot::PathError::StartOffGrid { nearest: None };
    for is_changed in [false, true] {
        assert!(!is_changed || nav.set_factor(surefoot::grid::AreaId(0), 2.0).is_ok());
        assert_eq!(nav.find(&query).outcome, Outcome::Failed(nowhere));
    }
    assert!(Navigator::new(grid, AgentId(1)).is_err());
}
