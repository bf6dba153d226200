//! `surefoot path`: the cheapest path from one position to another.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use surefoot::NavGrid;
use surefoot::diagnosis::Separation;
use surefoot::grid::AgentId;
use surefoot::navigator::Navigator;
use surefoot::path::{Answer, Corridor};
use surefoot::search::Query;
use surefoot::world::World;
use surefoot_draw::{DrawnPath, PathPicture, Recording};
use surefoot_report::{PathReport, Place};

use super::engine::{QueryCount, QueryEngine};
use super::far_path::FarQuestion;
use super::input::{GridInput, too_large};
use super::options::SearchOptions;
use crate::shared::console::{NO_PATH, print, print_json};
use crate::shared::interrupt;
use crate::shared::output::Output;
use crate::shared::path_check::PathCheck;
use crate::shared::progress::LateProgress;

/// Find the cheapest path from one position to another
#[derive(Debug, clap::Args)]
#[command(after_help = PATH_NOTES)]
pub struct PathArguments {
    #[command(flatten)]
    pub input: GridInput,

    /// Start here: a point on the ground, or in the body above it; x,z where there is one floor
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    pub from: Place,

    /// End here
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    pub to: Place,

    #[command(flatten)]
    options: SearchOptions,

    /// Draw the path, and what a search for it expanded, into this PNG file
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,

    /// Draw the search step by step into this animated PNG file
    #[arg(long, value_name = "FILE")]
    frames: Option<PathBuf>,

    /// On a world: find what the path costs, and where it crosses the borders of tiles, without loading
    /// what is between the ends
    ///
    /// Worlds that are too large to be loaded whole are asked so in any case, unless --rect names a part.
    #[arg(long, conflicts_with_all = ["rect", "png", "frames"])]
    far: bool,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

const PATH_NOTES: &str = "\
Examples:
  surefoot path level.navgrid --agent human --from 1,0,1 --to 9,2,6
  surefoot path level.navgrid --agent human --from 1,0,1 --to 9,2,6 --ascend-cost 5 --json
  surefoot path level.navgrid --agent human --from 1,0,1 --to 9,2,6 --png path.png
  surefoot path world.navworld --rect 0,0,500,500 --from 20,30 --to 400,300
  surefoot path world.navworld --from 20,30 --to 9000,7000 --far

Exit codes: 0 the path leads to the goal; 1 there is no path, or only part of one; 2 an error.";

/// Runs the command.
///
/// # Errors
/// A file cannot be loaded or written, or the grid has no such agent.
pub fn run(arguments: &PathArguments) -> anyhow::Result<ExitCode> {
    let outputs = arguments.check_paths()?;
    if let Some(world) = arguments.far_world()? {
        return FarQuestion { world: &world, arguments }.answer();
    }
    let (grid, agent) = arguments.input.load()?;
    let from = arguments.from.point_or_beside(&grid, agent).context("--from")?;
    let to = arguments.to.point_or_beside(&grid, agent).context("--to")?;
    let query = arguments.options.query([from, to]);
    let mut engine = QueryEngine::new(&grid, agent, &arguments.options, QueryCount::One)?;
    // The first query allocates the memory of the search: counted here, as in a program that asks once.
    let start = Instant::now();
    let (answer, engine_name) = engine.find(&query);
    let mut report = PathReport::new(&grid, answer, engine_name, start.elapsed());
    if outputs.png.is_some() || outputs.frames.is_some() {
        let answer = answer.clone();
        let drawing = Drawing { grid: &grid, agent, arguments, query: &query };
        let separation = if report.is_complete() { None } else { engine.separation(&query) };
        let found = FoundPath { answer: &answer, corridor: engine.corridor(), separation };
        drawing.write(&outputs, &found)?;
    }
    engine.explain(&mut report, &query);
    if arguments.json {
        print_json(&report)?;
    } else {
        print(&(report.sentence() + &report.waypoint_lines()))?;
    }
    Ok(ExitCode::from(if report.is_complete() { 0 } else { NO_PATH }))
}

impl PathArguments {
    /// The world that is asked for a far path; `None` if a grid is asked.
    fn far_world(&self) -> anyhow::Result<Option<World>> {
        let name = self.input.name();
        let Some(world) = self.input.whole_world()? else {
            ensure!(!self.far, "{name}: this is no world of tiles; leave out --far");
            return Ok(None);
        };
        let needed = too_large(&world).with_context(|| name.clone())?;
        let pictures = [("--png", self.png.is_some()), ("--frames", self.frames.is_some())];
        let drawn = pictures.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option);
        let given = drawn.or_else(|| self.options.first_given());
        match (self.far || needed.is_some(), given) {
            (false, _) => Ok(None),
            (true, None) => Ok(Some(world)),
            (true, Some(given)) if self.far => {
                bail!("{given} has no meaning for far paths; leave out {given}, or --far")
            }
            (true, Some(given)) => bail!(
                "{name}: this world is too large to be loaded whole, and far paths know no {given}; leave it out, \
                 or name a part with --rect x0,z0,x1,z1"
            ),
        }
    }

    /// Checks all paths before the work begins.
    fn check_paths(&self) -> anyhow::Result<PathOutputs> {
        let mut paths = PathCheck::default();
        paths.input(&self.input.file, "the grid");
        Ok(PathOutputs {
            png: paths.output_if_any(self.png.as_deref(), "--png")?,
            frames: paths.output_if_any(self.frames.as_deref(), "--frames")?,
        })
    }
}

/// The files to write.
struct PathOutputs {
    png: Option<Output>,
    frames: Option<Output>,
}

/// What the pictures are drawn from.
struct Drawing<'a> {
    grid: &'a NavGrid,
    agent: AgentId,
    arguments: &'a PathArguments,
    query: &'a Query,
}

/// What was found, and what is in the way if it does not lead to the goal.
struct FoundPath<'a> {
    answer: &'a Answer,
    corridor: &'a Corridor,
    separation: Option<Separation>,
}

impl Drawing<'_> {
    /// Searches again, one expansion at a time, and draws that search with the path that was found.
    fn write(&self, outputs: &PathOutputs, found: &FoundPath) -> anyhow::Result<()> {
        let FoundPath { answer, corridor, separation } = found;
        let model = self.arguments.options.model();
        let mut navigator = Navigator::with_model(self.grid.clone(), self.agent, model)?;
        let recording = Recording::of(&mut navigator, self.query);
        // A straight line has no corridor; the search has one all the same.
        let corridor = if corridor.spans().is_empty() { navigator.corridor() } else { corridor };
        let (path, outcome) = (answer.path().ok(), answer.outcome);
        let corridor = path.map(|_| corridor);
        let drawn = DrawnPath { name: "The path", path, corridor, outcome };
        let picture = PathPicture {
            view: navigator.view(),
            title: "",
            ends: [self.query.from, self.query.to],
            paths: &[drawn],
            expanded: recording.expanded(),
        };
        if let Some(output) = &outputs.png {
            let progress = LateProgress::new(format!("drawing {}", output.name()));
            let drawn = match separation {
                Some(separation) if !separation.is_connected() => {
                    picture.draw_separation(separation, &progress)?
                }
                _ => picture.draw(&progress)?,
            };
            let bytes = drawn.image.to_png_observed(&progress)?;
            progress.end();
            interrupt::uninterrupted(|| output.write(&bytes, || false))?;
        }
        if let Some(output) = &outputs.frames {
            let progress = LateProgress::new(format!("drawing {}", output.name()));
            let film = picture.draw_film(&recording, &progress)?;
            progress.end();
            interrupt::uninterrupted(|| output.write(film.bytes(), || false))?;
        }
        Ok(())
    }
}
