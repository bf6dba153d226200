//! `bake`: a glTF scene becomes a `.navgrid` file.
//!
//! Arguments and a configuration file make an order, the order is carried out, and what came of it
//! is told: to people on stderr, to programs as one JSON object on stdout.

mod arguments;
mod config;
mod interrupt;
mod job;
mod order;
mod output;
mod progress;
mod report;
#[path = "../shared/mod.rs"]
mod shared;
mod specs;
mod stages;

use std::process::ExitCode;

use shared::console;

/// The exit code of a bake that ctrl-C ended: 128 and the signal's number, as shells have it.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    console::run(|arguments| {
        let order = order::Order::new(arguments)?;
        job::run(&order).or_else(|error| match error.downcast::<interrupt::Interrupted>() {
            Ok(interrupted) => {
                console::note(format_args!("{interrupted}; {} is as it was", order.output()));
                Ok(ExitCode::from(INTERRUPTED))
            }
            Err(error) => Err(error),
        })
    })
}
