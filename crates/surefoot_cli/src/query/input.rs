//! Which grid is asked about, and for which of its agents.

use std::path::PathBuf;

use anyhow::anyhow;
use surefoot::NavGrid;
use surefoot::grid::AgentId;

/// A grid's file and the name of an agent.
#[derive(Debug, clap::Args)]
pub struct Subject {
    /// The grid: a .navgrid file
    pub file: PathBuf,

    /// Name of the agent
    #[arg(long, value_name = "NAME")]
    agent: String,
}

impl Subject {
    /// Loads the grid and finds the agent.
    ///
    /// # Errors
    /// A file that cannot be loaded, an agent that is not in it.
    pub fn load(&self) -> anyhow::Result<(NavGrid, AgentId)> {
        let (grid, _) = super::load(&self.file)?;
        let agent = grid.agent_id(&self.agent).ok_or_else(|| {
            let names = grid.layers().iter().map(|layer| layer.agent.name.as_str());
            let known = names.collect::<Vec<_>>().join(", ");
            let (file, name) = (self.file.display(), &self.agent);
            anyhow!("{file}: no agent \"{name}\" in this grid; it has {known}")
        })?;
        Ok((grid, agent))
    }
}
