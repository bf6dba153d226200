//! Provides [`GridInput`]: the arguments that name a grid and one of its agents; loads grids.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use surefoot::NavGrid;
use surefoot::grid::{AgentId, FormatError};

use crate::shared::files;
use crate::shared::numbers::numbers;

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
        let (grid, _) = load(&self.file)?;
        let agent = grid.agent_id(&self.agent);
        let agent = agent.map_err(|error| anyhow!(error).context(self.name()))?;
        Ok((grid, agent))
    }

    /// The path of the file, as the user gave it.
    pub fn name(&self) -> String {
        self.file.display().to_string()
    }
}

/// Loads a grid. Returns it with the bytes of its file.
///
/// # Errors
/// The file cannot be read, or is not a sound grid.
pub fn load(file: &Path) -> anyhow::Result<(NavGrid, Vec<u8>)> {
    let bytes = files::read(file, "make one from a scene with `bake`")?;
    let grid = NavGrid::from_bytes(&bytes).map_err(|error| not_a_grid(file, error))?;
    Ok((grid, bytes))
}

/// The error for a file that is not a sound grid.
fn not_a_grid(file: &Path, error: FormatError) -> anyhow::Error {
    let name = file.display().to_string();
    let is_scene = file.extension().is_some_and(|own| own == "gltf" || own == "glb");
    match error {
        FormatError::NotANavgrid if is_scene => {
            anyhow!("{name}: {error}; `bake {name}` makes one from this scene")
        }
        error => anyhow!(error).context(name),
    }
}

/// Parses a position.
///
/// # Errors
/// The text is not three numbers.
pub fn position(text: &str) -> Result<[f32; 3], String> {
    numbers(text, "x,y,z")
}
