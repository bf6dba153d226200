//! Prepared routes on maps with known lengths, and the router that picks who answers.

use std::sync::Arc;

use surefoot::cch::RouteRules;
use surefoot::navigator::Navigator;
use surefoot::routes::Update;
use surefoot::search::{Engine, Outcome, Query};
use surefoot::cost::HeightCost;
use surefoot::view::{Obstacle, Overlay, View};
use surefoot::path::Progress;
use surefoot::navigator::Navigator;
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, SpanId};

use crate::support::{self, Random, scenario};

const WALKER: AgentId = AgentId(0);
/// Queries a map.
const QUERIES: usize = 40;

#[test]
fn routes_are_as_short_as_known() {
    let Some(folder) = support::data_folder() else { return };
    let model = HeightCost::FLAT;
    for map in scenario::MAPS {
        let (grid, asked) = scenario::load(&folder, map);
        let terrain = View::new(&grid, WALKER).expect("one agent");
        let index = RouteIndex::new(&grid, WALKER).expect("one agent");
        let costs = index.price(&terrain, &model, RouteRules::default());
        let mut search = Navigator::default();
        for (query, known) in asked.iter().step_by(asked.len() / QUERIES) {
            let routes = Routes { index: &index, costs: &costs };
            let outcome = search.find(routes, (&terrain, &model), query);
            let expected = (Outcome::Complete, Engine::Index);
            assert_eq!((outcome, search.engine()), expected, "{map}: {query:?}");
            assert!(search.corridor().is_valid(&terrain), "{map}: {query:?}");
            let length = search.corridor().length(&terrain);
            assert!(scenario::is_shortest(length, *known), "{map}: {length}, {query:?}");
        }
        println!("{map}: {QUERIES} of {} queries", asked.len());
    }
}

const SIDE: u32 = 160;
const CELL: f32 = 0.5;

/// Hills with walls every 20 m, each with a door of 2 m: at one end, then at the other.
fn hills() -> Arc<NavGrid> {
    let frame = GridFrame { cell_size: CELL, min: Cell::new(0, 0), size_x: SIDE, size_z: SIDE };
    let height = |at: u32| {
        let (x, z) = (at % SIDE, at / SIDE);
        let is_wall = x % 40 == 39 && if x / 40 % 2 == 0 { z >= 4 } else { z < SIDE - 4 };
        let hill = (x as f32 / 15.0).sin() * 1.5 + (z as f32 / 19.0).cos();
        if is_wall { f32::NAN } else { hill }
    };
    let heights: Vec<f32> = (0..SIDE * SIDE).map(height).collect();
    let walker = Agent { radius: 0.2, ledge_margin: Some(0.0), ..Agent::new("walker") };
    Arc::new(NavGrid::from_heights(frame, &heights, &[walker]).expect("sound heights"))
}

fn router(grid: &Arc<NavGrid>) -> Navigator<HeightCost> {
    Navigator::new(grid.clone(), WALKER, HeightCost::default()).expect("one agent")
}

/// A query between two places, given in cells.
fn query(from: [u32; 2], to: [u32; 2]) -> Query {
    let place = |[x, z]: [u32; 2]| [(x as f32 + 0.5) * CELL, 0.0, (z as f32 + 0.5) * CELL];
    Query { vertical_tolerance: Some(9.0), ..Query::new(place(from), place(to)) }
}

/// The cost of the cheapest corridor, searched for.
fn searched(terrain: &View, query: &Query) -> f32 {
    let mut search = Navigator::default();
    search.begin(terrain, &HeightCost::default(), query);
    while search.advance(terrain, &HeightCost::default(), u32::MAX) == Progress::Running {}
    search.corridor().cost()
}

#[test]
fn short_ways_are_searched_and_long_ones_looked_up() {
    let grid = hills();
    let terrain = View::new(&grid, WALKER).expect("one agent");
    let mut router = router(&grid);
    let mut answered = [0; 3];
    let mut random = Random(5);
    for round in 0..200 {
        let mut place = || [0; 2].map(|_| random.below(SIDE as usize) as u32);
        let from = place();
        let to = if round % 2 == 0 { place() } else { from.map(|at| (at + 2).min(SIDE - 1)) };
        let query = query(from, to);
        let answer = router.path(&terrain, &query).clone();
        match answer.engine {
            Engine::Straight => answered[0] += 1,
            Engine::AStar => answered[1] += 1,
            engine => {
                assert_eq!(engine, Engine::Index);
                answered[2] += 1;
            }
        }
        if answer.engine != Engine::Straight && answer.outcome == Outcome::Complete {
            assert_eq!(router.corridor().cost(), searched(&terrain, &query), "{query:?}");
        }
    }
    assert!(answered[1] > 50 && answered[2] > 50, "{answered:?}");
}

/// Both sides of a wall are near each other, and the way from one to the other is not.
#[test]
fn a_search_that_takes_longer_than_expected_is_given_up() {
    let grid = hills();
    let terrain = View::new(&grid, WALKER).expect("one agent");
    let mut router = router(&grid);
    let mut search = Navigator::default();
    for x in [39, 79, 119] {
        let query = query([x - 2, SIDE / 2], [x + 2, SIDE / 2]);
        let expanded = search.path(&terrain, &HeightCost::default(), &query).expanded;
        let answer = router.path(&terrain, &query);
        assert_eq!((answer.engine, answer.outcome), (Engine::Index, Outcome::Complete));
        assert!(answer.expanded < expanded / 2, "{} of {expanded}", answer.expanded);
        assert_eq!(router.corridor().cost(), searched(&terrain, &query), "{query:?}");
    }
}

#[test]
fn a_goal_that_many_share_gets_a_field() {
    let grid = hills();
    let terrain = View::new(&grid, WALKER).expect("one agent");
    let mut router = router(&grid);
    let mut random = Random(6);
    let mut by_field = 0;
    for _ in 0..60 {
        let from = [0; 2].map(|_| random.below(SIDE as usize) as u32);
        let query = query(from, [SIDE - 5, 10]);
        let answer = router.path(&terrain, &query).clone();
        by_field += usize::from(answer.engine == Engine::Field);
        if answer.engine != Engine::Straight && answer.outcome == Outcome::Complete {
            assert!(router.corridor().is_valid(&terrain));
            assert_eq!(router.corridor().cost(), searched(&terrain, &query), "{query:?}");
        }
    }
    assert!(by_field > 30, "{by_field}");
}

/// Two overlays that have changed as often are not the same ground.
#[test]
fn a_shared_goal_is_that_of_one_ground() {
    let grid = hills();
    let mut router = router(&grid);
    let across = query([3, 80], [SIDE - 5, 80]);
    let mut costs = Vec::new();
    for door in [19.75, 39.75] {
        let mut overlay = Overlay::new(&grid);
        let z = if door < 30.0 { 1.7 } else { 78.3 };
        let half = [0.4, 9.0, 0.3].into();
        let door = Obstacle::Box { center: [door, 1.0, z].into(), half, yaw: 0.0 };
        overlay.block(&grid, door).expect("a box");
        let terrain = View::changed(&grid, WALKER, &overlay).expect("its grid");
        let mut engine = Engine::AStar;
        for _ in 0..20 {
            engine = router.path(&terrain, &across).engine;
            assert_eq!(router.corridor().cost(), searched(&terrain, &across));
        }
        assert_eq!(engine, Engine::Field);
        costs.push(router.corridor().cost());
    }
    assert_ne!(costs[0], costs[1]);
}

/// While nobody has told the router of a door that was closed, ways are searched round it.
#[test]
fn a_closed_door_is_gone_round_at_once() {
    let grid = hills();
    let mut router = router(&grid);
    let mut overlay = Overlay::new(&grid);
    let across = query([3, 80], [SIDE - 3, 80]);
    let open = View::new(&grid, WALKER).expect("one agent");
    assert_eq!(router.path(&open, &across).engine, Engine::Index);
    let before = router.corridor().cost();
    // Half of the first door.
    let door =
        Obstacle::Box { center: [19.75, 1.0, 1.7].into(), half: [0.4, 5.0, 0.4].into(), yaw: 0.0 };
    let id = overlay.block(&grid, door).expect("a box");
    for is_told in [false, true] {
        if is_told {
            while router.update(&overlay) == Update::UnderWay {
                std::thread::yield_now();
            }
        }
        let terrain = View::changed(&grid, WALKER, &overlay).expect("its grid");
        let answer = router.path(&terrain, &across).clone();
        assert_eq!(answer.engine, if is_told { Engine::Index } else { Engine::AStar });
        assert_eq!(router.corridor().cost(), searched(&terrain, &across));
        assert!(router.corridor().cost() > before, "{before}");
    }
    assert!(overlay.unblock(&grid, id));
    while router.update(&overlay) == Update::UnderWay {}
    assert_eq!(router.update(&overlay), Update::Done);
    let terrain = View::changed(&grid, WALKER, &overlay).expect("its grid");
    assert_eq!(router.path(&terrain, &across).engine, Engine::Index);
    assert_eq!(router.corridor().cost(), before);
}

/// A change of all ground is left to a thread; queries meanwhile are answered, and exactly.
#[test]
fn queries_do_not_wait_for_large_changes() {
    let grid = hills();
    let mut router = router(&grid);
    let mut overlay = Overlay::new(&grid);
    let across = query([3, 80], [SIDE - 3, 80]);
    let (mut under_way, mut answers) = (0, 0);
    for factor in [2.0, 3.0, 0.5] {
        assert!(overlay.set_factor(surefoot::grid::AreaId(0), factor).is_ok());
        let terrain = View::changed(&grid, WALKER, &overlay).expect("its grid");
        let expected = searched(&terrain, &across);
        loop {
            let update = router.update(&overlay);
            let engine = router.path(&terrain, &across).engine;
            assert_eq!(router.corridor().cost(), expected, "by {engine:?}");
            answers += 1;
            match update {
                Update::UnderWay => under_way += 1,
                _ => break,
            }
        }
    }
    assert!(under_way >= 3 && answers > under_way, "{under_way} of {answers}");
}

#[test]
fn another_grid_is_searched() {
    let grid = hills();
    let mut router = router(&grid);
    let other = NavGrid::from_map("type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n", 1.0, &[]);
    let other = other.expect("a map");
    assert_eq!(router.update(&Overlay::new(&other)), Update::OtherGrid);
    let terrain = View::new(&other, WALKER).expect("one agent");
    let query = Query::new([0.5, 0.0, 0.5], [2.5, 0.0, 0.5]);
    let answer = router.path(&terrain, &query);
    assert_eq!((answer.outcome, answer.engine), (Outcome::Complete, Engine::AStar));
}

/// Many sources and many goals at once, against one query each.
#[test]
fn tables_hold_what_single_queries_cost() {
    let grid = hills();
    let terrain = View::new(&grid, WALKER).expect("one agent");
    let model = HeightCost::default();
    let index = RouteIndex::new(&grid, WALKER).expect("one agent");
    let costs = index.price(&terrain, &model, RouteRules::default());
    let routes = Routes { index: &index, costs: &costs };
    let mut random = Random(8);
    let walkable: Vec<SpanId> = (0..grid.spans().len() as u32)
        .map(SpanId)
        .filter(|&span| terrain.is_walkable(span))
        .collect();
    let mut some = |count| -> Vec<SpanId> {
        (0..count).map(|_| walkable[random.below(walkable.len())]).collect()
    };
    let (from, to) = (some(12), some(9));
    let mut search = Navigator::default();
    let table = search.table(routes, (&terrain, &model), (&from, &to)).expect("current costs");
    assert_eq!(table.len(), from.len() * to.len());
    for (row, &start) in table.chunks(to.len()).zip(&from) {
        for (&cost, &goal) in row.iter().zip(&to) {
            let point = |span| grid.point(span).expect("a span");
            let query = Query { snap_radius: Some(0.0), ..Query::new(point(start), point(goal)) };
            assert_eq!(cost, searched(&terrain, &query));
        }
    }
}

/// Grids of the same size whose ground is another, and larger ones, do no harm.
#[test]
fn mistaken_grids_do_no_harm() {
    let rows = |hole: usize, side: usize| -> String {
        let letter = |at: usize| if at % 7 == hole && at % 5 > 1 { '@' } else { '.' };
        let row = |z: usize| (0..side).map(|x| letter(z * side + x)).collect::<String>() + "\n";
        (0..side).map(row).collect()
    };
    let grid = |hole, side| {
        let map = format!("type octile\nheight {side}\nwidth {side}\nmap\n{}", rows(hole, side));
        Arc::new(NavGrid::from_map(&map, 1.0, &[]).expect("a map"))
    };
    let own = grid(1, 40);
    let mut router = router(&own);
    let index = RouteIndex::new(&own, WALKER).expect("one agent");
    let own_terrain = View::new(&own, WALKER).expect("one agent");
    let model = HeightCost::default();
    let costs = index.price(&own_terrain, &model, RouteRules::default());
    let mut search = Navigator::default();
    let mut random = Random(9);
    for other in [grid(2, 40), grid(3, 40), grid(1, 90)] {
        let terrain = View::new(&other, WALKER).expect("one agent");
        for _ in 0..60 {
            let mut place = || [random.below(40) as f32 + 0.5, 0.0, random.below(40) as f32 + 0.5];
            let query = Query::new(place(), place());
            router.path(&terrain, &query);
            assert!(router.corridor().is_valid(&terrain));
            let routes = Routes { index: &index, costs: &costs };
            search.find(routes, (&terrain, &model), &query);
            assert!(search.corridor().is_valid(&terrain));
        }
    }
}

#[test]
fn ground_that_nobody_walks_on_has_no_routes() {
    let grid = NavGrid::from_map("type octile\nheight 1\nwidth 2\nmap\n@@\n", 1.0, &[]);
    let grid = Arc::new(grid.expect("a map"));
    let mut router = router(&grid);
    let terrain = View::new(&grid, WALKER).expect("one agent");
    let query = Query::new([0.5, 0.0, 0.5], [1.5, 0.0, 0.5]);
    let outcome = router.path(&terrain, &query).outcome;
    assert_eq!(outcome, Outcome::StartOffGrid { nearest: None });
    let mut overlay = Overlay::new(&grid);
    assert!(overlay.set_factor(surefoot::grid::AreaId(0), 2.0).is_ok());
    while router.update(&overlay) == Update::UnderWay {}
    assert_eq!(RouteIndex::order(&grid, WALKER).expect("one agent").spans, []);
    assert!(RouteIndex::new(&grid, AgentId(1)).is_none());
}
