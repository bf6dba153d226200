//! Nodes without a name get names of their own, the same in every order of the file.

use serde_json::json;
use surefoot::Agent;
use surefoot_bake::scene::SceneMarks;
use surefoot_bake::{BakeSettings, Scene, bake};

use surefoot_testing::{CUBE, CUBE_FACES, Doc, Random, SQUARE, SQUARE_FACES};

/// Crates in a row, of which one has a name, and ground of two nodes whose mesh has no name either.
fn nameless() -> Doc {
    let mut doc = Doc::new();
    let cube = doc.mesh_of(&CUBE, &CUBE_FACES);
    doc.json["meshes"][cube]["name"] = "Crate".into();
    let tall = doc.mesh_of(&CUBE, &CUBE_FACES);
    doc.json["meshes"][tall]["name"] = "Pole".into();
    let square = doc.mesh_of(&SQUARE, &SQUARE_FACES);
    for x in [9, 3, -3] {
        doc.node(json!({"mesh": cube, "translation": [x, 1, 0]}));
    }
    doc.node(json!({"name": "Crate", "mesh": cube, "translation": [0, 1, 0]}));
    doc.node(json!({"mesh": tall, "translation": [6, 1, 4], "scale": [1, 3, 1]}));
    doc.node(json!({"mesh": square, "scale": [20, 1, 20], "name": ""}));
    doc.node(json!({"mesh": square, "translation": [0, 0, -9], "scale": [20, 1, 1]}));
    doc
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.solids.iter().map(|solid| solid.name.as_str()).collect()
}

const ALL: [&str; 7] =
    ["Crate", "Crate #1", "Crate #2", "Crate #3", "Pole", "unnamed #1", "unnamed #2"];

fn ignoring(glob: &str) -> SceneMarks {
    SceneMarks { ignore: vec![glob.to_owned()], ..SceneMarks::default() }
}

#[test]
fn nodes_without_a_name_have_numbers_by_where_they_are() {
    let scene = nameless().load_with(&SceneMarks::default());
    assert_eq!(names(&scene), ALL);
    let places = scene.solids[1..4].iter().map(|solid| solid.pose.translation.x);
    assert_eq!(places.collect::<Vec<_>>(), [-3.0, 3.0, 9.0]);
}

#[test]
fn numbers_do_not_depend_on_the_order_in_the_file() {
    let expected = nameless().load_with(&SceneMarks::default());
    for seed in 0..20 {
        let scene = nameless().shuffled(&mut Random(seed)).load_with(&SceneMarks::default());
        assert_eq!(scene, expected, "seed {seed}");
    }
}

#[test]
fn globs_match_names_with_and_without_their_number() {
    let check = |glob: &str, left: &[&str]| {
        let scene = nameless().load_with(&ignoring(glob));
        let gone: Vec<&str> =
            ALL.into_iter().filter(|name| !names(&scene).contains(name)).collect();
        assert_eq!(gone, left, "{glob}");
        let skipped: Vec<&str> =
            scene.report.skipped.iter().map(|skipped| skipped.node.as_str()).collect();
        assert_eq!(skipped, left, "{glob}");
    };
    check("Crate #2", &["Crate #2"]);
    check("Crate", &["Crate", "Crate #1", "Crate #2", "Crate #3"]);
    check("Crate*", &["Crate", "Crate #1", "Crate #2", "Crate #3"]);
    check("unnamed #[12]", &["unnamed #1", "unnamed #2"]);
}

#[test]
fn roles_are_those_of_names_without_numbers() {
    let mut doc = nameless();
    doc.json["meshes"][0]["name"] = "Crate-noimp".into();
    let scene = doc.load_with(&SceneMarks::default());
    assert_eq!(names(&scene), ["Crate", "Pole", "unnamed #1", "unnamed #2"]);
    let skipped: Vec<&str> =
        scene.report.skipped.iter().map(|skipped| skipped.node.as_str()).collect();
    assert_eq!(skipped, ["Crate-noimp #1", "Crate-noimp #2", "Crate-noimp #3"]);
}

#[test]
fn the_grid_has_the_numbers_whatever_the_threads() {
    let scene = nameless().load_with(&SceneMarks::default());
    let settings = BakeSettings {
        agents: vec![Agent::new("human")],
        cell_size: Some(0.25),
        ..BakeSettings::default()
    };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let scene = nameless().load_with(&SceneMarks::default());
            bake(&scene, &settings, &()).expect("it bakes").grid
        })
    };
    let grid = on(1);
    assert_eq!(grid.nodes(), names(&scene));
    assert_eq!(on(3).to_bytes().unwrap(), grid.to_bytes().unwrap());
}

#[test]
fn copies_at_one_place_share_a_number() {
    let mut doc = Doc::new();
    let square = doc.mesh_of(&SQUARE, &SQUARE_FACES);
    doc.node(json!({"mesh": square}));
    doc.node(json!({"mesh": square}));
    assert_eq!(names(&doc.load_with(&SceneMarks::default())), ["unnamed", "unnamed"]);
    doc.node(json!({"mesh": square, "translation": [1, 0, 0]}));
    let scene = doc.load_with(&SceneMarks::default());
    assert_eq!(names(&scene), ["unnamed #1", "unnamed #1", "unnamed #2"]);
}
