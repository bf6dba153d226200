//! Target `gltf_bytes`: any bytes as a `.gltf` or `.glb` file.
//!
//! A scene comes out, or an error of one line; the same one every time. Nothing panics, and nothing
//! takes more memory than the limit.

use surefoot_bake::Scene;
use surefoot_bake::scene::{SceneError, SceneMarks, SceneSlice};

use crate::scene_laws;

/// What a scene may take [bytes].
const MEMORY_LIMIT: u64 = 64 << 20;

/// Loads bytes, and checks the scene.
///
/// # Panics
/// A law of scenes does not hold.
pub fn run(data: &[u8]) {
    let scene = load(data);
    match &scene {
        Ok(scene) => scene_laws::check(scene),
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
    }
    let again = load(data);
    assert_eq!(scene.map_err(|error| error.to_string()), again.map_err(|error| error.to_string()));
}

/// Loads a scene that needs no other files.
///
/// # Errors
/// Why it cannot be used.
pub fn load(bytes: &[u8]) -> Result<Scene, SceneError> {
    let name = "fuzz.glb";
    let slice = SceneSlice { bytes, name, base_dir: None, memory_limit: MEMORY_LIMIT };
    Scene::from_slice_within(&slice, &SceneMarks::default(), &())
}
