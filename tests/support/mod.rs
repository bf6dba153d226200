//! What several test files need.
#![allow(dead_code, unused_imports, reason = "each test file uses a part of it")]

mod blocks;
mod data;
mod document;
mod levels;
mod random;
mod shuffle;

pub use blocks::*;
pub use data::*;
pub use document::*;
pub use levels::*;
pub use random::*;
