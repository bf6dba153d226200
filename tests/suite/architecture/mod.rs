//! The shape of the workspace: which crate and which room may use which, what stays in few hands,
//! and which words are used.
//!
//! Every check is itself checked on small crates that break its rule.

mod crates;
mod cycles;
mod keepers;
mod names;
mod rooms;
pub mod source;
mod words;

use source::{Crate, SourceFile};

/// A crate in `src` made from the texts of its files.
fn sample(files: &[(&str, &str)]) -> Crate {
    let files = files.iter().map(|(path, text)| SourceFile::new("src", path, text));
    Crate::new("sample", files.collect())
}
