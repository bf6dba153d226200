//! Ground heights between the centers of cells, against rays.

use super::*;
use nalgebra::Vector3;
use surefoot_bake::Scene;
use surefoot_bake::casts::{Caster, CollisionWorld, RapierCaster};

use surefoot_testing::Random;

/// Casts rays at random places on walkable ground and compares.
fn check(site: &Site, scene: &Scene, places: [f64; 4], tolerance: f32) {
    let settings = BakeSettings {
        cell_size: Some(site.cell),
        agents: vec![Agent::new("human")],
        ..Default::default()
    };
    let grid = bake(scene, &settings, &()).expect("it bakes").grid;
    let world = CollisionWorld::new(scene).expect("a world");
    let caster = RapierCaster::new(&world).expect("rapier takes it");
    let tile = caster.tile(grid.frame(), &[]);
    let (mut random, mut hits) = (Random(7), Vec::new());
    let [x0, z0, x1, z1] = places;
    for _ in 0..400 {
        let between = |low: f64, high: f64, random: &mut Random| {
            low + (high - low) * random.below(10_000) as f64 / 10_000.0
        };
        let point = [between(x0, x1, &mut random), 0.0, between(z0, z1, &mut random)];
        let [x, _, z] = site.at(point);
        tile.hits_at([x, z], [f32::NEG_INFINITY, f32::INFINITY], &mut hits);
        let ray = hits.first().expect("the ray meets the ground").y;
        let floor = grid.span_at([x, ray, z], 0.1).expect("the grid has it");
        let height = grid.ground_height(x, z, floor).expect("over its cell");
        assert!((height - ray).abs() < tolerance, "{site:?} {point:?}: {height} for {ray}");
    }
}

/// Squares of 10 cm over 6 m by 6 m.
fn terrain(site: &Site, height: impl Fn(f64, f64) -> f64) -> Scene {
    let side = 61u32;
    let corner = |i: u32| {
        let [x, z] = [f64::from(i % side) * 0.1, f64::from(i / side) * 0.1];
        site.at([x, height(x, z), z])
    };
    let square = |i: u32| [[i, i + side, i + side + 1], [i, i + side + 1, i + 1]];
    let inner = |i: &u32| i % side + 1 < side && i / side + 1 < side;
    let faces = (0..side * side).filter(inner).flat_map(square).collect();
    let corners = (0..side * side).map(corner).collect();
    scene(&[("terrain", (corners, faces))]).build().expect("a sound terrain")
}

#[test]
fn planes_are_exact() {
    for site in Site::all() {
        let slope = Vector3::new(0.35, 0.0, -0.6);
        let scene = terrain(&site, |x, z| slope.x * x + slope.z * z);
        check(&site, &scene, [0.5, 0.5, 5.5, 5.5], 3e-3);
    }
}

#[test]
fn waves_are_within_two_centimetres() {
    for site in Site::all() {
        let scene = terrain(&site, |x, z| 0.4 * (1.1 * x).sin() * (0.9 * z).cos());
        check(&site, &scene, [0.5, 0.5, 5.5, 5.5], 0.02);
    }
}
