//! The real commands, started in a fresh folder on a scene that the test writes.
#![cfg(feature = "cli")]

mod bake;
mod faults;
mod level;
mod paths;
mod questions;
mod room;
mod run;
#[path = "../support/mod.rs"]
mod support;
