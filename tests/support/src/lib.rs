//! What several test files need.
#![allow(dead_code, unused_imports, reason = "each program of tests uses a part of it")]

#[cfg(feature = "bake")]
mod blocks;
mod data;
#[cfg(feature = "bake")]
mod document;
#[cfg(feature = "bake")]
mod levels;
mod random;
pub mod scenario;
#[cfg(feature = "bake")]
mod shuffle;

#[cfg(feature = "bake")]
pub use blocks::*;
pub use data::*;
#[cfg(feature = "bake")]
pub use document::*;
#[cfg(feature = "bake")]
pub use levels::*;
pub use random::*;

#[cfg(any(doctest, test))]
mod docs;
