//! `surefoot`: questions about baked grids, and crowds that walk them.

mod asker;
mod info;
mod options;
mod path;
mod paths;
mod run;
mod subject;
mod told;
mod why;

use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::{Parser, Subcommand};
use surefoot::NavGrid;
use surefoot::grid::FormatError;

use crate::shared::{console, files, numbers::numbers};

/// Ask what a baked nav grid holds, and let crowds walk it
#[derive(Debug, Parser)]
#[command(name = "surefoot", version, after_help = EXAMPLES, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    Info(info::Arguments),
    Path(path::Arguments),
    Paths(paths::Arguments),
    Run(run::Arguments),
    Why(why::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  surefoot info level.navgrid
  surefoot info level.navgrid --json | jq '.agents[].regions'
  surefoot why level.navgrid --agent human --at 3.5,0,-2
  surefoot path level.navgrid --agent human --from 1,0,1 --to 9,2,6
  surefoot run level.navgrid --agent human --count 100 --seconds 60

Exit codes: 0 good; 1 done, but nothing is walkable, there is no way or nobody arrived; 2 an error.";

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    console::run(|arguments: Arguments| match arguments.question {
        Question::Info(arguments) => info::run(&arguments),
        Question::Path(arguments) => path::run(&arguments),
        Question::Paths(arguments) => paths::run(&arguments),
        Question::Run(arguments) => run::run(&arguments),
        Question::Why(arguments) => why::run(&arguments),
    })
}

/// Loads a grid, and the bytes it was loaded from.
fn load(file: &Path) -> anyhow::Result<(NavGrid, Vec<u8>)> {
    let bytes = files::read(file, "`bake` makes one from a scene")?;
    let grid = NavGrid::from_bytes(&bytes).map_err(|error| not_loaded(file, error))?;
    Ok((grid, bytes))
}

/// What to say of a file that is no grid.
fn not_loaded(file: &Path, error: FormatError) -> anyhow::Error {
    let name = file.display().to_string();
    let is_scene = file.extension().is_some_and(|own| own == "gltf" || own == "glb");
    match error {
        FormatError::NotANavgrid if is_scene => {
            anyhow!("{name}: {error}; `bake {name}` makes one of this scene")
        }
        error => anyhow!(error).context(name),
    }
}

/// Reads a place from an argument.
fn place(text: &str) -> Result<[f32; 3], String> {
    numbers(text, "x,y,z")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn is_well_formed() {
        super::Arguments::command().debug_assert();
    }
}
