//! `surefoot diff`: what changed from one grid of a level to another.

mod page;
mod picture;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;
use surefoot::NavGrid;
use surefoot_report::{DifferenceOptions, GridDifference};

use super::input::{PartOption, load};
use super::view::{OpenedLevel, write_page};
use crate::shared::console::{DIFFERENT, print, print_json};
use crate::shared::numbers::number;
use crate::shared::output::Output;
use crate::shared::path_check::PathCheck;
use crate::shared::progress::LateProgress;

/// Show what changed from one grid of a level to another: ground, regions, links and paths
#[derive(Debug, clap::Args)]
#[command(after_help = DIFF_NOTES)]
pub struct DiffArguments {
    /// The old grid: a .navgrid file; or a .navworld file, whose tiles make one
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// The new grid: a file of either kind with cells of the same size
    #[arg(value_name = "NEW")]
    new: PathBuf,

    #[command(flatten)]
    part: PartOption,

    /// Compare for this agent only, by its name [default: all that both grids have]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,

    /// List at most this many places, links and paths of each kind; all are counted
    #[arg(long, value_name = "N", default_value_t = DifferenceOptions::default().most,
        allow_hyphen_values = true)]
    most: usize,

    /// Sample this many paths for each agent; 0 samples none [default: 200, on large levels fewer]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=MOST_PATHS),
        allow_hyphen_values = true)]
    paths: Option<u32>,

    /// Report paths only if they cost more than this much more or less, in percent, and four cells
    #[arg(long, value_name = "PERCENT", default_value_t = 10.0, value_parser = percent,
        allow_hyphen_values = true)]
    path_tolerance: f32,

    /// Draw where ground was gained and lost into this PNG file; without --agent, for the agent with the most
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,

    /// Write a page that shows the new grid in a browser, and on it what changed, into this HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Show this scene on the page, too: the one that the new grid was baked from
    #[arg(long, value_name = "SCENE", requires = "html")]
    scene: Option<PathBuf>,

    /// With --json: list the cells of each place as rectangles
    #[arg(long, requires = "json")]
    rectangles: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// More sampled paths would take days.
const MOST_PATHS: i64 = 100_000;

fn percent(text: &str) -> Result<f32, String> {
    let percent = number(text)?;
    if percent >= 0.0 { Ok(percent) } else { Err("expected a percentage of at least 0".to_owned()) }
}

const DIFF_NOTES: &str = "\
Examples:
  surefoot diff old.navgrid new.navgrid
  surefoot diff old.navgrid new.navgrid --agent human --png diff.png
  surefoot diff old.navgrid new.navgrid --html diff.html --scene level.glb
  surefoot diff old.navgrid new.navgrid --json | jq '.agents[].lost.clusters[0]'

Exit codes: 0 the grids are the same; 1 they differ; 2 an error.";

/// What `diff --json` prints.
#[derive(Serialize)]
struct DiffReport<'a> {
    /// The files.
    old: String,
    new: String,
    /// Whether the files have the same bytes.
    same_bytes: bool,
    #[serde(flatten)]
    difference: &'a GridDifference,
}

/// The files to write.
struct DiffOutputs {
    png: Option<Output>,
    html: Option<Output>,
}

/// One of the grids, with the bytes of its file.
struct DiffSide {
    grid: NavGrid,
    bytes: Vec<u8>,
    name: String,
}

/// Runs the command.
///
/// # Errors
/// A file cannot be loaded or written, the cells are not of one size, or the grids do not have the agent.
pub fn run(arguments: &DiffArguments) -> anyhow::Result<ExitCode> {
    let outputs = arguments.check_paths()?;
    let [old, new] =
        [&arguments.old, &arguments.new].map(|file| DiffSide::load(file, arguments.part));
    let (old, new) = (old?, new?);
    let progress = LateProgress::new("comparing sampled paths".to_owned());
    let compared =
        GridDifference::observed([&old.grid, &new.grid], &arguments.options(), &progress);
    progress.end();
    let difference = compared.with_context(|| format!("{} and {}", old.name, new.name))?;
    if let Some(output) = &outputs.png {
        picture::write([&old.grid, &new.grid], &difference, output)?;
    }
    let same_bytes = old.bytes == new.bytes;
    if let Some(output) = &outputs.html {
        let scene = arguments.scene.as_deref();
        let level = OpenedLevel::with_scene(new.grid.clone(), new.bytes.clone(), scene)?;
        let report = page::report(&difference, [&old.name, &new.name]);
        write_page(&arguments.new, &level, Some(report), output)?;
    }
    if arguments.json {
        let (old, new) = (old.name, new.name);
        print_json(&DiffReport { old, new, same_bytes, difference: &difference })?;
    } else {
        print(&arguments.text(&difference, same_bytes))?;
    }
    Ok(ExitCode::from(if difference.same { 0 } else { DIFFERENT }))
}

impl DiffArguments {
    /// Checks all paths before the work begins.
    fn check_paths(&self) -> anyhow::Result<DiffOutputs> {
        let mut paths = PathCheck::default();
        paths.input(&self.old, "the old grid");
        paths.input(&self.new, "the new grid");
        self.scene.iter().for_each(|scene| paths.input(scene, "--scene"));
        Ok(DiffOutputs {
            png: paths.output_if_any(self.png.as_deref(), "--png")?,
            html: paths.output_if_any(self.html.as_deref(), "--html")?,
        })
    }

    fn options(&self) -> DifferenceOptions<'_> {
        DifferenceOptions {
            agent: self.agent.as_deref(),
            most: self.most,
            paths: self.paths.map(|paths| paths as usize),
            path_tolerance: 0.01 * self.path_tolerance,
            rectangles: self.rectangles || self.html.is_some(),
        }
    }

    fn text(&self, difference: &GridDifference, same_bytes: bool) -> String {
        let text = difference.text(self.most);
        match (difference.same, same_bytes) {
            (true, true) => text,
            (true, false) => format!("{text}\nunnoticed the bytes of the files are not the same"),
            (false, _) => {
                let (old, new) = (self.old.display(), self.new.display());
                format!("diff      from {old} to {new}\n{text}")
            }
        }
    }
}

impl DiffSide {
    fn load(file: &Path, part: PartOption) -> anyhow::Result<Self> {
        let (grid, bytes) = load(file, part)?.with_bytes()?;
        Ok(DiffSide { grid, bytes, name: file.display().to_string() })
    }
}
