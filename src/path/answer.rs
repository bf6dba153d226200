//! Provides [`Answer`]: how a query ended, and the path.

use crate::search::{Engine, Outcome};

use super::waypoints::Path;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// How it ended.
    pub outcome: Outcome,
    /// Empty where the outcome has none.
    pub(crate) path: Path,
    /// Spans that were expanded; 0 where the straight line was the answer.
    pub expanded: u32,
    /// The way costs at most so many times the least; 1 where it is exact.
    pub bound: f32,
    /// What found it.
    pub engine: Engine,
}

impl Answer {
    /// The way; `None` where the outcome says that there is none.
    pub fn path(&self) -> Option<&Path> {
        self.outcome.has_path().then_some(&self.path)
    }
}

impl Default for Answer {
    fn default() -> Self {
        Answer {
            outcome: Outcome::Unreachable,
            path: Path::default(),
            expanded: 0,
            bound: 1.0,
            engine: Engine::AStar,
        }
    }
}
