//! Provides [`CheckError`]: why a file of checks cannot be used, and [`SpecPath`]: where in it.

use std::fmt::{Display, Formatter};

use surefoot::Cancelled;

/// Why checks were not evaluated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// Something in the file cannot be used.
    #[error("{}", located(at, problem))]
    Spec {
        /// Where in the file.
        at: SpecPath,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The observer cancelled the evaluation.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

fn located(at: &SpecPath, problem: &str) -> String {
    if at.0.is_empty() { problem.to_owned() } else { format!("{at}: {problem}") }
}

/// Where in a file of checks something is: the keys and positions that lead there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SpecPath(Vec<SpecStep>);

/// One step further into a file of checks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SpecStep {
    /// To what a table holds under a key.
    Key(String),
    /// To an element of a list [0..].
    Index(usize),
}

impl SpecPath {
    /// What the file as a whole holds under a key.
    pub(super) fn of(key: &str) -> Self {
        SpecPath(Vec::new()).key(key)
    }

    /// What is under a key of the table here.
    pub(super) fn key(&self, key: &str) -> Self {
        self.then(SpecStep::Key(key.to_owned()))
    }

    /// An element of the list here.
    pub(super) fn index(&self, index: usize) -> Self {
        self.then(SpecStep::Index(index))
    }

    fn then(&self, step: SpecStep) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        SpecPath(steps)
    }

    /// The steps from the top; empty for the file as a whole.
    pub fn steps(&self) -> &[SpecStep] {
        &self.0
    }

    /// The error for something here that cannot be used.
    pub(super) fn error(&self, problem: impl Into<String>) -> CheckError {
        CheckError::Spec { at: self.clone(), problem: problem.into() }
    }
}

impl Display for SpecPath {
    /// As in `path[2].from`.
    fn fmt(&self, to: &mut Formatter) -> std::fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                SpecStep::Key(key) if at == 0 => to.write_str(key)?,
                SpecStep::Key(key) => write!(to, ".{key}")?,
                SpecStep::Index(index) => write!(to, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_where_they_are() {
        let at = SpecPath::of("path").index(2).key("from");
        assert_eq!(at.to_string(), "path[2].from");
        assert_eq!(at.error("no such place").to_string(), "path[2].from: no such place");
        assert_eq!(SpecPath::default().error("nothing to do").to_string(), "nothing to do");
    }
}
