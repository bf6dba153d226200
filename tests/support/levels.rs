//! Where levels are, and agents of the usual sizes.

use std::path::{Path, PathBuf};

use surefoot::{Agent, NavGrid};
use surefoot_bake::{BakeSettings, Scene, bake};

use super::{data_folder, repository};

/// The scenes of this repository, sorted.
pub fn own_scenes() -> Vec<PathBuf> {
    scenes_in(&repository().join("scenes"))
}

/// The real levels among the test data, sorted; empty if it is absent.
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

/// The places that a level of the test data marks in its binary glTF: where players and items stand;
/// none if it marks none.
pub fn marked_places(path: &Path) -> Vec<[f32; 3]> {
    let bytes = std::fs::read(path).expect("the level can be read");
    let length = |at: usize| bytes.get(at..at + 4).and_then(|word| word.try_into().ok());
    let length = length(12).map_or(0, u32::from_le_bytes) as usize;
    let json = bytes.get(20..20 + length).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_slice(json).unwrap_or_default();
    let points = &json["scenes"][0]["extras"]["points"];
    serde_json::from_value(points.clone()).unwrap_or_default()
}

/// A capsule with the usual climb and slope limit. Radius and height in metres.
pub fn agent(name: &str, radius: f32, height: f32) -> Agent {
    Agent { radius, height, ..Agent::new(name) }
}

/// A human and a smaller goat, which leaves the ground if it jumps.
pub fn human_and_goat(cell_size: f32, jumps: bool) -> BakeSettings {
    let mut goat = agent("goat", 0.4, 1.2);
    if jumps {
        (goat.jump_up, goat.jump_across, goat.drop) = (0.8, 2.0, 2.5);
    }
    let agents = vec![Agent::new("human"), goat];
    BakeSettings { cell_size: Some(cell_size), agents, ..Default::default() }
}

/// The file name of a path.
pub fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A level of the Recast demo and the size of its metre: nav_test is stored at a fifth of its size.
pub struct DemoLevel {
    pub file: &'static str,
    pub metre: f32,
}

/// The levels of the Recast demo.
pub const DEMO_LEVELS: [DemoLevel; 3] = [
    DemoLevel { file: "nav_test.glb", metre: 0.2 },
    DemoLevel { file: "dungeon.gltf", metre: 1.0 },
    DemoLevel { file: "undulating.glb", metre: 1.0 },
];

impl DemoLevel {
    /// The level, and its grid for the demo's agent in cells of 0.3 m; `None`, with a printed line,
    /// if the test data is absent.
    pub fn bake(&self) -> Option<(Scene, NavGrid)> {
        let scene = load(&data_folder()?.join("scenes").join(self.file));
        let agent = Agent {
            radius: 0.6 * self.metre,
            height: 2.0 * self.metre,
            max_climb: 0.9 * self.metre,
            ..Agent::new("recast")
        };
        let cell_size = Some(0.3 * self.metre);
        let settings = BakeSettings { agents: vec![agent], cell_size, ..BakeSettings::default() };
        let grid = bake(&scene, &settings, &()).expect("it bakes").grid;
        Some((scene, grid))
    }
}
