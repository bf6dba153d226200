//! Scenes with floors above floors: a bridge, a house of two storeys, a spiral tower.

use super::angle::{cos, sin};
use super::blocks::Blocks;
use super::node::Node;
use super::shapes::{Mesh, P, Section, Stairs, cylinder, extrude, plane};
use super::slopes::{GRASS, STONE, WOOD};
use super::writer::Gltf;

/// A deck at 3.5 m over a path, with a ramp up at both ends and 3 m of room beneath.
pub fn bridge() -> Vec<u8> {
    let mut gltf = Gltf::default();
    let grass = gltf.material("grass", GRASS, None);
    let path = gltf.material("path", 0xd8c59a, None);
    let stone = gltf.material("stone", STONE, None);
    let meadow = plane([0.0, 0.0], [13.0, 16.0], 0.0).with(plane([17.0, 0.0], [30.0, 16.0], 0.0));
    let way = plane([13.0, 0.0], [17.0, 16.0], 0.0);
    let ground = gltf.mesh("Ground", &[(grass, meadow), (path, way)]);
    gltf.add(Node::new("Ground").mesh(ground));
    let station = |x, low, high| Section { x, low, high };
    let deck = [
        station(2.0, -0.25, 0.0),
        station(10.0, -0.25, 3.5),
        station(10.5, 3.0, 3.5),
        station(19.5, 3.0, 3.5),
        station(20.0, -0.25, 3.5),
        station(28.0, -0.25, 0.0),
    ];
    let parapet = deck.map(|s| station(s.x, s.high - 0.25, s.high + 0.9));
    let bridge = extrude(&deck, 6.0, 10.0);
    let rails = extrude(&parapet, 6.0, 6.25).with(extrude(&parapet, 9.75, 10.0));
    let bridge = gltf.mesh("Bridge", &[(stone, bridge)]);
    gltf.add(Node::new("Bridge").mesh(bridge));
    let rails = gltf.mesh("Parapets", &[(stone, rails)]);
    gltf.add(Node::new("Parapets").mesh(rails));
    gltf.binary()
}

/// A house with a door, a stair of 0.2 m risers, and a stairwell through the upper floor.
pub fn two_storeys() -> Vec<u8> {
    let mut gltf = Gltf::default();
    let grass = gltf.material("grass", GRASS, None);
    let plaster = gltf.material("plaster", 0xe8dcc0, None);
    let wood = gltf.material("wood", WOOD, None);
    let ground = gltf.mesh("Ground", &[(grass, plane([0.0, 0.0], [20.0, 18.0], 0.0))]);
    gltf.add(Node::new("Ground").mesh(ground));
    let house = Blocks::default()
        .add([4.0, -0.5, 4.0], [14.0, 6.0, 12.0])
        .cut([4.5, -0.5, 4.5], [13.5, 2.75, 11.5])
        .cut([4.5, 3.0, 4.5], [13.5, 6.0, 11.5])
        // The door, and windows too low to stand in.
        .cut([8.0, -0.5, 11.5], [9.5, 2.25, 12.0])
        .cut([5.5, 1.0, 11.5], [6.5, 1.75, 12.0])
        .cut([11.0, 1.0, 11.5], [12.0, 1.75, 12.0])
        .cut([5.5, 4.0, 11.5], [6.5, 4.75, 12.0])
        .cut([11.0, 4.0, 11.5], [12.0, 4.75, 12.0])
        // The stairwell.
        .cut([6.0, 2.75, 4.5], [10.5, 3.0, 6.0]);
    let walls = gltf.mesh("House", &[(plaster, house.mesh())]);
    gltf.add(Node::new("House").mesh(walls));
    let flight = Stairs { steps: 15, riser: 0.2, tread: 0.3, width: 1.5, low: -0.5 };
    let stair = gltf.mesh("Stair", &[(wood, flight.block())]);
    gltf.add(Node::new("Stair").mesh(stair).at([6.0, 0.0, 4.5]));
    gltf.binary()
}

/// Height of one turn of the spiral [m].
const TURN: f64 = 3.25;
/// Steps of the mesh round one turn.
const SIDES: u32 = 24;

/// A ramp that winds six times and a quarter round a pillar, 2.95 m of room on every turn.
pub fn spiral_tower() -> Vec<u8> {
    let mut gltf = Gltf::default();
    let grass = gltf.material("grass", GRASS, None);
    let stone = gltf.material("stone", STONE, None);
    let wood = gltf.material("wood", WOOD, None);
    let ground = gltf.mesh("Ground", &[(grass, plane([-9.0, -9.0], [9.0, 9.0], 0.0))]);
    gltf.add(Node::new("Ground").mesh(ground));
    let pillar = gltf.mesh("Pillar", &[(stone, cylinder(2.25, [-0.5, 24.0], SIDES))]);
    gltf.add(Node::new("Pillar").mesh(pillar));
    let spiral = gltf.mesh("Spiral", &[(wood, spiral(6 * SIDES + SIDES / 4))]);
    gltf.add(Node::new("Spiral").mesh(spiral));
    gltf.binary()
}

/// A closed ramp round the y axis, from radius 2 to 5, over a number of sides.
fn spiral(end: u32) -> Mesh {
    let rim = |i: u32, radius: f64, below: f64| -> P {
        let turns = f64::from(i % SIDES) / f64::from(SIDES);
        let y = TURN * f64::from(i) / f64::from(SIDES) - below;
        [radius * cos(turns), y, -radius * sin(turns)]
    };
    let corners = |i: u32| [rim(i, 2.0, 0.3), rim(i, 5.0, 0.3), rim(i, 5.0, 0.0), rim(i, 2.0, 0.0)];
    let mut mesh = Mesh::default();
    for i in 0..end {
        let (near, far) = (corners(i), corners(i + 1));
        for side in 0..4 {
            let next = (side + 1) % 4;
            mesh.quad([near[side], far[side], far[next], near[next]]);
        }
    }
    let (first, mut last) = (corners(0), corners(end));
    mesh.quad(first);
    last.reverse();
    mesh.quad(last);
    mesh
}
