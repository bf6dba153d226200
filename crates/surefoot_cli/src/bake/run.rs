//! The bake from end to end: check the paths, read, bake, prepare routes, draw, write, report.

use std::fs;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, anyhow, ensure};
use surefoot::cch::{OrderError, find_order};
use surefoot::grid::follow_links;
use surefoot::{AgentId, NavGrid};
use surefoot_bake::scene::{SceneError, SceneReport, Skipped};
use surefoot_bake::{BakeError, Baked, Scene, UpdateError};
use surefoot_world::SourceKind;

use super::job::Job;
use super::pictures;
use super::report::{BakeOutputs, BakeReport, BakeResult};
use super::stages::{StageTime, Watcher};
use super::update::{self, OlderGrid, UpdateFigures};
use super::world::{self, BakedWorld};
use crate::shared::console::{NOTHING_WALKABLE, note, print_json};
use crate::shared::figures::Figures;
use crate::shared::files;
use crate::shared::interrupt::{self, Interrupted};
use crate::shared::output::Output;
use crate::shared::path_check::PathCheck;
use crate::shared::progress::ProgressDisplay;
use crate::shared::threads;

/// Runs a job.
///
/// # Errors
/// What went wrong, with the file at fault; [`Interrupted`] after ctrl-C.
pub fn run(job: &Job) -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    let end = if job.grid.exists() { "unchanged" } else { "not written" };
    interrupt::end_with(format!("{Interrupted}; {} is {end}", job.grid_name()));
    let output = check_paths(job)?;
    let progress = ProgressDisplay::new(job.quiet);
    let result = threads::run_on(job.threads, || bake(job, &output, &progress));
    progress.end();
    let report = BakeReport::new(result?);
    if !job.quiet {
        note(report.text());
    }
    if job.json {
        print_json(&report)?;
    }
    let code = if report.any_walkable() { 0 } else { NOTHING_WALKABLE };
    Ok(ExitCode::from(code))
}

/// Checks all paths before the long work begins.
fn check_paths(job: &Job) -> anyhow::Result<Output> {
    let scene = fs::metadata(&job.scene)
        .map_err(|error| files::unreadable(&job.scene, error, "give a .gltf or .glb file"))?;
    ensure!(scene.is_file(), "{}: this is not a file; give a .gltf or .glb", job.scene.display());
    let is_grid = job.scene.extension().is_some_and(|own| own == "navgrid");
    let name = job.scene.display();
    ensure!(
        !is_grid,
        "{name}: this is a grid, not a scene; look into it with `surefoot info {name}`"
    );
    let mut paths = PathCheck::default();
    paths.input(&job.scene, "the scene");
    if let Some(config) = &job.config {
        paths.input(config, "the configuration file");
    }
    let is_updated = |grid: &Path| follow_links(grid) == follow_links(&job.grid);
    if let Some(grid) = job.update.as_deref().filter(|grid| !is_updated(grid)) {
        paths.input(grid, "the grid of --update");
    }
    // The grid may go into the folder of pictures, which then has to exist.
    if let Some(folder) = &job.png {
        pictures::create_folder(folder)?;
    }
    if job.is_grid_on_stdout() {
        ensure!(
            !job.json,
            "--output - and --json would both write to stdout; give --output a file"
        );
        let is_terminal = std::io::stdout().is_terminal();
        ensure!(!is_terminal, "--output -: a grid is no text for a terminal; redirect stdout");
        return Ok(Output::stdout());
    }
    paths.output(&job.grid, "--output")
}

fn bake(job: &Job, output: &Output, progress: &ProgressDisplay) -> anyhow::Result<BakeResult> {
    let start = Instant::now();
    let scene_path = job.scene.display().to_string();
    let Input { report, baked, update, mut stages } = match SourceKind::of(&job.scene) {
        SourceKind::Scene => bake_file(job, progress)?,
        SourceKind::World | SourceKind::Heights => bake_world(job, progress)?,
    };
    let Baked { mut grid, link_problems, volumes, dropped_regions } = baked;

    if job.routes {
        let (prepared, time) = StageTime::measure("routes", || prepare_routes(grid, progress));
        stages.push(time);
        grid = prepared?;
    }

    // If drawing fails, the grid is written all the same: a bake may have taken hours.
    let (pictures, drawn) = StageTime::measure("draw", || draw(&grid, job, progress));
    stages.extend(job.png.is_some().then_some(drawn));
    progress.begin(&format!("writing {}", job.grid_name()));
    let (bytes, written) = StageTime::measure("write", || write(&grid, output));
    stages.push(written);
    let (bytes, pictures) = (bytes?, pictures?);
    Ok(BakeResult {
        scene_path,
        scene: report,
        figures: Figures::new(&grid, &bytes),
        update,
        link_problems,
        volumes,
        dropped_regions,
        stages,
        wall: start.elapsed(),
        outputs: BakeOutputs { grid: job.grid_name().to_string(), pictures },
    })
}

/// What was read, and what was baked of it.
struct Input {
    report: SceneReport,
    baked: Baked,
    update: Option<UpdateFigures>,
    stages: Vec<StageTime>,
}

/// Reads and bakes a scene.
fn bake_file(job: &Job, progress: &ProgressDisplay) -> anyhow::Result<Input> {
    let (loaded, time) = StageTime::measure("read", || read(job, progress));
    let (older, scene) = loaded?;
    let mut stages = vec![time];
    interrupt::check()?;
    progress.begin(&format!("baking {}", job.scene.display()));
    let watcher = Watcher::new(progress);
    let baked = bake_scene(job, &scene, older, &watcher);
    stages.extend(watcher.finish());
    let (baked, update) = baked?;
    Ok(Input { report: scene.report, baked, update, stages })
}

/// Reads and bakes a world or a height file.
fn bake_world(job: &Job, progress: &ProgressDisplay) -> anyhow::Result<Input> {
    let watcher = Watcher::new(progress);
    let baked = world::bake(job, progress, &watcher);
    let stages = watcher.finish();
    let BakedWorld { report, baked } = baked?;
    Ok(Input { report, baked, update: None, stages })
}

/// Reads the grid to update, if there is one, and the scene.
fn read(job: &Job, progress: &ProgressDisplay) -> anyhow::Result<(Option<OlderGrid>, Scene)> {
    let older = job.update.as_deref().map(|grid| update::load(grid, job, progress)).transpose()?;
    progress.begin(&format!("reading {}", job.scene.display()));
    let limit = job.settings.memory_limit;
    let scene = Scene::load_within(&job.scene, &job.marks, limit, progress);
    let scene = scene.map_err(|error| match error {
        SceneError::Cancelled(_) => Interrupted.into(),
        error => anyhow!(error),
    })?;
    Ok((older, scene))
}

/// Bakes a scene whole, or what changed of it since an older grid.
fn bake_scene(
    job: &Job,
    scene: &Scene,
    older: Option<OlderGrid>,
    watcher: &Watcher,
) -> anyhow::Result<(Baked, Option<UpdateFigures>)> {
    let failed = |error| failed(error, &job.scene.display().to_string(), &scene.report);
    let Some(older) = older else {
        let baked = surefoot_bake::bake(scene, &job.settings, watcher);
        return Ok((baked.map_err(failed)?, None));
    };
    let (baked, figures) =
        older.update(scene, &job.settings, watcher).map_err(|error| match error {
            UpdateError::Bake(error) => failed(error),
            error => anyhow!(error).context(older.name()),
        })?;
    Ok((baked, Some(figures)))
}

fn failed(error: BakeError, scene: &str, report: &SceneReport) -> anyhow::Error {
    match error {
        BakeError::Cancelled => Interrupted.into(),
        BakeError::EmptyScene if !report.skipped.is_empty() => {
            anyhow!("{error}; skipped: {}", reasons(&report.skipped)).context(scene.to_owned())
        }
        error => anyhow!(error).context(scene.to_owned()),
    }
}

/// An error lists this many skipped nodes.
const MOST_LISTED: usize = 3;

/// Why the first few nodes were skipped, and how many more there are.
fn reasons(skipped: &[Skipped]) -> String {
    let reason = |one: &Skipped| format!("{:?} ({})", one.node, one.reason);
    let listed: Vec<String> = skipped.iter().take(MOST_LISTED).map(reason).collect();
    let listed = listed.join(", ");
    match skipped.len().saturating_sub(MOST_LISTED) {
        0 => listed,
        more => format!("{listed}, and {more} more"),
    }
}

/// Adds to a grid the orders that the routes of its agents are prepared by.
///
/// # Errors
/// A grid that cannot be prepared; [`Interrupted`] after ctrl-C.
pub fn prepare_routes(mut grid: NavGrid, progress: &ProgressDisplay) -> anyhow::Result<NavGrid> {
    let agents = grid.layers().len();
    for agent in (0..agents as u16).map(AgentId) {
        interrupt::check()?;
        let name = &grid.layers()[agent.index()].agent.name;
        progress.begin(&format!(
            "preparing routes for {name}, agent {} of {agents}",
            agent.index() + 1
        ));
        let order = find_order(&grid, agent, progress).map_err(|error| match error {
            OrderError::Cancelled(_) => Interrupted.into(),
            error => anyhow!(error),
        })?;
        grid = grid.with_order(agent, order).context("cannot prepare routes")?;
    }
    Ok(grid)
}

fn draw(grid: &NavGrid, job: &Job, progress: &ProgressDisplay) -> anyhow::Result<Vec<String>> {
    interrupt::check()?;
    let Some(folder) = &job.png else { return Ok(Vec::new()) };
    progress.begin(&format!("drawing into {}", folder.display()));
    pictures::write(grid, folder, progress)
}

fn write(grid: &NavGrid, output: &Output) -> anyhow::Result<Vec<u8>> {
    interrupt::check()?;
    let bytes = grid.to_bytes()?;
    interrupt::uninterrupted(|| {
        output.write(&bytes, interrupt::is_requested)?;
        // From now on it is no longer true that the grid is unchanged.
        interrupt::take_last_words();
        anyhow::Ok(())
    })?;
    Ok(bytes)
}
