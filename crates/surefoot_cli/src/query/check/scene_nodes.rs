//! The nodes of a scene, as places.

use std::path::Path;

use surefoot_bake::Scene;
use surefoot_bake::scene::NamedNode;

use crate::shared::files;

/// Reads where the nodes of a scene are. If it does not exist, the error ends with `advice`.
///
/// # Errors
/// The scene cannot be read.
pub fn load(scene: &Path, advice: &str) -> anyhow::Result<Vec<NamedNode>> {
    std::fs::metadata(scene).map_err(|error| files::unreadable(scene, error, advice))?;
    Ok(Scene::named_nodes(scene)?)
}
