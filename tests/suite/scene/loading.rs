//! What a glTF scene becomes: forms, transforms, sharing, order. Marks are in `marks.rs`,
//! broken files in `tests/scene_faults.rs`.

use std::path::PathBuf;

use serde_json::json;
use surefoot_bake::Scene;
use surefoot_bake::scene::{SceneMarks, Shape};

use surefoot_testing::{
    AccessorLayout, CUBE, CUBE_FACES, Doc, QUARTER, SQUARE, SQUARE_FACES, close, level_area,
};

fn reasons(scene: &Scene) -> Vec<&str> {
    scene.report.skipped.iter().map(|skipped| skipped.reason.as_str()).collect()
}

#[test]
fn every_way_to_write_triangles_gives_the_square() {
    let [a, b, c, d] = SQUARE;
    let plain: [(u32, Vec<[f32; 3]>); 3] =
        [(4, vec![a, b, c, a, c, d]), (5, vec![a, b, d, c]), (6, vec![a, b, c, d])];
    for (mode, points) in plain {
        let order: Vec<u32> = (0..points.len() as u32).rev().collect();
        let mut backwards = points.clone();
        backwards.reverse();
        for indexed in [false, true] {
            let mut doc = Doc::new();
            let mut primitive = if indexed {
                let (positions, indices) = (doc.positions(&backwards), doc.indices(&order));
                json!({"attributes": {"POSITION": positions}, "indices": indices})
            } else {
                json!({"attributes": {"POSITION": doc.positions(&points)}})
            };
            primitive["mode"] = mode.into();
            let mesh = doc.mesh(json!([primitive]));
            doc.node(json!({"name": "floor", "mesh": mesh}));
            let scene = doc.load();
            assert_eq!(level_area(&scene), (4.0, 0.0), "mode {mode}, indexed {indexed}");
            assert_eq!(scene.report.triangles, 2);
            assert_eq!(scene.meshes[0].vertices.len(), 4);
        }
    }
}

#[test]
fn a_long_strip_faces_one_way() {
    let points: Vec<[f32; 3]> =
        (0..20).map(|i| [(i / 2) as f32, 0.0, if i % 2 == 0 { 0.0 } else { 1.0 }]).collect();
    let mut doc = Doc::new();
    let positions = doc.positions(&points);
    let mesh = doc.mesh(json!([{"attributes": {"POSITION": positions}, "mode": 5}]));
    doc.node(json!({"mesh": mesh}));
    assert_eq!(level_area(&doc.load()), (9.0, 0.0));
}

#[test]
fn points_and_lines_are_skipped_with_a_reason() {
    for (mode, reason) in
        [(0, "points are no surface"), (1, "lines are no surface"), (3, "lines are no surface")]
    {
        let mut doc = Doc::square();
        let positions = doc.positions(&SQUARE);
        let mesh = doc.mesh(json!([{"attributes": {"POSITION": positions}, "mode": mode}]));
        doc.node(json!({"name": "wire", "mesh": mesh}));
        let scene = doc.load();
        assert_eq!(scene.report.colliders, 1);
        assert_eq!(scene.report.skipped[0].node, "wire");
        assert_eq!(reasons(&scene), [reason]);
    }
}

#[test]
fn empty_meshes_unused_corners_and_nodes_of_other_scenes_are_reported() {
    let mut doc = Doc::square();
    let empty = doc.mesh(json!([]));
    doc.node(json!({"name": "empty", "mesh": empty}));
    let [a, b, c, d] = SQUARE;
    let positions = doc.positions(&[a, b, c, d, a]);
    let odd = doc.mesh(json!([{"attributes": {"POSITION": positions}}]));
    doc.node(json!({"name": "odd", "mesh": odd}));
    let below = doc.child(json!({"name": "below", "mesh": 0}));
    let elsewhere = doc.child(json!({"name": "elsewhere", "children": [below]}));
    doc.json["scenes"].as_array_mut().unwrap().push(json!({"nodes": [elsewhere]}));
    let scene = doc.load();
    assert_eq!(scene.report.colliders, 2);
    let skipped: Vec<_> =
        scene.report.skipped.iter().map(|s| (s.node.as_str(), s.reason.as_str())).collect();
    let expected = [
        ("below", "not in the default scene"),
        ("empty", "its mesh has no primitives"),
        ("odd", "corners left over after the last whole triangle: 2"),
    ];
    assert_eq!(skipped, expected);
}

#[test]
fn indices_of_8_16_and_32_bits_are_the_same() {
    let hash = |component: u32, bytes: Vec<u8>| {
        let mut doc = Doc::new();
        let positions = doc.positions(&SQUARE);
        let indices = doc.accessor(&bytes, AccessorLayout::scalars(component, 6));
        let mesh = doc.mesh(json!([{"attributes": {"POSITION": positions}, "indices": indices}]));
        doc.node(json!({"name": "floor", "mesh": mesh}));
        doc.load().report.hash
    };
    let small: Vec<u8> = SQUARE_FACES.iter().map(|&i| i as u8).collect();
    let middle = SQUARE_FACES.iter().flat_map(|&i| (i as u16).to_le_bytes()).collect();
    let large = SQUARE_FACES.iter().flat_map(|&i| i.to_le_bytes()).collect();
    let expected = Doc::square().load().report.hash;
    assert_eq!(
        [hash(5121, small), hash(5123, middle), hash(5125, large)],
        [(); 3].map(|()| expected.clone())
    );
}

#[test]
fn interleaved_and_quantized_positions_are_decoded() {
    // Component, whether normalized, bytes of -1, 0 and 1 (of 0, 0.5 and 1 where unsigned).
    let cases: [(u32, bool, [Vec<u8>; 2], f32); 6] = [
        (5120, false, [vec![-2i8 as u8], vec![2]], 16.0),
        (5120, true, [vec![-128i8 as u8], vec![127]], 4.0),
        (5121, true, [vec![0], vec![255]], 1.0),
        (5122, false, [(-300i16).to_le_bytes().to_vec(), 300i16.to_le_bytes().to_vec()], 360_000.0),
        (5122, true, [(-32768i16).to_le_bytes().to_vec(), 32767i16.to_le_bytes().to_vec()], 4.0),
        (5123, false, [vec![0, 0], 500u16.to_le_bytes().to_vec()], 250_000.0),
    ];
    for (component, normalized, [low, high], area) in cases {
        let mut doc = Doc::new();
        let mut bytes = Vec::new();
        for [x, y, z] in SQUARE {
            for v in [x, y, z] {
                let zero = vec![0; low.len()];
                bytes.extend(if v < 0.0 {
                    &low
                } else if v > 0.0 {
                    &high
                } else {
                    &zero
                });
            }
            bytes.resize(bytes.len().next_multiple_of(4) + 4, 0xEE);
        }
        let view = doc.view(&bytes, Some(bytes.len() / 4));
        let positions = doc.push(
            "accessors",
            json!({
                "bufferView": view, "componentType": component, "type": "VEC3", "count": 4,
                "normalized": normalized,
            }),
        );
        doc.json["extensionsRequired"] = json!(["KHR_mesh_quantization", "EXT_texture_webp"]);
        let indices = doc.indices(&SQUARE_FACES);
        let mesh = doc.mesh(json!([{"attributes": {"POSITION": positions}, "indices": indices}]));
        doc.node(json!({"mesh": mesh}));
        let (up, down) = level_area(&doc.load());
        assert!(close(up, area) && down == 0.0, "{component} {normalized}: {up}, not {area}");
    }
}

#[test]
fn sparse_positions_override_a_base_or_zeros() {
    for with_base in [true, false] {
        let mut doc = Doc::new();
        // Over a base, corner 2 moves from x = 1 to x = 3; over zeros, corners 1 to 3 are given.
        let (places, values): (Vec<u16>, Vec<[f32; 3]>) = if with_base {
            (vec![2, 3], vec![[3.0, 0.0, 1.0], [3.0, 0.0, -1.0]])
        } else {
            (vec![1, 2, 3], vec![[0.0, 0.0, 2.0], [4.0, 0.0, 2.0], [4.0, 0.0, 0.0]])
        };
        let places_view =
            doc.view(&places.iter().flat_map(|i| i.to_le_bytes()).collect::<Vec<_>>(), None);
        let values_view = doc
            .view(&values.iter().flatten().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>(), None);
        let mut accessor = json!({
            "componentType": 5126, "type": "VEC3", "count": 4,
            "sparse": {"count": places.len(), "indices": {"bufferView": places_view, "componentType": 5123},
                       "values": {"bufferView": values_view}},
        });
        if with_base {
            let base = doc.positions(&SQUARE);
            accessor["bufferView"] = doc.json["accessors"][base]["bufferView"].clone();
        }
        let positions = doc.push("accessors", accessor);
        let indices = doc.indices(&SQUARE_FACES);
        let mesh = doc.mesh(json!([{"attributes": {"POSITION": positions}, "indices": indices}]));
        doc.node(json!({"mesh": mesh}));
        assert_eq!(level_area(&doc.load()), (8.0, 0.0), "with base: {with_base}");
    }
}

#[test]
fn mirrored_and_uneven_transforms_keep_up_facing_floors_up() {
    let shear = [1.0, 0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let cases = [
        (json!({"scale": [-1, 1, 1]}), 4.0),
        (json!({"scale": [1, 1, -3]}), 12.0),
        (json!({"scale": [2, 5, 3]}), 24.0),
        (json!({"scale": [-2, 1, -3]}), 24.0),
        (json!({"matrix": shear}), 4.0),
        (json!({"translation": [5000, 3, -5000], "scale": [-2, 2, 2]}), 16.0),
    ];
    for (transform, area) in cases {
        let mut doc = Doc::square();
        doc.json["nodes"][0]
            .as_object_mut()
            .unwrap()
            .extend(transform.as_object().unwrap().clone());
        let (up, down) = level_area(&doc.load());
        assert!(close(up, area) && down == 0.0, "{transform}: up {up}, down {down}");
    }
    // Upside down is a different thing from mirrored: a floor turned over is a ceiling.
    let mut doc = Doc::square();
    doc.json["nodes"][0]["rotation"] = json!([1, 0, 0, 0]);
    let scene = doc.load();
    assert_eq!(level_area(&scene), (0.0, 4.0));
    assert!(scene.report.warnings[0].message.contains("--two-sided"), "{:?}", scene.report);
}

#[test]
fn a_matrix_is_the_same_as_its_parts_and_parents_move_children() {
    let mut parts = Doc::square();
    parts.json["nodes"][0]["translation"] = json!([1, 2, 3]);
    parts.json["nodes"][0]["scale"] = json!([2, 2, 2]);
    let mut matrix = Doc::square();
    matrix.json["nodes"][0]["matrix"] = json!([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1]);
    let mut nested = Doc::square();
    nested.json["nodes"][0]["scale"] = json!([2, 2, 2]);
    nested.json["scenes"][0]["nodes"] = json!([]);
    nested.node(json!({"name": "parent", "translation": [1, 2, 3], "children": [0]}));
    let hashes = [&parts, &matrix, &nested].map(|doc| doc.load().report.hash);
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
    let (low, high) = parts.load().bounds().unwrap();
    assert_eq!((low, high), ([-1.0, 2.0, 1.0].into(), [3.0, 2.0, 5.0].into()));
}

#[test]
fn the_default_scene_counts_else_all_nodes() {
    let mut doc = Doc::square();
    doc.node(json!({"name": "other", "mesh": 0, "translation": [10, 0, 0]}));
    doc.json["scenes"] = json!([{"nodes": [0]}, {"nodes": [0, 1]}]);
    assert_eq!(doc.load().report.colliders, 1);
    doc.json["scene"] = 1.into();
    assert_eq!(doc.load().report.colliders, 2);
    doc.json.as_object_mut().unwrap().remove("scene");
    doc.json["scenes"] = json!([{"nodes": [0]}]);
    assert_eq!(doc.load().report.colliders, 2);
}

#[test]
fn text_and_binary_and_files_beside_are_the_same() {
    let mut doc = Doc::square();
    let expected = doc.load().report.hash;
    let text = Scene::from_slice(&doc.gltf(), "a.gltf", None, &SceneMarks::default()).unwrap();
    assert_eq!(text.report.hash, expected);
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("level")).unwrap();
    std::fs::write(folder.path().join("höhe 1.bin"), &doc.bin).unwrap();
    doc.json["buffers"][0]["uri"] = "../h%C3%B6he%201.bin".into();
    let path = folder.path().join("level/a.gltf");
    std::fs::write(&path, doc.json.to_string()).unwrap();
    let scene = Scene::load(&path, &SceneMarks::default()).unwrap();
    assert_eq!((scene.report.hash, scene.report.file), (expected, "a.gltf".to_owned()));
}

#[test]
fn the_files_of_a_scene_are_its_buffers_and_images() {
    let mut doc = Doc::square();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("a.glb"), doc.glb()).unwrap();
    assert_eq!(Scene::files(&at("a.glb")), Vec::<PathBuf>::new());
    doc.json["buffers"][0]["uri"] = "b%20c.bin".into();
    doc.json["images"] =
        json!([{"uri": "d.png"}, {"bufferView": 0}, {"uri": "data:image/png;base64,"}]);
    std::fs::write(at("a.gltf"), doc.json.to_string()).unwrap();
    assert_eq!(Scene::files(&at("a.gltf")), [at("b c.bin"), at("d.png")]);
    std::fs::write(at("b c.bin"), "no JSON").unwrap();
    assert_eq!(Scene::files(&at("b c.bin")), Vec::<PathBuf>::new());
    assert_eq!(Scene::files(&at("gone.gltf")), Vec::<PathBuf>::new());
}

#[test]
fn a_forest_of_one_tree_in_many_sizes_loads_where_memory_is_allowed() {
    let mut doc = Doc::new();
    let points: Vec<[f32; 3]> =
        (0..3_000).map(|i| [i as f32, (i % 7) as f32, (i % 5) as f32]).collect();
    let corners: Vec<u32> = (0..3_000).collect();
    let mesh = doc.mesh_of(&points, &corners);
    let trees = 1_600;
    for i in 0..trees {
        let scale = 1.0 + 0.001 * f64::from(i);
        doc.node(json!({"name": "tree", "mesh": mesh, "scale": [scale, scale, scale]}));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("forest.glb");
    std::fs::write(&path, doc.glb()).unwrap();
    let marks = SceneMarks::default();
    let error = Scene::load_within(&path, &marks, 64 << 20, &()).unwrap_err().to_string();
    assert!(error.contains("memory limit of 64 MiB; raise it (bake --memory-limit"), "{error}");
    let scene = Scene::load_within(&path, &marks, 1 << 30, &()).unwrap();
    assert_eq!(scene.report.colliders, trees as usize);
}

#[test]
fn a_buffer_that_only_images_use_is_not_read() {
    let mut doc = Doc::square();
    doc.push("buffers", json!({"byteLength": 10, "uri": "absent.bin"}));
    doc.json["images"] = json!([{"uri": "absent.png"}]);
    doc.json["textures"] = json!([{"extensions": {"EXT_texture_webp": {"source": 0}}}]);
    assert_eq!(doc.load().report.colliders, 1);
}

#[test]
fn a_mesh_used_often_is_stored_once_where_transforms_allow() {
    let mut doc = Doc::new();
    let mesh = doc.mesh_of(&CUBE, &CUBE_FACES);
    for i in 0..5 {
        doc.node(json!({"mesh": mesh, "translation": [5 * i, 0, 0], "rotation": QUARTER}));
    }
    for i in 0..3 {
        doc.node(json!({"mesh": mesh, "translation": [5 * i, 0, 9], "scale": [2, 2, 2]}));
        doc.node(json!({"mesh": mesh, "translation": [5 * i, 9, 9], "scale": [-1, 1, 1]}));
        doc.node(json!({"mesh": mesh, "translation": [5 * i, 9, 0], "scale": [1, 1 + i, 2]}));
    }
    let scene = doc.load();
    assert_eq!(scene.report.colliders, 14);
    // One as it is, one mirrored, one doubled, three uneven ones.
    assert_eq!(scene.meshes.len(), 6);
    assert_eq!(scene.report.triangles, 14 * 12);
    assert_eq!(scene.triangle_count(), 14 * 12);
    for solid in &scene.solids {
        let Shape::Mesh(mesh) = solid.shape else { panic!("{solid:?}") };
        assert!(volume(&scene.meshes[mesh]) > 7.9, "{solid:?} is inside out");
    }
}

fn volume(mesh: &surefoot_bake::scene::Mesh) -> f32 {
    let six_fold = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|corner| mesh.vertices[corner as usize].coords);
        a.dot(&b.cross(&c))
    };
    mesh.triangles.iter().map(six_fold).sum::<f32>() / 6.0
}

#[test]
fn a_mesh_closed_across_primitives_stays_closed() {
    let mut doc = Doc::new();
    let positions: Vec<usize> = (0..2).map(|_| doc.positions(&CUBE)).collect();
    let halves = [doc.indices(&CUBE_FACES[..18]), doc.indices(&CUBE_FACES[18..])];
    let materials = [
        doc.push("materials", json!({})),
        doc.push("materials", json!({"extras": {"nav": "mud"}})),
    ];
    let part = |i: usize| json!({"attributes": {"POSITION": positions[i]}, "indices": halves[i], "material": materials[i]});
    let mesh = doc.mesh(json!([part(0), part(1)]));
    doc.node(json!({"mesh": mesh}));
    let scene = doc.load();
    assert_eq!(scene.report.colliders, 1);
    let mesh = &scene.meshes[0];
    assert_eq!((mesh.vertices.len(), mesh.triangles.len(), mesh.slots.len()), (8, 12, 12));
    let edge = |a: u32, b: u32| {
        mesh.triangles.iter().any(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]].contains(&[a, b]))
    };
    for t in &mesh.triangles {
        assert!(edge(t[1], t[0]) && edge(t[2], t[1]) && edge(t[0], t[2]), "open at {t:?}");
    }
    let areas: Vec<u8> = scene.solids[0].surfaces.iter().map(|surface| surface.area.0).collect();
    assert_eq!((areas, scene.areas[1].name.as_str()), (vec![0, 1], "mud"));
}

#[test]
fn triangles_without_area_are_dropped_and_counted() {
    let mut doc = Doc::new();
    let mut points = SQUARE.to_vec();
    points.extend([[0.0, 0.0, -1.0], [1.0, 0.0, -1.0]]);
    let mesh = doc.mesh_of(&points, &[0, 1, 2, 0, 2, 3, 1, 1, 2, 0, 4, 3, 3, 5, 0]);
    doc.node(json!({"name": "floor", "mesh": mesh}));
    let scene = doc.load();
    assert_eq!((scene.report.triangles, reasons(&scene)), (2, vec!["triangles without area: 3"]));
}

#[test]
fn skinned_animated_and_morphed_meshes() {
    let mut doc = Doc::square();
    doc.json["nodes"][0]["name"] = "still".into();
    let hand = doc.child(json!({"name": "hand", "mesh": 0}));
    doc.node(json!({"name": "arm", "children": [hand]}));
    doc.node(json!({"name": "skin", "mesh": 0, "skin": 0}));
    let face = doc.node(json!({"name": "face", "mesh": 0}));
    let sail = doc.node(json!({"name": "sail", "mesh": 0}));
    doc.json["animations"] = json!([{"channels": [
        {"sampler": 0, "target": {"node": 2, "path": "rotation"}},
        {"sampler": 0, "target": {"node": face, "path": "weights"}},
        {"sampler": 0, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": format!("/nodes/{sail}/translation")}}}},
    ], "samplers": []}]);
    doc.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 0}]);
    let scene = doc.load();
    let names: Vec<&str> = scene.solids.iter().map(|solid| solid.name.as_str()).collect();
    assert_eq!(names, ["face", "still"]);
    let skipped: Vec<(&str, &str)> =
        scene.report.skipped.iter().map(|s| (s.node.as_str(), &s.reason[..7])).collect();
    assert_eq!(skipped, [("hand", "animate"), ("sail", "animate"), ("skin", "skinned")]);
    assert!(scene.report.warnings.iter().all(|warning| warning.message.contains("morph targets")));
    assert_eq!(scene.report.warnings.len(), 2);
}

#[test]
fn an_extension_that_is_required_and_not_read_is_reported() {
    let mut doc = Doc::square();
    doc.json["extensionsRequired"] = json!([
        "VENDOR_bends",
        "KHR_materials_unlit",
        "KHR_texture_transform",
        "KHR_mesh_quantization"
    ]);
    let warnings = doc.load().report.warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].message.contains("requires VENDOR_bends"), "{warnings:?}");
}

#[test]
fn zero_scale_and_empty_files_are_reported() {
    let mut doc = Doc::square();
    doc.json["nodes"][0]["scale"] = json!([1, 1, 0]);
    let scene = doc.load();
    assert_eq!(scene.report.colliders, 0);
    assert!(reasons(&scene)[0].starts_with("scaled to zero"));
    assert!(scene.report.warnings[0].message.contains("nothing in the file is solid"));
    let scene = Scene::from_slice(
        br#"{"asset":{"version":"2.0"}}"#,
        "e.gltf",
        None,
        &SceneMarks::default(),
    )
    .unwrap();
    assert_eq!(
        (scene.bounds(), scene.report.warnings[0].message.as_str()),
        (None, "the file has no meshes")
    );
}

#[test]
fn the_test_scenes_load_without_a_warning() {
    let Some(folder) = surefoot_testing::data_folder() else {
        println!("skipped: no test scenes");
        return;
    };
    // Triangles and colliders.
    let expected = [
        ("dungeon.gltf", 10_133, 1),
        ("dutility.glb", 8_103, 1),
        ("hospital_collision.glb", 55_220, 1),
        ("nav_test.glb", 1_612, 1),
        ("pandora.glb", 60_694, 1),
        ("proto_level.glb", 26_773, 348),
        ("quake_dm2.glb", 12_486, 1),
        ("quake_e1m1.glb", 12_458, 1),
        ("quake_start.glb", 13_582, 1),
        ("terrain.glb", 31_422, 1),
        ("town_model.gltf", 30_381, 20),
        ("undulating.glb", 5_202, 1),
    ];
    for (name, triangles, colliders) in expected {
        let scene = Scene::load(&folder.join("scenes").join(name), &SceneMarks::default()).unwrap();
        assert_eq!(
            (scene.report.triangles, scene.report.colliders),
            (triangles, colliders),
            "{name}"
        );
        assert_eq!(scene.report.warnings, [], "{name}");
    }
    let town = Scene::load(&folder.join("scenes/town_model.gltf"), &SceneMarks::default()).unwrap();
    let ground = town.solids.iter().find(|solid| solid.name == "OuterGroundCollider").unwrap();
    let Shape::Cuboid { half_extents } = ground.shape else { panic!("{ground:?}") };
    assert_eq!(half_extents, nalgebra::Vector3::new(1024.0, 5.0, 1024.0));
    assert!(town.report.skipped.iter().any(|skipped| skipped.reason.contains("visual only")));
}
