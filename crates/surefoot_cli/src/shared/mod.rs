//! What `bake` and `surefoot` share: how they start, end and stop early, how they read and write
//! files, and how they report on a grid.
//!
//! Data goes to stdout, everything else to stderr; an error is one line. Neither command fails when
//! the reader of its output goes away.

pub mod console;
pub mod figures;
pub mod files;
pub mod grid_file;
pub mod interrupt;
pub mod link_figures;
pub mod numbers;
pub mod output;
pub mod path_check;
pub mod progress;
pub mod threads;
pub mod toml_file;
