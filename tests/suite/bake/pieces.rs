//! Levels put together from pieces: touching tiles, surfaces in one plane, collision hulls.

use surefoot::grid::{Area, AreaId};
use surefoot::{NavGrid, Verdict};
use surefoot_bake::casts::{CollisionWorld, RapierCaster};
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, Baked, Scene, bake, bake_with};

fn baked(scene: &Scene, cell_size: f32) -> NavGrid {
    bake(scene, &settings(cell_size), &()).unwrap_or_else(|error| panic!("{error}")).grid
}

fn settings(cell_size: f32) -> BakeSettings {
    let agents = vec![surefoot_testing::agent("human", 0.3, 1.8)];
    BakeSettings { cell_size: Some(cell_size), agents, ..Default::default() }
}

/// Boxes side by side, whose places no float can tell exactly.
fn tiles(side: f32, count: u32, at: impl Fn([f32; 3]) -> Placement) -> Scene {
    let mut builder = SceneBuilder::new("tiles");
    for index in 0..count * count {
        let [x, z] = [index % count, index / count].map(|i| i as f32 * side + 0.5 * side);
        let name = format!("tile {index}");
        builder.cuboid(&name, [0.5 * side, 0.1, 0.5 * side], at([x, -0.1, z]));
    }
    builder.build().expect("tiles")
}

#[test]
fn touching_tiles_are_one_floor() {
    for (side, cell) in [(3.3, 0.3), (0.9, 0.3), (2.7, 0.3), (1.8, 0.2), (3.4, 0.2), (1.1, 0.1)] {
        let scene = tiles(side, 5, Placement::at);
        let grid = baked(&scene, cell);
        let layer = &grid.layers()[0];
        assert_eq!(layer.regions.len(), 1, "{side} m in cells of {cell} m");
        // No column falls through.
        let columns = ((5.0 * side / cell).round() as usize).pow(2);
        assert_eq!(grid.spans().len(), columns, "{side} m in cells of {cell} m");
        let world = CollisionWorld::new(&scene).expect("a world");
        let plain = RapierCaster::new(&world).expect("a rapier world");
        let Baked { grid: plain, .. } =
            bake_with(&scene, &plain, &settings(cell), &()).expect("a bake");
        assert_eq!(plain.spans().len(), columns, "{side} m in cells of {cell} m, by plain rays");
    }
}

/// A gap that one can see is none of them, however narrow.
#[test]
fn a_gap_is_not_a_seam() {
    let scene = tiles(3.3, 2, |[x, y, z]| Placement::at([x * 1.000_5, y, z]));
    let fallen = baked(&scene, 0.3);
    assert!(fallen.spans().len() < fallen.frame().cells());
}

#[test]
fn of_floors_in_one_plane_the_strictest_mark_counts() {
    for [floor, mark] in [["A", "Z"], ["Z", "A"]] {
        let mut builder = SceneBuilder::new("marks");
        let mud = Area { name: "mud".to_owned(), cost: 3.0, forbidden: false };
        let mud = builder.area(mud);
        let slab = |at: [f32; 3]| Placement::at(at);
        builder.cuboid(floor, [6.0, 0.1, 2.0], slab([0.0, -0.1, 0.0]));
        builder.cuboid(&format!("{mark} mud"), [1.0, 0.1, 2.0], slab([-4.0, -0.1, 0.0]).area(mud));
        builder.cuboid(&format!("{mark} no"), [1.0, 0.1, 2.0], slab([4.0, -0.1, 0.0]).obstacle());
        let grid = baked(&builder.build().expect("marks"), 0.25);
        let at = |x: f32| grid.span_at([x, 0.0, 0.1], 0.1).expect("a floor");
        let area = |x: f32| grid.spans()[at(x).index()].area();
        assert_eq!([area(-4.0), area(0.0), area(4.0)], [mud, AreaId(0), AreaId(0)], "{floor}");
        let human = grid.agent_id("human").expect("a human");
        let verdict = |x: f32| grid.verdict(human, at(x));
        assert_eq!(verdict(0.0), Some(Verdict::Walkable), "{floor}");
        assert_eq!(verdict(4.0), Some(Verdict::Forbidden), "{floor}");
    }
}

/// A box with edges cut off by less than a millimetre, of which a hull in floating point leaves out
/// corners.
#[test]
fn the_hull_of_a_beveled_box_is_a_box() {
    for bevel in [1e-6, 1e-5, 1e-4, 2.4e-4, 1e-3] {
        let mut points = Vec::new();
        for corner in 0..8 {
            let sign = [0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 });
            for whole in 0..3 {
                let cut = [0, 1, 2].map(|axis| if axis == whole { 0.0 } else { bevel });
                points.push([0, 1, 2].map(|axis| sign[axis] * (1.131 - cut[axis])));
            }
        }
        let mut builder = SceneBuilder::new("beveled");
        builder.hull("box", &points, Placement::at([0.0; 3]));
        let grid = baked(&builder.build().expect("a box"), 0.1);
        for x in [-1.05, -0.45, 0.05, 1.05] {
            for z in [-1.05, 0.05, 1.05] {
                let span = grid.span_at([x, 1.131, z], 1e-3);
                assert!(span.is_some(), "bevel {bevel}: no top at {x}, {z}");
            }
        }
    }
}
