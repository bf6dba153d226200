//! Provides [`DifferenceOptions`] and [`DifferenceError`]: what to compare, and what cannot be.

use surefoot::Cancelled;
use surefoot::NavGrid;
use thiserror::Error;

/// What to compare of two grids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferenceOptions<'a> {
    /// The only agent to compare for; `None` means all that both grids have.
    pub agent: Option<&'a str>,
    /// At most so many places, links and paths of each kind are listed. All are counted.
    pub most: usize,
    /// How many paths to sample for each agent, 0 for none; `None` means 200, or fewer where they take more
    /// than a few seconds of search.
    pub paths: Option<usize>,
    /// Paths whose costs differ by no more than this share of the smaller one count as alike [>= 0].
    pub path_tolerance: f32,
    /// Whether to list the cells of each place as rectangles.
    pub rectangles: bool,
}

impl Default for DifferenceOptions<'_> {
    fn default() -> Self {
        DifferenceOptions {
            agent: None,
            most: 10,
            paths: None,
            path_tolerance: 0.1,
            rectangles: false,
        }
    }
}

/// Two grids that cannot be compared.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DifferenceError {
    /// Their cells are not of one size.
    #[error(
        "the old grid has cells of {old} m, the new one of {new} m; bake both with the same --cell-size"
    )]
    CellSizes {
        /// [m]
        old: f32,
        /// [m]
        new: f32,
    },
    /// Neither has the agent that was asked for.
    #[error("neither grid has an agent \"{agent}\"; both have {}", listed(both))]
    NoSuchAgent {
        /// Its name.
        agent: String,
        /// The names of the agents that both have.
        both: Vec<String>,
    },
    /// Only one of them has the agent that was asked for.
    #[error("only the {which} grid has an agent \"{agent}\"; both have {}", listed(both))]
    AgentOfOne {
        /// Its name.
        agent: String,
        /// `old` or `new`.
        which: &'static str,
        /// The names of the agents that both have.
        both: Vec<String>,
    },
    /// The observer cancelled the work.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl DifferenceOptions<'_> {
    /// Checks whether two grids can be compared.
    pub(super) fn check(&self, old: &NavGrid, new: &NavGrid) -> Result<(), DifferenceError> {
        let sizes = [old, new].map(|grid| grid.frame().cell_size);
        if sizes[0] != sizes[1] {
            return Err(DifferenceError::CellSizes { old: sizes[0], new: sizes[1] });
        }
        let Some(agent) = self.agent else { return Ok(()) };
        let which = match [old, new].map(|grid| grid.agent_id(agent).is_ok()) {
            [true, true] => return Ok(()),
            [true, false] => Some("old"),
            [false, true] => Some("new"),
            [false, false] => None,
        };
        let names = old.layers().iter().map(|layer| layer.agent.name.clone());
        let both = names.filter(|name| new.agent_id(name.as_str()).is_ok()).collect();
        let agent = agent.to_owned();
        Err(match which {
            Some(which) => DifferenceError::AgentOfOne { agent, which, both },
            None => DifferenceError::NoSuchAgent { agent, both },
        })
    }
}

/// Names in quotation marks.
fn listed(names: &[String]) -> String {
    match names.is_empty() {
        true => "none in common".to_owned(),
        false => names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", "),
    }
}
