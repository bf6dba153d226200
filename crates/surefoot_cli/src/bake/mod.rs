//! `bake`: a glTF scene becomes a `.navgrid` file.
//!
//! Arguments and a configuration file make an order, the order is carried out, and what came of it
//! is told: to people on stderr, to programs as one JSON object on stdout.

mod arguments;
mod config;
mod job;
mod order;
mod pictures;
mod report;
mod specs;
mod stages;

use std::process::ExitCode;

use crate::shared::console;
use crate::shared::interrupt::{INTERRUPTED, Interrupted};

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    console::run(|arguments| {
        let order = order::Order::new(arguments)?;
        job::run(&order).or_else(|error| match error.downcast::<Interrupted>() {
            Ok(interrupted) => {
                console::note(format_args!("{interrupted}; {} is as it was", order.output()));
                Ok(ExitCode::from(INTERRUPTED))
            }
            Err(error) => Err(error),
        })
    })
}
