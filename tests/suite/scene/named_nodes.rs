//! Where the nodes of a file are, by name, without its geometry.

use std::f32::consts::FRAC_1_SQRT_2;

use serde_json::json;
use surefoot_bake::Scene;
use surefoot_bake::scene::{NamedNode, SceneError};

use surefoot_testing::{CUBE, CUBE_FACES, Doc, repository};

/// Writes a file, and reads where its nodes are.
fn named_nodes(doc: &Doc) -> Result<Vec<NamedNode>, SceneError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.glb");
    std::fs::write(&path, doc.glb()).unwrap();
    Scene::named_nodes(&path)
}

fn place(nodes: &[NamedNode], name: &str) -> [f32; 3] {
    let mut found = nodes.iter().filter(|node| node.name == name);
    let place = found.next().unwrap_or_else(|| panic!("no {name}")).point;
    assert!(found.next().is_none(), "several {name}");
    place.into()
}

#[test]
fn transforms_of_all_nodes_above_apply() {
    let mut doc = Doc::new();
    let spawn = doc.child(json!({"name": "spawn", "translation": [1, 2, 0]}));
    let turned = doc.child(json!({
        "name": "turned", "children": [spawn],
        "rotation": [0, FRAC_1_SQRT_2, 0, FRAC_1_SQRT_2], "scale": [2, 3, 2],
    }));
    doc.node(json!({"name": "level", "children": [turned], "translation": [10, 0, 0]}));
    let nodes = named_nodes(&doc).unwrap();
    let [x, y, z] = place(&nodes, "spawn");
    assert!((x - 10.0).abs() < 1e-5 && y == 6.0 && (z + 2.0).abs() < 1e-5, "{x} {y} {z}");
    assert_eq!(place(&nodes, "turned"), [10.0, 0.0, 0.0]);
}

#[test]
fn only_the_default_scene_counts() {
    let mut doc = Doc::new();
    doc.node(json!({"name": "here"}));
    let elsewhere = doc.child(json!({"name": "elsewhere"}));
    doc.push("scenes", json!({"nodes": [elsewhere]}));
    let nodes = named_nodes(&doc).unwrap();
    assert_eq!(nodes.iter().map(|node| node.name.as_str()).collect::<Vec<_>>(), ["here"]);
    doc.json.as_object_mut().unwrap().remove("scene");
    assert_eq!(named_nodes(&doc).unwrap().len(), 2);
}

#[test]
fn what_marks_a_place_and_nothing_else_is_empty() {
    let mut doc = Doc::new();
    let mesh = doc.mesh_of(&CUBE, &CUBE_FACES);
    let child = doc.child(json!({"name": "below"}));
    doc.node(json!({"name": "above", "children": [child]}));
    doc.node(json!({"name": "crate", "mesh": mesh}));
    doc.node(json!({"name": "eye", "camera": 0}));
    doc.node(json!({"name": "lamp", "extensions": {"KHR_lights_punctual": {"light": 0}}}));
    let empty: Vec<(String, bool)> =
        named_nodes(&doc).unwrap().into_iter().map(|node| (node.name, node.is_empty)).collect();
    let expected = ["above", "below", "crate", "eye", "lamp"].map(|name| (name, name == "below"));
    assert_eq!(empty, expected.map(|(name, is_empty)| (name.to_owned(), is_empty)));
}

#[test]
fn names_are_those_of_grids_in_any_order_of_the_file() {
    let mut doc = Doc::new();
    let mesh = doc.mesh_of(&CUBE, &CUBE_FACES);
    doc.json["meshes"][mesh]["name"] = "Crate".into();
    doc.node(json!({"mesh": mesh, "translation": [5, 0, 0]}));
    doc.node(json!({"mesh": mesh, "translation": [2, 0, 0]}));
    doc.node(json!({}));
    for twin in [3, 1] {
        doc.node(json!({"name": "spawn", "translation": [twin, 0, 0]}));
    }
    let nodes = named_nodes(&doc).unwrap();
    let found: Vec<_> = nodes.iter().map(|node| (node.name.as_str(), node.point.x)).collect();
    assert_eq!(found, [("Crate #1", 2.0), ("Crate #2", 5.0), ("spawn", 1.0), ("spawn", 3.0)]);
}

#[test]
fn files_that_cannot_be_used_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refuse = |name: &str, bytes: &[u8], words: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let error = Scene::named_nodes(&path).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains(words), "{error}");
    };
    refuse("empty.glb", b"", "it is empty");
    refuse("broken.gltf", b"{", "its JSON is broken");
    refuse("old.gltf", br#"{"asset": {"version": "1.0"}}"#, "glTF 2.0");
    let circle = br#"{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "a", "children": [0]}]}"#;
    refuse("circle.gltf", circle, "it is below itself");
    let far = br#"{"asset": {"version": "2.0"}, "nodes": [{"name": "a", "scale": [1e38, 1, 1],
        "children": [1]}, {"name": "b", "translation": [1e38, 0, 0]}]}"#;
    refuse("far.gltf", far, "its transform is not finite");
    let gone = Scene::named_nodes(&folder.path().join("gone.glb")).unwrap_err();
    assert!(matches!(gone, SceneError::Read { .. }), "{gone}");
    assert!(Scene::named_nodes(folder.path()).is_err());
}

#[test]
fn the_village_has_its_well() {
    let nodes = Scene::named_nodes(&repository().join("scenes/village.glb")).unwrap();
    assert_eq!(place(&nodes, "Well"), [-21.0, 1.8, 27.0]);
    assert!(nodes.len() > 600 && nodes.iter().all(|node| !node.is_empty));
}
