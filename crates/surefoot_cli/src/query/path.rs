//! `surefoot path`: the cheapest way from one place to another.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, anyhow};
use surefoot::cost::HeightCost;
use surefoot::navigator::Navigator;
use surefoot::path::{Corridor, Path};
use surefoot::search::Query;
use surefoot::view::View;
use surefoot_draw::{Recording, Way, WayPicture, film, way_picture};

use super::asker::Asker;
use super::options::Options;
use super::place;
use super::subject::Subject;
use super::told::Told;
use crate::shared::claims::Claims;
use crate::shared::console::{print, print_json};
use crate::shared::output::Output;

/// Find the cheapest way from one place to another
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    subject: Subject,

    /// Where the way starts, in metres: a point on the ground, or in the body above it
    #[arg(long, value_name = "x,y,z", value_parser = place, allow_hyphen_values = true)]
    from: [f32; 3],

    /// Where it is to end
    #[arg(long, value_name = "x,y,z", value_parser = place, allow_hyphen_values = true)]
    to: [f32; 3],

    #[command(flatten)]
    options: Options,

    /// Also draw the way, and what was searched for it, into this PNG file
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,

    /// Also draw the search step by step into this animated PNG file
    #[arg(long, value_name = "FILE")]
    frames: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  surefoot path level.navgrid --agent human --from 1,0,1 --to 9,2,6
  surefoot path level.navgrid --agent human --from 1,0,1 --to 9,2,6 --ascend-cost 5 --json
  surefoot path level.navgrid --agent human --from 1,0,1 --to 9,2,6 --png way.png --frames way.apng

Exit codes: 0 the way leads to the goal; 1 no way, or only part of one; 2 an error.";

/// Answers the question.
///
/// # Errors
/// A file that cannot be loaded or written, an agent that is not in it.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let outputs = arguments.claim()?;
    let (grid, agent) = arguments.subject.load()?;
    let grid = Arc::new(grid);
    let terrain = View::new(&grid, agent).ok_or_else(|| anyhow!("no such agent"))?;
    let (model, query) = (arguments.options.model(), arguments.options.query(arguments.ends()));
    let mut asker = Asker::new(&arguments.options, (&grid, &terrain), false)?;
    // The clock starts before the first query's memory is there, as in a program that asks once.
    let start = Instant::now();
    let answer = asker.ask((&terrain, &model), &query);
    let told = Told::new(&grid, answer, start.elapsed());
    if outputs.png.is_some() || outputs.frames.is_some() {
        let path = answer.0.path().cloned();
        outputs.draw((&terrain, &model), &query, (path.as_ref(), asker.corridor()))?;
    }
    if arguments.json {
        print_json(&told)?;
    } else {
        print(&(told.sentence() + &told.waypoint_lines()))?;
    }
    Ok(told.exit_code())
}

impl Arguments {
    fn ends(&self) -> [[f32; 3]; 2] {
        [self.from, self.to]
    }

    /// Checks every place to write to before anything long begins.
    fn claim(&self) -> anyhow::Result<Outputs> {
        let mut claims = Claims::default();
        claims.read(&self.subject.file, "the grid");
        let mut write = |(file, option): (&Option<PathBuf>, &str)| {
            file.as_ref().map(|file| claims.write(file, option)).transpose()
        };
        Ok(Outputs {
            png: write((&self.png, "--png"))?,
            frames: write((&self.frames, "--frames"))?,
        })
    }
}

/// What is to be drawn.
struct Outputs {
    png: Option<Output>,
    frames: Option<Output>,
}

impl Outputs {
    /// Searches again, one span at a time, and draws what is wanted of it, with the way that was
    /// the answer.
    fn draw(
        &self,
        (terrain, model): (&View, &HeightCost),
        query: &Query,
        (path, corridor): (Option<&Path>, &Corridor),
    ) -> anyhow::Result<()> {
        let mut search = Navigator::default();
        let recording = Recording::of(&mut search, terrain, model, query);
        // Who goes straight needs no corridor; the search has one all the same.
        let corridor = if corridor.spans().is_empty() { search.corridor() } else { corridor };
        let way = Way { name: "The way", path, corridor: path.map(|_| corridor) };
        let picture = WayPicture {
            terrain,
            title: "",
            ends: [query.from, query.to],
            ways: &[way],
            expanded: recording.expanded(),
        };
        if let Some(output) = &self.png {
            let bytes = way_picture(&picture).image.to_png();
            output.write(&bytes.context("cannot encode the picture")?, || false)?;
        }
        if let Some(output) = &self.frames {
            let film = film(&picture, &recording).context("cannot encode the film")?;
            output.write(film.bytes(), || false)?;
        }
        Ok(())
    }
}
