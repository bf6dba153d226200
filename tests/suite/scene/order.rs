//! The order of nodes, meshes and triangles in a file never matters.

use serde_json::json;
use surefoot_bake::scene::SceneMarks;

use surefoot_testing::{CUBE, CUBE_FACES, Doc, QUARTER, Random, SQUARE, SQUARE_FACES};

/// A file with a bit of everything whose order could matter.
fn varied() -> Doc {
    let mut doc = Doc::new();
    let materials = [
        json!({}),
        json!({"extras": {"nav": {"area": "mud", "cost": 3}}}),
        json!({"extras": {"nav": "obstacle"}}),
    ]
    .map(|material| doc.push("materials", material));
    let positions = doc.positions(&CUBE);
    let parts = [
        doc.indices(&CUBE_FACES[..12]),
        doc.indices(&CUBE_FACES[12..24]),
        doc.indices(&CUBE_FACES[24..]),
    ];
    let part = |i: usize| json!({"attributes": {"POSITION": positions}, "indices": parts[i], "material": materials[i]});
    let mixed = doc.mesh(json!([part(0), part(1), part(2)]));
    let square = doc.mesh_of(&SQUARE, &SQUARE_FACES);
    let twin = doc.mesh_of(&SQUARE, &SQUARE_FACES);
    for i in 0..4 {
        doc.node(json!({"name": "crate", "mesh": mixed, "translation": [4 * i, 1, 0]}));
        doc.node(json!({"mesh": square, "translation": [0, 0, 4 * i], "rotation": QUARTER}));
        doc.node(json!({"mesh": twin, "scale": [1, 1, 1 + i]}));
        let leaf =
            doc.child(json!({"name": format!("leaf{i}"), "mesh": square, "scale": [-1, 1, 1]}));
        doc.node(json!({"name": "branch", "children": [leaf], "translation": [0, i, 0], "extras": {"nav": "grass"}}));
    }
    doc.node(json!({"name": "UCX_tower_00", "mesh": mixed}));
    doc.node(json!({"name": "tower", "mesh": mixed}));
    for name in ["hut", "hut.001", "hut-colonly.001", "hut-colonly.002", "cart-rigid", "UCX_hut_1"]
    {
        doc.node(
            json!({"name": name, "mesh": square, "extras": {"nav": {"area": "mud", "cost": 4}}}),
        );
    }
    doc.child(json!({"name": "elsewhere", "mesh": square}));
    doc.json["extensions"] = json!({"OMI_physics_shape": {"shapes": [
        {"type": "capsule", "capsule": {"radius": 0.5, "height": 2.0}}, {"type": "trimesh", "trimesh": {"mesh": square}},
    ]}});
    for shape in 0..2 {
        doc.node(json!({"name": "body", "scale": [1, 2, 1], "extensions": {"OMI_physics_body": {"collider": {"shape": shape}}}}));
    }
    for (i, name) in ["b", "a"].into_iter().enumerate() {
        doc.node(json!({"name": name, "translation": [i, 0, 0], "extras": {"nav": {"link": {"pair": "p", "kind": "jump"}}}}));
    }
    doc.node(json!({"name": "c", "extras": {"nav": {"link": [{"to": "b", "kind": "drop"}, {"to": "a", "cost": 2}]}}}));
    doc
}

#[test]
fn the_order_in_the_file_does_not_matter() {
    let doc = varied();
    for marks in
        [SceneMarks::default(), SceneMarks { visual_meshes: true, ..SceneMarks::default() }]
    {
        let expected = doc.load_with(&marks);
        assert!(expected.solids.len() >= 2 && expected.links.len() == 3, "{:?}", expected.report);
        for seed in 0..40 {
            let scene = doc.shuffled(&mut Random(seed)).load_with(&marks);
            assert_eq!(scene, expected, "seed {seed}");
        }
    }
}

#[test]
fn canonical_meshes_start_each_triangle_at_its_least_corner() {
    let scene = varied().load_with(&SceneMarks { visual_meshes: true, ..SceneMarks::default() });
    for mesh in &scene.meshes {
        assert!(mesh.triangles.iter().all(|t| t[0] < t[1] && t[0] < t[2]));
        assert!(mesh.triangles.windows(2).all(|pair| pair[0] <= pair[1]));
        let bits = |p: &nalgebra::Point3<f32>| [p.x, p.y, p.z].map(f32::to_bits);
        assert!(mesh.vertices.windows(2).all(|pair| bits(&pair[0]) < bits(&pair[1])));
        assert!(
            mesh.vertices
                .iter()
                .flat_map(|v| &v.coords)
                .all(|v| v.to_bits() != (-0.0f32).to_bits())
        );
    }
}

#[test]
fn a_change_of_content_changes_the_hash() {
    let base = Doc::square();
    let mut hashes = vec![base.load().report.hash];
    for (key, value) in [
        ("name", json!("ground")),
        ("translation", json!([0, 1e-3, 0])),
        ("extras", json!({"nav": "obstacle"})),
    ] {
        let mut doc = base.clone();
        doc.json["nodes"][0][key] = value;
        hashes.push(doc.load().report.hash);
    }
    assert!(hashes.iter().all(|hash| hash.len() == 32));
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), 4);
}
