//! The files that belong to a scene.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::buffers::resolve;
use super::container::Container;
use crate::scene::Scene;

/// The parts of a file that may name others.
#[derive(Deserialize)]
struct FileReferences {
    #[serde(default)]
    buffers: Vec<FileReference>,
    #[serde(default)]
    images: Vec<FileReference>,
}

#[derive(Deserialize)]
struct FileReference {
    uri: Option<String>,
}

impl Scene {
    /// The files that a `.gltf` or `.glb` file names: its buffers and images, whether they are
    /// there or not. None where it cannot be read; [`Scene::load`] gives the reason.
    pub fn files(path: &Path) -> Vec<PathBuf> {
        let Ok(bytes) = std::fs::read(path) else { return Vec::new() };
        let json = Container::split(&bytes).map(|container| container.json);
        let names = json.ok().and_then(|json| serde_json::from_slice(json).ok());
        let Some(FileReferences { buffers, images }) = names else { return Vec::new() };
        let uris = buffers.into_iter().chain(images).filter_map(|name| name.uri);
        let outside = uris.filter(|uri| !uri.starts_with("data:"));
        outside.filter_map(|uri| resolve(&uri, path.parent()).ok()).collect()
    }
}
