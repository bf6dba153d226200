//! Scenes at places over a terrain: tiles merge to one bake, and records are those of what tiles get.

use std::path::{Path, PathBuf};

use surefoot::grid::{ColliderRecord, LinkKind, NavGrid};
use surefoot::{Agent, BodyShape};
use surefoot_bake::scene::{AreaMark, LinkMarker, SceneMarks, VolumeMark, VolumeShape};
use surefoot_bake::{BakeSettings, Baked, Scene, SceneSource, WorldSource, WorldTiling, bake};
use surefoot_rapier::distance::GroundRect;
use surefoot_testing::repository;
use surefoot_world::{ComposedWorld, WorldFile};

use crate::files::{Heights, write, write_npy};
use crate::formats::EVERYWHERE;

/// Bakes all tiles of a world, and merges them.
pub fn merged(world: &ComposedWorld, settings: &BakeSettings, side: u32) -> Baked {
    let tiling = WorldTiling::new(world, settings, side).expect("a tiling");
    let tile = |index: usize| -> Option<NavGrid> {
        let input = tiling.input(world, index).expect("a tile");
        (input.colliders > 0).then(|| tiling.bake_tile(world, index, &()).expect("it can be baked"))
    };
    let tiles: Vec<_> = (0..tiling.tiles()).rev().map(tile).collect();
    let tiles: Vec<_> = tiles.into_iter().rev().collect();
    tiling.merge(world, &tiles, &()).unwrap_or_else(|error| panic!("{error}"))
}

/// Checks that two bakes differ in nothing but where they come from.
pub fn assert_same(a: &Baked, b: &Baked) {
    let (x, y) = (a.grid.parts(), b.grid.parts());
    assert_eq!(x.frame, y.frame);
    assert!(x.first == y.first && x.spans == y.spans, "spans");
    assert!(x.layers == y.layers, "layers");
    assert_eq!(x.links, y.links);
    assert_eq!((&x.nodes, &x.areas), (&y.nodes, &y.areas));
    assert_eq!(a.link_problems, b.link_problems);
    assert_eq!(a.volumes, b.volumes);
}

/// Three settlements over hills with a hole, in a folder of their own.
pub fn write_world(folder: &Path) -> PathBuf {
    let hills = Heights::of(75, 70, |column, row| {
        let [x, z] = [column, row].map(|at| at as f64 * 0.2);
        if (30..34).contains(&column) && row > 60 { f64::NAN } else { x.sin() * z.cos() - 0.4 }
    });
    write_npy(folder, "hills.npy", &hills);
    write(
        folder,
        "places.csv",
        b"x, y, z, turn, scale\n# by the river\n1040, 0, 520, 30, 0.8\n\n1062,0.1,560,90 # uphill\n",
    );
    let scene = |file: &str| repository().join("scenes").join(file).display().to_string();
    let text = format!(
        "name = 'valley'
        origin = [1000, 0, 500]
        [bake]
        cell_size = 0.25
        [[scenes]]
        file = '{}'
        name = 'town'
        places = [[1010, 0, 510], [1080, 0, 530, 180, 1.25]]
        [[scenes]]
        file = '{}'
        places = 'places.csv'
        [[terrain]]
        file = 'hills.npy'
        spacing = [1.5, 1]
        origin = [990, 0, 495]
        area = 'grass'
        cost = 1.5",
        scene("tagged.gltf"),
        scene("gaps.gltf"),
    );
    write(folder, "world.toml", text.as_bytes())
}

pub fn settings() -> BakeSettings {
    let goat = Agent { radius: 0.4, jump_across: 2.0, drop: 2.5, ..Agent::new("goat") };
    let cart = Agent { radius: 0.5, shape: BodyShape::Box, ..Agent::new("cart") };
    BakeSettings { cell_size: Some(0.25), agents: vec![goat, cart], ..BakeSettings::default() }
}

/// A mark of each kind.
pub fn marks() -> SceneMarks {
    let mark = |name: &str, nodes: &str, cost| AreaMark {
        name: name.to_owned(),
        nodes: nodes.to_owned(),
        cost,
        forbidden: false,
    };
    let ice = VolumeMark {
        name: "pond".to_owned(),
        shape: VolumeShape::Sphere { center: [50.0, 0.0, 40.0].into(), radius: 6.0 },
        area: Some("ice".to_owned()),
        cost: Some(7.0),
        forbidden: false,
        clear: false,
    };
    let ferry = LinkMarker {
        name: "ferry".to_owned(),
        from: [2.0, 0.0, 2.0].into(),
        to: [60.0, 0.0, 30.0].into(),
        kind: LinkKind::Authored,
        two_way: true,
        ..LinkMarker::default()
    };
    SceneMarks {
        ignore: vec!["Crate2".to_owned()],
        areas: vec![mark("wood", "Ramp", Some(2.0))],
        volumes: vec![ice],
        links: vec![ferry],
        ..SceneMarks::default()
    }
}

fn open(path: &Path, memory_limit: u64) -> ComposedWorld {
    let world = WorldFile::read(path).unwrap_or_else(|error| panic!("{error}"));
    world.open(&marks(), memory_limit, &()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn tiles_of_a_world_merge_to_one_bake() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write_world(folder.path());
    let world = open(&path, 1 << 30);
    let scene = world.scene_over(&EVERYWHERE).expect("all of it");
    assert_eq!(world.bounds(), scene.bounds());
    let whole = bake(&scene, &settings(), &()).expect("it can be baked");
    for side in [64, 128] {
        assert_same(&merged(&world, &settings(), side), &whole);
    }
    // With room for one scene at a time.
    let tight = open(&path, 1);
    assert_eq!(tight.outline(), world.outline());
    assert_same(&merged(&tight, &settings(), 128), &whole);
    let links = whole.grid.links().iter();
    let names: Vec<_> =
        links.filter(|link| !link.generated).map(|link| link.name.as_str()).collect();
    assert!(names.contains(&"ferry") && names.contains(&"town/TowerEdge"), "{names:?}");
}

#[test]
fn an_outline_says_what_there_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = open(&write_world(folder.path()), 1 << 30);
    let outline = world.outline();
    let names: Vec<_> = outline.areas.iter().map(|area| (area.name.as_str(), area.cost)).collect();
    assert_eq!(names[0], ("walkable", 1.0));
    assert!(names[1..].is_sorted());
    for area in [("grass", 1.5), ("ice", 7.0), ("marsh", 4.0), ("mud", 1.0), ("wood", 2.0)] {
        assert!(names.contains(&area), "{area:?} of {names:?}");
    }
    // Two of the town, and the ferry.
    let town = outline.links.iter().filter(|link| link.name.starts_with("town/")).count();
    let alone = Scene::load(&repository().join("scenes/tagged.gltf"), &SceneMarks::default());
    assert_eq!(town, 2 * alone.expect("a scene").links.len());
    assert_eq!(outline.volumes.len(), 1);
    assert!(outline.solids.is_empty() && outline.meshes.is_empty());
    let report = &outline.report;
    let scene = world.scene_over(&EVERYWHERE).expect("all of it");
    assert_eq!((report.file.as_str(), report.hash.len()), ("world.toml", 32));
    assert_eq!(report.colliders, scene.solids.len());
    assert_eq!(report.triangles, scene.triangle_count());
    assert_eq!(report.marks, marks());
    let skipped: Vec<_> = report.skipped.iter().map(|skipped| skipped.node.as_str()).collect();
    assert!(skipped.contains(&"town/Bush"), "{skipped:?}");
    // The globs of one scene need not match the other.
    assert!(report.warnings.iter().all(|warning| !warning.message.contains("matches no node")));
    // The same world has the same hash; another has another.
    let other = std::fs::read_to_string(folder.path().join("world.toml")).expect("text");
    let other =
        write(folder.path(), "other.toml", other.replace("180, 1.25", "180, 1.26").as_bytes());
    assert_eq!(open(&folder.path().join("world.toml"), 1).outline().report.hash, report.hash);
    assert_ne!(open(&other, 1 << 30).outline().report.hash, report.hash);
}

#[test]
fn marks_match_terrains_by_their_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write_world(folder.path());
    let opened = |marks: SceneMarks| {
        let world = WorldFile::read(&path).expect("a world").open(&marks, 1 << 30, &());
        world.unwrap_or_else(|error| panic!("{error}"))
    };
    let surface = |marks: SceneMarks| {
        let scene = opened(marks).scene_over(&EVERYWHERE).expect("all of it");
        let hills = scene.solids.iter().find(|solid| solid.name == "hills");
        let surface = hills.map(|solid| solid.surfaces[0]);
        surface.map(|surface| (surface, scene.areas[surface.area.index()].clone()))
    };
    let globs = |globs: &[&str]| globs.iter().map(|&glob| glob.to_owned()).collect::<Vec<_>>();
    let (plain, area) = surface(SceneMarks::default()).expect("hills");
    assert!(
        !plain.obstacle && !plain.two_sided && (area.name.as_str(), area.cost) == ("grass", 1.5)
    );
    let rock = AreaMark {
        name: "rock".to_owned(),
        nodes: "hi*".to_owned(),
        cost: Some(3.0),
        forbidden: false,
    };
    let marks =
        SceneMarks { areas: vec![rock], two_sided: globs(&["hills"]), ..Default::default() };
    let (marked, area) = surface(marks).expect("hills");
    assert!(marked.two_sided && (area.name.as_str(), area.cost) == ("rock", 3.0));
    let marks = SceneMarks { obstacle: globs(&["hills"]), ..Default::default() };
    assert!(surface(marks).expect("hills").0.obstacle);
    let marks = SceneMarks { ignore: globs(&["hills", "Crate1", "nothing"]), ..Default::default() };
    assert_eq!(surface(marks.clone()), None);
    let world = opened(marks);
    let report = &world.outline().report;
    assert!(report.skipped.iter().any(|skipped| skipped.node == "hills"));
    let warnings: Vec<_> = report.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(warnings, ["the glob \"nothing\" matches no node"]);
}

/// The records of what a world gives over a rectangle that are of scenes, by their hashes.
fn of_scenes(mut records: Vec<ColliderRecord>, hills: &[ColliderRecord]) -> Vec<ColliderRecord> {
    records.retain(|record| !hills.contains(record));
    records.sort_unstable_by_key(|record| record.hash);
    records
}

#[test]
fn records_are_those_of_what_tiles_get() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write_world(folder.path());
    let world = open(&path, 1 << 30);
    let all = world.records_over(&EVERYWHERE).expect("records");
    // Its hills are the ones that no scene of the whole gives the hash of.
    for rect in [
        EVERYWHERE,
        GroundRect { min: [8.0, 8.0], max: [20.0, 30.0] },
        GroundRect { min: [41.0, 20.0], max: [41.5, 20.5] },
        GroundRect { min: [70.0, 20.0], max: [76.0, 26.0] },
    ] {
        let records = world.records_over(&rect).expect("records");
        assert!(records.iter().all(|record| all.contains(record)), "a part of the whole");
        let scene = world.scene_over(&rect).expect("a part");
        let source = SceneSource::new(scene.clone()).expect("a source");
        assert_eq!(records.len(), source.records().len());
        let by_name = |is_hill: bool| -> Vec<ColliderRecord> {
            let named = scene.solids.iter().zip(source.records());
            named.filter(|(solid, _)| (solid.name == "hills") == is_hill).map(|(_, r)| *r).collect()
        };
        let of_part = of_scenes(by_name(false), &[]);
        let hills: Vec<ColliderRecord> =
            records.iter().filter(|record| !of_part.contains(record)).copied().collect();
        assert_eq!(of_scenes(records, &hills), of_part);
        assert_eq!(hills.len(), by_name(true).len());
    }
}

#[test]
fn a_scene_that_changes_while_it_is_open_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let scenes = repository().join("scenes");
    let copy = |from: &str| std::fs::copy(scenes.join(from), folder.path().join("a.gltf"));
    copy("gaps.gltf").expect("a copy");
    let scene = scenes.join("tagged.gltf");
    let text = format!("[[scenes]]\nfile = 'a.gltf'\n[[scenes]]\nfile = '{}'", scene.display());
    let path = write(folder.path(), "world.toml", text.as_bytes());
    let world = WorldFile::read(&path).expect("a world").open(&SceneMarks::default(), 1, &());
    let world = world.expect("it opens");
    copy("stairs.gltf").expect("a copy");
    let error = world.scene_over(&EVERYWHERE).expect_err("it changed").to_string();
    assert!(
        error.ends_with("a.gltf: it has changed since the world was opened; start again"),
        "{error}"
    );
}

#[test]
fn a_file_may_be_there_under_several_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = repository().join("scenes/tagged.gltf");
    let of = |name: &str, x: f32| {
        let places = format!("[[{x}, 0, 0, 0, 2]]");
        format!("[[scenes]]\nfile = '{}'\nname = '{name}'\nplaces = {places}\n", scene.display())
    };
    let text = of("left", -30.0) + &of("right", 30.0);
    let path = write(folder.path(), "world.toml", text.as_bytes());
    let world = open(&path, 1).scene_over(&EVERYWHERE).expect("all of it");
    let names = |prefix: &str| -> Vec<String> {
        let names = world.solids.iter().filter_map(|solid| solid.name.strip_prefix(prefix));
        names.map(str::to_owned).collect()
    };
    assert_eq!(names("left/"), names("right/"));
    assert_eq!(names("left/").len() * 2, world.solids.len());
    let alone = Scene::load(&scene, &marks()).expect("a scene");
    assert_eq!(world.meshes.len(), alone.meshes.len(), "they share their meshes");
}

#[test]
fn a_world_file_keeps_what_the_bake_reads() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write_world(folder.path());
    let world = WorldFile::read(&path).expect("a world");
    assert_eq!((world.name(), world.origin()), ("valley", [1000.0, 0.0, 500.0]));
    assert_eq!(world.bake_table()["cell_size"].as_float(), Some(0.25));
    let files: Vec<_> = world.files().filter_map(|file| file.file_name()).collect();
    assert_eq!(files, ["tagged.gltf", "gaps.gltf", "hills.npy"]);
    let shown = format!("{:?}", open(&path, 1));
    assert!(shown.starts_with("ComposedWorld { file: \"world.toml\", hash: "), "{shown}");
}

#[test]
fn two_threads_get_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = open(&write_world(folder.path()), 1);
    let expected = world.scene_over(&EVERYWHERE).expect("all of it");
    std::thread::scope(|scope| {
        let read = || scope.spawn(|| world.scene_over(&EVERYWHERE).expect("all of it"));
        for thread in [read(), read(), read()] {
            assert!(thread.join().expect("a thread") == expected);
        }
    });
}
