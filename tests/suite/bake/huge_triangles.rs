//! Triangles that reach as far as coordinates may, among ground of ordinary size.
//!
//! 32-bit numbers tell places 2,500 km away apart to a quarter of a metre. What a body may do beside such a
//! triangle is the same all the same, however the level is cut up, and right to a millimetre: held here
//! against distances in 64-bit numbers. rapier's own queries are no reference here, which the last test
//! shows.

use nalgebra::{Point3, Vector3};
use surefoot::grid::{GridFrame, NodeId, SpanId, Verdict};
use surefoot::{Agent, AgentId, BodyShape};
use surefoot_bake::casts::{Caster, CollisionWorld, RapierCaster, Room, TileCaster, TiledCaster};
use surefoot_bake::scene::{Placement, SceneBuilder, Triangles};
use surefoot_bake::{BakeSettings, Baked, Scene, bake};
use surefoot_rapier::{Body, Probe};
use surefoot_testing::Random;

/// Half the side of the ground [m].
const HALF: f32 = 6.0;

fn agents() -> Vec<Agent> {
    let reaching = |agent: Agent| Agent { jump_up: 0.9, jump_across: 2.0, drop: 4.0, ..agent };
    vec![
        Agent { ledge_margin: Some(0.0), ..surefoot_testing::agent("human", 0.3, 1.8) },
        reaching(surefoot_testing::agent("child", 0.2, 1.1)),
        Agent { shape: BodyShape::Box, ..surefoot_testing::agent("crate", 0.4, 0.8) },
    ]
}

fn settings(tile_size: u32) -> BakeSettings {
    let bounds = Some([-HALF, -HALF, HALF, HALF]);
    let cell_size = Some(0.25);
    BakeSettings { cell_size, bounds, agents: agents(), tile_size, ..Default::default() }
}

/// A number in -1..1.
fn signed(random: &mut Random) -> f32 {
    random.below(20_001) as f32 / 10_000.0 - 1.0
}

/// 1e5 to 1e7 [m].
fn far(random: &mut Random) -> f32 {
    10f32.powf(5.0 + random.below(201) as f32 / 100.0)
}

/// A point over the ground.
fn near(random: &mut Random) -> Vector3<f32> {
    let [x, y, z] = [0; 3].map(|_| signed(random));
    Vector3::new(5.0 * x, 1.2 + 1.2 * y, 5.0 * z)
}

/// A triangle that comes near the ground and reaches far.
fn far_triangle(random: &mut Random) -> [Vector3<f32>; 3] {
    let direction = |random: &mut Random, level: f32| {
        let [x, y, z] = [0; 3].map(|_| signed(random));
        Vector3::new(x, level * y, z)
    };
    let start = near(random);
    match random.below(4) {
        // One corner high over the level.
        0 => [start, near(random), Vector3::y() * far(random)],
        // Slanting.
        1 => [start, near(random), direction(random, 1.0) * far(random)],
        // Nearly level, over heads or at them.
        2 => [start, direction(random, 1e-6), direction(random, 1e-6)]
            .map(|corner| if corner == start { start } else { start + corner * far(random) }),
        // The face passes through the level, and all corners are far.
        _ => {
            let (along, across) = (direction(random, 1.0), direction(random, 1.0));
            let corners = [[1.0, 0.0], [-0.5, 0.9], [-0.5, -0.9]];
            let size = far(random) / 2.0;
            corners.map(|[a, b]| start + (along * a + across * b) * size)
        }
    }
}

/// The ground with a few blocks, and far triangles; returned with all of their corners.
struct FarScene {
    scene: Scene,
    far: Vec<[Vector3<f32>; 3]>,
}

impl FarScene {
    fn new(seed: u64) -> Self {
        FarScene::lifted(seed, 0.0)
    }

    /// All of it so much higher [m].
    fn lifted(seed: u64, height: f32) -> Self {
        let mut random = Random(seed);
        let mut builder = SceneBuilder::new("far");
        builder.cuboid("ground", [HALF, 0.5, HALF], Placement::at([0.0, height - 0.5, 0.0]));
        for block in 0..random.below(3) {
            let at = near(&mut random);
            let half = [0.2, 0.5 + 0.5 * signed(&mut random).abs(), 0.4];
            builder.cuboid(&format!("block {block}"), half, Placement::at([at.x, height, at.z]));
        }
        let lift = Vector3::y() * height;
        let mut far = || far_triangle(&mut random).map(|corner| corner + lift);
        let far: Vec<_> = (0..2).map(|_| far()).collect();
        for (index, corners) in far.iter().enumerate() {
            let corners = corners.map(|corner| [corner.x, corner.y, corner.z]);
            let triangles = Triangles { vertices: &corners, triangles: &[[0, 1, 2]] };
            builder.mesh(&format!("far {index}"), triangles, Placement::default());
        }
        FarScene { scene: builder.build().expect("a scene"), far }
    }
}

fn baked(scene: &Scene, tile_size: u32, threads: usize) -> Baked {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| bake(scene, &settings(tile_size), &()).expect("a bake"))
}

/// Bakes a scene with several sizes of tiles and threads, and compares the bytes.
fn assert_tiles_do_not_show(scene: &Scene, what: &str) {
    let bytes = |tile_size: u32, threads: usize| {
        baked(scene, tile_size, threads).grid.to_bytes().expect("a grid that can be written")
    };
    let expected = bytes(1024, 1);
    for (tile_size, threads) in [(8, 3), (16, 1), (21, 2)] {
        assert!(bytes(tile_size, threads) == expected, "{what} in tiles of {tile_size}");
    }
}

#[test]
fn tiles_and_threads_do_not_show_beside_huge_triangles() {
    for seed in 0..60 {
        assert_tiles_do_not_show(&FarScene::new(seed).scene, &format!("level {seed}"));
    }
}

#[test]
fn tiles_and_threads_do_not_show_at_great_heights() {
    for seed in 0..20 {
        for height in [3e3, 1e5, 1.5e6] {
            let FarScene { scene, far } = FarScene::lifted(seed, height);
            if far.as_flattened().iter().all(|corner| corner.y.abs() < 1e7) {
                assert_tiles_do_not_show(&scene, &format!("level {seed} at {height} m"));
            }
        }
    }
}

#[test]
fn tiles_and_threads_do_not_show_beside_huge_solids() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let mut builder = SceneBuilder::new("solids");
        builder.cuboid("ground", [HALF, 0.5, HALF], Placement::at([0.0, -0.5, 0.0]));
        let (size, at) = (far(&mut random) / 4.0, near(&mut random));
        // The solid's side is near the level.
        let away = Vector3::new(signed(&mut random), signed(&mut random), signed(&mut random));
        let turn = nalgebra::UnitQuaternion::from_scaled_axis(away * 2.0);
        let center = at + away.normalize() * size;
        let beside = Placement::at([center.x, center.y, center.z]);
        let pose = nalgebra::Isometry3::from_parts(center.into(), turn);
        match seed % 5 {
            0 => builder.ball("solid", size, beside),
            1 => builder.capsule("solid", [0.5 * size, size], pose),
            2 => builder.cylinder("solid", [size, 0.4], pose),
            3 => builder.cylinder("solid", [0.5 * size, size], pose),
            _ => builder.cuboid("solid", [size, 0.5 * size, size], pose),
        };
        let scene = builder.build().expect("a scene");
        assert_tiles_do_not_show(&scene, &format!("solid {seed}"));
    }
}

/// Returns the distance of a point from a triangle.
/// Based on: Ericson, "Real-Time Collision Detection", 2005, section 5.1.5.
fn distance(point: Vector3<f64>, [a, b, c]: [Vector3<f64>; 3]) -> f64 {
    let to_edge = |from: Vector3<f64>, to: Vector3<f64>| {
        let (along, offset) = (to - from, point - from);
        let share = (offset.dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        (offset - along * share).norm()
    };
    let edges = to_edge(a, b).min(to_edge(b, c)).min(to_edge(c, a));
    let normal = (b - a).cross(&(c - a));
    let beside = |from: Vector3<f64>, to: Vector3<f64>| {
        (to - from).cross(&(point - from)).dot(&normal) >= 0.0
    };
    if beside(a, b) && beside(b, c) && beside(c, a) {
        edges.min((point - a).dot(&normal.normalize()).abs())
    } else {
        edges
    }
}

/// Returns the least distance of an upright line from a triangle: it is convex along the line.
fn distance_from_line(
    foot: Vector3<f64>,
    [low, high]: [f64; 2],
    corners: [Vector3<f32>; 3],
) -> f64 {
    let corners = corners.map(|corner| corner.map(f64::from));
    let at = |height: f64| distance(foot + Vector3::y() * height, corners);
    let (mut low, mut high) = (low, high);
    for _ in 0..100 {
        let third = (high - low) / 3.0;
        if at(low + third) < at(high - third) { high -= third } else { low += third }
    }
    at(0.5 * (low + high))
}

/// How exactly a body's distance from a wall is known [m].
const TOLERANCE: f64 = 1e-3;

#[test]
fn a_body_beside_a_huge_triangle_stands_where_it_has_room() {
    let agent = &agents()[0];
    let body = Body::new(agent);
    let radius = f64::from(agent.radius);
    let [low, high] = body.axis().map(f64::from);
    let bottom = f64::from(body.bottom);
    let mut seen = [0; 2];
    for seed in 0..60 {
        let FarScene { scene, far } = FarScene::new(seed);
        let Baked { grid, .. } = baked(&scene, 64, 1);
        let frame: GridFrame = *grid.frame();
        let is_far = |node: NodeId| grid.nodes()[node.0 as usize].starts_with("far");
        for cell in (0..frame.cells()).map(|index| frame.cell(index)) {
            let [x, z] = frame.center(cell);
            for span in grid.column_spans(cell) {
                let floor = grid.spans()[span as usize].floor;
                let foot = Vector3::new(x, floor, z).map(f64::from);
                // What is below the far triangle's own floors is another matter.
                if floor.abs() > 1e-3 {
                    continue;
                }
                let nearest = |heights: [f64; 2]| {
                    let all = far.iter().map(|&corners| distance_from_line(foot, heights, corners));
                    all.fold(f64::INFINITY, f64::min)
                };
                match grid.verdict(AgentId(0), SpanId(span)) {
                    Some(Verdict::Walkable) => {
                        let room = nearest([low, high]) - radius;
                        assert!(room > -TOLERANCE, "level {seed}, {foot}: {room} m");
                        seen[0] += 1;
                    }
                    // It may be that the body touches where it comes to rest.
                    Some(Verdict::Obstacle(node)) if is_far(node) => {
                        let room = nearest([low - bottom, high + bottom]) - radius;
                        assert!(room < TOLERANCE, "level {seed}, {foot}: {room} m");
                        seen[1] += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
}

/// A wall that reaches up 2,500 km, x = 1 m at its foot, which leans by a metre for each two.
const LEANING: [Vector3<f32>; 3] = [
    Vector3::new(1.0, 0.0, -40.0),
    Vector3::new(1.0, 0.0, 40.0),
    Vector3::new(1_250_000.0, 2_500_000.0, 0.0),
];

#[test]
fn distances_from_a_wall_that_reaches_to_the_sky_are_exact() {
    let corners = LEANING.map(|corner| [corner.x, corner.y, corner.z]);
    let mut builder = SceneBuilder::new("leaning");
    let triangles = Triangles { vertices: &corners, triangles: &[[0, 1, 2]] };
    builder.mesh("wall", triangles, Placement::default());
    let world = CollisionWorld::new(&builder.build().expect("a scene")).expect("a world");
    let caster = TiledCaster::new(&world);
    let body = Body::new(&agents()[0]);
    let probes = [Probe { body, max_room: 2.0 }];
    let frame = GridFrame::covering(0.25, [-HALF; 2], [HALF; 2]).expect("a frame");
    let mut tile = caster.tile(&frame, &probes);
    let heights = body.axis().map(f64::from);
    let mut most = 0.0f64;
    for step in 0..400 {
        let feet = Point3::new(1.5 - 0.01 * step as f32, 0.0, 0.3);
        let truth = distance_from_line(feet.coords.map(f64::from), heights, LEANING);
        let room = truth - f64::from(body.radius);
        match tile.room(0, feet) {
            Room::Free(found) => most = most.max((f64::from(found) - room.min(2.0)).abs()),
            Room::Blocked(_) => assert!(room < 2e-4, "{room} m at {feet}"),
        }
    }
    assert!(most < 3e-4, "{most} m");
}

#[test]
fn rapiers_own_casts_are_no_reference_beside_huge_triangles() {
    let probes = [Probe { body: Body::new(&agents()[0]), max_room: 0.5 }];
    let frame = GridFrame::covering(0.25, [-HALF; 2], [HALF; 2]).expect("a frame");
    let heights = probes[0].body.axis().map(f64::from);
    let mut wrong = [0; 2];
    for seed in 0..20 {
        let FarScene { scene, far } = FarScene::new(seed);
        let world = CollisionWorld::new(&scene).expect("a world");
        let is_far = |solid: u32| world.nodes()[world.node(solid).0 as usize].starts_with("far");
        let plain = RapierCaster::new(&world).expect("a rapier world");
        let (tiled, mut plain) = (TiledCaster::new(&world), plain.tile(&frame, &probes));
        let mut tiled = tiled.tile(&frame, &probes);
        for cell in (0..frame.cells()).map(|index| frame.cell(index)) {
            let [x, z] = frame.center(cell);
            let feet = Point3::new(x, 0.0, z);
            let foot = feet.coords.map(f64::from);
            let all = far.iter().map(|&corners| distance_from_line(foot, heights, corners));
            let room = all.fold(f64::INFINITY, f64::min) - f64::from(probes[0].body.radius);
            for (wrong, found) in wrong.iter_mut().zip([tiled.room(0, feet), plain.room(0, feet)]) {
                *wrong += u32::from(match found {
                    Room::Free(_) => room < -10.0 * TOLERANCE,
                    Room::Blocked(solid) => is_far(solid) && room > 10.0 * TOLERANCE,
                });
            }
        }
    }
    assert_eq!(wrong[0], 0);
    assert!(wrong[1] > 100, "{wrong:?}: rapier has become exact, hold the casters against it");
}
