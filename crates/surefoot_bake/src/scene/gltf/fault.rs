//! What can be wrong inside a file, before the file's name is known.

use std::path::Path;

use crate::scene::SceneError;
use surefoot::Cancelled;

/// Something wrong in a file: where, and what to do.
#[derive(Debug)]
pub(super) enum Fault {
    File(String),
    Buffer(usize, String),
    Node(String, String),
    /// Nothing is wrong, but the observer does not want to go on.
    Cancelled(Cancelled),
}

impl From<Cancelled> for Fault {
    fn from(cancelled: Cancelled) -> Self {
        Fault::Cancelled(cancelled)
    }
}

impl Fault {
    pub fn file(problem: impl Into<String>) -> Self {
        Fault::File(problem.into())
    }

    pub fn node(node: &str, problem: impl Into<String>) -> Self {
        Fault::Node(node.to_owned(), problem.into())
    }

    /// Names the node that was being loaded.
    pub fn of_node(self, node: &str) -> Self {
        match self {
            Fault::File(problem) => Fault::Node(node.to_owned(), problem),
            other => other,
        }
    }

    /// The error for a user, with the file's name.
    pub fn at(self, file: &Path) -> SceneError {
        let file = file.to_owned();
        match self {
            Fault::File(problem) => SceneError::File { file, problem },
            Fault::Buffer(buffer, problem) => SceneError::Buffer { file, buffer, problem },
            Fault::Node(node, problem) => SceneError::Node { file, node, problem },
            Fault::Cancelled(cancelled) => cancelled.into(),
        }
    }
}
