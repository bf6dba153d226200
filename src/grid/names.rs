//! Provides [`AgentKey`]: an agent of a grid, by name or by id.

use super::{AgentId, NavGrid};

/// Names an agent of a grid: its name (`"human"`) or its [`AgentId`].
pub trait AgentKey {
    /// The agent's id.
    ///
    /// # Errors
    /// The grid has no such agent.
    fn find_in(&self, grid: &NavGrid) -> Result<AgentId, UnknownAgent>;
}

/// A grid has no agent of a name or id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the grid has no agent {asked}; it has {}", .known.join(", "))]
#[non_exhaustive]
pub struct UnknownAgent {
    /// The name or id that was asked for.
    pub asked: String,
    /// The names of the grid's agents.
    pub known: Vec<String>,
}

impl AgentKey for str {
    fn find_in(&self, grid: &NavGrid) -> Result<AgentId, UnknownAgent> {
        let at = grid.layers().iter().position(|layer| layer.agent.name == self);
        let id = at.and_then(|at| u16::try_from(at).ok()).map(AgentId);
        id.ok_or_else(|| UnknownAgent::new(grid, format!("\"{self}\"")))
    }
}

impl AgentKey for String {
    fn find_in(&self, grid: &NavGrid) -> Result<AgentId, UnknownAgent> {
        self.as_str().find_in(grid)
    }
}

impl AgentKey for AgentId {
    fn find_in(&self, grid: &NavGrid) -> Result<AgentId, UnknownAgent> {
        let is_known = self.index() < grid.layers().len();
        is_known.then_some(*self).ok_or_else(|| UnknownAgent::new(grid, self.0.to_string()))
    }
}

impl<K: AgentKey + ?Sized> AgentKey for &K {
    fn find_in(&self, grid: &NavGrid) -> Result<AgentId, UnknownAgent> {
        (**self).find_in(grid)
    }
}

impl UnknownAgent {
    fn new(grid: &NavGrid, asked: String) -> Self {
        let known = grid.layers().iter().map(|layer| format!("\"{}\"", layer.agent.name)).collect();
        UnknownAgent { asked, known }
    }
}
