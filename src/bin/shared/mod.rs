//! What `bake` and `surefoot` have in common: how they start and end, and how they tell of a grid.
//!
//! Data goes to stdout, everything else to stderr; an error is one line. Neither command minds a
//! reader that has gone away.

pub mod console;
pub mod figures;
pub mod numbers;
