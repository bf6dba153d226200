//! `surefoot why`: why an agent cannot stand at a position, or not get from one to another.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use surefoot::grid::AgentId;
use surefoot::{NavGrid, Navigator};
use surefoot_bake::explain_link;
use surefoot_draw::PathPicture;
use surefoot_report::{Place, SeparationReport, StandingQuestion};

use super::input::GridInput;
use super::scene::load_scene;
use crate::shared::console::{NOTHING_WALKABLE, print, print_json};
use crate::shared::interrupt;
use crate::shared::path_check::PathCheck;
use crate::shared::progress::LateProgress;

/// Explain why an agent cannot stand at a position, or cannot get from one to another
#[derive(Debug, clap::Args)]
#[command(after_help = WHY_NOTES)]
pub struct WhyArguments {
    #[command(flatten)]
    input: GridInput,

    /// The position: a point on the ground, or in the body above it; x,z where there is one floor
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true,
        required_unless_present_any = ["from", "to"], conflicts_with_all = ["from", "to"])]
    at: Option<Place>,

    /// Explain what separates this position from that of --to
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true, requires = "to")]
    from: Option<Place>,

    /// Explain what separates this position from that of --from
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true, requires = "from")]
    to: Option<Place>,

    /// Explain as well why no generated link leads from --from to --to: the scene that the grid was
    /// baked from
    #[arg(long, value_name = "SCENE", requires = "from")]
    scene: Option<PathBuf>,

    /// Draw what is in the way between --from and --to into this PNG file
    #[arg(long, value_name = "FILE", requires = "from")]
    png: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const WHY_NOTES: &str = "\
Examples:
  surefoot why level.navgrid --agent human --at 3.5,0,-2
  surefoot why level.navgrid --agent human --at 3.5,-2
  surefoot why level.navgrid --agent human --from 1,0,1 --to 9,2,6 --png why.png

Exit codes: 0 it can stand there, or get there; 1 it cannot, or there is no floor; 2 an error.";

/// Runs the command.
///
/// # Errors
/// The file cannot be loaded, the grid has no such agent, or the picture cannot be written.
pub fn run(arguments: &WhyArguments) -> anyhow::Result<ExitCode> {
    let mut paths = PathCheck::default();
    paths.input(&arguments.input.file, "the grid");
    arguments.scene.iter().for_each(|scene| paths.input(scene, "--scene"));
    let png = paths.output_if_any(arguments.png.as_deref(), "--png")?;
    let (grid, agent) = arguments.input.load()?;
    let (Some(from), Some(to)) = (arguments.from, arguments.to) else {
        return arguments.explain_standing(&grid, agent);
    };
    let from = from.point_or_beside(&grid, agent).context("--from")?;
    let to = to.point_or_beside(&grid, agent).context("--to")?;
    let navigator = Navigator::new(grid, agent)?;
    let mut report = SeparationReport::new(&navigator, [from, to]);
    if let Some(scene) = &arguments.scene {
        let scene = load_scene(scene, navigator.grid(), &arguments.input)?;
        let verdict = explain_link(&scene, navigator.grid(), agent, [from.into(), to.into()])?;
        report.link = Some(verdict.to_string());
    }
    if let (Some(output), Some(separation)) = (png, &report.separation) {
        let picture = PathPicture {
            view: navigator.view(),
            title: "",
            ends: [from.into(), to.into()],
            paths: &[],
            expanded: &[],
        };
        let progress = LateProgress::new(format!("drawing {}", output.name()));
        let bytes =
            picture.draw_separation(separation, &progress)?.image.to_png_observed(&progress)?;
        progress.end();
        interrupt::uninterrupted(|| output.write(&bytes, || false))?;
    }
    if arguments.json {
        print_json(&report)?;
    } else {
        print(&report.text())?;
    }
    Ok(ExitCode::from(if report.connected { 0 } else { NOTHING_WALKABLE }))
}

impl WhyArguments {
    fn explain_standing(&self, grid: &NavGrid, agent: AgentId) -> anyhow::Result<ExitCode> {
        let at = self.at.context("--at is missing")?;
        let at = at.point_of_any_floor(grid, agent).context("--at")?;
        let report = StandingQuestion { grid, agent, at: at.into() }.report();
        if self.json {
            print_json(&report)?;
        } else {
            print(&report.words)?;
        }
        Ok(ExitCode::from(if report.walkable { 0 } else { NOTHING_WALKABLE }))
    }
}
