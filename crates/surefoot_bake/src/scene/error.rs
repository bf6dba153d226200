//! Errors of scenes: each says in one line where and what is wrong, and what to do about it.

use std::path::PathBuf;

use surefoot::Cancelled;

/// Why a scene could not be loaded or built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The file cannot be read.
    #[error("{}: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file as a whole cannot be used.
    #[error("{}: {problem}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// One of the file's buffers cannot be used.
    #[error("{}: buffer {buffer}: {problem}", file.display())]
    Buffer {
        /// The file.
        file: PathBuf,
        /// Index of the buffer in the file.
        buffer: usize,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A node of the file cannot be used.
    #[error("{}: node {node:?}: {problem}", file.display())]
    Node {
        /// The file.
        file: PathBuf,
        /// Name of the node.
        node: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A glob, an area, a volume or a link among the marks cannot be used.
    #[error("mark {mark:?}: {problem}")]
    Mark {
        /// The glob, or the name of the area, volume or link.
        mark: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The observer cancelled the loading.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A solid, area, link or volume given to a builder cannot be used.
    #[error("{name:?}: {problem}")]
    Part {
        /// Its name.
        name: String,
        /// What is wrong, and what to do.
        problem: String,
    },
}
