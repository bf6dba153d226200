//! The commands `bake` and `surefoot`, as a library: two thin programs call it.

#![forbid(unsafe_code)]

pub mod bake;
pub mod query;
mod shared;
