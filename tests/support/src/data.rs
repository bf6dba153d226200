//! Where the repository is, and where test data that is not part of it is.

use std::path::{Path, PathBuf};

/// The root of this repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of test data that is not part of this repository; `None`, with a printed line,
/// if it is absent.
pub fn data_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("SUREFOOT_DATA")
        .map_or_else(|| repository().join("../shared/data"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no test data at {}", folder.display());
    None
}
