//! Worlds and height files: baked tile by tile, so that their sources are never in memory as a whole.

use anyhow::{Context, anyhow, ensure};
use surefoot_bake::scene::SceneReport;
use surefoot_bake::{BakeError, Baked, WorldBakeError, WorldTiling};
use surefoot_world::{DEFAULT_TILE_SIDE, WorldRequest};

use super::job::Job;
use super::stages::Watcher;
use crate::shared::interrupt::Interrupted;
use crate::shared::progress::ProgressDisplay;

/// What was baked of a world, and what was read.
pub struct BakedWorld {
    pub report: SceneReport,
    pub baked: Baked,
}

/// Bakes the world or the height file of a job.
///
/// # Errors
/// It cannot be read or baked; [`Interrupted`] after ctrl-C.
pub fn bake(
    job: &Job,
    progress: &ProgressDisplay,
    watcher: &Watcher,
) -> anyhow::Result<BakedWorld> {
    let name = job.scene.display().to_string();
    ensure!(
        job.update.is_none(),
        "{name}: --update is for scenes; `surefoot world bake` keeps tiles"
    );
    progress.begin(&format!("reading {name}"));
    let request = WorldRequest {
        heights: job.heights.clone(),
        marks: job.marks.clone(),
        ..WorldRequest::new(&job.scene, job.settings.clone())
    };
    let source = request.open(progress).map_err(|error| match error.is_cancelled() {
        true => Interrupted.into(),
        false => anyhow!(error),
    })?;
    progress.begin(&format!("baking {name}"));
    let report = source.outline().report.clone();
    let baked = WorldTiling::new(&*source, &job.settings, DEFAULT_TILE_SIDE)
        .and_then(|tiling| tiling.bake(&*source, watcher));
    match baked {
        Ok(baked) => Ok(BakedWorld { report, baked }),
        Err(WorldBakeError::Bake(BakeError::Cancelled)) => Err(Interrupted.into()),
        Err(error) => Err(anyhow!(error)).context(name),
    }
}
