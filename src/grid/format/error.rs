//! Provides [`FormatError`]: why a file could not be saved or loaded, and where in it.

use std::path::PathBuf;

use super::super::parts::GridError;

/// Why a file could not be saved or loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file system failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The bytes are not a `.navgrid` file.
    #[error(
        "this is not a .navgrid file: its first bytes are not those of one; \
         give a file that `bake` wrote"
    )]
    NotANavgrid,
    /// The version of the format is unknown.
    #[error(
        "the file has format version {found}, this program reads versions 1 to {supported}; \
         use a newer surefoot, or bake the scene again"
    )]
    Version {
        /// The file's version.
        found: u32,
        /// The newest version this crate reads.
        supported: u32,
    },
    /// The file has something that a newer program wrote and that must not be ignored.
    #[error(
        "section {section}, byte {offset}: {problem}; \
         the file needs a newer surefoot, or bake the scene again"
    )]
    Unsupported {
        /// The section's tag: four letters.
        section: String,
        /// Where its bytes start, counted from the start of the file.
        offset: u64,
        /// What is unknown.
        problem: String,
    },
    /// Loading the file takes more memory than allowed.
    #[error(
        "section {section}, byte {offset}: loading the file up to here takes more than the limit of \
         {limit} bytes, loading all of it takes up to {needed}; \
         if you trust the file, load it with a larger memory_limit"
    )]
    MemoryLimit {
        /// The first section that does not fit: four letters, or "header" for the file as a whole.
        section: String,
        /// Where its bytes start, counted from the start of the file.
        offset: u64,
        /// The limit that is large enough, as far as is known [bytes].
        needed: u64,
        /// The limit in [`LoadOptions`] [bytes].
        limit: u64,
    },
    /// The bytes are not those that were written.
    #[error(
        "section {section}, byte {offset}: {problem}; \
         the file is damaged, copy it again or bake the scene again"
    )]
    Damaged {
        /// The section at fault: four letters, or "header".
        section: String,
        /// Where it starts, or where the fault is, counted from the start of the file.
        offset: u64,
        /// What is wrong.
        problem: String,
    },
    /// The file is not damaged, but its contents are not a valid grid.
    #[error("{0}; the file is not damaged, but the program that wrote it made an invalid grid")]
    Invalid(#[from] GridError),
}
