//! Scenes made by code.

use serde_json::json;
use surefoot::grid::{Area, LinkKind};
use surefoot_bake::Scene;
use surefoot_bake::scene::{LinkMarker, Placement, SceneBuilder, Triangles};

use surefoot_testing::{Doc, SQUARE, close};

#[test]
fn a_built_scene_is_the_same_as_a_loaded_one() {
    let mut doc = Doc::square();
    doc.json["nodes"][0]["extras"] = json!({"nav": {"area": "mud", "cost": 2.5}});
    let mut builder = SceneBuilder::new("floor");
    let mud = builder.area(Area { name: "mud".to_owned(), cost: 2.5, forbidden: false });
    builder.mesh(
        "floor",
        Triangles { vertices: &SQUARE, triangles: &[[3, 0, 2], [1, 2, 0]] },
        Placement::default().area(mud),
    );
    let built = builder.build().unwrap();
    assert_eq!(built.report.hash, doc.load().report.hash);
}

#[test]
fn a_scene_in_another_is_all_of_it() {
    let build = |parts: &dyn Fn(&mut SceneBuilder)| {
        let mut builder = SceneBuilder::new("yard");
        builder.area(Area { name: "mud".to_owned(), cost: 2.5, forbidden: false });
        parts(&mut builder);
        builder.build().unwrap()
    };
    let floor = |b: &mut SceneBuilder| {
        let shell = Triangles { vertices: &SQUARE, triangles: &[[3, 0, 2], [1, 2, 0]] };
        b.mesh("floor", shell, Placement::at([9.0, 0.0, 0.0]).area(surefoot::grid::AreaId(1)));
    };
    let rest = |b: &mut SceneBuilder| {
        let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        b.hull("rock", &points, Placement::default());
        let to = [9.0, 0.0, 0.0].into();
        b.link(LinkMarker { name: "gap".to_owned(), to, ..LinkMarker::default() });
    };
    let inner = build(&rest);
    let outer = build(&|b| {
        floor(b);
        b.scene(inner.clone());
    });
    let at_once = build(&|b| {
        rest(b);
        floor(b);
    });
    assert_eq!(outer, at_once);

    let refused = |scene: Scene, expected: &str| {
        let mut builder = SceneBuilder::new("yard");
        builder.scene(scene);
        let error = builder.build().unwrap_err().to_string();
        assert_eq!(error, expected);
    };
    refused(inner.clone(), "\"yard\": its areas are others than those here");
    let areas = vec![Area::walkable()];
    let no_mesh = Scene { meshes: Vec::new(), areas, ..inner };
    refused(no_mesh, "\"rock\": its scene has no such mesh");
}

#[test]
fn bounds_are_exact_for_round_primitives() {
    let tilted =
        nalgebra::Isometry3::rotation(nalgebra::Vector3::z() * std::f32::consts::FRAC_PI_2);
    let mut builder = SceneBuilder::new("shapes");
    builder.capsule("lying", [2.0, 0.5], tilted);
    builder.cylinder("pillar", [1.0, 0.5], Placement::at([0.0, 4.0, 0.0]));
    builder.ball("ball", 1.0, Placement::at([0.0, 0.0, 9.0]));
    builder.cuboid("box", [1.0, 2.0, 3.0], Placement::at([0.0, -7.0, 0.0]).obstacle());
    builder.hull(
        "rock",
        &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        Placement::at([0.0, 0.0, -9.0]),
    );
    let scene = builder.build().unwrap();
    let (low, high) = scene.bounds().unwrap();
    for (value, expected) in low.iter().chain(high.iter()).zip([-2.5, -9.0, -9.0, 2.5, 5.0, 10.0]) {
        assert!(close(*value, expected), "{low} {high}");
    }
    assert_eq!((scene.report.colliders, scene.report.triangles), (5, 0));
}

#[test]
fn a_builder_refuses_what_is_no_shape() {
    let check = |build: &dyn Fn(&mut SceneBuilder), expected: &str| {
        let mut builder = SceneBuilder::new("broken");
        build(&mut builder);
        let error = builder.build().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(&|b| _ = b.ball("b", f32::NAN, Placement::default()), "\"b\": each of its sizes");
    check(&|b| _ = b.ball("b", -1.0, Placement::default()), "sizes must be more than 0");
    check(
        &|b| _ = b.ball("b", 1.0, Placement::at([f32::INFINITY, 0.0, 0.0])),
        "not a valid position",
    );
    check(
        &|b| {
            _ = b.mesh(
                "m",
                Triangles { vertices: &SQUARE, triangles: &[[0, 1, 4]] },
                Placement::default(),
            )
        },
        "beyond its 4 vertices",
    );
    check(
        &|b| {
            _ = b.mesh(
                "m",
                Triangles { vertices: &SQUARE, triangles: &[[0, 1, 1]] },
                Placement::default(),
            )
        },
        "no triangle with an area",
    );
    check(
        &|b| {
            _ = b.mesh(
                "m",
                Triangles { vertices: &[[f32::NAN; 3]; 3], triangles: &[[0, 1, 2]] },
                Placement::default(),
            )
        },
        "not a valid position",
    );
    check(&|b| _ = b.hull("h", &SQUARE, Placement::default()), "enclose no volume");
    check(&|b| _ = b.area(Area { cost: 0.0, ..Area::walkable() }), "its cost is 0");
    let link = LinkMarker {
        name: "l".to_owned(),
        from: [0.0; 3].into(),
        to: [f32::NAN; 3].into(),
        two_way: true,
        cost: None,
        kind: LinkKind::Jump,
        ..LinkMarker::default()
    };
    check(&|b| _ = b.link(link.clone()), "\"l\": (NaN, NaN, NaN) is not a valid position");
}
