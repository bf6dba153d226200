//! Provides [`Answer`]: how a query ended, and the path.

use crate::search::{Engine, Outcome, PathError};

use super::waypoints::Path;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// How it ended.
    pub outcome: Outcome,
    /// Empty if the outcome has none.
    pub(crate) path: Path,
    /// Spans that were expanded; 0 if the straight line was the answer.
    pub expanded: u32,
    /// The path costs at most this many times the least; 1 is exact.
    pub bound: f32,
    /// What found it.
    pub engine: Engine,
}

impl Answer {
    /// The path, complete or partial.
    ///
    /// # Errors
    /// Why there is none.
    pub fn path(&self) -> Result<&Path, PathError> {
        match self.outcome {
            Outcome::Failed(error) => Err(error),
            _ => Ok(&self.path),
        }
    }
}

impl Default for Answer {
    fn default() -> Self {
        Answer {
            outcome: Outcome::Failed(PathError::Unreachable),
            path: Path::default(),
            expanded: 0,
            bound: 1.0,
            engine: Engine::AStar,
        }
    }
}
