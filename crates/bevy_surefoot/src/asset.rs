//! Provides [`NavGridAsset`]: a grid as an asset, and the loader of `.navgrid` files.

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_reflect::TypePath;
use surefoot::NavGrid;
use surefoot::grid::FormatError;

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
    type Settings = ();
    type Error = NavGridLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        _load_context: &mut LoadContext<'_>,
    ) -> Result<NavGridAsset, NavGridLoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(NavGrid::from_bytes(&bytes)?.into())
    }

    fn extensions(&self) -> &[&str] {
        &["navgrid"]
    }
}
