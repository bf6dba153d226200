//! The real commands, started in a fresh folder on a scene that the test writes.

mod bake;
mod check;
mod check_errors;
mod check_files;
mod diff;
mod info_and_why;
mod level;
mod misuse;
#[cfg(unix)]
mod outputs;
mod paths;
mod room;
mod run;
mod shell;
mod update;
mod view;
mod world;
mod world_files;
