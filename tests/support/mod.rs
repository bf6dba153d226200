//! What several test files need.
#![allow(dead_code, unused_imports, reason = "each test file uses a part of it")]

mod document;
mod levels;
mod random;

pub use document::*;
pub use levels::*;
pub use random::*;
