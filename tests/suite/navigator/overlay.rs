//! Obstacles, dearer ground and closed links on a grid that stays as it was baked.

use surefoot::grid::{AreaId, Dir};
use surefoot::path::{Corridor, GridSight, Progress, Sight};
use surefoot::cost::HeightCost;
use surefoot::view::{Obstacle, ObstacleId, Overlay, View};
use surefoot::search::{Outcome, Query};
use surefoot::navigator::Navigator;
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, SpanId};

use crate::support::Random;

const HUMAN: AgentId = AgentId(0);

/// Rolling ground of 40 x 40 cells of 0.25 m, for a human, a large agent and a box.
fn hills() -> NavGrid {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(-20, -20), size_x: 40, size_z: 40 };
    let height = |index: usize| {
        let (x, z) = ((index % 40) as f32 * 0.25, (index / 40) as f32 * 0.25);
        (x * 0.9).sin() * 0.5 + (z * 0.7).cos() * 0.4
    };
    let heights: Vec<f32> = (0..frame.cells()).map(height).collect();
    let large = Agent { radius: 0.8, ..Agent::new("large") };
    let cart = Agent { radius: 0.5, shape: surefoot::BodyShape::Box, ..Agent::new("cart") };
    NavGrid::from_heights(frame, &heights, &[Agent::new("human"), large, cart]).unwrap()
}

fn between(random: &mut Random, low: f32, high: f32) -> f32 {
    low + (high - low) * random.below(10_000) as f32 / 10_000.0
}

fn obstacle(random: &mut Random) -> Obstacle {
    let [x, z] = [0; 2].map(|_| between(random, -6.0, 6.0));
    let size = between(random, 0.0, 1.5);
    match random.below(3) {
        0 => Obstacle::Cylinder { base: [x, -1.0, z].into(), radius: size, height: 3.0 },
        1 => {
            let half = [size, 1.0, between(random, 0.0, 1.0)].into();
            Obstacle::Box { center: [x, 0.5, z].into(), half, yaw: between(random, 0.0, 6.0) }
        }
        _ => {
            let corners = vec![[x, z], [x + size, z], [x + size, z + 1.0], [x + 0.2, z + 0.3]];
            Obstacle::Prism { corners, bottom: -2.0, top: between(random, 0.0, 3.0) }
        }
    }
}

/// Everything an agent may do, span by span.
fn standings(grid: &NavGrid, overlay: &Overlay, agent: AgentId) -> Vec<String> {
    let terrain = View::changed(grid, agent, overlay).unwrap();
    let spans = (0..grid.spans().len() as u32).map(SpanId);
    spans.map(|span| format!("{:?}", terrain.standing(span))).collect()
}

#[test]
fn changes_one_by_one_equal_a_fresh_overlay() {
    let grid = hills();
    let mut random = Random(3);
    let mut overlay = Overlay::new(&grid);
    let mut placed: Vec<(ObstacleId, Obstacle)> = Vec::new();
    for change in 0..120 {
        if placed.len() > 5 && random.below(2) == 0 {
            let (id, _) = placed.remove(random.below(placed.len()));
            assert!(overlay.unblock(&grid, id));
            assert!(!overlay.unblock(&grid, id), "it is gone already");
        } else {
            let shape = obstacle(&mut random);
            placed.push((overlay.block(&grid, shape.clone()).unwrap(), shape));
        }
        assert_eq!(overlay.version(), change + 1);
        assert_eq!(overlay.obstacles(), placed.len());
        let mut fresh = Overlay::new(&grid);
        for (_, obstacle) in &placed {
            fresh.block(&grid, obstacle.clone()).unwrap();
        }
        for agent in [0, 1, 2].map(AgentId) {
            let (now, then) = (standings(&grid, &overlay, agent), standings(&grid, &fresh, agent));
            assert_eq!(now, then, "change {change}, {agent:?}");
        }
    }
    placed.iter().for_each(|(id, _)| assert!(overlay.unblock(&grid, *id)));
    let untouched = Overlay::new(&grid);
    assert_eq!(standings(&grid, &overlay, HUMAN), standings(&grid, &untouched, HUMAN));
}

#[test]
fn steps_round_obstacles_follow_the_rules_of_the_bake() {
    let grid = hills();
    let mut random = Random(8);
    let mut overlay = Overlay::new(&grid);
    for _ in 0..6 {
        overlay.block(&grid, obstacle(&mut random)).unwrap();
    }
    let (baked, now) =
        (View::new(&grid, HUMAN).unwrap(), View::changed(&grid, HUMAN, &overlay).unwrap());
    let mut fewer = 0;
    for span in (0..grid.spans().len() as u32).map(SpanId) {
        let cell = grid.cell_of(span).unwrap();
        for dir in Dir::ALL {
            let target = baked.step(span, (cell, dir));
            let free =
                |dir: Dir| baked.step(span, (cell, dir)).is_some_and(|to| now.is_walkable(to));
            let beside = !dir.is_diagonal() || free(dir.turned(1)) && free(dir.turned(7));
            let expected = target.filter(|_| now.is_walkable(span) && free(dir) && beside);
            assert_eq!(now.step(span, (cell, dir)), expected, "{span:?} {dir:?}");
            fewer += usize::from(target != expected);
        }
        let (before, after) = (baked.clearance(span).unwrap(), now.clearance(span).unwrap());
        assert!(after <= before);
        if now.is_walkable(span) {
            let nearest = (0..grid.spans().len() as u32)
                .map(SpanId)
                .filter(|&other| baked.is_walkable(other) && !now.is_walkable(other));
            let apart =
                |other| (grid.point(other).unwrap() - grid.point(span).unwrap()).xz().norm();
            let least = nearest.map(apart).fold(f32::INFINITY, f32::min);
            assert!(after <= least, "clearance {after}, blocked {least} away");
        }
    }
    assert!(fewer > 100, "only {fewer} steps fell away");
}

fn corridor(search: &mut Navigator, terrain: &View, ends: [[f32; 3]; 2]) -> (Outcome, Corridor) {
    let query = Query::new(ends[0], ends[1]);
    search.begin(terrain, &HeightCost::default(), &query);
    while search.advance(terrain, &HeightCost::default(), 100) == Progress::Running {}
    (search.outcome(), search.corridor().clone())
}

const ROOMS: &str = "type octile\nheight 5\nwidth 11\nmap\n\
    .....@.....\n.....@.....\n...........\n.....@.....\n.....@.....\n";

#[test]
fn a_closed_door_breaks_the_corridor_through_it() {
    let grid = NavGrid::from_map(ROOMS, 1.0, &[]).unwrap();
    let mut overlay = Overlay::new(&grid);
    let mut search = Navigator::default();
    let ends = [[0.5, 0.0, 0.5], [10.5, 0.0, 0.5]];
    let open = View::changed(&grid, HUMAN, &overlay).unwrap();
    let (outcome, before) = corridor(&mut search, &open, ends);
    assert_eq!(outcome, Outcome::Complete);
    assert!(before.is_valid(&open));

    let door =
        Obstacle::Box { center: [5.5, 1.0, 2.5].into(), half: [0.4, 1.0, 0.4].into(), yaw: 0.0 };
    let id = overlay.block(&grid, door).unwrap();
    let closed = View::changed(&grid, HUMAN, &overlay).unwrap();
    assert!(!before.is_valid(&closed));
    assert_eq!(corridor(&mut search, &closed, ends).0, Outcome::Unreachable);
    let ground = |x: f32, z: f32| surefoot::view::NavPoint {
        span: grid.span_at([x, 0.0, z], 1.0).unwrap(),
        point: [x, 0.0, z].into(),
    };
    assert!(!GridSight.is_clear(&closed, &ground(2.5, 2.5), &ground(8.5, 2.5)));

    assert!(overlay.unblock(&grid, id));
    let open = View::changed(&grid, HUMAN, &overlay).unwrap();
    assert!(before.is_valid(&open));
    assert!(GridSight.is_clear(&open, &ground(2.5, 2.5), &ground(8.5, 2.5)));
    assert_eq!(corridor(&mut search, &open, ends), (Outcome::Complete, before));
}

#[test]
fn a_search_under_way_begins_again_when_the_ground_changes() {
    let grid = NavGrid::from_map(ROOMS, 1.0, &[]).unwrap();
    let mut overlay = Overlay::new(&grid);
    let mut search = Navigator::default();
    let model = HeightCost::default();
    let terrain = View::changed(&grid, HUMAN, &overlay).unwrap();
    search.begin(&terrain, &model, &Query::new([0.5, 0.0, 0.5], [10.5, 0.0, 4.5]));
    assert_eq!(search.advance(&terrain, &model, 3), Progress::Running);
    let crate_there = Obstacle::Cylinder { base: [4.5, 0.0, 2.5].into(), radius: 0.1, height: 1.0 };
    overlay.block(&grid, crate_there).unwrap();
    let terrain = View::changed(&grid, HUMAN, &overlay).unwrap();
    while search.advance(&terrain, &model, 3) == Progress::Running {}
    // The door is behind the crate, and no corner is cut to get there.
    assert_eq!(search.outcome(), Outcome::Unreachable);
}

#[test]
fn dearer_ground_is_gone_round() {
    let map = "type octile\nheight 5\nwidth 9\nmap\n.........\n..SSSSS..\n..SSSSS..\n..SSSSS..\n..SSSSS..\n";
    let grid = NavGrid::from_map(map, 1.0, &[]).unwrap();
    let mut overlay = Overlay::new(&grid);
    let swamp = AreaId(1);
    let mut search = Navigator::default();
    let query = Query::new([1.5, 0.0, 3.5], [7.5, 0.0, 3.5]);
    let mut through_swamp = |overlay: &Overlay| {
        let terrain = View::changed(&grid, HUMAN, overlay).unwrap();
        let answer = search.path(&terrain, &HeightCost::default(), &query);
        answer.path().unwrap().area_length(swamp)
    };
    assert!(overlay.set_factor(swamp, 1.0).is_ok());
    assert!((through_swamp(&overlay) - 5.0).abs() < 1e-3);
    assert!(overlay.set_factor(swamp, 9.0).is_ok());
    assert!(through_swamp(&overlay) < 0.5);
    for (area, factor) in [(swamp, 0.0), (swamp, f32::NAN), (AreaId(9), 1.0)] {
        assert!(overlay.set_factor(area, factor).is_err());
    }
    assert_eq!(overlay.version(), 2);
}

#[test]
fn overlays_keep_to_their_grid() {
    let (grid, other) = (hills(), NavGrid::from_map(ROOMS, 1.0, &[]).unwrap());
    let mut overlay = Overlay::new(&grid);
    assert!(View::changed(&other, HUMAN, &overlay).is_none());
    let shape = obstacle(&mut Random(1));
    assert!(overlay.block(&other, shape.clone()).is_err());
    let id = overlay.block(&grid, shape).unwrap();
    assert!(!overlay.unblock(&other, id) && overlay.unblock(&grid, id));
    assert!(overlay.set_link_open(0, false).is_err(), "there are no links");
    // As large as the world: everything is blocked, and nothing overflows.
    let all = Obstacle::Cylinder { base: [0.0, -1e9, 0.0].into(), radius: 1e9, height: 2e9 };
    overlay.block(&grid, all).unwrap();
    let terrain = View::changed(&grid, HUMAN, &overlay).unwrap();
    assert!((0..grid.spans().len() as u32).all(|span| !terrain.is_walkable(SpanId(span))));
}
