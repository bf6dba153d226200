//! Agents and areas of a grid by name, and errors that list the names there are.

use super::nav_grid::NavGrid;
use super::span::AgentId;
use crate::level::AreaId;

impl NavGrid {
    /// The id of the agent of a name. O(agents).
    ///
    /// # Errors
    /// The grid has no such agent; the error lists those it has.
    pub fn agent_id(&self, name: &str) -> Result<AgentId, UnknownAgent> {
        name.find_in(self)
    }

    /// The id of the area of a name. O(areas).
    ///
    /// # Errors
    /// The grid has no such area; the error lists those it has.
    ///
    /// ```
    /// use surefoot::NavGrid;
    /// use surefoot::grid::AreaId;
    /// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 2\nmap\n.S\n", 1.0, &[])?;
    /// assert_eq!(grid.area_id("swamp"), Ok(AreaId(1)));
    /// let error = grid.area_id("lava").unwrap_err();
    /// assert_eq!(error.known, ["walkable", "swamp", "water"]);
    /// # Ok::<(), surefoot::grid::MapError>(())
    /// ```
    pub fn area_id(&self, name: &str) -> Result<AreaId, UnknownArea> {
        let at = self.areas().iter().position(|area| area.name == name);
        at.and_then(|at| u8::try_from(at).ok()).map(AreaId).ok_or_else(|| UnknownArea {
            asked: name.to_owned(),
            known: self.areas().iter().map(|area| area.name.clone()).collect(),
        })
    }
}

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
#[error("the grid has no agent {asked}; it has {}", quoted(known))]
#[non_exhaustive]
pub struct UnknownAgent {
    /// The name, in quotation marks, or the id that was looked up.
    pub asked: String,
    /// The names of the grid's agents.
    pub known: Vec<String>,
}

/// A grid has no area of a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the grid has no area \"{asked}\"; it has {}", quoted(known))]
#[non_exhaustive]
pub struct UnknownArea {
    /// The name that was looked up.
    pub asked: String,
    /// The names of the grid's areas.
    pub known: Vec<String>,
}

/// Names in quotation marks, separated by commas.
fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
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
        let known = grid.layers().iter().map(|layer| layer.agent.name.clone()).collect();
        UnknownAgent { asked, known }
    }
}
