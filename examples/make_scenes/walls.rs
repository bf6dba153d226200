//! Scenes about fitting: doors, gaps, a thin wall, pillars, solid bodies.

use super::blocks::Blocks;
use super::node::Node;
use super::shapes::{Mesh, boulder, cuboid, cylinder, plane};
use super::slopes::{GRASS, STONE};
use super::writer::{Form, Gltf};

/// A file with a level ground of grass, and the material for what stands on it.
fn started(size: [f64; 2]) -> (Gltf, usize) {
    let mut gltf = Gltf::default();
    let grass = gltf.material("grass", GRASS, None);
    let stone = gltf.material("stone", STONE, None);
    let ground = gltf.mesh("Ground", &[(grass, plane([0.0, 0.0], size, 0.0))]);
    gltf.add(Node::new("Ground").mesh(ground));
    (gltf, stone)
}

/// A wall with a door of 1.3 m for small ones and a door of 2.2 m for people.
pub fn low_door() -> Vec<u8> {
    let (mut gltf, stone) = started([16.0, 12.0]);
    let wall = Blocks::default()
        .add([0.0, -0.5, 5.75], [16.0, 3.0, 6.25])
        .cut([3.0, -0.5, 5.75], [5.0, 1.3, 6.25])
        .cut([11.0, -0.5, 5.75], [13.0, 2.2, 6.25]);
    let wall = gltf.mesh("Wall", &[(stone, wall.mesh())]);
    gltf.add(Node::new("Wall").mesh(wall));
    gltf.embedded()
}

/// Three yards in a row behind a wall with gaps of 0.55 m, 1 m and 2 m, as shorts of 5 mm.
///
/// The middles of the gaps lie on the middles of 0.25 m cells.
pub fn gaps() -> Vec<u8> {
    let (mut gltf, stone) = started([16.0, 12.0]);
    let wall = Blocks::default()
        .add([0.0, -0.5, 5.75], [16.0, 3.0, 6.25])
        .cut([2.85, -0.5, 5.75], [3.4, 3.0, 6.25])
        .cut([7.625, -0.5, 5.75], [8.625, 3.0, 6.25])
        .cut([12.125, -0.5, 5.75], [14.125, 3.0, 6.25])
        .add([5.0, -0.5, 0.0], [5.5, 3.0, 6.0])
        .add([10.5, -0.5, 0.0], [11.0, 3.0, 6.0]);
    let wall = gltf.mesh_as("Walls", (stone, wall.mesh()), Form::Shorts(0.005));
    gltf.add(Node::new("Walls").mesh(wall).scale([0.005; 3]));
    gltf.embedded()
}

/// A wall of 2 cm that stands between the middles of the cells, with one opening of 2 m.
pub fn thin_wall() -> Vec<u8> {
    let (mut gltf, stone) = started([12.0, 12.0]);
    let wall = Blocks::default()
        .add([5.99, -0.5, 0.0], [6.01, 3.0, 12.0])
        .cut([5.99, -0.5, 8.0], [6.01, 3.0, 10.0]);
    let wall = gltf.mesh("Wall", &[(stone, wall.mesh())]);
    gltf.add(Node::new("Wall").mesh(wall));
    gltf.embedded()
}

/// One cylinder, used by 36 nodes: standing, turned, and fallen over.
pub fn pillars() -> [Vec<u8>; 2] {
    let (mut gltf, stone) = started([24.0, 24.0]);
    let pillar = gltf.mesh("Pillar", &[(stone, cylinder(0.5, [-0.25, 3.0], 16))]);
    for row in 0..6 {
        for column in 0..6 {
            let (x, z) = (2.0 + 4.0 * f64::from(column), 2.0 + 4.0 * f64::from(row));
            let node = Node::new(format!("Pillar{row}{column}")).mesh(pillar);
            let node = if (row + 2 * column) % 7 == 3 {
                // Fallen: it lies along z and sinks into the ground a little.
                node.at([x, 0.4, z - 1.375]).turned([1.0, 0.0, 0.0], 0.25)
            } else {
                node.at([x, 0.0, z]).yaw(f64::from(row + column) / 64.0)
            };
            gltf.add(node);
        }
    }
    gltf.external("pillars.bin")
}

/// A closed block on the ground, one half sunk into it, and a rock.
pub fn solid_block() -> Vec<u8> {
    let (mut gltf, stone) = started([20.0, 12.0]);
    let parts = [
        ("Standing", cuboid([2.0, 0.0, 4.0], [6.0, 2.0, 8.0])),
        ("Sunk", cuboid([8.0, -1.0, 4.0], [12.0, 1.0, 8.0])),
        ("Rock", rock().moved([16.0, 0.75, 6.0])),
    ];
    for (name, mesh) in parts {
        let mesh = gltf.mesh(name, &[(stone, mesh)]);
        gltf.add(Node::new(name).mesh(mesh));
    }
    gltf.embedded()
}

/// A boulder about 3 m across, bumpy by a rule without chance.
pub fn rock() -> Mesh {
    boulder(1.5, |p| 1.0 + 0.25 * p[0] * p[1] - 0.2 * p[2] * p[2] + 0.15 * p[0] * p[2])
}
