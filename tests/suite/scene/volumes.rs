//! Volumes that nodes and marks from outside the file describe.

use serde_json::{Value, json};
use surefoot_bake::Scene;
use surefoot_bake::scene::{SceneMarks, VolumeEffect, VolumeMark, VolumeShape};

use surefoot_testing::{CUBE, CUBE_FACES, Doc, Random};

/// A floor, and a node with a cube of 2 m as its mesh and a mark.
fn marked(nav: &Value, mut node: Value) -> Doc {
    let mut doc = Doc::square();
    let cube = doc.mesh_of(&CUBE, &CUBE_FACES);
    node["name"] = "V".into();
    node["mesh"] = cube.into();
    node["extras"] = json!({"nav": nav});
    doc.node(node);
    doc
}

fn shape(doc: &Doc) -> VolumeShape {
    let scene = doc.load();
    assert_eq!(scene.report.warnings, [], "{:?}", scene.volumes);
    assert_eq!(scene.volumes.len(), 1);
    scene.volumes[0].shape.clone()
}

fn warning(scene: &Scene) -> String {
    let warnings = scene.report.warnings.iter();
    warnings.map(|warning| format!("{}: {}\n", warning.node, warning.message)).collect()
}

/// What the volume makes of ground: the area's name, its cost and whether it is forbidden.
fn ground(scene: &Scene) -> (&str, f32, bool) {
    let VolumeEffect::Area(area) = scene.volumes[0].effect else { return ("clear", 1.0, false) };
    let area = &scene.areas[area.index()];
    (&area.name, area.cost, area.forbidden)
}

#[test]
fn the_box_of_the_mesh_is_turned_and_scaled_with_the_node() {
    for value in [json!(true), json!(1), json!("box"), json!({"shape": "box"})] {
        let nav = json!({"volume": value, "area": "mud", "cost": 2});
        let half = std::f32::consts::FRAC_PI_8;
        let node = json!({
            "translation": [10, 1, 0], "scale": [2, 1, -0.5], "rotation": [0, half.sin(), 0, half.cos()]
        });
        let doc = marked(&nav, node);
        let shape = shape(&doc);
        // 4 m long along x, turned by 45° from +x towards -z.
        for (point, expected) in [
            ([10.0, 0.0, 0.0], true),
            ([11.3, 0.0, -1.3], true),
            ([11.3, 0.0, 1.3], false),
            ([11.5, 0.0, -1.5], false),
            ([10.3, 2.0, 0.3], true),
            ([10.4, 0.0, 0.4], false),
            ([10.0, 2.02, 0.0], false),
        ] {
            assert_eq!(shape.contains(point), expected, "{value} at {point:?}");
        }
        let scene = doc.load();
        assert_eq!(ground(&scene), ("mud", 2.0, false));
        assert_eq!(scene.solids.len(), 1, "the mesh of the volume is not solid");
        let skipped = scene.report.skipped.iter().find(|skipped| skipped.node == "V");
        assert_eq!(skipped.map(|s| s.reason.as_str()), Some("a volume: its own mesh is not solid"));
    }
}

#[test]
fn shapes_can_be_given_in_numbers() {
    let at = json!({"translation": [1, 2, 3]});
    let spec = |volume: Value| json!({"volume": volume, "forbidden": true});
    let found = shape(&marked(&spec(json!({"shape": "sphere", "radius": 2})), at.clone()));
    assert_eq!(found, VolumeShape::Sphere { center: [1.0, 2.0, 3.0].into(), radius: 2.0 });
    let found = shape(&marked(&spec(json!({"shape": "box", "size": [2, 4, 6]})), at.clone()));
    let VolumeShape::Box { half_extents, .. } = found else { panic!("{found:?}") };
    assert_eq!(half_extents.as_slice(), [1.0, 2.0, 3.0]);
    let points = json!({"shape": "prism", "points": [[0, 0], [2, 0], [0, 2]], "height": 3});
    let scaled = json!({"translation": [1, 2, 3], "scale": [2, 0.5, 2]});
    let found = shape(&marked(&spec(points), scaled));
    let corners = vec![[1.0, 3.0], [5.0, 3.0], [1.0, 7.0]];
    assert_eq!(found, VolumeShape::Prism { corners, bottom: 2.0, top: 3.5 });
}

#[test]
fn what_a_volume_makes_of_ground() {
    let check = |mark: Value, expected: (&str, f32, bool)| {
        let mut nav = json!({"volume": true});
        nav.as_object_mut().unwrap().extend(mark.as_object().unwrap().clone());
        let scene = marked(&nav, json!({})).load();
        assert_eq!((ground(&scene), warning(&scene).as_str()), (expected, ""), "{mark}");
    };
    check(json!({"area": "mud"}), ("mud", 1.0, false));
    check(json!({"area": "mud", "cost": 4}), ("mud", 4.0, false));
    check(json!({"area": "lava", "forbidden": true}), ("lava", 1.0, true));
    check(json!({"forbidden": true}), ("forbidden", 1.0, true));
    check(json!({"clear": true}), ("clear", 1.0, false));
    check(json!({"area": "walkable"}), ("clear", 1.0, false));
}

#[test]
fn the_mark_is_not_for_what_is_below() {
    let mut doc = marked(&json!({"volume": true, "area": "mud"}), json!({}));
    let inner = doc.child(json!({"name": "inner", "mesh": 0}));
    doc.json["nodes"][1]["children"] = json!([inner]);
    let scene = doc.load();
    let inner = scene.solids.iter().find(|solid| solid.name == "inner").expect("solid");
    assert_eq!(inner.surfaces[0].area.0, 0);
}

#[test]
fn what_cannot_be_used_is_reported_and_is_not_solid() {
    let check = |nav: Value, node: Value, expected: &str| {
        let scene = marked(&nav, node).load();
        assert!(warning(&scene).contains(expected), "{nav}: {}", warning(&scene));
        assert_eq!((scene.volumes.len(), scene.solids.len()), (0, 1), "{nav}");
    };
    let with = |volume: Value| json!({"volume": volume, "clear": true});
    let plain = || json!({});
    check(json!({"volume": true}), plain(), "give it an area, forbidden or clear");
    check(json!({"volume": true, "obstacle": true}), plain(), "cannot be an obstacle");
    check(with(json!({"shape": "ball"})), plain(), "its volume is not understood");
    check(with(json!({"shape": "sphere"})), plain(), "missing field `radius`");
    check(with(json!({"shape": "sphere", "radius": -1})), plain(), "must be more than 0");
    check(with(json!({"shape": "sphere", "radius": 1e39})), plain(), "at most");
    check(with(json!({"shape": "box", "size": [1, 0, 1]})), plain(), "must be more than 0");
    check(with(json!({"shape": "box", "sise": [1, 1, 1]})), plain(), "unknown field `sise`");
    check(with(json!(["box"])), plain(), "is no shape");
    let prism = |points: Value, height: f64| {
        with(json!({"shape": "prism", "points": points, "height": height}))
    };
    check(prism(json!([[0, 0], [1, 0]]), 1.0), plain(), "has 2 corners");
    check(
        prism(json!([[0, 0], [1, 1], [1, 0], [0, 1]]), 1.0),
        plain(),
        "crosses or touches itself",
    );
    check(prism(json!([[0, 0], [1, 0], [0, 1]]), -1.0), plain(), "its height is -1");
    let tilted = json!({"rotation": [0.2, 0, 0, 0.98]});
    check(prism(json!([[0, 0], [1, 0], [0, 1]]), 1.0), tilted, "stays upright");
    let squashed = json!({"scale": [1, 2, 1]});
    check(with(json!({"shape": "sphere", "radius": 1})), squashed, "the same scale");
    let mut doc = Doc::square();
    doc.node(json!({"name": "empty", "extras": {"nav": {"volume": true, "clear": true}}}));
    assert!(warning(&doc.load()).contains("empty: its volume cannot be used: it has no size"));
}

#[test]
fn volumes_of_nodes_that_do_not_count_are_skipped() {
    let doc = marked(&json!({"volume": true, "area": "mud", "cost": 9}), json!({}));
    let marks = SceneMarks { ignore: vec!["V".to_owned()], ..SceneMarks::default() };
    let scene = doc.load_with(&marks);
    assert_eq!((scene.volumes.len(), scene.areas.len()), (0, 1));
    let reasons: Vec<_> = scene.report.skipped.iter().map(|skip| skip.reason.as_str()).collect();
    let expected = "its volume: marked to be ignored by the glob \"V\"";
    assert!(reasons.contains(&expected), "{reasons:?}");
    let mesh = json!({"volume": true, "area": "mud"});
    let mut doc = Doc::square();
    doc.json["meshes"][0]["extras"] = json!({"nav": mesh});
    assert!(warning(&doc.load()).contains("a volume on a mesh or material: put it on a node"));
}

fn mark(name: &str) -> VolumeMark {
    VolumeMark {
        name: name.to_owned(),
        shape: VolumeShape::Sphere { center: [0.0; 3].into(), radius: 1.0 },
        area: None,
        cost: None,
        forbidden: false,
        clear: false,
    }
}

#[test]
fn marks_from_outside_add_volumes() {
    let doc = Doc::square();
    let load = |volume: VolumeMark| {
        doc.load_with(&SceneMarks { volumes: vec![volume], ..SceneMarks::default() })
    };
    let mud = VolumeMark { area: Some("mud".to_owned()), cost: Some(3.0), ..mark("a") };
    let scene = load(mud);
    assert_eq!(ground(&scene), ("mud", 3.0, false));
    assert_ne!(scene.report.hash, doc.load().report.hash, "volumes are a part of the hash");
    assert_eq!(
        ground(&load(VolumeMark { forbidden: true, ..mark("a") })),
        ("forbidden", 1.0, true)
    );
    assert_eq!(ground(&load(VolumeMark { clear: true, ..mark("a") })), ("clear", 1.0, false));

    let check = |volume: VolumeMark, expected: &str| {
        let marks = SceneMarks { volumes: vec![volume], ..SceneMarks::default() };
        let error = marks.check().expect_err(expected).to_string();
        assert!(error.starts_with("mark \"a\": ") || error.starts_with("mark \"\": "), "{error}");
        assert!(error.contains(expected), "{error}");
    };
    check(mark("a"), "give it an area, forbidden or clear");
    check(VolumeMark { forbidden: true, clear: true, ..mark("a") }, "both clears and gives");
    check(VolumeMark { clear: true, cost: Some(1.0), ..mark("a") }, "its cost has no effect");
    let sphere = VolumeShape::Sphere { center: [0.0; 3].into(), radius: f32::NAN };
    check(VolumeMark { clear: true, shape: sphere, ..mark("a") }, "its shape is invalid");
    check(VolumeMark { area: Some(String::new()), ..mark("a") }, "an area needs a name");
}

#[test]
fn marks_come_back_from_the_settings_of_a_grid() {
    let marks = SceneMarks { volumes: vec![mark("a")], ..SceneMarks::default() };
    let text = serde_json::to_string(&marks).expect("it can be written");
    assert_eq!(serde_json::from_str::<SceneMarks>(&text).expect("it can be read"), marks);
    let plain = serde_json::to_string(&SceneMarks::default()).expect("it can be written");
    assert!(!plain.contains("volumes"), "grids without volumes stay as they are");
}

#[test]
fn the_order_of_nodes_does_not_matter() {
    let mut doc = marked(&json!({"volume": true, "area": "mud"}), json!({}));
    for (name, nav) in [
        ("a", json!({"volume": {"shape": "sphere", "radius": 1}, "clear": true})),
        ("b", json!({"volume": {"shape": "box", "size": [1, 2, 3]}, "forbidden": true})),
        ("b", json!({"volume": {"shape": "box", "size": [3, 2, 1]}, "area": "mud", "cost": 3})),
    ] {
        doc.node(json!({"name": name, "extras": {"nav": nav}}));
    }
    let expected = doc.load();
    assert_eq!(expected.volumes.len(), 4);
    for seed in 0..5 {
        let shuffled = doc.shuffled(&mut Random(seed)).load();
        assert_eq!(shuffled.volumes, expected.volumes);
        assert_eq!(shuffled.report.hash, expected.report.hash);
    }
}
