//! Scenes about going up: stairs, a ramp at the slope limit, a steeper one, mirrored ones.

use super::node::Node;
use super::shapes::{Mesh, Section, Stairs, cuboid, extrude, plane, ramp};
use super::writer::{Form, Gltf};

/// Turf, stone and wood: the colors of the small scenes.
pub const GRASS: u32 = 0x8fb573;
pub const STONE: u32 = 0xb9b2a5;
pub const WOOD: u32 = 0xa9764a;

/// The rise of a 50° ramp over its run.
const STEEP: f64 = 1.191_753_592_594_21;

/// Ten steps of 0.2 m up to a platform of 2 m, and two steps of 1 m beside it, as bytes.
pub fn stairs() -> Vec<u8> {
    let mut gltf = Gltf::default();
    let grass = gltf.material("grass", GRASS, None);
    let stone = gltf.material("stone", STONE, None);
    // Every length is a multiple of 0.1 m, so a byte a coordinate does.
    let small = |gltf: &mut Gltf, name: &str, part: (usize, Mesh)| {
        let mesh = gltf.mesh_as(name, part, Form::Bytes(0.1));
        Node::new(name).mesh(mesh).scale([0.1; 3])
    };
    let ground = small(&mut gltf, "Ground", (grass, plane([0.0, 0.0], [20.0, 12.0], 0.0)));
    gltf.add(ground);
    let flight = Stairs { steps: 10, riser: 0.2, tread: 0.3, width: 3.0, low: 0.0 };
    let stairs = small(&mut gltf, "Stairs", (stone, flight.block()));
    gltf.add(stairs.at([4.0, 0.0, 2.0]));
    let platform = small(&mut gltf, "Platform", (stone, cuboid([0.0; 3], [5.0, 2.0, 8.0])));
    gltf.add(platform.at([7.0, 0.0, 2.0]));
    let flight = Stairs { steps: 2, riser: 1.0, tread: 1.0, width: 3.0, low: 0.0 };
    let steps = small(&mut gltf, "HighSteps", (stone, flight.block()));
    gltf.add(steps.at([5.0, 0.0, 7.0]));
    gltf.embedded()
}

/// A ramp of exactly 45° up to a platform of 3 m; the ground is a triangle strip.
pub fn ramp_limit() -> Vec<u8> {
    let mut gltf = Gltf::default();
    let grass = gltf.material("grass", GRASS, None);
    let stone = gltf.material("stone", STONE, None);
    let strip = [0.0, 6.0, 12.0, 18.0].map(|x| [[x, 0.0, 0.0], [x, 0.0, 10.0]]).concat();
    let ground = gltf.strip("Ground", grass, &strip);
    gltf.add(Node::new("Ground").mesh(ground));
    let slope = gltf.mesh("Ramp", &[(stone, ramp(3.0, 3.0, 0.0, 4.0))]);
    gltf.add(Node::new("Ramp").mesh(slope).at([6.0, 0.0, 3.0]));
    let platform = gltf.mesh("Platform", &[(stone, cuboid([0.0; 3], [5.0, 3.0, 4.0]))]);
    gltf.add(Node::new("Platform").mesh(platform).at([9.0, 0.0, 3.0]));
    gltf.embedded()
}

/// A ramp of 50° up to a platform, without indices.
pub fn ramp_steep() -> Vec<u8> {
    let mut gltf = Gltf::default();
    let grass = gltf.material("grass", GRASS, None);
    let stone = gltf.material("stone", STONE, None);
    let top = 2.5 * STEEP;
    let parts = [
        ("Ground", grass, plane([0.0, 0.0], [18.0, 10.0], 0.0)),
        ("Ramp", stone, ramp(2.5, top, 0.0, 4.0).moved([6.0, 0.0, 3.0])),
        ("Platform", stone, cuboid([8.5, 0.0, 3.0], [14.0, top, 7.0])),
    ];
    for (name, material, mesh) in parts {
        let mesh = gltf.mesh_as(name, (material, mesh), Form::Soup);
        gltf.add(Node::new(name).mesh(mesh));
    }
    gltf.embedded()
}

/// One flight with a landing and a ramp down, five times: as it is, mirrored, stretched, turned
/// inside a stretched and mirrored parent, and upside down twice.
pub fn mirrored() -> Vec<u8> {
    let mut gltf = Gltf::default();
    let grass = gltf.material("grass", GRASS, None);
    let stone = gltf.material("stone", STONE, None);
    let ground = gltf.mesh("Ground", &[(grass, plane([-16.0, -16.0], [16.0, 16.0], 0.0))]);
    gltf.add(Node::new("Ground").mesh(ground));
    let climb = gltf.mesh("Climb", &[(stone, climb())]);
    let node = |name: &str| Node::new(name).mesh(climb);
    gltf.add(node("Plain").at([3.0, 0.0, 3.0]));
    gltf.add(node("MirroredX").at([-3.0, 0.0, 3.0]).scale([-1.0, 1.0, 1.0]));
    gltf.add(node("Stretched").at([3.0, 0.0, -6.0]).scale([1.25, 1.25, 2.0]));
    let inner = gltf.part(node("TurnedInside").yaw(0.125));
    let outer = Node::new("MirroredParent").at([-10.0, 0.0, -6.0]).scale([1.5, 1.0, -1.0]);
    gltf.add(outer.children(&[inner]));
    let down = gltf.part(node("UpsideDown").scale([1.0, -1.0, 1.0]));
    let up = gltf.part(Node::new("UpsideUp").scale([1.0, -1.0, 1.0]).children(&[down]));
    gltf.add(Node::new("Twice").at([-3.0, 0.0, 11.0]).children(&[up]));
    gltf.embedded()
}

/// Five steps of 0.2 m, a landing of 1.5 m at 1 m, and a ramp back down: 6 m long, 2 m wide.
fn climb() -> Mesh {
    let flight = Stairs { steps: 5, riser: 0.2, tread: 0.3, width: 2.0, low: -0.25 };
    let station = |x, high| Section { x, low: -0.25, high };
    let rest = extrude(&[station(1.5, 1.0), station(3.0, 1.0), station(6.0, 0.0)], 0.0, 2.0);
    flight.block().with(rest)
}
