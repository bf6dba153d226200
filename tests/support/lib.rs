//! What several test programs of surefoot need: tiny glTF files, levels, scenarios, random numbers.
#![allow(missing_docs, reason = "only tests use it")]

mod blocks;
mod data;
mod document;
mod levels;
mod passages;
mod random;
pub mod scenario;
mod shuffle;
mod trips;

pub use blocks::*;
pub use data::*;
pub use document::*;
pub use levels::*;
pub use passages::Passages;
pub use random::*;
pub use trips::{Trip, trips_anywhere, trips_between};

#[cfg(any(doctest, test))]
mod docs;
