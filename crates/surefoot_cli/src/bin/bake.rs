//! `bake`: a glTF scene becomes a `.navgrid` file.

use std::process::ExitCode;

fn main() -> ExitCode {
    surefoot_cli::bake::main()
}
