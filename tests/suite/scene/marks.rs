//! What authors mark in a scene: globs, extras, names, physics extensions and links, and which of
//! them is stronger.

use serde_json::{Value, json};
use surefoot::grid::LinkKind;
use surefoot_bake::Scene;
use surefoot_bake::scene::{AreaMark, SceneMarks, Shape};

use surefoot_testing::{CUBE, CUBE_FACES, Doc, SQUARE, SQUARE_FACES, level_area};

fn names(scene: &Scene) -> Vec<&str> {
    scene.solids.iter().map(|solid| solid.name.as_str()).collect()
}

fn reason<'s>(scene: &'s Scene, node: &str) -> &'s str {
    let skipped = scene.report.skipped.iter().find(|skipped| skipped.node == node);
    skipped.map_or("not skipped", |skipped| &skipped.reason)
}

/// What a named node's first surface counts as.
fn ground(scene: &Scene, node: &str) -> String {
    let Some(solid) = scene.solids.iter().find(|solid| solid.name == node) else {
        return "skipped".to_owned();
    };
    let surface = solid.surfaces[0];
    let area = &scene.areas[usize::from(surface.area.0)].name;
    if surface.obstacle { "obstacle".to_owned() } else { area.clone() }
}

fn area(name: &str, nodes: &str, cost: Option<f32>) -> AreaMark {
    AreaMark { name: name.to_owned(), nodes: nodes.to_owned(), cost, forbidden: false }
}

#[test]
fn stronger_marks_win() {
    // Each mark names an area after the place it stands in.
    let build = |glob: bool, node: bool, mesh: bool, material: bool| {
        let mut doc = Doc::square();
        let put = |on: bool, json: &mut Value, mark: &str| {
            if on {
                json["extras"] = json!({"nav": mark});
            }
        };
        doc.push("materials", json!({}));
        doc.json["meshes"][0]["primitives"][0]["material"] = 0.into();
        put(node, &mut doc.json["nodes"][0], "node");
        put(mesh, &mut doc.json["meshes"][0], "mesh");
        put(material, &mut doc.json["materials"][0], "material");
        let areas = if glob { vec![area("glob", "fl*", None)] } else { vec![] };
        let scene = doc.load_with(&SceneMarks { areas, ..SceneMarks::default() });
        ground(&scene, "floor")
    };
    assert_eq!(build(true, true, true, true), "glob");
    assert_eq!(build(false, true, true, true), "node");
    assert_eq!(build(false, false, true, true), "mesh");
    assert_eq!(build(false, false, false, true), "material");
    assert_eq!(build(false, false, false, false), "walkable");
}

#[test]
fn marks_hold_for_what_is_below_until_overridden() {
    let mut doc = Doc::square();
    doc.json["scenes"][0]["nodes"] = json!([]);
    let inner = doc.child(json!({"name": "inner", "mesh": 0, "extras": {"nav": "road"}}));
    let outer = doc.child(json!({"name": "outer", "mesh": 0}));
    doc.node(json!({"name": "top", "children": [0, inner, outer], "extras": {"nav": "ignore"}}));
    let scene = doc.load();
    assert_eq!(names(&scene), ["inner"]);
    assert_eq!(ground(&scene, "inner"), "road");
    assert!(reason(&scene, "outer").contains("extras of the node or one above it"));
    // The command line is stronger, also from above.
    let marks = SceneMarks { obstacle: vec!["top".to_owned()], ..SceneMarks::default() };
    let scene = doc.load_with(&marks);
    assert_eq!(["floor", "inner", "outer"].map(|node| ground(&scene, node)), ["obstacle"; 3]);
}

#[test]
fn among_globs_ignore_is_stronger_than_obstacle_than_area() {
    let mut doc = Doc::square();
    doc.node(json!({"name": "Floor", "mesh": 0}));
    let mut marks = SceneMarks {
        areas: vec![area("mud", "f*", Some(2.0)), area("ice", "floor", None)],
        two_sided: vec!["*oo*".to_owned()],
        ..SceneMarks::default()
    };
    let scene = doc.load_with(&marks);
    assert_eq!([ground(&scene, "floor"), ground(&scene, "Floor")], ["mud", "walkable"]);
    assert!(scene.solids.iter().all(|solid| solid.surfaces[0].two_sided));
    let areas: Vec<(&str, f32)> = scene.areas.iter().map(|a| (a.name.as_str(), a.cost)).collect();
    assert_eq!(areas, [("walkable", 1.0), ("ice", 1.0), ("mud", 2.0)]);
    marks.obstacle = vec!["floor".to_owned()];
    assert_eq!(ground(&doc.load_with(&marks), "floor"), "obstacle");
    marks.ignore = vec!["{floor,wall}".to_owned()];
    let scene = doc.load_with(&marks);
    assert_eq!(names(&scene), ["Floor"]);
    assert_eq!(reason(&scene, "floor"), "marked to be ignored by the glob \"{floor,wall}\"");
}

#[test]
fn a_name_without_a_file_has_the_marks_of_a_node() {
    let globs = |globs: &[&str]| globs.iter().map(|&glob| glob.to_owned()).collect::<Vec<_>>();
    let marks = SceneMarks {
        ignore: globs(&["*old*"]),
        obstacle: globs(&["roof"]),
        two_sided: globs(&["h*"]),
        areas: vec![area("grass", "hill?", None), area("mud", "*", None)],
        ..SceneMarks::default()
    };
    let of = |name: &str| {
        let marks = marks.of_node(name).unwrap();
        (marks.ignored, marks.obstacle, marks.two_sided, marks.area)
    };
    let named = |area: &str| Some(area.to_owned());
    assert_eq!(of("old roof"), (true, false, false, None));
    assert_eq!(of("roof"), (false, true, false, None));
    assert_eq!(of("hills"), (false, false, true, named("grass")));
    assert_eq!(of("plain"), (false, false, false, named("mud")));
    let bad = SceneMarks { ignore: globs(&["["]), ..SceneMarks::default() };
    assert!(bad.of_node("roof").unwrap_err().to_string().contains("not a glob"));
}

#[test]
fn a_glob_without_a_match_is_reported_and_a_bad_one_refused() {
    let doc = Doc::square();
    let ignore = |glob: &str| SceneMarks { ignore: vec![glob.to_owned()], ..SceneMarks::default() };
    let scene = doc.load_with(&ignore("tree*"));
    assert_eq!(scene.report.warnings[0].message, "the glob \"tree*\" matches no node");
    let error = doc.try_load(&ignore("a[b")).unwrap_err().to_string();
    assert!(error.starts_with("mark \"a[b\": not a glob"), "{error}");
    for (mark, problem) in [
        (area("mud", "*", Some(0.0)), "must be more than 0"),
        (area("mud", "*", Some(f32::NAN)), "must be more than 0"),
        (area("", "*", None), "needs a name"),
        (area("ignore", "*", None), "not an area"),
        (area("Obstacle", "*", None), "not an area"),
        (area("walkable", "*", Some(2.0)), "always costs 1"),
    ] {
        let marks = SceneMarks { areas: vec![mark], ..SceneMarks::default() };
        let error = doc.try_load(&marks).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn extras_are_words_or_objects() {
    let cases = [
        (json!("obstacle"), "obstacle"),
        (json!("walkable"), "walkable"),
        (json!("road"), "road"),
        (json!({"area": "road"}), "road"),
        (json!({"area": "road", "obstacle": 1}), "obstacle"),
        (json!({"ignore": true}), "skipped"),
        (json!("ignore"), "skipped"),
        (json!("Ignore"), "skipped"),
        (json!("OBSTACLE"), "obstacle"),
        (json!("Walkable"), "walkable"),
        (json!({"area": "Obstacle"}), "obstacle"),
        (json!("Road"), "Road"),
        (json!("{\"area\": \"road\", \"cost\": 2}"), "road"),
        (json!({"forbidden": true}), "forbidden"),
        (json!(7), "walkable"),
        (json!({"aera": "road"}), "walkable"),
    ];
    for (nav, expected) in cases {
        let mut doc = Doc::square();
        doc.json["nodes"][0]["extras"] = json!({"nav": nav, "other": [1, 2]});
        let scene = doc.load();
        assert_eq!(ground(&scene, "floor"), expected, "{nav}");
        let odd = nav == json!(7) || nav.get("aera").is_some();
        assert_eq!(scene.report.warnings.iter().any(|w| w.message.contains("not understood")), odd);
    }
    let mut doc = Doc::square();
    doc.json["nodes"][0]["extras"] = json!([1, 2, 3]);
    assert_eq!(doc.load().report.warnings, []);
}

#[test]
fn areas_take_the_highest_cost_that_the_file_gives_unless_the_command_line_says() {
    let mut doc = Doc::square();
    doc.json["nodes"][0]["extras"] = json!({"nav": {"area": "mud", "cost": 2}});
    doc.node(json!({"name": "b", "mesh": 0, "extras": {"nav": {"area": "mud", "cost": 5}}}));
    doc.node(
        json!({"name": "c", "mesh": 0, "extras": {"nav": {"area": "lava", "forbidden": true}}}),
    );
    let scene = doc.load();
    let areas: Vec<(&str, f32, bool)> =
        scene.areas.iter().map(|a| (a.name.as_str(), a.cost, a.forbidden)).collect();
    assert_eq!(areas, [("walkable", 1.0, false), ("lava", 1.0, true), ("mud", 5.0, false)]);
    assert!(scene.report.warnings[0].message.contains("several costs"));
    let marks = SceneMarks { areas: vec![area("mud", "b", Some(3.0))], ..SceneMarks::default() };
    let scene = doc.load_with(&marks);
    assert_eq!((scene.areas[2].cost, scene.report.warnings.len()), (3.0, 0));
}

#[test]
fn what_is_left_out_says_nothing_of_areas() {
    let mut doc = Doc::square();
    doc.json["nodes"][0]["extras"] = json!({"nav": {"area": "mud", "cost": 2}});
    doc.node(json!({"name": "b", "mesh": 0, "extras": {"nav": {"area": "mud", "cost": 9}}}));
    let forbidden = json!({"nav": {"area": "mud", "forbidden": true}});
    doc.push("materials", json!({"extras": {"nav": {"area": "mud", "cost": 8}}}));
    let mesh = doc.mesh_of(&SQUARE, &SQUARE_FACES);
    doc.json["meshes"][mesh]["extras"] = forbidden.clone();
    doc.json["meshes"][mesh]["primitives"][0]["material"] = 0.into();
    doc.node(json!({"name": "bog", "mesh": mesh}));
    let inner = doc.child(json!({"name": "inner", "mesh": 0, "extras": forbidden}));
    doc.node(json!({"name": "base", "children": [inner]}));
    let mud = |ignore: &str| {
        let ignore = vec![ignore.to_owned()];
        let scene = doc.load_with(&SceneMarks { ignore, ..SceneMarks::default() });
        (scene.areas[1].cost, scene.areas[1].forbidden, scene.report.warnings.len())
    };
    assert_eq!(mud("b*"), (2.0, false, 0));
    assert_eq!(mud("{bog,base}"), (9.0, false, 1));
    assert_eq!(mud("{b,bog}"), (2.0, true, 0));
    assert_eq!(mud("{b,base}"), (8.0, true, 1));
}

#[test]
fn materials_mark_parts_of_a_mesh() {
    let mut doc = Doc::new();
    for nav in ["mud", "ignore", "obstacle"] {
        doc.push("materials", json!({"extras": {"nav": nav}}));
    }
    let positions = doc.positions(&SQUARE);
    let indices = doc.indices(&SQUARE_FACES);
    let part = |m: usize| json!({"attributes": {"POSITION": positions}, "indices": indices, "material": m});
    let mesh = doc.mesh(json!([part(0), part(1), part(2)]));
    doc.node(json!({"name": "floor", "mesh": mesh}));
    let scene = doc.load();
    assert_eq!(scene.report.triangles, 4);
    assert_eq!(reason(&scene, "floor"), "a part whose material is marked to be ignored");
    let surfaces = &scene.solids[0].surfaces;
    assert_eq!((surfaces[0].obstacle, surfaces[1].area.0), (true, 1));
    let mesh = &scene.meshes[0];
    assert_eq!(mesh.slots.iter().filter(|&&slot| slot == 1).count(), 2);
    // A mark of the node is for all parts.
    doc.json["nodes"][0]["extras"] = json!({"nav": "road"});
    let scene = doc.load();
    assert_eq!((scene.report.triangles, scene.solids[0].surfaces.len()), (6, 1));
}

#[test]
fn names_of_godot_and_unreal() {
    let role = |name: &str| {
        let mut doc = Doc::new();
        let mesh = doc.mesh_of(&CUBE, &CUBE_FACES);
        doc.node(json!({"name": name, "mesh": mesh}));
        match doc.load().solids.first().map(|solid| solid.shape.clone()) {
            None => "none",
            Some(Shape::Mesh(_)) => "mesh",
            Some(Shape::Hull(_)) => "hull",
            Some(_) => "primitive",
        }
    };
    for (expected, names) in [
        (
            "mesh",
            &[
                "wall",
                "wall-col",
                "wall_COL",
                "wall-colonly",
                "wall$colonly",
                "wall-col.001",
                "protocol",
            ][..],
        ),
        (
            "hull",
            &[
                "wall-convcol",
                "wall_convcolonly.012",
                "UCX_wall_00",
                "ubx_wall",
                "UCP_wall",
                "USP_wall",
            ],
        ),
        ("none", &["wall-navmesh", "wall-noimp", "wall_NoImp.003", "wall$navmesh"]),
        ("none", &["crate-rigid", "car-Vehicle", "car$vehicle", "front-wheel.001", "hall_occonly"]),
        ("mesh", &["ferris_wheel", "wheel", "hall-occ"]),
    ] {
        names.iter().for_each(|name| assert_eq!(role(name), expected, "{name}"));
    }
}

#[test]
fn bodies_that_godot_moves_and_occluders_are_left_out_unless_marked() {
    let mut doc = Doc::square();
    let lid = doc.child(json!({"name": "lid", "mesh": 0}));
    doc.node(json!({"name": "crate-rigid", "mesh": 0, "children": [lid]}));
    let box_in_hall = doc.child(json!({"name": "box", "mesh": 0}));
    doc.node(json!({"name": "hall-occonly", "mesh": 0, "children": [box_in_hall]}));
    let scene = doc.load();
    assert_eq!(names(&scene), ["box", "floor"]);
    let moves = "named a body that moves, or below such a node";
    assert_eq!([reason(&scene, "crate-rigid"), reason(&scene, "lid")], [moves; 2]);
    assert_eq!(reason(&scene, "hall-occonly"), "an occluder, named so: not solid");
    let obstacle = ["crate-*", "hall-*"].map(str::to_owned).to_vec();
    let scene = doc.load_with(&SceneMarks { obstacle, ..SceneMarks::default() });
    assert_eq!(names(&scene), ["box", "crate-rigid", "floor", "hall-occonly", "lid"]);
}

#[test]
fn what_stands_for_a_visual_mesh_replaces_it() {
    let mut doc = Doc::new();
    let mesh = doc.mesh_of(&CUBE, &CUBE_FACES);
    for name in [
        "Rock",
        "UCX_Rock_00",
        "UCX_Rock_01",
        "Hut",
        "Hut-colonly",
        "Barn",
        "Barn-col",
        "Tree_1",
        "UCX_Tree_1",
    ] {
        doc.node(json!({"name": name, "mesh": mesh}));
    }
    doc.json["nodes"][0]["extras"] = json!({"nav": "gravel"});
    let scene = doc.load();
    let expected = ["Barn", "Barn-col", "Hut-colonly", "UCX_Rock_00", "UCX_Rock_01", "UCX_Tree_1"];
    assert_eq!(names(&scene), expected);
    assert_eq!(reason(&scene, "Hut"), "a mesh named for collision stands for it");
    assert_eq!(
        [ground(&scene, "UCX_Rock_00"), ground(&scene, "UCX_Tree_1")],
        ["gravel", "walkable"]
    );
}

#[test]
fn stand_ins_that_blender_copied_stand_for_the_copy() {
    let used = |list: &[&str]| {
        let mut doc = Doc::new();
        let mesh = doc.mesh_of(&CUBE, &CUBE_FACES);
        list.iter().for_each(|&name| _ = doc.node(json!({"name": name, "mesh": mesh})));
        names(&doc.load()).join(" ")
    };
    let expected = "Tree-colonly Tree-colonly.001";
    assert_eq!(used(&["Tree", "Tree-colonly", "Tree.001", "Tree-colonly.001"]), expected);
    // Without a copy of the tree, both stand for the one there is.
    assert_eq!(used(&["Tree", "Tree-colonly", "Tree-colonly.001"]), expected);
    // The copy's stand-in does not stand for the first tree.
    assert_eq!(used(&["Tree", "Tree.001", "Tree-colonly.001"]), "Tree Tree-colonly.001");
    assert_eq!(used(&["Tree", "Tree.001", "Tree.001-colonly"]), "Tree Tree.001-colonly");
    assert_eq!(used(&["Tree", "Tree.001", "UCX_Tree_00.001"]), "Tree UCX_Tree_00.001");
    assert_eq!(used(&["Tree", "UCX_Tree_00.001", "UCX_Tree.002"]), "UCX_Tree.002 UCX_Tree_00.001");
    assert_eq!(used(&["Tree_1", "Tree", "UCX_Tree_1"]), "Tree UCX_Tree_1");
}

#[test]
fn what_is_left_out_itself_replaces_nothing() {
    let mut doc = Doc::new();
    let mesh = doc.mesh_of(&CUBE, &CUBE_FACES);
    let lines = doc.mesh(json!([{"attributes": {"POSITION": 0}, "mode": 1}]));
    for name in ["Floor", "Floor-colonly", "Hut", "UCX_Hut", "Rock", "UCX_Rock_00", "UCX_Rock_01"] {
        doc.node(json!({"name": name, "mesh": mesh}));
    }
    doc.node(json!({"name": "Shed", "mesh": mesh}));
    doc.node(json!({"name": "Shed-colonly", "mesh": lines}));
    let ignore = ["Floor-*", "UCX_Hut", "*_00"].map(str::to_owned).to_vec();
    let scene = doc.load_with(&SceneMarks { ignore, ..SceneMarks::default() });
    assert_eq!(names(&scene), ["Floor", "Hut", "Shed", "UCX_Rock_01"]);
    assert_eq!(reason(&scene, "Rock"), "a mesh named for collision stands for it");
}

#[test]
fn a_mark_reaches_what_stands_for_its_node_and_nothing_of_a_like_name() {
    let mut doc = Doc::new();
    let mesh = doc.mesh_of(&CUBE, &CUBE_FACES);
    for (name, nav) in [("Floor", "mud"), ("Wall", "mud"), ("Rock_2", "ice"), ("7", "ice")] {
        doc.node(json!({"name": name, "extras": {"nav": nav}}));
    }
    for name in ["Floor-colonly", "Floor2-colonly", "Floor_2-colonly", "UCX_Wall2", "UCX_Wall_2"] {
        doc.node(json!({"name": name, "mesh": mesh}));
    }
    doc.node(json!({"name": "UCX_Rock_2", "mesh": mesh}));
    doc.node(json!({"name": "UCX_7_1", "mesh": mesh}));
    let scene = doc.load();
    let grounds =
        |names: &[&str]| names.iter().map(|name| ground(&scene, name)).collect::<Vec<_>>();
    assert_eq!(grounds(&["Floor-colonly", "UCX_Wall_2"]), ["mud"; 2]);
    assert_eq!(grounds(&["UCX_Rock_2", "UCX_7_1"]), ["ice"; 2]);
    let others = ["Floor2-colonly", "Floor_2-colonly", "UCX_Wall2"];
    assert_eq!(grounds(&others), ["walkable"; 3]);
}

#[test]
fn marks_are_stronger_than_names() {
    let mut doc = Doc::square();
    doc.json["nodes"][0]["name"] = "a-noimp".into();
    let child = doc.child(json!({"name": "child", "mesh": 0}));
    doc.json["nodes"][0]["children"] = json!([child]);
    doc.node(json!({"name": "b-navmesh", "mesh": 0, "extras": {"nav": "walkable"}}));
    doc.node(
        json!({"name": "hubs", "mesh": 0, "extensions": {"MOZ_hubs_components": {"nav-mesh": {}}}}),
    );
    let scene = doc.load();
    assert_eq!(names(&scene), ["b-navmesh"]);
    assert!(reason(&scene, "child").contains("-noimp"));
    assert!(reason(&scene, "hubs").contains("navigation mesh"));
    doc.json["nodes"][0]["extras"] = json!({"nav": "road"});
    assert_eq!(names(&doc.load()), ["a-noimp", "b-navmesh", "child"]);
}

/// A file with one collider of each kind of a physics extension, under nodes with a scale.
fn physics(omi: bool, shapes: Value, scale: [f32; 3]) -> Doc {
    let mut doc = Doc::square();
    doc.json["nodes"][0]["name"] = "visual".into();
    let mesh = doc.mesh_of(&CUBE, &CUBE_FACES);
    assert_eq!(mesh, 1);
    let count = shapes.as_array().unwrap().len();
    let root = if omi { "OMI_physics_shape" } else { "KHR_implicit_shapes" };
    doc.json["extensions"] = json!({root: {"shapes": shapes}});
    for shape in 0..count {
        let extension = if omi {
            json!({"OMI_physics_body": {"collider": {"shape": shape}}})
        } else {
            json!({"KHR_physics_rigid_bodies": {"collider": {"geometry": {"shape": shape}}}})
        };
        doc.node(json!({"name": format!("body{shape}"), "scale": scale, "translation": [0, 1, 0], "extensions": extension}));
    }
    doc
}

fn shapes(scene: &Scene) -> Vec<Shape> {
    scene.solids.iter().map(|solid| solid.shape.clone()).collect()
}

#[test]
fn omi_shapes_become_primitives() {
    let list = json!([
        {"type": "box", "box": {"size": [2, 4, 6]}},
        {"type": "sphere", "sphere": {"radius": 2}},
        {"type": "capsule", "capsule": {"radius": 0.5, "height": 3}},
        {"type": "cylinder", "cylinder": {"radius": 1, "height": 3}},
        {"type": "convex", "convex": {"mesh": 1}},
        {"type": "trimesh", "trimesh": {"mesh": 0}},
        {"type": "blob"},
    ]);
    let scene = physics(true, list.clone(), [1.0; 3]).load();
    let half = |x, y, z| nalgebra::Vector3::new(x, y, z);
    assert_eq!(
        shapes(&scene)[..4],
        [
            Shape::Cuboid { half_extents: half(1.0, 2.0, 3.0) },
            Shape::Ball { radius: 2.0 },
            Shape::Capsule { half_height: 1.0, radius: 0.5 },
            Shape::Cylinder { half_height: 1.5, radius: 1.0 },
        ]
    );
    assert!(matches!(shapes(&scene)[4..], [Shape::Hull(_), Shape::Mesh(_)]));
    assert!(scene.solids[..4].iter().all(|solid| solid.pose.translation.vector.y == 1.0));
    assert_eq!(reason(&scene, "visual"), "visual only: the file has physics shapes");
    assert_eq!(reason(&scene, "body6"), "its collider is of the unknown kind \"blob\"");

    // Uneven scale: a box follows, a cylinder along its axis too, the round ones become hulls.
    let scene = physics(true, list.clone(), [2.0, 3.0, -2.0]).load();
    assert_eq!(shapes(&scene)[0], Shape::Cuboid { half_extents: half(2.0, 6.0, 6.0) });
    assert!(matches!(shapes(&scene)[1..3], [Shape::Hull(_), Shape::Hull(_)]));
    assert_eq!(shapes(&scene)[3], Shape::Cylinder { half_height: 4.5, radius: 2.0 });
    assert!(level_area(&scene).0 > 15.9 && level_area(&scene).1 == 0.0);
    let (low, high) = scene.bounds_of(&scene.solids[1]);
    assert!((low.y + 5.0).abs() < 1e-3 && (high.y - 7.0).abs() < 1e-3, "{low} {high}");
    assert!((high.x - 4.0).abs() < 0.02, "{high}");

    let scene = physics(true, list, [2.0; 3]).load();
    assert_eq!(shapes(&scene)[2], Shape::Capsule { half_height: 2.0, radius: 1.0 });
}

#[test]
fn khr_shapes_have_their_own_heights_and_defaults() {
    let list = json!([
        {"type": "box"},
        {"type": "capsule", "capsule": {"radiusTop": 0.5, "radiusBottom": 0.5, "height": 3}},
        {"type": "capsule", "capsule": {"radiusTop": 0.2, "radiusBottom": 0.5, "height": 3}},
        {"type": "cylinder"},
        {"type": "cylinder", "cylinder": {"radiusTop": 0, "radiusBottom": 1, "height": 2}},
        {"type": "plane", "plane": {"sizeX": 4, "sizeZ": 2}},
        {"type": "plane"},
        {"type": "sphere", "sphere": {"radius": -1}},
    ]);
    let scene = physics(false, list, [1.0; 3]).load();
    let found = shapes(&scene);
    assert_eq!(found[0], Shape::Cuboid { half_extents: nalgebra::Vector3::repeat(0.5) });
    assert_eq!(found[1], Shape::Capsule { half_height: 1.5, radius: 0.5 });
    assert_eq!(found[3], Shape::Cylinder { half_height: 0.25, radius: 0.25 });
    assert!(matches!(
        (&found[2], &found[4], &found[5]),
        (Shape::Hull(_), Shape::Hull(_), Shape::Mesh(_))
    ));
    let (low, high) = scene.bounds_of(&scene.solids[2]);
    assert!((low.y + 1.0).abs() < 1e-5 && (high.y - 2.7).abs() < 1e-5, "{low} {high}");
    assert_eq!(level_area(&scene), (8.0, 0.0));
    assert!(reason(&scene, "body6").contains("endless plane"));
    assert!(reason(&scene, "body7").contains("size of 0 or less"));
}

#[test]
fn khr_colliders_refer_to_meshes_directly_or_by_node() {
    let mut doc = physics(false, json!([]), [1.0; 3]);
    let collider =
        |geometry: Value| json!({"KHR_physics_rigid_bodies": {"collider": {"geometry": geometry}}});
    let donor = doc.child(json!({"name": "donor", "mesh": 1}));
    doc.node(json!({"name": "m", "extensions": collider(json!({"mesh": 1}))}));
    doc.node(json!({"name": "n", "extensions": collider(json!({"node": donor}))}));
    doc.node(json!({"name": "h", "mesh": 0, "extensions": collider(json!({"node": donor, "convexHull": true}))}));
    let scene = doc.load();
    assert_eq!(names(&scene), ["h", "m", "n"]);
    assert!(matches!(shapes(&scene)[..], [Shape::Hull(_), Shape::Mesh(_), Shape::Mesh(_)]));
    assert_eq!(reason(&scene, "h"), "its physics collider stands for it");
}

#[test]
fn only_static_bodies_count_and_triggers_do_not() {
    let mut doc = physics(
        true,
        json!([{"type": "sphere"}, {"type": "sphere"}, {"type": "sphere"}, {"type": "sphere"}]),
        [1.0; 3],
    );
    let body = |doc: &mut Doc, i: usize, key: &str, value: Value| {
        doc.json["nodes"][i]["extensions"]["OMI_physics_body"][key] = value
    };
    body(&mut doc, 1, "motion", json!({"type": "dynamic"}));
    body(&mut doc, 2, "motion", json!({"type": "kinematic"}));
    body(&mut doc, 3, "trigger", json!({"shape": 0}));
    doc.json["nodes"][1]["children"] = json!([5]);
    doc.child(json!({"name": "skin of body0", "mesh": 0}));
    let scene = doc.load();
    assert_eq!(names(&scene), ["body3"]);
    assert_eq!(
        ["body0", "body1", "skin of body0"].map(|node| reason(&scene, node)),
        ["its physics body moves"; 3]
    );
    assert_eq!(reason(&scene, "body2"), "a trigger, not solid");
    // Where nothing static has a shape, visual meshes are all there is.
    body(&mut doc, 4, "motion", json!({"type": "dynamic"}));
    assert_eq!(names(&doc.load()), ["visual"]);
}

#[test]
fn visual_meshes_give_way_only_to_colliders_that_are_used() {
    let check = |shape: Value, change: &dyn Fn(&mut Value), why: &str| {
        let mut doc = physics(false, json!([shape]), [1.0; 3]);
        change(&mut doc.json["nodes"][1]);
        let scene = doc.load();
        assert_eq!(names(&scene), ["visual"], "{why}");
        assert!(scene.report.skipped.iter().any(|skipped| skipped.reason.contains(why)), "{why}");
        let message = "none of its static physics colliders is used; its meshes are the collision";
        assert_eq!(scene.report.warnings[0].message, message);
        // One that is used suffices.
        let extensions =
            json!({"KHR_physics_rigid_bodies": {"collider": {"geometry": {"mesh": 1}}}});
        doc.node(json!({"name": "good", "extensions": extensions}));
        let scene = doc.load();
        assert_eq!(names(&scene), ["good"], "{why}");
        assert_eq!(scene.report.warnings, [], "{why}");
    };
    check(json!({"type": "plane"}), &|_| {}, "endless plane");
    check(json!({"type": "hexagon"}), &|_| {}, "unknown kind");
    check(json!({"type": "box", "box": {"size": [0, 1, 1]}}), &|_| {}, "size of 0 or less");
    let cube = json!({"type": "box"});
    check(cube.clone(), &|node| node["scale"] = json!([0, 0, 0]), "scaled to zero");
    check(cube.clone(), &|node| node["name"] = json!("body-noimp"), "-noimp");
    check(cube, &|node| node["extras"] = json!({"nav": "ignore"}), "marked to be ignored");
}

#[test]
fn colliders_too_large_or_too_small_to_measure_are_refused() {
    for size in [4e11, 1e-60] {
        let shapes = [
            json!({"type": "box", "box": {"size": [1, 1, size]}}),
            json!({"type": "sphere", "sphere": {"radius": size}}),
            json!({"type": "cylinder", "cylinder": {"radius": size, "height": 1}}),
        ];
        for shape in shapes {
            let error = physics(true, json!([shape]), [1.0; 3]).error();
            assert!(error.contains("its collider measures"), "{error}");
        }
    }
}

/// Their nodes have a scale, but 32-bit numbers do not tell their corners apart.
#[test]
fn colliders_scaled_to_nothing_are_skipped() {
    for (shape, expected) in [
        (json!({"type": "plane", "plane": {"sizeX": 1e-30, "sizeZ": 1}}), "no area"),
        (json!({"type": "capsule", "capsule": {"radius": 1e-30, "height": 1}}), "no volume"),
    ] {
        let mut doc = physics(false, json!([shape]), [1.0, 2.0, 3.0]);
        doc.json["nodes"][1]["translation"] = json!([7, 7, 7]);
        let scene = doc.load();
        assert_eq!(names(&scene), Vec::<&str>::new());
        assert!(reason(&scene, "body0").contains(expected), "{:?}", scene.report.skipped);
    }
}

#[test]
fn a_mesh_counts_in_place_of_its_collider_that_cannot_be_used() {
    let mut doc = physics(true, json!([{"type": "box"}, {"type": "blob"}]), [1.0; 3]);
    doc.json["nodes"][2]["mesh"] = 1.into();
    let lines = doc.mesh(json!([{"attributes": {"POSITION": 0}, "mode": 1}]));
    doc.json["extensions"]["OMI_physics_shape"]["shapes"]
        .as_array_mut()
        .unwrap()
        .push(json!({"type": "trimesh", "trimesh": {"mesh": lines}}));
    let extensions = json!({"OMI_physics_body": {"collider": {"shape": 2}}});
    doc.node(json!({"name": "body2", "mesh": 1, "extensions": extensions}));
    let scene = doc.load();
    assert_eq!(names(&scene), ["body0", "body1", "body2"]);
    assert!(reason(&scene, "body1").contains("unknown kind"));
    assert_eq!(reason(&scene, "body2"), "its collider's mesh has no triangles");
    assert_eq!(reason(&scene, "visual"), "visual only: the file has physics shapes");
    let warned: Vec<&str> = scene.report.warnings.iter().map(|w| w.node.as_str()).collect();
    assert_eq!(warned, ["body1", "body2"]);
}

#[test]
fn visual_meshes_count_beside_physics_where_asked() {
    let mut doc = physics(true, json!([{"type": "box"}]), [1.0; 3]);
    let asked = SceneMarks { visual_meshes: true, ..SceneMarks::default() };
    assert_eq!(names(&doc.load_with(&asked)), ["body0", "visual"]);
    doc.json["nodes"][0]["extras"] = json!({"nav": "mud"});
    assert_eq!(names(&doc.load()), ["body0", "visual"]);
    doc.json["nodes"][0] = json!({"name": "visual-col", "mesh": 0});
    assert_eq!(names(&doc.load()), ["body0", "visual-col"]);
    doc.json["nodes"][1]["extras"] = json!({"nav": "obstacle"});
    assert_eq!(ground(&doc.load(), "body0"), "obstacle");
}

#[test]
fn links_lead_to_nodes_or_join_pairs() {
    let mut doc = Doc::square();
    let links = [
        ("ledge", json!({"to": "ground", "kind": "drop", "cost": 2})),
        ("gap", json!({"to": "far side", "kind": "jump", "one_way": true})),
        ("top", json!({"pair": 7})),
        ("bottom", json!({"pair": 7, "kind": "ladder"})),
        ("in", json!({"pair": "door", "kind": "door"})),
        ("out", json!({"pair": "door", "kind": "door", "one_way": true})),
    ];
    let root = doc.node(json!({"name": "root", "translation": [0, 10, 0], "children": []}));
    for (x, (name, link)) in links.into_iter().enumerate() {
        let child = doc.child(
            json!({"name": name, "translation": [x, 0, 0], "extras": {"nav": {"link": link}}}),
        );
        doc.json["nodes"][root]["children"].as_array_mut().unwrap().push(child.into());
    }
    doc.node(json!({"name": "ground", "translation": [1, 0, 1]}));
    doc.node(json!({"name": "far side", "translation": [9, 0, 0]}));
    let scene = doc.load();
    let found: Vec<_> = scene
        .links
        .iter()
        .map(|l| (l.name.as_str(), l.from.x, l.to.x, l.two_way, l.cost, l.kind))
        .collect();
    assert_eq!(
        found,
        [
            ("bottom", 3.0, 2.0, true, None, LinkKind::Ladder),
            ("gap", 1.0, 9.0, false, None, LinkKind::Jump),
            ("ledge", 0.0, 1.0, false, Some(2.0), LinkKind::Drop),
            ("out", 5.0, 4.0, false, None, LinkKind::Door),
        ]
    );
    assert_eq!((scene.links[0].from.y, scene.links[2].to.y), (10.0, 0.0));
    assert_eq!(scene.report.warnings, []);
    assert_eq!(scene.report.skipped, []);
}

#[test]
fn links_are_wide_and_say_what_their_author_says() {
    let load = |link: Value| {
        let mut doc = Doc::square();
        let turned = [0.0, std::f32::consts::FRAC_1_SQRT_2, 0.0, std::f32::consts::FRAC_1_SQRT_2];
        let nav = json!({"nav": {"link": link}});
        doc.node(json!({"name": "a", "rotation": turned, "scale": [3, 3, 3], "extras": nav}));
        doc.node(json!({"name": "far", "translation": [4, 0, 0]}));
        doc.node(json!({"name": "above", "translation": [0, 5, 0]}));
        doc.load()
    };
    let data = json!({"z": [1, null], "a": "sprung", "n": 0.5});
    let jump = load(json!({"to": "far", "width": 2, "capacity": 3.0, "user_data": data}));
    assert_eq!(jump.report.warnings, []);
    let own = &jump.links[0];
    assert_eq!((own.across.x, own.across.y, own.across.z.abs()), (0.0, 0.0, 2.0));
    assert_eq!((own.capacity, own.stop), (Some(3), None));
    assert_eq!(serde_json::from_str::<Value>(&own.user_data).unwrap(), data);
    assert!(!own.user_data.contains(' '));
    // Straight up, the link is as wide as its node's x axis leads.
    let ladder = load(json!({"to": "above", "kind": "climb", "width": 1}));
    let across = ladder.links[0].across;
    assert!(across.x.abs() < 1e-5 && (across.z.abs() - 1.0).abs() < 1e-5, "{across}");
    for (link, problem) in [
        (json!({"to": "far", "width": -1}), "width of -1 has no effect"),
        (json!({"to": "far", "capacity": 1.5}), "capacity of 1.5 has no effect"),
        (json!({"to": ["far", "above"]}), "only one that is \"moving\""),
    ] {
        let message = &load(link).report.warnings[0].message;
        assert!(message.contains(problem), "{message}");
    }
    let hash = |link| load(link).report.hash;
    assert_ne!(hash(json!({"to": "far"})), hash(json!({"to": "far", "width": 1})));
    assert_ne!(hash(json!({"to": "far"})), hash(json!({"to": "far", "user_data": 1})));
}

#[test]
fn a_link_that_moves_has_a_stop_for_each_node() {
    let mut doc = Doc::square();
    let link = json!({"to": ["top", "nobody", "ground"], "moving": true, "capacity": 2});
    doc.node(json!({"name": "lift", "extras": {"nav": {"link": link}}}));
    doc.node(json!({"name": "ground", "translation": [1, 0, 1]}));
    doc.node(json!({"name": "top", "translation": [1, 3, 1]}));
    let scene = doc.load();
    let message = &scene.report.warnings[0].message;
    assert!(message.contains("no node has that name"), "{message}");
    let mut stops: Vec<_> =
        scene.links.iter().map(|l| (l.stop.unwrap().number, l.to.y, l.capacity)).collect();
    stops.sort_by_key(|stop| stop.0);
    assert_eq!(stops, [(0, 3.0, Some(2)), (2, 0.0, Some(2))]);
    assert_eq!(scene.links[0].stop.unwrap().moving, scene.links[1].stop.unwrap().moving);
}

#[test]
fn drops_lead_down_and_never_back() {
    let pair = |low: &str, high: &str, links: [Value; 2]| {
        let mut doc = Doc::square();
        for (name, y, link) in [(low, 0, &links[0]), (high, 3, &links[1])] {
            let nav = json!({"nav": {"link": link}});
            doc.node(json!({"name": name, "translation": [0, y, 0], "extras": nav}));
        }
        let scene = doc.load();
        let link = &scene.links[0];
        assert_eq!((link.name.as_str(), link.from.y, link.to.y), (high, 3.0, 0.0));
        assert_eq!((link.kind, link.two_way), (LinkKind::Drop, false));
        scene.report.warnings.iter().map(|w| w.node.clone()).collect::<Vec<_>>().join(" ")
    };
    let drop = json!({"pair": 1, "kind": "drop"});
    let plain = json!({"pair": 1});
    let back = json!({"pair": 1, "one_way": false});
    for (low, high) in [("a", "b"), ("b", "a")] {
        assert_eq!(pair(low, high, [drop.clone(), drop.clone()]), "");
        assert_eq!(pair(low, high, [plain.clone(), drop.clone()]), "");
        assert_eq!(pair(low, high, [drop.clone(), plain.clone()]), "");
        assert_eq!(pair(low, high, [back.clone(), drop.clone()]), low);
    }
    let mut doc = Doc::square();
    let link = json!({"to": "floor", "kind": "drop", "one_way": false});
    doc.node(json!({"name": "hole", "translation": [0, -1, 0], "extras": {"nav": {"link": link}}}));
    let scene = doc.load();
    let warnings: String = scene.report.warnings.iter().map(|w| w.message.as_str()).collect();
    assert!(warnings.contains("leads up") && warnings.contains("has no effect"), "{warnings}");
    assert!(!scene.links[0].two_way);
}

#[test]
fn links_that_lead_nowhere_are_reported() {
    let warnings = |link: Value| {
        let mut doc = Doc::square();
        doc.node(json!({"name": "a", "extras": {"nav": {"link": link}}}));
        doc.node(json!({"name": "twin"}));
        doc.node(json!({"name": "twin"}));
        let scene = doc.load();
        assert!(scene.report.warnings.iter().all(|warning| warning.node == "a"));
        (
            scene.links.len(),
            scene.report.warnings.iter().map(|w| w.message.clone()).collect::<String>(),
        )
    };
    let check = |link: Value, count: usize, expected: &str| {
        let (links, message) = warnings(link);
        assert!(links == count && message.contains(expected), "{links}: {message}");
    };
    check(json!({"to": "nobody"}), 0, "no node has that name");
    check(json!({"to": "twin"}), 0, "2 nodes have that name");
    check(json!({"pair": "alone"}), 0, "has 1 ends; it needs 2");
    check(json!({"kind": "jump"}), 0, "needs either \"to\"");
    check(json!({"to": "floor", "kind": "fly"}), 1, "\"fly\" is no kind of link");
    check(json!({"to": "floor", "cost": -1}), 1, "cost of -1 has no effect");
}
