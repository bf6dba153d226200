//! Errors of files, in one line: the file, what is wrong, and what to do.

use std::path::Path;

use surefoot_bake::scene::SceneError;

/// Says what is wrong with a file.
pub fn in_file(file: &Path, problem: impl Into<String>) -> SceneError {
    SceneError::File { file: file.to_owned(), problem: problem.into() }
}

/// Says why a file cannot be read.
pub fn unreadable(file: &Path, source: std::io::Error) -> SceneError {
    SceneError::Read { file: file.to_owned(), source }
}
