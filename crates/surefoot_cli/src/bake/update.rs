//! Provides [`OlderGrid`]: the grid of a scene before it changed, for `bake --update`.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use surefoot::NavGrid;
use surefoot::grid::LoadOptions;
use surefoot_bake::{
    BakeObserver, BakeSettings, Baked, Scene, UpdateError, UpdatedGrid, update_grid,
};

use super::job::Job;
use crate::shared::grid_file;
use crate::shared::interrupt;
use crate::shared::progress::ProgressDisplay;

/// A grid to update, and the file that it came from.
#[derive(Debug)]
pub struct OlderGrid {
    grid: NavGrid,
    file: PathBuf,
}

/// What an update baked again: the key `update` of the report.
#[derive(Debug, Serialize)]
pub struct UpdateFigures {
    grid: String,
    cells_baked: usize,
    cells: usize,
    colliders_added: usize,
    colliders_removed: usize,
    /// Why everything was baked, if it was.
    baked_whole: Option<String>,
}

/// Loads the grid to update.
///
/// # Errors
/// The file cannot be read, is not a sound grid, or takes more memory than a bake may.
pub fn load(file: &Path, job: &Job, progress: &ProgressDisplay) -> anyhow::Result<OlderGrid> {
    progress.begin(&format!("reading {}", file.display()));
    let options = LoadOptions { memory_limit: job.settings.memory_limit };
    let advice = "bake the scene once without --update";
    let (grid, _) = grid_file::load(file, advice, &options)?;
    interrupt::check()?;
    Ok(OlderGrid { grid, file: file.to_owned() })
}

impl OlderGrid {
    /// The path of its file, as the user gave it.
    pub fn name(&self) -> String {
        self.file.display().to_string()
    }

    /// Bakes what changed.
    ///
    /// # Errors
    /// As [`update_grid`].
    pub fn update(
        &self,
        scene: &Scene,
        settings: &BakeSettings,
        observer: &dyn BakeObserver,
    ) -> Result<(Baked, UpdateFigures), UpdateError> {
        let updated = update_grid(&self.grid, scene, settings, observer)?;
        let UpdatedGrid { baked, cells_baked, cells, .. } = updated;
        let figures = UpdateFigures {
            grid: self.name(),
            cells_baked,
            cells,
            colliders_added: updated.colliders_added,
            colliders_removed: updated.colliders_removed,
            baked_whole: updated.baked_whole.map(|reason| reason.to_string()),
        };
        Ok((baked, figures))
    }
}

impl fmt::Display for UpdateFigures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UpdateFigures { cells_baked, cells, colliders_added, colliders_removed, .. } = self;
        match &self.baked_whole {
            Some(reason) => write!(formatter, "baked everything: {reason}"),
            None => write!(
                formatter,
                "baked {cells_baked} of {cells} cells again; {colliders_added} {} added, \
                 {colliders_removed} removed",
                if *colliders_added == 1 { "collider" } else { "colliders" }
            ),
        }
    }
}
