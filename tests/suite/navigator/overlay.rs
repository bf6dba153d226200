//! Obstacles, expensive ground and closed links on a grid that stays as it was baked.

use std::sync::Arc;

use surefoot::grid::{AreaId, Dir};
use surefoot::path::{Corridor, GridSight, Progress, Sight};
use surefoot::search::{Outcome, PathError, Query};
use surefoot::view::{NavPoint, Obstacle, ObstacleId, Overlay, View};
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, Navigator, SpanId};
use surefoot_testing::Random;

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

/// An agent's view of a grid with changes.
fn changed(grid: &NavGrid, agent: AgentId, overlay: &Overlay) -> View {
    View::new(grid, agent).unwrap().with_overlay(Arc::new(overlay.clone())).unwrap()
}

/// Everything an agent may do, span by span.
fn standings(grid: &NavGrid, overlay: &Overlay, agent: AgentId) -> Vec<String> {
    let view = changed(grid, agent, overlay);
    let spans = (0..grid.spans().len() as u32).map(SpanId);
    spans.map(|span| format!("{:?}", view.standing(span))).collect()
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
            assert!(overlay.unblock(id));
            assert!(!overlay.unblock(id), "it is gone already");
        } else {
            let shape = obstacle(&mut random);
            placed.push((overlay.block(shape.clone()).unwrap(), shape));
        }
        assert_eq!(overlay.version(), change + 1);
        assert_eq!(overlay.obstacles(), placed.len());
        let mut fresh = Overlay::new(&grid);
        for (_, obstacle) in &placed {
            fresh.block(obstacle.clone()).unwrap();
        }
        for agent in [0, 1, 2].map(AgentId) {
            let (now, then) = (standings(&grid, &overlay, agent), standings(&grid, &fresh, agent));
            assert_eq!(now, then, "change {change}, {agent:?}");
        }
    }
    placed.iter().for_each(|(id, _)| assert!(overlay.unblock(*id)));
    let untouched = Overlay::new(&grid);
    assert_eq!(standings(&grid, &overlay, HUMAN), standings(&grid, &untouched, HUMAN));
}

#[test]
fn connections_around_obstacles_follow_the_rules_of_the_bake() {
    let grid = hills();
    let mut random = Random(8);
    let mut overlay = Overlay::new(&grid);
    for _ in 0..6 {
        overlay.block(obstacle(&mut random)).unwrap();
    }
    let (baked, now) = (View::new(&grid, HUMAN).unwrap(), changed(&grid, HUMAN, &overlay));
    let mut fewer = 0;
    for span in (0..grid.spans().len() as u32).map(SpanId) {
        for dir in Dir::ALL {
            let target = baked.neighbor(span, dir);
            let free = |dir: Dir| baked.neighbor(span, dir).is_some_and(|to| now.is_walkable(to));
            let beside = !dir.is_diagonal() || free(dir.turned(1)) && free(dir.turned(7));
            let expected = target.filter(|_| now.is_walkable(span) && free(dir) && beside);
            assert_eq!(now.neighbor(span, dir), expected, "{span:?} {dir:?}");
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
    assert!(fewer > 100, "only {fewer} connections fell away");
}

fn corridor(nav: &mut Navigator, ends: [[f32; 3]; 2]) -> (Outcome, Corridor) {
    nav.begin_search(&Query::new(ends[0], ends[1]));
    while nav.advance(100) == Progress::Running {}
    (nav.answer().outcome, nav.corridor().clone())
}

const ROOMS: &str = "type octile\nheight 5\nwidth 11\nmap\n\
    .....@.....\n.....@.....\n...........\n.....@.....\n.....@.....\n";

#[test]
fn a_closed_door_breaks_the_corridor_through_it() {
    let mut nav = Navigator::new(NavGrid::from_map(ROOMS, 1.0, &[]).unwrap(), HUMAN).unwrap();
    let ends = [[0.5, 0.0, 0.5], [10.5, 0.0, 0.5]];
    let (outcome, before) = corridor(&mut nav, ends);
    assert_eq!(outcome, Outcome::Complete);
    assert!(before.is_valid(nav.view()));

    let door =
        Obstacle::Box { center: [5.5, 1.0, 2.5].into(), half: [0.4, 1.0, 0.4].into(), yaw: 0.0 };
    let id = nav.block(door).unwrap();
    assert!(!before.is_valid(nav.view()));
    assert_eq!(corridor(&mut nav, ends).0, Outcome::Failed(PathError::Unreachable));
    let grid = nav.grid().clone();
    let ground = |x: f32, z: f32| NavPoint {
        span: grid.span_at([x, 0.0, z], 1.0).unwrap(),
        point: [x, 0.0, z].into(),
    };
    assert!(!GridSight.is_clear(nav.view(), &ground(2.5, 2.5), &ground(8.5, 2.5)));

    assert!(nav.unblock(id));
    assert!(before.is_valid(nav.view()));
    assert!(GridSight.is_clear(nav.view(), &ground(2.5, 2.5), &ground(8.5, 2.5)));
    assert_eq!(corridor(&mut nav, ends), (Outcome::Complete, before));
}

#[test]
fn a_search_under_way_begins_again_if_the_ground_changes() {
    let mut nav = Navigator::new(NavGrid::from_map(ROOMS, 1.0, &[]).unwrap(), HUMAN).unwrap();
    let progress = nav.begin(&Query::new([0.5, 0.0, 0.5], [10.5, 0.0, 0.5]));
    assert_eq!(progress, Progress::Running, "no straight line leads through the door");
    assert_eq!(nav.advance(3), Progress::Running);
    let crate_there = Obstacle::Cylinder { base: [4.5, 0.0, 2.5].into(), radius: 0.1, height: 1.0 };
    nav.block(crate_there).unwrap();
    while nav.advance(3) == Progress::Running {}
    // The door is behind the crate, and no corner is cut to get there.
    assert_eq!(nav.finish().outcome, Outcome::Failed(PathError::Unreachable));
}

#[test]
fn paths_lead_around_expensive_ground() {
    let map = "type octile\nheight 5\nwidth 9\nmap\n.........\n..SSSSS..\n..SSSSS..\n..SSSSS..\n..SSSSS..\n";
    let mut nav = Navigator::new(NavGrid::from_map(map, 1.0, &[]).unwrap(), HUMAN).unwrap();
    let swamp = AreaId(1);
    let through_swamp = |nav: &mut Navigator| {
        nav.path([1.5, 0.0, 3.5], [7.5, 0.0, 3.5]).unwrap().area_length(swamp)
    };
    nav.set_factor(swamp, 1.0).expect("it can be set");
    assert!((through_swamp(&mut nav) - 5.0).abs() < 1e-3);
    nav.set_factor(swamp, 9.0).expect("it can be set");
    assert!(through_swamp(&mut nav) < 0.5);
    for (area, factor) in [(swamp, 0.0), (swamp, f32::NAN), (AreaId(9), 1.0)] {
        assert!(nav.set_factor(area, factor).is_err());
    }
    assert_eq!(nav.overlay().version(), 2);
}

#[test]
fn overlays_keep_to_their_grid() {
    let (grid, other) = (hills(), NavGrid::from_map(ROOMS, 1.0, &[]).unwrap());
    let mut overlay = Overlay::new(&grid);
    let shared = Arc::new(overlay.clone());
    assert!(View::new(&other, HUMAN).unwrap().with_overlay(shared.clone()).is_err());
    let mut nav = Navigator::new(other, HUMAN).unwrap();
    assert!(nav.set_overlay(shared).is_err());
    assert!(nav.path([0.5, 0.0, 0.5], [10.5, 0.0, 4.5]).is_ok(), "it stays as it was");
    let id = overlay.block(obstacle(&mut Random(1))).unwrap();
    assert!(overlay.unblock(id) && !overlay.unblock(id));
    assert!(overlay.set_link_open(0, false).is_err(), "there are no links");
    // As large as the world: everything is blocked, and nothing overflows.
    let all = Obstacle::Cylinder { base: [0.0, -1e9, 0.0].into(), radius: 1e9, height: 2e9 };
    overlay.block(all).unwrap();
    let view = changed(&grid, HUMAN, &overlay);
    assert!((0..grid.spans().len() as u32).all(|span| !view.is_walkable(SpanId(span))));
}
