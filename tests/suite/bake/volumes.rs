//! Volumes: what the ground inside is, and which volume counts where several are.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use surefoot::grid::{Area, AreaId};
use surefoot::{NavGrid, Verdict};
use surefoot_bake::scene::{Placement, SceneBuilder, Volume, VolumeEffect, VolumeShape};
use surefoot_bake::{BakeError, BakeSettings, Baked, Scene, VolumeSpans, bake};

const MUD: VolumeEffect = VolumeEffect::Area(AreaId(1));
const ICE: VolumeEffect = VolumeEffect::Area(AreaId(2));
const LAVA: VolumeEffect = VolumeEffect::Area(AreaId(3));

fn settings() -> BakeSettings {
    let agents = vec![surefoot_testing::agent("human", 0.3, 1.8)];
    BakeSettings { cell_size: Some(0.25), agents, ..BakeSettings::default() }
}

/// A hall of 12 m by 12 m with a gallery 3 m above one half of it.
fn hall() -> SceneBuilder {
    let mut builder = SceneBuilder::new("hall");
    let area = |name: &str, cost, forbidden| Area { name: name.to_owned(), cost, forbidden };
    assert_eq!(builder.area(area("mud", 3.0, false)), AreaId(1));
    assert_eq!(builder.area(area("ice", 2.0, false)), AreaId(2));
    assert_eq!(builder.area(area("lava", 1.0, true)), AreaId(3));
    builder.cuboid("floor", [6.0, 0.1, 6.0], Placement::at([0.0, -0.1, 0.0]));
    builder.cuboid("gallery", [3.0, 0.1, 6.0], Placement::at([-3.0, 2.9, 0.0]));
    builder
}

fn volume(name: &str, shape: VolumeShape, effect: VolumeEffect) -> Volume {
    Volume { name: name.to_owned(), shape, effect }
}

fn boxed(center: [f32; 3], size: [f32; 3]) -> VolumeShape {
    let pose = Isometry3::translation(center[0], center[1], center[2]);
    VolumeShape::Box { pose, half_extents: Vector3::from(size) / 2.0 }
}

fn baked(builder: SceneBuilder) -> Baked {
    let scene = builder.build().expect("a sound hall");
    bake(&scene, &settings(), &()).expect("it bakes")
}

/// The area of the ground at a point, and whether the human may stand there.
fn ground(grid: &NavGrid, point: [f32; 3]) -> (u8, Verdict) {
    let span = grid.span_at(point, 0.1).expect("a floor");
    let human = grid.agent_id("human").expect("a human");
    (grid.spans()[span.index()].area().0, grid.verdict(human, span).expect("a verdict"))
}

#[test]
fn the_spans_inside_are_touched_and_no_others() {
    let turn = UnitQuaternion::from_euler_angles(0.3, 0.7, -0.2);
    let tilted = Isometry3::from_parts(Translation3::new(2.0, 0.3, -2.0), turn);
    let star = vec![[-2.0, 1.0], [0.0, 0.0], [2.0, 1.0], [0.5, 3.0], [0.0, 1.5], [-1.0, 4.0]];
    let shapes = [
        VolumeShape::Box { pose: tilted, half_extents: Vector3::new(1.5, 0.5, 0.8) },
        VolumeShape::Sphere { center: [1.0, 0.5, 1.0].into(), radius: 1.7 },
        VolumeShape::Prism { corners: star, bottom: -1.0, top: 1.0 },
        // Through both floors.
        boxed([-3.0, 1.5, 0.0], [2.0, 6.0, 3.0]),
    ];
    for shape in shapes {
        let mut builder = hall();
        builder.volume(volume("mud", shape.clone(), MUD));
        let Baked { grid, volumes, .. } = baked(builder);
        let frame = grid.frame();
        let mut inside = 0;
        for index in 0..frame.cells() {
            let [x, z] = frame.center(frame.cell(index));
            for span in grid.column(frame.cell(index)) {
                let is_inside = shape.contains(Point3::new(x, span.floor, z));
                assert_eq!(span.area().0 == 1, is_inside, "{shape:?} at {x} {} {z}", span.floor);
                inside += usize::from(is_inside);
            }
        }
        assert!(inside > 50, "{shape:?} holds {inside} spans");
        assert_eq!(volumes, [VolumeSpans { volume: "mud".to_owned(), spans: inside }]);
    }
}

#[test]
fn the_stronger_volume_counts_in_any_order() {
    // Along x: mud; mud and ice; all but clear; all.
    let place = |from: f32| boxed([(from + 6.0) / 2.0, 0.5, 0.0], [6.0 - from, 2.0, 4.0]);
    let volumes = [
        volume("a", place(0.0), ICE),
        volume("b", place(1.5), MUD),
        volume("c", place(3.0), LAVA),
        volume("d", place(4.5), VolumeEffect::Clear),
    ];
    let build = |order: [usize; 4]| {
        let mut builder = hall();
        order.iter().for_each(|&at| _ = builder.volume(volumes[at].clone()));
        builder.build().expect("a sound hall")
    };
    let bytes = |scene: &Scene| {
        let grid = bake(scene, &settings(), &()).expect("it bakes").grid;
        grid.to_bytes().expect("it can be written")
    };
    let scene = build([0, 1, 2, 3]);
    let grid = bake(&scene, &settings(), &()).expect("it bakes").grid;
    let found = [-1.0, 1.0, 2.0, 4.0, 5.0].map(|x| ground(&grid, [x, 0.0, 0.1]));
    let walkable = |area| (area, Verdict::Walkable);
    let expected = [walkable(0), walkable(2), walkable(1), (3, Verdict::Forbidden), walkable(0)];
    assert_eq!(found, expected);
    for order in [[3, 2, 1, 0], [1, 3, 0, 2]] {
        let other = build(order);
        assert_eq!(other.report.hash, scene.report.hash);
        assert!(bytes(&other) == bytes(&scene), "{order:?}");
    }
}

#[test]
fn volumes_are_stronger_than_areas_of_surfaces_but_not_than_obstacles() {
    let mut builder = hall();
    let slab = |x: f32| Placement::at([x, -0.1, 8.0]);
    builder.cuboid("lava", [1.0, 0.1, 1.0], slab(-4.0).area(AreaId(3)));
    builder.cuboid("mud", [1.0, 0.1, 1.0], slab(0.0).area(AreaId(1)));
    builder.cuboid("fence", [1.0, 0.1, 1.0], slab(4.0).obstacle());
    let plain = baked(builder.clone()).grid;
    let at = |grid: &NavGrid| [-4.0, 0.0, 4.0].map(|x| ground(grid, [x, 0.0, 8.1]));
    assert_eq!(at(&plain)[0], (3, Verdict::Forbidden));
    assert_eq!(at(&plain)[1], (1, Verdict::Walkable));
    assert_eq!(at(&plain)[2], (0, Verdict::Forbidden));
    builder.volume(volume("clear", boxed([0.0, 0.5, 8.0], [12.0, 1.0, 2.0]), VolumeEffect::Clear));
    let cleared = baked(builder.clone()).grid;
    assert_eq!(at(&cleared)[..2], [(0, Verdict::Walkable); 2]);
    assert_eq!(at(&cleared)[2], (0, Verdict::Forbidden), "an obstacle stays one");
    builder.volume(volume("ban", boxed([0.0, 0.5, 0.0], [12.0, 1.0, 12.0]), LAVA));
    let banned = baked(builder).grid;
    assert_eq!(ground(&banned, [5.0, 0.0, -5.0]), (3, Verdict::Forbidden));
    assert_eq!(ground(&banned, [-5.0, 3.0, -5.0]), (0, Verdict::Walkable), "the gallery is above");
}

#[test]
fn the_same_bytes_for_any_threads_and_tiles() {
    let mut builder = hall();
    builder.volume(volume("a", boxed([1.0, 0.0, 1.0], [3.3, 1.0, 4.7]), MUD));
    let sphere = VolumeShape::Sphere { center: [-1.0, 2.0, 0.0].into(), radius: 2.5 };
    builder.volume(volume("b", sphere, LAVA));
    let scene = builder.build().expect("a sound hall");
    let run = |threads: usize, tile_size: u32| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let settings = BakeSettings { tile_size, ..settings() };
        let baked = pool.install(|| bake(&scene, &settings, &())).expect("it bakes");
        (baked.grid.to_bytes().expect("it can be written"), baked.volumes)
    };
    let expected = run(1, 1024);
    for (threads, tile_size) in [(1, 8), (3, 8), (2, 61)] {
        assert!(run(threads, tile_size) == expected, "{threads} threads, tiles of {tile_size}");
    }
}

#[test]
fn a_part_of_a_level_has_the_same_ground() {
    let mut builder = hall();
    builder.volume(volume("a", boxed([0.0, 0.0, 0.0], [6.0, 1.0, 6.0]), LAVA));
    builder.volume(volume("b", boxed([-5.0, 0.0, 0.0], [1.0, 1.0, 1.0]), MUD));
    let scene = builder.build().expect("a sound hall");
    let settings = BakeSettings { bounds: Some([0.0, -6.0, 6.0, 6.0]), ..settings() };
    let part = bake(&scene, &settings, &()).expect("it bakes");
    assert_eq!(ground(&part.grid, [2.0, 0.0, 0.1]), (3, Verdict::Forbidden));
    let counts: Vec<usize> = part.volumes.iter().map(|volume| volume.spans).collect();
    // 3 m by 6 m in cells of 0.25 m: centers lie inside up to the border.
    assert_eq!(counts, [12 * 24, 0]);
}

#[test]
fn links_start_on_ground_that_a_volume_cleared() {
    let mut builder = hall();
    builder.cuboid("isle", [1.0, 0.1, 1.0], Placement::at([9.0, -0.1, 0.0]).area(AreaId(3)));
    builder.link(surefoot_bake::scene::LinkMarker {
        name: "jump".to_owned(),
        from: [5.0, 0.0, 0.0].into(),
        to: [9.0, 0.0, 0.0].into(),
        two_way: true,
        cost: None,
        kind: surefoot::grid::LinkKind::Jump,
        ..surefoot_bake::scene::LinkMarker::default()
    });
    assert_eq!(baked(builder.clone()).link_problems.len(), 1);
    builder.volume(volume("clear", boxed([9.0, 0.5, 0.0], [2.0, 1.0, 2.0]), VolumeEffect::Clear));
    let Baked { grid, link_problems, .. } = baked(builder);
    assert_eq!(link_problems, []);
    assert_eq!(grid.links()[0].lanes_of(0).len(), 1);
}

#[test]
fn scenes_put_together_by_hand_are_checked() {
    let check = |spoil: &dyn Fn(&mut Scene), expected: &str| {
        let mut builder = hall();
        builder.volume(volume("a", boxed([0.0; 3], [1.0; 3]), MUD));
        let mut scene = builder.build().expect("a sound hall");
        spoil(&mut scene);
        let error = bake(&scene, &settings(), &()).expect_err(expected);
        assert!(matches!(error, BakeError::Volume { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    };
    check(&|scene| scene.volumes[0].effect = VolumeEffect::Area(AreaId(9)), "no area 9");
    check(&|scene| scene.volumes[0].shape = boxed([0.0; 3], [f32::NAN; 3]), "must be more than 0");
    let mut builder = hall();
    builder.volume(volume("a", boxed([0.0; 3], [1.0; 3]), VolumeEffect::Area(AreaId(4))));
    let error = builder.build().expect_err("no such area").to_string();
    assert!(error.contains("\"a\": there is no area 4; add it first"), "{error}");
    let mut builder = hall();
    builder.volume(volume("a", boxed([0.0; 3], [-1.0; 3]), MUD));
    assert!(builder.build().expect_err("no shape").to_string().contains("must be more than 0"));
}
