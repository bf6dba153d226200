//! The real commands, started in a fresh folder on a scene that the test writes.

mod bake;
mod faults;
mod level;
mod paths;
mod questions;
mod room;
mod run;
#[cfg(unix)]
mod writing;
