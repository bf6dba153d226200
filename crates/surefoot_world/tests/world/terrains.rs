//! The ground of height files: where its triangles are, and what its records say.

use std::sync::Mutex;

use proptest::prelude::*;
use surefoot::grid::ColliderRecord;
use surefoot::{Agent, Observer};
use surefoot_bake::scene::{SceneMarks, Shape};
use surefoot_bake::{BakeSettings, SceneSource, WorldSource, WorldTiling, bake};
use surefoot_rapier::distance::GroundRect;
use surefoot_testing::data_folder;
use surefoot_world::{HeightFileOptions, WorldFile};

use crate::files::{Heights, write, write_npy};
use crate::formats::{EVERYWHERE, open, plain, vertices};
use crate::tiles::{assert_same, merged};

/// A rough slope.
fn slope(columns: usize, rows: usize) -> Heights {
    Heights::of(columns, rows, |column, row| {
        0.1 * column as f64 + 0.2 * ((column * 5 + row * 3) % 7) as f64
    })
}

#[test]
fn the_upper_side_is_the_floor() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = open(&write_npy(folder.path(), "a.npy", &slope(70, 5)), plain());
    let scene = world.scene_over(&EVERYWHERE).expect("all of it");
    let mut area = 0.0;
    for solid in &scene.solids {
        let Shape::Mesh(mesh) = solid.shape else { panic!("{solid:?}") };
        assert_eq!((solid.name.as_str(), solid.pose), ("a", nalgebra::Isometry3::identity()));
        let mesh = &scene.meshes[mesh];
        for corners in &mesh.triangles {
            let [a, b, c] = corners.map(|corner| mesh.vertices[corner as usize]);
            let up = (b - a).cross(&(c - a)).y / 2.0;
            assert!(up > 0.0);
            area += up;
        }
    }
    assert_eq!(area, 69.0 * 4.0);
    assert_eq!(scene.solids.len(), 2);
}

#[test]
fn places_are_computed_in_64_bits() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write_npy(folder.path(), "a.npy", &Heights::of(140, 3, |_, _| 7.0));
    let options = HeightFileOptions {
        spacing: Some([0.3, 0.7]),
        origin: Some([500_000.1, 20.0, -3.3]),
        height_scale: Some(0.1),
        height_offset: 0.05,
        ..HeightFileOptions::default()
    };
    let scene = open(&file, options).scene_over(&EVERYWHERE).expect("all of it");
    let found = vertices(&scene);
    assert_eq!(found.len(), 140 * 3);
    for column in 0..140 {
        for row in 0..3 {
            let x = (500_000.1 + f64::from(column) * 0.3) as f32;
            let z = (-3.3 + f64::from(row) * 0.7) as f32;
            assert_eq!(found[&[x.to_bits(), z.to_bits()]], (7.0 * 0.1 + 20.05) as f32);
        }
    }
}

#[test]
fn holes_have_no_ground() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut heights = slope(130, 70);
    // A hole across the border of two chunks, a corner, and a strip along one side.
    for (column, row) in [(63, 20), (64, 20), (65, 21), (129, 69)] {
        heights.samples[row * 130 + column] = f64::NAN;
    }
    (0..70).for_each(|row| heights.samples[row * 130] = -5000.0);
    let file = write_npy(folder.path(), "a.npy", &heights);
    let world = open(&file, HeightFileOptions { no_data: Some(-5000.0), ..plain() });
    let scene = world.scene_over(&EVERYWHERE).expect("all of it");
    let found = vertices(&scene);
    assert!(!found.contains_key(&[63f32.to_bits(), 20f32.to_bits()]));
    assert!(!found.contains_key(&[0f32.to_bits(), 5f32.to_bits()]));
    assert_eq!(found.len(), 129 * 70 - 4);
    assert_eq!(world.bounds(), scene.bounds());
    assert_eq!(world.bounds().expect("ground").0.x, 1.0);
    // Each lone sample takes six triangles along, at a corner one or two.
    assert_eq!(scene.triangle_count(), world.outline().report.triangles);

    let nothing = write_npy(folder.path(), "b.npy", &Heights::of(80, 80, |_, _| f64::NAN));
    let world = open(&nothing, plain());
    assert_eq!(world.bounds(), None);
    assert!(world.records_over(&EVERYWHERE).expect("records").is_empty());
    assert!(WorldTiling::new(&world, &BakeSettings::default(), 64).is_err());
}

/// The records of a world over a rectangle, sorted.
fn sorted(mut records: Vec<ColliderRecord>) -> Vec<ColliderRecord> {
    records.sort_unstable_by_key(|record| record.hash);
    records
}

#[test]
fn a_record_changes_with_all_that_counts_of_its_chunk() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = |heights: &Heights, options: HeightFileOptions| {
        let world = open(&write_npy(folder.path(), "a.npy", heights), options);
        world.records_over(&EVERYWHERE).expect("records")
    };
    let heights = slope(130, 130);
    let before = records(&heights, plain());
    assert_eq!(before.len(), 9);
    assert_eq!(records(&heights, plain()), before);
    let mut changed = heights.clone();
    changed.samples[100 * 130 + 10] += 1.0;
    let after = records(&changed, plain());
    let differing = before.iter().zip(&after).filter(|(a, b)| a != b).count();
    assert_eq!(differing, 1);
    for options in [
        HeightFileOptions { name: Some("b".to_owned()), ..plain() },
        HeightFileOptions { spacing: Some([1.0, 2.0]), ..plain() },
        HeightFileOptions { origin: Some([0.0, 0.5, 0.0]), ..plain() },
        HeightFileOptions { height_scale: Some(2.0), ..plain() },
        HeightFileOptions { height_offset: 1.0, ..plain() },
        HeightFileOptions { area: Some("grass".to_owned()), ..plain() },
    ] {
        let after = records(&heights, options.clone());
        let all_differ = before.iter().zip(&after).all(|(a, b)| a.hash != b.hash);
        assert!(all_differ, "{options:?}");
    }
}

#[test]
fn a_file_that_changes_while_it_is_open_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut heights = slope(130, 130);
    let world = open(&write_npy(folder.path(), "a.npy", &heights), plain());
    heights.samples[5] += 1.0;
    write_npy(folder.path(), "a.npy", &heights);
    let error = world.scene_over(&EVERYWHERE).expect_err("it changed").to_string();
    assert!(error.ends_with("it has changed since it was opened; start again"), "{error}");
}

#[test]
fn progress_goes_over_all_files() {
    #[derive(Default)]
    struct Seen(Mutex<Vec<[usize; 2]>>);
    impl Observer for Seen {
        fn parts_done(&self, done: usize, of: usize) {
            self.0.lock().expect("no panic").push([done, of]);
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    write_npy(folder.path(), "a.npy", &slope(70, 300));
    let text = "[[terrain]]\nfile = 'a.npy'\nspacing = 1\n".repeat(2);
    let path = write(folder.path(), "world.toml", text.as_bytes());
    let seen = Seen::default();
    let world = WorldFile::read(&path).expect("a world");
    world.open(&SceneMarks::default(), 1 << 30, &seen).expect("it opens");
    let seen = seen.0.into_inner().expect("no panic");
    assert!(seen.is_sorted() && seen.iter().all(|[_, of]| *of == 2000), "{seen:?}");
    assert_eq!((seen.len(), seen[3], seen[11]), (12, [600, 2000], [2000, 2000]));
}

#[test]
fn records_have_the_rectangles_of_the_solids() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut heights = slope(150, 100);
    (0..3000).for_each(|at| heights.samples[at * 5] = f64::NAN);
    let options = HeightFileOptions { origin: Some([-30.3, 1.0, 1000.7]), ..plain() };
    let world = open(&write_npy(folder.path(), "a.npy", &heights), options);
    for rect in [EVERYWHERE, GroundRect { min: [20.0, 1010.0], max: [40.0, 1020.0] }] {
        let scene = world.scene_over(&rect).expect("a part");
        let of_scene = SceneSource::new(scene).expect("a source");
        let rects = |records: &[ColliderRecord]| {
            let mut rects: Vec<_> = records
                .iter()
                .map(|record| [record.min, record.max].map(|corner| corner.map(f32::to_bits)))
                .collect();
            rects.sort_unstable();
            rects
        };
        let records = world.records_over(&rect).expect("records");
        assert!(!records.is_empty());
        assert_eq!(rects(&records), rects(of_scene.records()));
        let all = sorted(world.records_over(&EVERYWHERE).expect("records"));
        assert!(sorted(records).iter().all(|record| all.contains(record)));
    }
}

#[test]
fn tiles_of_a_mountain_merge_to_one_bake() {
    let Some(folder) = data_folder() else { return };
    let file = folder.join("terrain/fuji.npy");
    if !file.exists() {
        println!("skipped: no {}", file.display());
        return;
    }
    let spacing = Some([30.0; 2]);
    let world = open(&file, HeightFileOptions { spacing, ..HeightFileOptions::default() });
    let settings = BakeSettings {
        cell_size: Some(25.0),
        agents: vec![Agent { radius: 10.0, height: 20.0, max_climb: 5.0, ..Agent::new("giant") }],
        ..BakeSettings::default()
    };
    let whole = bake(&world.scene_over(&EVERYWHERE).expect("all of it"), &settings, &());
    assert_same(&merged(&world, &settings, 256), &whole.expect("it can be baked"));
}

/// A small terrain with holes.
fn small_terrain() -> impl Strategy<Value = Heights> {
    (2usize..90, 2usize..90).prop_flat_map(|(columns, rows)| {
        let sample = prop_oneof![9 => -20i32..60, 1 => Just(i32::MIN)];
        proptest::collection::vec(sample, columns * rows).prop_map(move |samples| {
            let height =
                |step: i32| if step == i32::MIN { f64::NAN } else { f64::from(step) / 40.0 };
            Heights { columns, rows, samples: samples.into_iter().map(height).collect() }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn tiles_of_any_terrain_merge_to_one_bake(
        heights in small_terrain(),
        spacing in [0.2f64..1.5, 0.2f64..1.5],
        origin in [-100.0f64..100.0, -3.0f64..3.0, -100.0f64..100.0],
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let options = HeightFileOptions {
            spacing: Some(spacing),
            origin: Some(origin),
            ..HeightFileOptions::default()
        };
        let world = open(&write_npy(folder.path(), "a.npy", &heights), options);
        let jumper = Agent { drop: 1.0, ..Agent::new("human") };
        let settings =
            BakeSettings { cell_size: Some(0.4), agents: vec![jumper], ..BakeSettings::default() };
        let scene = world.scene_over(&EVERYWHERE).expect("all of it");
        prop_assert_eq!(world.bounds(), scene.bounds());
        match bake(&scene, &settings, &()) {
            Ok(whole) => assert_same(&merged(&world, &settings, 64), &whole),
            // Nothing, or less than a cell.
            Err(_) => prop_assert!(WorldTiling::new(&world, &settings, 64).is_err()),
        }
    }
}
