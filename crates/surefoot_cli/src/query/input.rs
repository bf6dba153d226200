//! Provides [`GridInput`]: the arguments that name a grid and one of its agents. A world of tiles, or a
//! part of it, is taken for the grid that its tiles make.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use surefoot::NavGrid;
use surefoot::grid::{AgentId, LoadOptions};
use surefoot::world::{World, WorldError};

use crate::shared::grid_file;
use crate::shared::numbers::numbers;
use crate::shared::progress::LateProgress;

/// Which part of a level is loaded.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct PartOption {
    /// Load only this rectangle of the level, in metres
    ///
    /// A world (.navworld) that takes more than 1 GiB of memory has to be loaded in parts.
    #[arg(long, value_name = "x0,z0,x1,z1", value_parser = rectangle, allow_hyphen_values = true)]
    pub rect: Option<[f32; 4]>,
}

/// Parses a rectangle `[x0, z0, x1, z1]` [m].
///
/// # Errors
/// What is wrong with the text.
pub fn rectangle(text: &str) -> Result<[f32; 4], String> {
    let [x0, z0, x1, z1] = numbers(text, "x0,z0,x1,z1")?;
    match x0 < x1 && z0 < z1 {
        true => Ok([x0, z0, x1, z1]),
        false => Err("x0 must be less than x1, and z0 less than z1".to_owned()),
    }
}

/// The file of a grid and the name of an agent.
#[derive(Debug, clap::Args)]
pub struct GridInput {
    /// The grid: a .navgrid file; or a .navworld file, whose tiles make one
    #[arg(value_name = "GRID")]
    pub file: PathBuf,

    #[command(flatten)]
    part: PartOption,

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
        let grid = load(&self.file, self.part)?.grid;
        let agent = match &self.agent {
            Some(name) => grid.agent_id(name).map_err(|error| anyhow!(error)),
            None => only_agent(&grid),
        };
        let agent = agent.with_context(|| self.name())?;
        Ok((grid, agent))
    }

    /// Opens the file if it is a world of which no part was asked for; `None` if it is anything else.
    ///
    /// # Errors
    /// It is a world that cannot be read.
    pub fn whole_world(&self) -> anyhow::Result<Option<World>> {
        if self.part.rect.is_some() { Ok(None) } else { open_world(&self.file) }
    }

    /// The name of the agent, whose world has the agents of these names.
    ///
    /// # Errors
    /// There are several, and none is named.
    pub fn agent_of<'a>(&'a self, names: &[&'a str]) -> anyhow::Result<&'a str> {
        let agent = self.agent.as_deref().map_or_else(|| only_name(names, "world"), Ok);
        agent.with_context(|| self.name())
    }

    /// The path of the file, as the user gave it.
    pub fn name(&self) -> String {
        self.file.display().to_string()
    }
}

/// The agent of a grid that has one.
fn only_agent(grid: &NavGrid) -> anyhow::Result<AgentId> {
    let names: Vec<&str> = grid.layers().iter().map(|layer| layer.agent.name.as_str()).collect();
    only_name(&names, "grid").map(|_| AgentId(0))
}

/// The only name of a list of agents.
fn only_name<'a>(names: &[&'a str], level: &str) -> anyhow::Result<&'a str> {
    match names[..] {
        [name] => Ok(name),
        [] => bail!("the {level} has no agent; bake it for one"),
        _ => bail!(
            "the {level} has {} agents; name one with --agent: {}",
            names.len(),
            names.join(", ")
        ),
    }
}

/// A grid, and where its bytes are.
#[derive(Debug)]
pub struct LoadedGrid {
    pub grid: NavGrid,
    /// Those of its file; `None` if it is a part of a level, or a world.
    file: Option<Vec<u8>>,
}

impl LoadedGrid {
    /// The grid with the bytes of its file, or of the file that it would make.
    ///
    /// # Errors
    /// The grid cannot be written.
    pub fn with_bytes(self) -> anyhow::Result<(NavGrid, Vec<u8>)> {
        let bytes = self.file.map_or_else(|| self.grid.to_bytes(), Ok)?;
        Ok((self.grid, bytes))
    }
}

/// Loads a grid, or makes one of the tiles of a world.
///
/// # Errors
/// The file cannot be read, is neither a sound grid nor a sound world, or has no cell in the rectangle; the
/// tiles take too much memory.
pub fn load(file: &Path, part: PartOption) -> anyhow::Result<LoadedGrid> {
    let rect = part.rect;
    if let Some(world) = open_world(file)? {
        let progress = LateProgress::new(format!("loading {}", file.display()));
        let grid = match rect {
            Some(rect) => load_part(&world, rect),
            None => load_whole(&world),
        };
        progress.end();
        return Ok(LoadedGrid {
            grid: grid.with_context(|| file.display().to_string())?,
            file: None,
        });
    }
    let advice = "make one from a scene with `bake`";
    let (grid, bytes) = grid_file::load(file, advice, &LoadOptions::default())?;
    let Some(rect) = rect else { return Ok(LoadedGrid { grid, file: Some(bytes) }) };
    let grid = grid.cropped(rect).with_context(|| format!("{}: --rect", file.display()))?;
    Ok(LoadedGrid { grid, file: None })
}

/// Opens a file if it is a world. What cannot be opened is left to whoever reads grids.
///
/// # Errors
/// It is a world that cannot be read.
pub fn open_world(file: &Path) -> anyhow::Result<Option<World>> {
    // From a pipe the bytes come only once.
    if !file.is_file() {
        return Ok(None);
    }
    match World::open(file) {
        Ok(world) => Ok(Some(world)),
        Err(WorldError::NotANavworld | WorldError::Io { .. }) => Ok(None),
        Err(error) => Err(anyhow!(error).context(file.display().to_string())),
    }
}

/// The tiles of a world, and the grid that is made of them, may take so much without --rect [bytes].
const MOST_BYTES: u64 = 1 << 30;

/// Returns what a world takes in memory if that is too much for it to be loaded whole [bytes].
///
/// # Errors
/// The world cannot be read.
pub fn too_large(world: &World) -> anyhow::Result<Option<u64>> {
    let needed = world.summary()?.map_or(0, |summary| summary.load_bytes);
    Ok(Some(needed).filter(|&needed| needed > MOST_BYTES))
}

fn load_whole(world: &World) -> anyhow::Result<NavGrid> {
    let ([x0, z0], [x1, z1]) = world.info().frame.bounds();
    if let Some(needed) = too_large(world)? {
        bail!(
            "this world takes {needed} bytes of memory, more than {MOST_BYTES}; name a part of it with --rect \
             x0,z0,x1,z1: it lies from ({x0}, {z0}) to ({x1}, {z1})"
        );
    }
    // Rounding must not lose a cell.
    let margin = world.info().frame.cell_size;
    Ok(world.load([x0 - margin, z0 - margin, x1 + margin, z1 + margin])?)
}

/// The part of a world within a rectangle, without what else lies on its tiles.
fn load_part(world: &World, rect: [f32; 4]) -> anyhow::Result<NavGrid> {
    let grid = world.load(rect).map_err(|error| match error {
        WorldError::NoTile => {
            let ([x0, z0], [x1, z1]) = world.info().frame.bounds();
            anyhow!("--rect: {error}; it lies from ({x0}, {z0}) to ({x1}, {z1})")
        }
        error => anyhow!(error).context("--rect"),
    })?;
    grid.cropped(rect).context("--rect")
}
