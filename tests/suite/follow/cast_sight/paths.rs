//! Paths whose segments a cast confirms, and casts in worlds that were filled otherwise.

use rapier3d::prelude::PhysicsWorld;
use surefoot::navigator::Navigator;
use surefoot::path::{Answer, Sight};
use surefoot::search::{Engine, Query};
use surefoot::view::{NavPoint, View};
use surefoot_rapier::{CastSight, GridThenCast};

use super::level::{AGENT, Level, ground, scene_of};
use surefoot_testing::Random;

const NONE: [&str; 0] = [];

/// The segments of a path that a sight does not confirm, but for those from an end to the center of its
/// cell: an end may lie where the body touches something.
fn unconfirmed(view: &View, sight: &dyn Sight, answer: &Answer) -> Vec<String> {
    let waypoints = answer.path().expect("a path").waypoints();
    let segments = waypoints
        .windows(2)
        .map(|pair| [0, 1].map(|end| NavPoint { span: pair[end].span, point: pair[end].point }));
    segments
        .filter(|[from, to]| {
            let along = to.point - from.point;
            along.x.hypot(along.z) > 0.71 * view.cell_size() && !sight.is_clear(view, from, to)
        })
        .map(|ends| format!("{:?}", ends.map(|end| end.point)))
        .collect()
}

#[test]
fn segments_keep_clear_of_a_crate_beside_the_corridor() {
    let mut level = Level::human(&scene_of(|builder| ground(builder, 20.0, 12.0)));
    // The steps lead straight on or aslant at 45°; the straight line passes between.
    level.drop_crate([9.0, 0.7, 4.0]);
    let view = level.view();
    let query = Query::new([1.0, 0.0, 1.0], [19.0, 0.0, 8.0]);
    let sight = GridThenCast::new(&level.physics);
    let mut nav = Navigator::new(level.grid.clone(), AGENT).expect("an agent");
    let straight = nav.find(&query);
    assert_eq!(straight.path().expect("a path").waypoints().len(), 2);
    assert_eq!(unconfirmed(&view, &sight, straight).len(), 1);

    let by_search = Query { engine: Some(Engine::AStar), ..query.clone() };
    let around = nav.with_sight(&sight).find(&by_search);
    assert_eq!(around.engine, Engine::AStar);
    assert!(around.path().expect("a path").waypoints().len() > 2);
    assert_eq!(unconfirmed(&view, &sight, around), NONE);
    let around = around.path().expect("a path").clone();

    nav.prepare().expect("ground that comes apart");
    let routed = nav.with_sight(&sight).find(&query);
    assert_eq!(unconfirmed(&view, &sight, routed), NONE);
    // Of corridors that cost the same it may have found another one.
    let routed = routed.path().expect("a path");
    assert!((routed.cost() / around.cost() - 1.0).abs() < 0.01);
    assert_eq!(nav.find(&query).path().expect("a path").waypoints().len(), 2);
}

#[test]
fn every_segment_of_a_prepared_route_is_confirmed() {
    let level = Level::own("pillars.gltf");
    let (min, max) = level.grid.frame().bounds();
    let mut random = Random(31);
    let mut anywhere = || {
        let mut part = || random.below(1 << 16) as f32 / 65536.0;
        [min[0] + (max[0] - min[0]) * part(), 0.0, min[1] + (max[1] - min[1]) * part()]
    };
    let view = View::new(&level.grid, AGENT).expect("an agent");
    let queries: Vec<Query> = (0..100).map(|_| Query::new(anywhere(), anywhere())).collect();
    let mut nav = Navigator::new(level.grid.clone(), AGENT).expect("an agent");
    nav.prepare().expect("ground that comes apart");
    let sight = CastSight::new(&level.physics);
    let (mut paths, mut before, mut costs) = (0, 0, [0.0; 2]);
    for query in &queries {
        let plain = nav.find(query);
        let Ok(path) = plain.path() else { continue };
        paths += 1;
        costs[0] += f64::from(path.cost());
        before += unconfirmed(&view, &sight, plain).len();
        let sure = nav.with_sight(&sight).find(query);
        let path = sure.path().expect("the same corridor");
        assert!(path.cost() <= path.corridor_cost() * 1.00001);
        costs[1] += f64::from(path.cost());
        assert_eq!(unconfirmed(&view, &sight, sure), NONE, "{query:?}");
    }
    println!("{paths} paths: {before} segments touch something without the cast, cost {costs:?}");
    assert!(paths > 50);
}

#[test]
fn the_order_in_which_a_world_was_filled_does_not_matter() {
    let level = Level::own("village.glb");
    let mut backward = PhysicsWorld::new();
    let colliders: Vec<_> = level.physics.colliders.iter().map(|(_, one)| one.clone()).collect();
    for collider in colliders.into_iter().rev() {
        backward.insert_collider(collider, None);
    }
    backward.detect_collisions(&(), &());
    let view = level.view();
    let sights = [&level.physics, &backward].map(CastSight::new);
    let (mut random, mut clear) = (Random(41), 0);
    for _ in 0..2000 {
        let mut part = || 40.0 * (random.below(1 << 16) as f32 / 65536.0 - 0.5);
        let ends = [0, 1].map(|_| {
            let near = [part() - 8.0, 2.0, part() + 18.0];
            let (span, point) = level.grid.nearest_walkable(AGENT, near, 5.0).expect("ground");
            NavPoint { span, point }
        });
        let [a, b] = [0, 1].map(|one| sights[one].is_clear(&view, &ends[0], &ends[1]));
        assert_eq!(a, b, "{ends:?}");
        clear += usize::from(a);
    }
    assert!(clear > 100, "{clear}");
}
