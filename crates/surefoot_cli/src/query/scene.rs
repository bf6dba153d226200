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
    let provenance = grid.provenance();
    let marks = provenance.settings.get("marks").cloned().map(serde_json::from_value);
    let marks: SceneMarks = marks.and_then(Result::ok).unwrap_or_default();
    std::fs::metadata(file).map_err(|error| files::unreadable(file, error, "check --scene"))?;
    let scene = Scene::load_within(file, &marks, BakeSettings::default().memory_limit, &())?;
    ensure!(
        scene.report.hash == provenance.scene_hash,
        "{}: {} was not baked from this scene as it is now; bake it again, or leave out --scene",
        file.display(),
        input.name()
    );
    Ok(scene)
}
