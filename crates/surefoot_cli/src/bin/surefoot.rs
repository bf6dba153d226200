//! `surefoot`: questions about baked grids, and crowds that walk them.

use std::process::ExitCode;

fn main() -> ExitCode {
    surefoot_cli::query::main()
}
