//! `bake`: a glTF scene becomes a `.navgrid` file.
//!
//! ```text
//! arguments + configuration file ─► job ─► run ─► report
//! ```
//!
//! The report goes to stderr for people, and as one JSON object to stdout for programs.

mod arguments;
mod config;
pub(crate) mod job;
mod link_spec;
mod pictures;
mod report;
mod run;
mod specs;
pub(crate) mod stages;
mod update;
mod volume_spec;
mod world;

use std::process::ExitCode;

pub(crate) use arguments::{BakeArguments, HeightOptions, SettingOptions};
pub(crate) use run::prepare_routes;

use crate::shared::console;
use crate::shared::interrupt::{self, INTERRUPTED, Interrupted};

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    console::run(|arguments| {
        let job = job::Job::new(arguments)?;
        run::run(&job).or_else(|error| match error.downcast::<Interrupted>() {
            Ok(Interrupted) => {
                interrupt::take_last_words().into_iter().for_each(console::note);
                Ok(ExitCode::from(INTERRUPTED))
            }
            Err(error) => Err(error),
        })
    })
}
