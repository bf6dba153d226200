//! What `bake` and `surefoot` have in common: how they start and end, how they stop on the way, how
//! they read and write files, and how they tell of a grid.
//!
//! Data goes to stdout, everything else to stderr; an error is one line. Neither command minds a
//! reader that has gone away.

pub mod claims;
pub mod console;
pub mod figures;
pub mod files;
pub mod interrupt;
pub mod numbers;
pub mod output;
pub mod progress;
pub mod threads;
