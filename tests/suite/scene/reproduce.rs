//! The files in `scenes/` are what `cargo run --example make_scenes` writes, byte for byte.

#[allow(dead_code)]
#[path = "../../../examples/make_scenes/main.rs"]
mod make_scenes;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const AGAIN: &str = "run `cargo run --example make_scenes` and look at what changed";

#[test]
fn the_scenes_are_what_the_generator_writes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes");
    for (name, bytes) in make_scenes::files() {
        let stored = fs::read(folder.join(name)).unwrap_or_else(|e| panic!("scenes/{name}: {e}"));
        let first = stored.iter().zip(&bytes).position(|(a, b)| a != b);
        let lengths = (stored.len(), bytes.len());
        assert!(stored == bytes, "scenes/{name} differs at {first:?} {lengths:?}; {AGAIN}");
    }
}

#[test]
fn every_scene_in_the_folder_is_made_by_the_generator() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes");
    let made: BTreeSet<String> =
        make_scenes::files().into_iter().map(|(name, _)| name.to_owned()).collect();
    for entry in fs::read_dir(folder).expect("the folder of the scenes") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        if [".gltf", ".glb", ".bin"].iter().any(|ending| name.ends_with(ending)) {
            assert!(made.contains(&name), "scenes/{name} is made by nothing");
        }
    }
}

#[test]
fn making_the_scenes_twice_gives_the_same_bytes() {
    assert!(make_scenes::files() == make_scenes::files());
}
