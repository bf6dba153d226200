//! Loads the scene that a grid was baked from.

use std::path::Path;

use anyhow::ensure;
use surefoot::NavGrid;
use surefoot_bake::scene::SceneMarks;
use surefoot_bake::{BakeSettings, Scene};

use super::input::GridInput;
use crate::shared::files;

/// Loads the scene that a grid was baked from, with the marks of the bake; `input` names the grid.
///
/// # Errors
/// The scene cannot be loaded, or the grid was not baked from it.
pub fn load_scene(file: &Path, grid: &NavGrid, input: &GridInput) -> anyhow::Result<Scene> {
    let scene = load_any_scene(file, grid)?;
    ensure!(
        is_scene_of(&scene, grid),
        "{}: {} was not baked from this scene as it is now; bake it again, or leave out --scene",
        file.display(),
        input.name()
    );
    Ok(scene)
}

/// Loads a scene with the marks of a grid's bake, whether the grid was baked from it or not.
///
/// # Errors
/// The scene cannot be loaded.
pub fn load_any_scene(file: &Path, grid: &NavGrid) -> anyhow::Result<Scene> {
    let marks = grid.provenance().settings.get("marks").cloned().map(serde_json::from_value);
    let marks: SceneMarks = marks.and_then(Result::ok).unwrap_or_default();
    std::fs::metadata(file).map_err(|error| files::unreadable(file, error, "check --scene"))?;
    Ok(Scene::load_within(file, &marks, BakeSettings::default().memory_limit, &())?)
}

/// Whether a grid was baked from a scene.
pub fn is_scene_of(scene: &Scene, grid: &NavGrid) -> bool {
    scene.report.hash == grid.provenance().scene_hash
}
