//! Provides [`GridInput`]: the arguments that name a grid and one of its agents.

use std::path::PathBuf;

use anyhow::anyhow;
use surefoot::NavGrid;
use surefoot::grid::AgentId;

/// The file of a grid and the name of an agent.
#[derive(Debug, clap::Args)]
pub struct GridInput {
    /// The grid: a .navgrid file
    #[arg(value_name = "GRID")]
    pub file: PathBuf,

    /// The agent, by its name in the grid
    #[arg(long, value_name = "NAME")]
    agent: String,
}

impl GridInput {
    /// Loads the grid and finds the agent.
    ///
    /// # Errors
    /// The file cannot be loaded, or the grid has no such agent.
    pub fn load(&self) -> anyhow::Result<(NavGrid, AgentId)> {
        let (grid, _) = super::load(&self.file)?;
        let agent = grid.agent_id(&self.agent);
        let agent = agent.map_err(|error| anyhow!(error).context(self.name()))?;
        Ok((grid, agent))
    }

    /// The path of the file, as the user gave it.
    pub fn name(&self) -> String {
        self.file.display().to_string()
    }
}
