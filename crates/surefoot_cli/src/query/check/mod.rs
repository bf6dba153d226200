//! `surefoot check`: whether what a file promises of a level holds.

mod check_source;
mod first_file;
mod junit;
mod marks;
mod page;
mod scene_nodes;
mod toml_text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use serde::Serialize;
use surefoot_report::checks::{CheckInput, CheckReport, CheckResult};

use self::check_source::CheckSource;
use self::first_file::FirstFile;
use super::input::{PartOption, load};
use super::view::{OpenedLevel, write_page};
use crate::shared::console::{CHECK_FAILED, print, print_json};
use crate::shared::figures::grid_hash;
use crate::shared::interrupt;
use crate::shared::output::Output;
use crate::shared::path_check::PathCheck;
use crate::shared::progress::LateProgress;

/// Check what a file promises of a level: paths, reach, ground, areas
#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_NOTES)]
pub struct CheckArguments {
    /// The grid: a .navgrid file; or a .navworld file, whose tiles make one
    #[arg(value_name = "GRID")]
    file: PathBuf,

    #[command(flatten)]
    part: PartOption,

    /// The checks: a TOML file
    #[arg(value_name = "CHECKS", required_unless_present = "init", conflicts_with = "init")]
    checks: Option<PathBuf>,

    /// Look up nodes that are places in this glTF file, in place of the one that the checks name
    #[arg(long, value_name = "SCENE")]
    scene: Option<PathBuf>,

    /// Write the results to this file as JUnit XML, which build servers show
    #[arg(long, value_name = "FILE", conflicts_with = "init")]
    junit: Option<PathBuf>,

    /// Write a page that shows the level in a browser, and each check on its place, into this HTML file
    ///
    /// It shows the scene, too, if the checks or --scene name one.
    #[arg(long, value_name = "FILE", conflicts_with = "init")]
    report: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long, conflicts_with = "init")]
    json: bool,

    /// Write a first file of checks, which hold on this grid, from the marked nodes of --scene
    #[arg(long)]
    init: bool,

    /// Where --init writes the file [default: standard output]
    #[arg(short, long, value_name = "FILE", conflicts_with = "checks")]
    output: Option<PathBuf>,
}

const CHECK_NOTES: &str = "\
Examples:
  surefoot check level.navgrid --init --scene level.glb -o checks.toml
  surefoot check level.navgrid checks.toml
  surefoot check level.navgrid checks.toml --junit checks.xml --report checks.html
  surefoot check level.navgrid checks.toml --json | jq '.results[] | select(.holds | not)'

Exit codes: 0 all checks hold; 1 some fail; 2 an error.";

/// Runs the command.
///
/// # Errors
/// A file cannot be read or written, or the checks cannot be used: the file, the line and what to do.
pub fn run(arguments: &CheckArguments) -> anyhow::Result<ExitCode> {
    let outputs = arguments.check_paths()?;
    match &arguments.checks {
        Some(checks) => check(arguments, checks, &outputs),
        None => init(arguments, &outputs),
    }
}

/// The files to write.
struct CheckOutputs {
    junit: Option<Output>,
    report: Option<Output>,
    first: Option<Output>,
}

impl CheckArguments {
    /// Checks all paths before the work begins.
    fn check_paths(&self) -> anyhow::Result<CheckOutputs> {
        let mut paths = PathCheck::default();
        paths.input(&self.file, "the grid");
        self.checks.iter().for_each(|checks| paths.input(checks, "the checks"));
        self.scene.iter().for_each(|scene| paths.input(scene, "--scene"));
        let outputs = CheckOutputs {
            junit: paths.output_if_any(self.junit.as_deref(), "--junit")?,
            report: paths.output_if_any(self.report.as_deref(), "--report")?,
            first: paths.output_if_any(self.output.as_deref(), "--output")?,
        };
        if let Some(file) = self.output.as_deref().filter(|file| file.is_file()) {
            let name = file.display();
            ensure!(false, "{name}: this file is there already; remove it, or change --output");
        }
        Ok(outputs)
    }
}

impl CheckArguments {
    /// Checks that no output replaces the scene that the checks name.
    fn keep_scene(&self, source: &CheckSource) -> anyhow::Result<()> {
        let Some(scene) = source.scene(self.scene.as_deref()) else { return Ok(()) };
        let mut paths = PathCheck::default();
        paths.input(&scene, "the scene of the checks");
        paths.output_if_any(self.junit.as_deref(), "--junit")?;
        paths.output_if_any(self.report.as_deref(), "--report")?;
        Ok(())
    }
}

/// What `check --json` prints.
#[derive(Serialize)]
struct CheckPrint<'a> {
    grid: String,
    checks: String,
    #[serde(flatten)]
    report: &'a CheckReport,
}

fn check(
    arguments: &CheckArguments,
    checks: &Path,
    outputs: &CheckOutputs,
) -> anyhow::Result<ExitCode> {
    let source = CheckSource::read(checks)?;
    arguments.keep_scene(&source)?;
    let (grid, bytes) = load(&arguments.file, arguments.part)?.with_bytes()?;
    let nodes = source.nodes(arguments.scene.as_deref())?;
    let hash = grid_hash(&bytes);
    let input = CheckInput { grid: &grid, hash: &hash, nodes: nodes.as_deref() };
    let name = checks.display().to_string();
    let progress = LateProgress::new(format!("checking {name}"));
    let evaluated = source.file.evaluate(&input, &progress);
    progress.end();
    let mut report = evaluated.map_err(|error| source.located(error))?;
    source.add_lines(&mut report);
    let grid_name = arguments.file.display().to_string();
    if let Some(output) = &outputs.junit {
        let xml = junit::xml(&report, &grid_name, &name).context("cannot make the JUnit file")?;
        interrupt::uninterrupted(|| output.write(&xml, || false))?;
    }
    if let Some(output) = &outputs.report {
        let scene = source.scene(arguments.scene.as_deref());
        let level = OpenedLevel::with_scene(input.grid.clone(), bytes, scene.as_deref())?;
        write_page(&arguments.file, &level, Some(page::report(&report)), output)?;
    }
    if arguments.json {
        print_json(&CheckPrint { grid: grid_name, checks: name, report: &report })?;
    } else {
        print(&text(&report, &name))?;
    }
    Ok(ExitCode::from(if report.holds { 0 } else { CHECK_FAILED }))
}

/// A line for each check that holds, and some for each that fails.
fn text(report: &CheckReport, file: &str) -> String {
    let lines = report.results.iter().map(|result| match result.holds {
        true => format!("ok    {}: {}\n", result.title(), result.found),
        false => failure(result, file),
    });
    lines.collect::<String>() + &report.summary()
}

fn failure(result: &CheckResult, file: &str) -> String {
    let place = result.line.map_or(file.to_owned(), |line| format!("{file}:{line}"));
    let lines = result.failure_lines().into_iter().map(|line| format!("      {line}\n"));
    format!("FAIL  {}  ({place})\n{}", result.title(), lines.collect::<String>())
}

/// Writes a first file of checks.
fn init(arguments: &CheckArguments, outputs: &CheckOutputs) -> anyhow::Result<ExitCode> {
    let (grid, bytes) = load(&arguments.file, arguments.part)?.with_bytes()?;
    let hash = grid_hash(&bytes);
    let scene = arguments.scene.as_deref();
    let nodes = scene.map(|scene| scene_nodes::load(scene, "check --scene")).transpose()?;
    let first = FirstFile {
        grid: &grid,
        grid_file: &arguments.file,
        hash: &hash,
        scene,
        nodes: nodes.as_deref().unwrap_or_default(),
        output: arguments.output.as_deref(),
    };
    let text = first.text()?;
    match &outputs.first {
        Some(output) => interrupt::uninterrupted(|| output.write(text.as_bytes(), || false))?,
        None => {
            print(text.trim_end())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
