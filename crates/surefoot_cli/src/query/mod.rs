//! `surefoot`: asks what baked grids hold, checks what was promised of them, finds paths on them, and lets
//! crowds walk.

mod check;
mod diff;
mod engine;
mod far_path;
mod info;
mod input;
mod manuals;
mod options;
mod path;
mod paths;
mod regions;
mod run;
mod scene;
mod view;
mod why;
mod world;
mod world_info;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::shared::{console, interrupt};

/// Inspect and check baked navigation grids, find paths on them, and let crowds walk
#[derive(Debug, Parser)]
#[command(name = "surefoot", version, after_help = SUREFOOT_NOTES, max_term_width = 100)]
#[command(arg_required_else_help = true)]
struct SurefootArguments {
    #[command(subcommand)]
    command: QueryCommand,
}

#[derive(Debug, Subcommand)]
enum QueryCommand {
    Check(check::CheckArguments),
    Diff(diff::DiffArguments),
    Info(info::InfoArguments),
    Path(path::PathArguments),
    Paths(paths::PathsArguments),
    Run(run::RunArguments),
    View(view::ViewArguments),
    Why(why::WhyArguments),
    World(world::WorldArguments),
    Completions(manuals::CompletionsArguments),
    Man(manuals::ManArguments),
}

const SUREFOOT_NOTES: &str = "\
Grids come from the command `bake`. Positions are x,y,z in metres, Y up; for paths, x,z is enough
where there is one floor. A grid with one agent needs no --agent.

Examples:
  surefoot info level.navgrid
  surefoot info level.navgrid --json | jq '.agents[].regions'
  surefoot why level.navgrid --agent human --at 3.5,0,-2
  surefoot path level.navgrid --agent human --from 1,0,1 --to 9,2,6
  surefoot why level.navgrid --agent human --from 1,0,1 --to 9,2,6
  surefoot run level.navgrid --agent human --count 100 --seconds 60
  surefoot view level.navgrid --scene level.glb --open
  surefoot check level.navgrid checks.toml
  surefoot diff old.navgrid new.navgrid
  surefoot world bake world.toml --store tiles -o world.navgrid
  surefoot info world.navworld

Exit codes: 0 success; 1 nothing is walkable, there is no path, nobody arrived,
a check failed, or grids differ; 2 an error.";

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    console::run(|arguments: SurefootArguments| {
        // Only a run has something to report when it is interrupted.
        if !matches!(arguments.command, QueryCommand::Run(_)) {
            interrupt::watch_exiting_at_once()?;
        }
        match arguments.command {
            QueryCommand::Check(arguments) => check::run(&arguments),
            QueryCommand::Diff(arguments) => diff::run(&arguments),
            QueryCommand::Info(arguments) => info::run(&arguments),
            QueryCommand::Path(arguments) => path::run(&arguments),
            QueryCommand::Paths(arguments) => paths::run(&arguments),
            QueryCommand::Run(arguments) => run::run(&arguments),
            QueryCommand::View(arguments) => view::run(&arguments),
            QueryCommand::Why(arguments) => why::run(&arguments),
            QueryCommand::World(arguments) => world::run(&arguments),
            QueryCommand::Completions(arguments) => manuals::print_completions(&arguments),
            QueryCommand::Man(arguments) => manuals::print_page(&arguments),
        }
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn is_well_formed() {
        super::SurefootArguments::command().debug_assert();
    }
}
