//! The jobs of `surefoot world`: tile, merge, status, verify; and all of them on one machine.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, anyhow};
use surefoot_bake::{Baked, WorldSource};
use surefoot_world::{TileOutcome, WorldJobs, WorldPlan, WorldStore};

use super::index::job_index;
use super::planning::{failed, open_source, plan};
use super::report::{MergeReport, PackReport, StatusReport, Written};
use super::{
    IndexOptions, MergeArguments, OutputOptions, SeamsArguments, StatusArguments, StoreOptions,
    TileArguments, VerifyArguments, WorldBakeArguments,
};
use crate::bake::prepare_routes;
use crate::bake::stages::Watcher;
use crate::shared::console::{CHECK_FAILED, NOTHING_WALKABLE, note, print_json};
use crate::shared::figures::Figures;
use crate::shared::interrupt;
use crate::shared::output::Output;
use crate::shared::path_check::PathCheck;
use crate::shared::progress::ProgressDisplay;

/// Runs `surefoot world tile`.
///
/// # Errors
/// There is no such tile, the world has changed, or the store cannot be written.
pub fn tile(arguments: &TileArguments) -> anyhow::Result<ExitCode> {
    let TileArguments { store, index, again } = arguments;
    let files = store.open()?;
    let plan = WorldPlan::read(&files)?;
    let indices = index.tiles(&plan)?;
    // Most jobs of a world that is baked again have nothing to do: they read nothing.
    let is_there =
        |index: usize| Ok::<_, anyhow::Error>(files.size(&plan.tiles[index].file())?.is_some());
    let mut missing = Vec::new();
    for index in indices {
        if *again || !is_there(index)? {
            missing.push(index);
        } else if !store.quiet {
            note(format_args!("tile {index} is in the store already"));
        }
    }
    if missing.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let progress = store.progress();
    let baked = store.run(|| {
        let source = open_source(&plan.request, &progress)?;
        let jobs = WorldJobs::new(source.as_ref(), &plan, &files)?;
        for &index in &missing {
            progress.begin(&format!("baking tile {index} of {}", plan.tiles.len()));
            let (began, watcher) = (Instant::now(), Watcher::new(&progress));
            let outcome = jobs.tile_again(index, &watcher).map_err(failed)?;
            if let TileOutcome::Baked { spans } = outcome {
                let seconds = began.elapsed().as_secs_f64();
                progress.note(format_args!("tile {index}: {spans} spans, {seconds:.2} s"));
            }
        }
        Ok(())
    });
    progress.end();
    baked?;
    Ok(ExitCode::SUCCESS)
}

impl IndexOptions {
    /// Returns the tiles of a job.
    fn tiles(&self, plan: &WorldPlan) -> anyhow::Result<Range<usize>> {
        let job = job_index(self.index, |name| std::env::var(name).ok())?;
        let per_job = self.per_job as usize;
        let first = job.saturating_mul(per_job);
        plan.tile(first)?;
        Ok(first..plan.tiles.len().min(first + per_job))
    }
}

/// Runs `surefoot world seams`.
///
/// # Errors
/// There is no such tile, it is not baked yet, or the store cannot be written.
pub fn seams(arguments: &SeamsArguments) -> anyhow::Result<ExitCode> {
    let SeamsArguments { store, index } = arguments;
    let files = store.open()?;
    let plan = WorldPlan::read(&files)?;
    let indices = index.tiles(&plan)?;
    let progress = store.progress();
    let computed = store.run(|| {
        for index in indices {
            let began = Instant::now();
            let words = match surefoot_world::seams(&plan, &files, index)? {
                true => format!("computed in {:.2} s", began.elapsed().as_secs_f64()),
                false => "in the store already".to_owned(),
            };
            progress.note(format_args!("borders of tile {index}: {words}"));
        }
        Ok(())
    });
    progress.end();
    computed?;
    Ok(ExitCode::SUCCESS)
}

/// Runs `surefoot world merge`.
///
/// # Errors
/// A tile is missing or damaged, or the grid cannot be written.
pub fn merge(arguments: &MergeArguments) -> anyhow::Result<ExitCode> {
    let MergeArguments { store, output } = arguments;
    let files = store.open()?;
    let plan = WorldPlan::read(&files)?;
    let target = output.check(&plan.request.source)?;
    let progress = store.progress();
    if output.pack {
        let packed = store.run(|| pack(&plan, &files, &target, &progress));
        progress.end();
        return output.report_packed(store, &packed?);
    }
    let report = store.run(|| {
        let source = open_source(&plan.request, &progress)?;
        let jobs = WorldJobs::new(source.as_ref(), &plan, &files)?;
        merge_tiles(&jobs, output, &target, &progress)
    });
    progress.end();
    output.report(store, &report?)
}

/// Packs the tiles into one file.
fn pack(
    plan: &WorldPlan,
    files: &WorldStore,
    target: &MergeTarget,
    progress: &ProgressDisplay,
) -> anyhow::Result<PackReport> {
    let began = Instant::now();
    progress.begin(&format!("computing the borders of {} tiles", plan.tiles.len()));
    surefoot_world::all_seams(plan, files, progress).map_err(failed)?;
    progress.begin(&format!("writing {}", target.file.display()));
    let write = || surefoot_world::pack(plan, files, &target.file, progress).map_err(failed);
    let packed = interrupt::uninterrupted(write)?;
    let written = Written { file: target.file.display().to_string(), time: began.elapsed() };
    let bytes = std::fs::metadata(&target.file)?.len();
    Ok(PackReport::new(plan.tiles.len(), packed, bytes, written))
}

/// Runs `surefoot world bake`.
///
/// # Errors
/// A setting is not valid, the world cannot be read or baked, or what is baked cannot be written.
pub fn bake(arguments: &WorldBakeArguments) -> anyhow::Result<ExitCode> {
    let WorldBakeArguments { source, store, output } = arguments;
    let request = source.request()?;
    let target = output.check(&source.source)?;
    let (files, progress) = (store.open()?, store.progress());
    let report = store.run(|| {
        let world = open_source(&request, &progress)?;
        let plan = plan(world.as_ref(), request.clone(), &progress)?;
        plan.write(&files)?;
        bake_tiles(world.as_ref(), &plan, &files, &progress)?;
        if output.pack {
            return pack(&plan, &files, &target, &progress).map(Merged::World);
        }
        let jobs = WorldJobs::new(world.as_ref(), &plan, &files)?;
        merge_tiles(&jobs, output, &target, &progress).map(Merged::Grid)
    });
    progress.end();
    match report? {
        Merged::Grid(report) => output.report(store, &report),
        Merged::World(report) => output.report_packed(store, &report),
    }
}

/// What tiles became.
enum Merged {
    Grid(MergeReport),
    World(PackReport),
}

/// Bakes all tiles that are not in the store.
fn bake_tiles(
    world: &dyn WorldSource,
    plan: &WorldPlan,
    files: &WorldStore,
    progress: &ProgressDisplay,
) -> anyhow::Result<()> {
    let jobs = WorldJobs::new(world, plan, files)?;
    let tiles = plan.tiles.len();
    progress.begin(&format!("baking {tiles} tiles"));
    let baked = jobs.all_tiles(progress).map_err(failed)?;
    progress.note(format_args!("tiles    {tiles}, of which {baked} were baked"));
    Ok(())
}

fn merge_tiles(
    jobs: &WorldJobs,
    output: &OutputOptions,
    target: &MergeTarget,
    progress: &ProgressDisplay,
) -> anyhow::Result<MergeReport> {
    let began = Instant::now();
    progress.begin("merging tiles");
    let Baked { mut grid, link_problems, volumes, dropped_regions } =
        jobs.merge(&Watcher::new(progress)).map_err(failed)?;
    if output.routes {
        grid = prepare_routes(grid, progress)?;
    }
    progress.begin(&format!("writing {}", target.file.display()));
    let bytes = grid.to_bytes()?;
    interrupt::uninterrupted(|| target.output.write(&bytes, interrupt::is_requested))?;
    let baked = Baked { grid, link_problems, volumes, dropped_regions };
    let figures = Figures::new(&baked.grid, &bytes);
    let written = Written { file: target.file.display().to_string(), time: began.elapsed() };
    Ok(MergeReport::new(figures, &baked, written))
}

/// The file of a merged grid.
struct MergeTarget {
    file: PathBuf,
    output: Output,
}

impl OutputOptions {
    /// Finds out where the grid is to be written, and whether it can be.
    fn check(&self, source: &Path) -> anyhow::Result<MergeTarget> {
        let extension = if self.pack { "navworld" } else { "navgrid" };
        let file = self.output.clone().unwrap_or_else(|| source.with_extension(extension));
        let mut paths = PathCheck::default();
        if source.exists() {
            paths.input(source, "the world");
        }
        let output = paths.output(&file, "--output")?;
        Ok(MergeTarget { file, output })
    }

    fn report_packed(&self, store: &StoreOptions, report: &PackReport) -> anyhow::Result<ExitCode> {
        if !store.quiet {
            note(report.text());
        }
        if self.json {
            print_json(report)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn report(&self, store: &StoreOptions, report: &MergeReport) -> anyhow::Result<ExitCode> {
        if !store.quiet {
            note(report.text());
        }
        if self.json {
            print_json(report)?;
        }
        Ok(ExitCode::from(if report.any_walkable() { 0 } else { NOTHING_WALKABLE }))
    }
}

/// Runs `surefoot world status`.
///
/// # Errors
/// There is no plan, or the store cannot be read.
pub fn status(arguments: &StatusArguments) -> anyhow::Result<ExitCode> {
    let files = arguments.store.open()?;
    let plan = WorldPlan::read(&files)?;
    let status = surefoot_world::status(&plan, &files)?;
    let report = StatusReport::new(&plan, status);
    match arguments.json {
        true => print_json(&report)?,
        false => crate::shared::console::print(&report.text())?,
    };
    Ok(ExitCode::from(if report.is_complete() { 0 } else { CHECK_FAILED }))
}

/// Runs `surefoot world verify`.
///
/// # Errors
/// There is no plan, the world has changed, or the store cannot be read.
pub fn verify(arguments: &VerifyArguments) -> anyhow::Result<ExitCode> {
    let VerifyArguments { store, count, seed } = arguments;
    let files = store.open()?;
    let plan = WorldPlan::read(&files)?;
    let picked = pick(plan.tiles.len(), *count, *seed);
    if picked.is_empty() {
        return Err(anyhow!("there is nothing to compare")).context(files.place().to_owned());
    }
    let progress = store.progress();
    let verified = store.run(|| {
        let source = open_source(&plan.request, &progress)?;
        let jobs = WorldJobs::new(source.as_ref(), &plan, &files)?;
        progress.begin(&format!("baking {} tiles again", picked.len()));
        jobs.verify(&picked, &Watcher::new(&progress)).map_err(failed)
    });
    progress.end();
    let mut differing = 0;
    for tile in verified? {
        let words = tile.problem.as_deref().unwrap_or("the same bytes");
        differing += u32::from(tile.problem.is_some());
        if !store.quiet || tile.problem.is_some() {
            note(format_args!("tile {}: {words}", tile.index));
        }
    }
    Ok(ExitCode::from(if differing == 0 { 0 } else { CHECK_FAILED }))
}

/// Picks some of so many tiles, in order.
fn pick(tiles: usize, count: usize, seed: u64) -> Vec<usize> {
    let key = |index: &usize| {
        let hash = blake3::hash(format!("{seed} {index}").as_bytes());
        *hash.as_bytes()
    };
    let mut all: Vec<usize> = (0..tiles).collect();
    all.sort_by_cached_key(key);
    all.truncate(count);
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_picks_the_same_tiles_each_once() {
        assert_eq!(pick(100, 5, 1), pick(100, 5, 1));
        assert_ne!(pick(100, 5, 1), pick(100, 5, 2));
        assert_eq!(pick(3, 5, 1), [0, 1, 2]);
        assert_eq!(pick(0, 5, 1), [0; 0]);
    }
}
