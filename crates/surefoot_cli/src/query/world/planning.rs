//! `surefoot world plan`, and how jobs open the source of a plan.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use surefoot_bake::WorldSource;
use surefoot_world::{WorldPlan, WorldRequest, WorldStore};

use super::report::PlanReport;
use super::{PlanArguments, SourceOptions, StoreOptions};
use crate::shared::console::{note, print_json};
use crate::shared::interrupt::Interrupted;
use crate::shared::progress::ProgressDisplay;
use crate::shared::threads;

/// Runs `surefoot world plan`.
///
/// # Errors
/// A setting is not valid, the world cannot be read, or the store cannot be written.
pub fn run(arguments: &PlanArguments) -> anyhow::Result<ExitCode> {
    let PlanArguments { source, store, json } = arguments;
    let request = source.request()?;
    let (files, progress) = (store.open()?, store.progress());
    let plan = store.run(|| {
        let world = open_source(&request, &progress)?;
        plan(world.as_ref(), request.clone(), &progress)
    });
    progress.end();
    let plan = plan?;
    plan.write(&files)?;
    let report = PlanReport::new(&plan);
    if !store.quiet {
        note(report.text(files.place()));
    }
    if *json {
        print_json(&report)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Plans a world.
///
/// # Errors
/// As [`WorldPlan::new`].
pub fn plan(
    world: &dyn WorldSource,
    request: WorldRequest,
    progress: &ProgressDisplay,
) -> anyhow::Result<WorldPlan> {
    let name = request.source.display().to_string();
    progress.begin(&format!("planning {name}"));
    WorldPlan::new(world, request, progress).map_err(failed).context(name)
}

/// Opens the source of a world.
///
/// # Errors
/// It cannot be read or used.
pub fn open_source(
    request: &WorldRequest,
    progress: &ProgressDisplay,
) -> anyhow::Result<Box<dyn WorldSource>> {
    progress.begin(&format!("reading {}", request.source.display()));
    request.open(progress).map_err(failed)
}

/// Returns an error of a job; that of ctrl-C if it was cancelled.
pub fn failed(error: surefoot_world::JobError) -> anyhow::Error {
    if error.is_cancelled() { Interrupted.into() } else { error.into() }
}

impl SourceOptions {
    /// Returns what is to be baked, and how.
    ///
    /// # Errors
    /// A setting is not valid, or there is no such file.
    pub fn request(&self) -> anyhow::Result<WorldRequest> {
        let config = self.settings.config(&self.source)?;
        let source = absolute(&self.source)?;
        let (settings, marks) = (self.settings.settings(&config)?, self.settings.marks(&config)?);
        let (tile_side, gate_spacing) = (self.tile_side, self.gate_spacing);
        let heights = self.heights.options(&self.source)?;
        Ok(WorldRequest { source, heights, settings, marks, tile_side, gate_spacing })
    }
}

/// Jobs may run in other folders.
fn absolute(path: &Path) -> anyhow::Result<std::path::PathBuf> {
    std::path::absolute(path).with_context(|| path.display().to_string())
}

impl StoreOptions {
    /// Opens the store.
    ///
    /// # Errors
    /// The folder cannot be created or opened.
    pub fn open(&self) -> anyhow::Result<WorldStore> {
        let text = |name: std::ffi::OsString| name.into_string().ok();
        let options = std::env::vars_os().filter_map(|(name, value)| text(name).zip(text(value)));
        Ok(WorldStore::open(&self.store, options)?)
    }

    /// Returns where progress is shown.
    pub fn progress(&self) -> ProgressDisplay {
        ProgressDisplay::new(self.quiet)
    }

    /// Does work on the threads that are asked for.
    ///
    /// # Errors
    /// What `work` returns.
    pub fn run<R: Send>(
        &self,
        work: impl FnOnce() -> anyhow::Result<R> + Send,
    ) -> anyhow::Result<R> {
        threads::run_on(self.threads.map(usize::from), work)
    }
}
