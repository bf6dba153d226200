//! Where levels are, and agents of the usual sizes.

use std::path::{Path, PathBuf};

use surefoot::{Agent, Scene};

use super::data_folder;

/// The scenes of this repository, sorted.
pub fn own_scenes() -> Vec<PathBuf> {
    scenes_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes"))
}

/// The real levels among the test data, sorted; empty where it is absent.
pub fn real_scenes() -> Vec<PathBuf> {
    data_folder().map_or_else(Vec::new, |folder| scenes_in(&folder.join("scenes")))
}

fn scenes_in(folder: &Path) -> Vec<PathBuf> {
    let mut scenes: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of scenes can be read")
        .map(|entry| entry.expect("its entries can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "gltf" || e == "glb"))
        .collect();
    scenes.sort();
    scenes
}

/// Loads a scene, all marks as in the file.
pub fn load(path: &Path) -> Scene {
    Scene::load(path, &Default::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// A capsule with the usual climb and slope limit. Radius and height in metres.
pub fn agent(name: &str, radius: f32, height: f32) -> Agent {
    Agent { radius, height, ..Agent::new(name) }
}

/// The file name of a path.
pub fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
