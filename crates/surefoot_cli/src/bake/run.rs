//! The bake from end to end: claim the places to write to, read, bake, draw, write, tell.

use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, anyhow, ensure};
use surefoot_bake::{BakeError, Baked};

use surefoot::{AgentId, NavGrid};
use surefoot_bake::Scene;
use surefoot_bake::scene::{SceneReport, Skipped};

use super::order::Order;
use super::pictures;
use super::report::{Facts, Outputs, Report};
use super::stages::{StageTime, Watcher};
use crate::shared::claims::Claims;
use crate::shared::console::{NOTHING_WALKABLE, note, print_json};
use crate::shared::figures::Figures;
use crate::shared::files;
use crate::shared::interrupt::{self, Interrupted};
use crate::shared::output::Output;
use crate::shared::progress::Progress;
use crate::shared::threads;

/// Carries out an order.
///
/// # Errors
/// Whatever goes wrong on the way, with the file at fault; [`Interrupted`] after ctrl-C.
pub fn run(order: &Order) -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    let output = claim(order)?;
    let pool = threads::pool(order.threads)?;
    let progress = Progress::new(order.quiet);
    let made = pool.install(|| make(order, &output, &progress));
    progress.end();
    let report = Report::new(made?);
    if !order.quiet {
        note(report.in_words());
    }
    if order.json {
        print_json(&report)?;
    }
    let code = if report.any_walkable() { 0 } else { NOTHING_WALKABLE };
    Ok(ExitCode::from(code))
}

/// Checks every place to write to before anything long begins.
fn claim(order: &Order) -> anyhow::Result<Output> {
    let there = fs::metadata(&order.scene)
        .map_err(|error| files::unreadable(&order.scene, error, "name a .gltf or .glb"))?;
    ensure!(there.is_file(), "{}: not a file; name a .gltf or .glb", order.scene.display());
    let mut claims = Claims::default();
    claims.read_scene(&order.scene);
    if let Some(config) = &order.config {
        claims.read(config, "the configuration file");
    }
    claims.check(&order.grid, "--output")?;
    // The folder may be the one that the grid goes into.
    if let Some(folder) = &order.png {
        pictures::make_folder(folder)?;
    }
    let output = claims.write(&order.grid, "--output")?;
    if let Some(folder) = &order.png {
        pictures::check(folder, &claims)?;
    }
    Ok(output)
}

fn make(order: &Order, output: &Output, progress: &Progress) -> anyhow::Result<Facts> {
    let start = Instant::now();
    let scene_path = order.scene.display().to_string();
    progress.begin(&format!("reading {scene_path}"));
    let limit = order.settings.memory_limit;
    let (scene, read) =
        StageTime::of("read", || Scene::load_within(&order.scene, &order.marks, limit));
    let scene = scene?;
    let mut stages = vec![read];
    interrupt::check()?;

    progress.begin(&format!("baking {scene_path}"));
    let watcher = Watcher::new(progress);
    let baked = surefoot::bake::bake(&scene, &order.settings, &watcher);
    stages.extend(watcher.finish());
    let Baked { grid, link_problems } =
        baked.map_err(|error| failed(error, &scene_path, &scene.report))?;

    let mut grid = grid;
    if order.routes {
        let (prepared, time) = StageTime::of("routes", || prepare(grid, progress));
        stages.push(time);
        grid = prepared?;
    }

    // A picture that fails must not cost the bake.
    let (pictures, drawn) = StageTime::of("draw", || draw(&grid, order, progress));
    stages.extend(order.png.is_some().then_some(drawn));
    progress.begin(&format!("writing {}", order.output()));
    let (bytes, written) = StageTime::of("write", || write(&grid, output));
    stages.push(written);
    let (bytes, pictures) = (bytes?, pictures?);
    Ok(Facts {
        scene: (scene_path, scene.report),
        figures: Figures::new(&grid, &bytes),
        link_problems,
        stages,
        wall: start.elapsed(),
        outputs: Outputs { grid: order.output().to_string(), pictures },
    })
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

/// How many skipped nodes an error tells of.
const TOLD: usize = 3;

/// Why nodes were skipped: the first few, and how many more there are.
fn reasons(skipped: &[Skipped]) -> String {
    let told: Vec<String> =
        skipped.iter().take(TOLD).map(|one| format!("{:?} ({})", one.node, one.reason)).collect();
    let told = told.join(", ");
    match skipped.len().saturating_sub(TOLD) {
        0 => told,
        more => format!("{told}, and {more} more"),
    }
}

/// Keeps with a grid what routes of its agents are found by.
fn prepare(mut grid: NavGrid, progress: &Progress) -> anyhow::Result<NavGrid> {
    for agent in (0..grid.layers().len() as u16).map(AgentId) {
        interrupt::check()?;
        let name = &grid.layers()[agent.index()].agent.name;
        progress.begin(&format!("preparing routes for {name}"));
        let order = interrupt::at_once(|| RouteIndex::order(&grid, agent));
        if let Some(order) = order {
            grid = grid.with_order(agent, order).context("cannot prepare routes")?;
        }
    }
    Ok(grid)
}

fn draw(grid: &NavGrid, order: &Order, progress: &Progress) -> anyhow::Result<Vec<String>> {
    interrupt::check()?;
    let Some(folder) = &order.png else { return Ok(Vec::new()) };
    progress.begin(&format!("drawing into {}", folder.display()));
    pictures::write(grid, folder)
}

fn write(grid: &NavGrid, output: &Output) -> anyhow::Result<Vec<u8>> {
    interrupt::check()?;
    let bytes = grid.to_bytes()?;
    interrupt::undisturbed(|| output.write(&bytes, interrupt::is_asked))?;
    Ok(bytes)
}
