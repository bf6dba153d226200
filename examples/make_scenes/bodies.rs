//! Scenes of physics shapes: the same bodies as Godot writes them and as the Khronos drafts say.
//!
//! The visual meshes are there to mislead: a lawn half a metre up, and a banner across the way.

use serde_json::{Value, json};

use super::node::Node;
use super::shapes::{cuboid, plane, ramp};
use super::slopes::{GRASS, STONE};
use super::writer::Gltf;

/// The bodies and where their middles are [m]; the place in the list is the number of the shape.
const BODIES: [(&str, [f64; 3]); 7] = [
    ("Ground", [10.0, -0.5, 8.0]),
    ("Box", [3.0, 1.0, 3.0]),
    ("Ball", [8.0, 0.5, 3.0]),
    ("Capsule", [13.0, 1.0, 3.0]),
    ("Cylinder", [17.0, 1.0, 3.0]),
    ("Landing", [10.5, 0.5, 10.5]),
    ("Hull", [5.0, 0.0, 9.0]),
];

/// Static bodies in OMI's extensions, each collider in a child of its body, as Godot writes it.
pub fn primitives() -> Vec<u8> {
    const BODY: &str = "OMI_physics_body";
    let (mut gltf, hull) = visuals();
    let shapes = json!([
        { "type": "box", "box": { "size": [20, 1, 16] } },
        { "type": "box", "box": { "size": [2, 2, 2] } },
        { "type": "sphere", "sphere": { "radius": 1 } },
        { "type": "capsule", "capsule": { "radius": 0.5, "height": 2 } },
        { "type": "cylinder", "cylinder": { "radius": 1, "height": 2 } },
        { "type": "box", "box": { "size": [3, 1, 3] } },
        { "type": "convex", "convex": { "mesh": hull } },
    ]);
    gltf.extension("OMI_physics_shape", json!({ "shapes": shapes }));
    for (shape, (name, at)) in BODIES.into_iter().enumerate() {
        let collider = Node::new(format!("{name}Collider"));
        let collider = collider.extension(BODY, json!({ "collider": { "shape": shape } }));
        let collider = gltf.part(collider);
        let body = Node::new(name).at(at).children(&[collider]);
        gltf.add(body.extension(BODY, json!({ "motion": { "type": "static" } })));
    }
    gltf.embedded()
}

/// The same bodies in the drafts KHR_implicit_shapes and KHR_physics_rigid_bodies.
pub fn primitives_khr() -> Vec<u8> {
    let (mut gltf, hull) = visuals();
    let round = |radius: f64, height: f64| json!({ "radiusTop": radius, "radiusBottom": radius, "height": height });
    let shapes = json!([
        { "type": "box", "box": { "size": [20, 1, 16] } },
        { "type": "box", "box": { "size": [2, 2, 2] } },
        { "type": "sphere", "sphere": { "radius": 1 } },
        { "type": "capsule", "capsule": round(0.5, 1.0) },
        { "type": "cylinder", "cylinder": round(1.0, 2.0) },
        { "type": "box", "box": { "size": [3, 1, 3] } },
    ]);
    let count = shapes.as_array().map_or(0, Vec::len);
    gltf.extension("KHR_implicit_shapes", json!({ "shapes": shapes }));
    for (shape, (name, at)) in BODIES.into_iter().enumerate() {
        let node = Node::new(name).at(at);
        let (node, geometry): (Node, Value) = if shape < count {
            (node, json!({ "shape": shape }))
        } else {
            // The hull of another node's mesh.
            let mesh = gltf.part(Node::new(format!("{name}Mesh")).mesh(hull));
            (node.children(&[mesh]), json!({ "node": mesh, "convexHull": true }))
        };
        let collider = json!({ "collider": { "geometry": geometry } });
        gltf.add(node.extension("KHR_physics_rigid_bodies", collider));
    }
    gltf.embedded()
}

/// A file with what one sees but does not touch, and the mesh of the wedge.
fn visuals() -> (Gltf, usize) {
    let mut gltf = Gltf::default();
    let grass = gltf.material("grass", GRASS, None);
    let stone = gltf.material("stone", STONE, None);
    let hull = gltf.mesh("Wedge", &[(stone, ramp(4.0, 1.0, 0.0, 3.0))]);
    let lawn = gltf.mesh("Lawn", &[(grass, plane([0.0, 0.0], [20.0, 16.0], 0.5))]);
    gltf.add(Node::new("LawnVisual").mesh(lawn));
    let banner = gltf.mesh("Banner", &[(stone, cuboid([0.0, 0.0, 13.5], [20.0, 1.5, 14.0]))]);
    gltf.add(Node::new("BannerVisual").mesh(banner));
    (gltf, hull)
}
