//! The level that the commands are tested on, as a glTF file with a separate buffer.
//!
//! Ground of 8 x 8 m round the origin, a crate of 1 m on it, a swamp along one side, a sheet 3 m up
//! that faces down, and mist that is not collision.

use std::path::Path;

use serde_json::json;

use surefoot_testing::{CUBE, CUBE_FACES, Doc, SQUARE, SQUARE_FACES};

/// Writes `level.gltf` and `level.bin` into a folder.
pub fn write(folder: &Path) {
    let mut doc = Doc::new();
    let up = doc.mesh_of(&SQUARE, &SQUARE_FACES);
    let mut down = SQUARE_FACES;
    down.reverse();
    let down = doc.mesh_of(&SQUARE, &down);
    let cube = doc.mesh_of(&CUBE, &CUBE_FACES);
    let mut node = |name: &str, mesh: usize, at: [f32; 3], scale: [f32; 3]| {
        doc.node(json!({"name": name, "mesh": mesh, "translation": at, "scale": scale}));
    };
    node("Ground", up, [0.0, 0.0, 0.0], [4.0, 1.0, 4.0]);
    node("Crate", cube, [2.0, 0.5, 2.0], [0.5, 0.5, 0.5]);
    node("Swamp", up, [-3.0, 0.1, 0.0], [1.0, 1.0, 4.0]);
    node("Sheet", down, [0.0, 3.0, -3.0], [1.0, 1.0, 1.0]);
    node("Mist-noimp", up, [0.0, 1.0, 0.0], [4.0, 1.0, 4.0]);
    doc.json["buffers"][0]["uri"] = "level.bin".into();
    std::fs::write(folder.join("level.gltf"), format!("{:#}", doc.json)).unwrap();
    std::fs::write(folder.join("level.bin"), &doc.bin).unwrap();
}
