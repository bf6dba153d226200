//! The colors of the village, and the marks that go with them.

use serde_json::{Value, json};

use super::super::writer::Gltf;

/// Materials by what they are for.
pub struct Paint {
    /// In the order of [`super::terrain::Ground`].
    pub ground: [usize; 7],
    pub river: usize,
    pub plaster: [usize; 4],
    pub planks: usize,
    pub roofs: [usize; 3],
    pub slate: usize,
    pub wood: usize,
    pub boards: usize,
    pub stone: usize,
    pub church: usize,
    pub castle: usize,
    pub lawn: usize,
    pub cloths: [usize; 3],
    pub bark: usize,
    pub needles: usize,
    pub leaves: [usize; 2],
    pub rock: usize,
}

impl Paint {
    /// Adds every material to the file.
    pub fn new(gltf: &mut Gltf) -> Self {
        let area = |name: &str, cost: f64| Some(json!({ "area": name, "cost": cost }));
        let ground = [
            gltf.material("grass", 0x86b35a, None),
            gltf.material("meadow", 0x9fc06a, None),
            gltf.material("crag", 0x938c80, None),
            gltf.material("road", 0xdcc79b, area("road", 0.6)),
            gltf.material("paving", 0xcdbfa8, area("road", 0.6)),
            gltf.material("riverbed", 0x5d7f86, area("water", 4.0)),
            gltf.material("field", 0xd9b653, area("field", 1.6)),
        ];
        let river = gltf.material("river", 0x4fa3c7, None);
        gltf.see_through(river);
        let ignored: Option<Value> = Some(json!("ignore"));
        let mut plain = |name: &str, color: u32| gltf.material(name, color, None);
        let mut paint = Paint {
            ground,
            river,
            plaster: [
                plain("plaster white", 0xf2e8d5),
                plain("plaster rose", 0xe5bfa3),
                plain("plaster ochre", 0xe9cd8b),
                plain("plaster blue", 0xc4d3d9),
            ],
            planks: plain("planks", 0x9a5b42),
            roofs: [
                plain("tiles red", 0xb5523b),
                plain("tiles brown", 0x8c4f3a),
                plain("tiles orange", 0xc96f45),
            ],
            slate: plain("slate", 0x5b6b7d),
            wood: plain("wood", 0x8a6239),
            boards: plain("boards", 0xb88a5b),
            stone: plain("stone", 0xb7b0a1),
            church: plain("limestone", 0xe6dfcf),
            castle: plain("granite", 0xa39f98),
            lawn: plain("lawn", 0x79a94f),
            cloths: [
                plain("cloth red", 0xd0483e),
                plain("cloth white", 0xf1ead9),
                plain("cloth blue", 0x3f78b5),
            ],
            bark: plain("bark", 0x6b4c33),
            needles: 0,
            leaves: [0, 0],
            rock: plain("rock", 0x8d877d),
        };
        // Crowns hang too high to matter, and nobody should stand on them.
        paint.needles = gltf.material("needles", 0x3f7347, ignored.clone());
        paint.leaves = [
            gltf.material("leaves", 0x5f9a45, ignored.clone()),
            gltf.material("leaves birch", 0x8fb84e, ignored),
        ];
        paint
    }
}
