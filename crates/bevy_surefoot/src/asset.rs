//! Provides [`NavGridAsset`]: a grid as an asset, and the loader of `.navgrid` files.

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_reflect::TypePath;
use serde::{Deserialize, Serialize};
use surefoot::NavGrid;
use surefoot::grid::{FormatError, LoadOptions};

/// A baked grid. Load it from a `.navgrid` file, or add one that the program has built to
/// `Assets<NavGridAsset>`.
///
/// If the file changes and the asset server watches it, or the program replaces the asset, worlds go on to
/// the new grid: everyone stands where it stood, keeps its target and finds its path again.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct NavGridAsset {
    /// The grid. A clone of it is cheap.
    pub grid: NavGrid,
}

impl From<NavGrid> for NavGridAsset {
    fn from(grid: NavGrid) -> Self {
        NavGridAsset { grid }
    }
}

/// How a `.navgrid` file is loaded, for `AssetServer::load_builder` and `.meta` files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NavGridSettings {
    /// The most memory that the load may take [bytes], by an upper bound that is known before anything is
    /// unpacked. Set less in a program that loads files from strangers.
    pub memory_limit: u64,
}

impl Default for NavGridSettings {
    fn default() -> Self {
        NavGridSettings { memory_limit: LoadOptions::default().memory_limit }
    }
}

/// Loads `.navgrid` files of every version that this surefoot reads, on Bevy's IO threads.
#[derive(Clone, Copy, Debug, Default, TypePath)]
pub struct NavGridLoader;

/// Why a `.navgrid` file cannot be loaded. The asset server logs it with the path of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NavGridLoadError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The file is damaged, of a newer version, or no grid.
    #[error(transparent)]
    Format(#[from] FormatError),
}

impl AssetLoader for NavGridLoader {
    type Asset = NavGridAsset;
    type Settings = NavGridSettings;
    type Error = NavGridLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &NavGridSettings,
        _load_context: &mut LoadContext<'_>,
    ) -> Result<NavGridAsset, NavGridLoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let options = LoadOptions { memory_limit: settings.memory_limit };
        Ok(NavGrid::from_bytes_with(&bytes, &options)?.into())
    }

    fn extensions(&self) -> &[&str] {
        &["navgrid"]
    }
}
