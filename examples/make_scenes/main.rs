//! Makes the example scenes: `cargo run --example make_scenes [-- DIR]`.
//!
//! Writes every file of [`files`] into DIR, by default the `scenes` folder of this crate. The bytes
//! are the same on every run and every machine; a test holds them against the folder.

mod angle;
mod blocks;
mod bodies;
mod marks;
mod node;
mod shapes;
mod slopes;
mod storeys;
mod village;
mod walls;
mod weld;
mod writer;

use std::path::{Path, PathBuf};

/// Every file: its name and its bytes.
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let [pillars, pillars_bin] = walls::pillars();
    vec![
        ("stairs.gltf", slopes::stairs()),
        ("ramp_limit.gltf", slopes::ramp_limit()),
        ("ramp_steep.gltf", slopes::ramp_steep()),
        ("mirrored.gltf", slopes::mirrored()),
        ("bridge.glb", storeys::bridge()),
        ("two_storeys.glb", storeys::two_storeys()),
        ("spiral_tower.glb", storeys::spiral_tower()),
        ("low_door.gltf", walls::low_door()),
        ("gaps.gltf", walls::gaps()),
        ("thin_wall.gltf", walls::thin_wall()),
        ("pillars.gltf", pillars),
        ("pillars.bin", pillars_bin),
        ("solid_block.gltf", walls::solid_block()),
        ("tagged.gltf", marks::tagged()),
        ("primitives.gltf", bodies::primitives()),
        ("primitives_khr.gltf", bodies::primitives_khr()),
        ("village.glb", village::village()),
    ]
}

fn main() -> std::io::Result<()> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes");
    let folder = std::env::args_os().nth(1).map_or(home, PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    for (name, bytes) in files() {
        std::fs::write(folder.join(name), &bytes)?;
        eprintln!("{name}: {} bytes", bytes.len());
    }
    Ok(())
}
