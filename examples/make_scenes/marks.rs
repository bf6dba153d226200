//! The scene of marks: what authors write into names, nodes, meshes and materials.

use serde_json::{Value, json};

use super::node::Node;
use super::shapes::{boulder, cuboid, plane, ramp};
use super::slopes::{GRASS, STONE, WOOD};
use super::writer::Gltf;

/// Areas by node, by material and as objects; obstacles, foliage, suffixes and links.
pub fn tagged() -> Vec<u8> {
    let mut gltf = Gltf::default();
    tagged_ground(&mut gltf);
    tagged_things(&mut gltf);
    tagged_links(&mut gltf);
    gltf.embedded()
}

/// A meadow with a road (two parts of one mesh), mud by a word, and marsh by an object.
fn tagged_ground(gltf: &mut Gltf) {
    let grass = gltf.material("grass", GRASS, None);
    let road = gltf.material("road", 0xcbb894, Some(json!({ "area": "road", "cost": 0.5 })));
    let brown = gltf.material("brown", 0x6f5a3e, None);
    let meadow = plane([0.0, 0.0], [24.0, 9.0], 0.0).with(plane([0.0, 12.0], [24.0, 18.0], 0.0));
    let way = plane([0.0, 9.0], [24.0, 12.0], 0.0);
    let ground = gltf.mesh("Ground", &[(grass, meadow), (road, way)]);
    gltf.add(Node::new("Ground").mesh(ground));
    let bog = gltf.mesh("Bog", &[(brown, plane([0.0, 0.0], [4.0, 4.0], 0.0))]);
    gltf.add(Node::new("Bog").mesh(bog).at([2.0, 0.05, 3.0]).nav(json!("mud")));
    let mark = json!({ "area": "marsh", "cost": 4.0 });
    gltf.add(Node::new("Marsh").mesh(bog).at([8.0, 0.05, 3.0]).nav(mark));
}

/// Crates, a bush, an invisible wall, a picture of a wall, and the ledge with its ramp.
fn tagged_things(gltf: &mut Gltf) {
    let wood = gltf.material("wood", WOOD, None);
    let leaves = gltf.material("leaves", 0x5f9e54, None);
    let stone = gltf.material("stone", STONE, None);
    // As low as a step: only the mark keeps one from standing on it.
    let low_crate = gltf.mesh("Crate", &[(wood, cuboid([-1.0, 0.0, -1.0], [1.0, 0.25, 1.0]))]);
    for (i, x) in [14.0, 18.0, 22.0].into_iter().enumerate() {
        let node = Node::new(format!("Crate{i}")).mesh(low_crate).at([x, 0.0, 6.0]);
        gltf.add(if i < 2 { node.nav(json!("obstacle")) } else { node });
    }
    let bush = gltf.mesh("Bush", &[(leaves, boulder(1.0, |_| 1.0))]);
    gltf.add(Node::new("Bush").mesh(bush).at([14.0, 0.5, 2.0]).nav(json!("ignore")));
    let block = gltf.mesh("Block", &[(stone, cuboid([-1.0, -0.25, -0.25], [1.0, 2.5, 0.25]))]);
    gltf.add(Node::new("Picture-noimp").mesh(block).at([18.0, 0.0, 2.0]));
    gltf.add(Node::new("Unseen-colonly").mesh(block).at([22.0, 0.0, 2.0]));
    let ledge = gltf.mesh("Ledge", &[(stone, cuboid([0.0; 3], [4.0, 2.0, 4.0]))]);
    gltf.add(Node::new("Ledge").mesh(ledge).at([4.0, 0.0, 14.0]));
    gltf.add(Node::new("Tower").mesh(ledge).at([14.0, 0.0, 14.0]));
    let slope = gltf.mesh("Ramp", &[(stone, ramp(4.0, 2.0, 0.0, 4.0))]);
    gltf.add(Node::new("Ramp").mesh(slope).at([10.0, 0.0, 14.0]));
}

/// A ladder up to the ledge (a pair), a leap to it from the tower, and a drop from the tower.
fn tagged_links(gltf: &mut Gltf) {
    let mut marker = |name: &str, at: [f64; 3], link: Option<Value>| {
        let node = Node::new(name).at(at);
        gltf.add(match link {
            Some(link) => node.nav(json!({ "link": link })),
            None => node,
        });
    };
    let ladder = json!({ "pair": "ladder", "kind": "ladder", "cost": 5.0 });
    marker("LadderTop", [5.0, 2.0, 15.0], Some(ladder.clone()));
    marker("LadderFoot", [3.0, 0.0, 15.0], Some(ladder));
    marker("LedgeTop", [7.0, 2.0, 16.0], None);
    let jump = json!({ "to": "LedgeTop", "kind": "jump", "cost": 3.0, "one_way": true });
    marker("TowerEdge", [15.0, 2.0, 16.0], Some(jump));
    marker("DropFoot", [20.0, 0.0, 16.0], None);
    let drop = json!({ "to": "DropFoot", "kind": "drop", "one_way": true });
    marker("DropEdge", [17.0, 2.0, 16.0], Some(drop));
}
