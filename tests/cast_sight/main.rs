//! Lines of sight by cast in scenes made for them, and ways whose legs a cast confirms.

#![cfg(feature = "bake")]

mod level;
mod made;
#[path = "../support/mod.rs"]
mod support;
mod ways;
