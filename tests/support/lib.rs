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

pub use blocks::*;
pub use data::*;
pub use document::*;
pub use levels::*;
pub use passages::Passages;
pub use random::*;

#[cfg(any(doctest, test))]
mod docs;
