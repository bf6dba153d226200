//! Provides [`GridInput`]: the arguments that name a grid and one of its agents.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use surefoot::NavGrid;
use surefoot::grid::{AgentId, LoadOptions};

use crate::shared::grid_file;

/// The file of a grid and the name of an agent.
#[derive(Debug, clap::Args)]
pub struct GridInput {
    /// The grid: a .navgrid file
    #[arg(value_name = "GRID")]
    pub file: PathBuf,

    /// The agent, by its name in the grid; may be left out if the grid has one agent
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

impl GridInput {
    /// Loads the grid and finds the agent.
    ///
    /// # Errors
    /// The file cannot be loaded, the grid has no such agent, or it has several and none is named.
    pub fn load(&self) -> anyhow::Result<(NavGrid, AgentId)> {
        let (grid, _) = load(&self.file)?;
        let agent = match &self.agent {
            Some(name) => grid.agent_id(name).map_err(|error| anyhow!(error)),
            None => only_agent(&grid),
        };
        let agent = agent.with_context(|| self.name())?;
        Ok((grid, agent))
    }

    /// The path of the file, as the user gave it.
    pub fn name(&self) -> String {
        self.file.display().to_string()
    }
}

/// The agent of a grid that has one.
fn only_agent(grid: &NavGrid) -> anyhow::Result<AgentId> {
    let names: Vec<&str> = grid.layers().iter().map(|layer| layer.agent.name.as_str()).collect();
    match names[..] {
        [_] => Ok(AgentId(0)),
        [] => bail!("the grid has no agent; bake it for one"),
        _ => bail!(
            "the grid has {} agents; name one with --agent: {}",
            names.len(),
            names.join(", ")
        ),
    }
}

/// Loads a grid. Returns it with the bytes of its file.
///
/// # Errors
/// The file cannot be read, or is not a sound grid.
pub fn load(file: &Path) -> anyhow::Result<(NavGrid, Vec<u8>)> {
    grid_file::load(file, "make one from a scene with `bake`", &LoadOptions::default())
}
