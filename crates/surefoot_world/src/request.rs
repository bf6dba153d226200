//! Provides [`WorldRequest`]: what a world is baked from, and how.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use surefoot::Observer;
use surefoot_bake::scene::SceneMarks;
use surefoot_bake::{BakeSettings, Scene, SceneSource, WorldBakeError, WorldSource};

use crate::error::JobError;
use crate::terrain::HeightFileOptions;
use crate::world_file::WorldFile;

/// What a world is baked from, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorldRequest {
    /// The world file, the scene, or the height file.
    pub source: PathBuf,
    /// What a height file does not say of itself.
    #[serde(default)]
    pub heights: HeightFileOptions,
    /// The settings of the bake.
    pub settings: BakeSettings,
    /// The marks of nodes.
    pub marks: SceneMarks,
    /// Side of a tile [cells].
    pub tile_side: u32,
    /// At most so many cells of an opening between two tiles share a gate [>= 1], see
    /// [`BorderRules`](surefoot::far::BorderRules).
    pub gate_spacing: u32,
}

/// What a source is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// A glTF file, or what is taken for one.
    Scene,
    /// A world file: `.toml`.
    World,
    /// A height file: `.png`, `.tif`, `.tiff`, `.npy`, `.f32`, `.raw`, `.r16`.
    Heights,
}

/// A tile of this many cells is baked at once: one of open ground takes about a second.
pub const DEFAULT_TILE_SIDE: u32 = 512;

/// Gates are so many cells apart by default: far paths over open ground cost about half a percent more than
/// they have to.
pub const DEFAULT_GATE_SPACING: u32 = 32;

/// What height files end with.
const HEIGHT_ENDINGS: [&str; 7] = ["png", "tif", "tiff", "npy", "f32", "raw", "r16"];

impl SourceKind {
    /// Returns what a file is, by the end of its name.
    pub fn of(file: &Path) -> Self {
        let ending = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match ending.as_str() {
            "toml" => SourceKind::World,
            ending if HEIGHT_ENDINGS.contains(&ending) => SourceKind::Heights,
            _ => SourceKind::Scene,
        }
    }
}

impl WorldRequest {
    /// A world baked by some settings, and by default in all else.
    pub fn new(source: impl Into<PathBuf>, settings: BakeSettings) -> Self {
        WorldRequest {
            source: source.into(),
            heights: HeightFileOptions::default(),
            settings,
            marks: SceneMarks::default(),
            tile_side: DEFAULT_TILE_SIDE,
            gate_spacing: DEFAULT_GATE_SPACING,
        }
    }

    /// Opens the source.
    ///
    /// # Errors
    /// It cannot be read or used; or the observer cancels it.
    pub fn open(&self, observer: &dyn Observer) -> Result<Box<dyn WorldSource>, JobError> {
        let (file, limit) = (&self.source, self.settings.memory_limit);
        let world = match SourceKind::of(file) {
            SourceKind::Scene => {
                let scene = Scene::load_within(file, &self.marks, limit, observer);
                return Ok(Box::new(SceneSource::new(scene.map_err(WorldBakeError::from)?)?));
            }
            SourceKind::World => WorldFile::read(file).map_err(WorldBakeError::from)?,
            SourceKind::Heights => WorldFile::of_heights(file, self.heights.clone()),
        };
        let world = world.open(&self.marks, limit, observer).map_err(WorldBakeError::from)?;
        Ok(Box::new(world))
    }
}
