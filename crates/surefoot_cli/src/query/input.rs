//! Provides [`GridInput`]: the arguments that name a grid and one of its agents; and [`Place`].

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, anyhow, bail};
use surefoot::grid::{AgentId, LoadOptions};
use surefoot::{NavGrid, SpanId};

use crate::shared::grid_file;
use crate::shared::numbers::number;

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

/// A place on the command line: `x,y,z`, or `x,z` where there is one floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    x: f32,
    /// `None` is to be looked up.
    y: Option<f32>,
    z: f32,
}

impl Place {
    /// Makes a place of two or three numbers.
    ///
    /// # Errors
    /// There are fewer or more.
    pub fn new(numbers: &[f32]) -> Result<Self, String> {
        match *numbers {
            [x, z] => Ok(Place { x, y: None, z }),
            [x, y, z] => Ok(Place { x, y: Some(y), z }),
            _ => Err(format!("expected x,y,z or x,z, but found {} numbers", numbers.len())),
        }
    }

    /// Returns the point [m]. A height that was left out is that of the only floor there where the
    /// agent can stand, or else of the only floor.
    ///
    /// # Errors
    /// The height was left out, and there is no floor or more than one.
    pub fn point(&self, grid: &NavGrid, agent: AgentId) -> anyhow::Result<[f32; 3]> {
        let Place { x, y, z } = *self;
        if let Some(y) = y {
            return Ok([x, y, z]);
        }
        let floors = self.floors(grid);
        let walkable = floors.iter().filter(|&&span| grid.is_walkable(agent, span));
        let walkable: Vec<SpanId> = walkable.copied().collect();
        let height =
            self.only_height(grid, if walkable.is_empty() { &floors } else { &walkable })?;
        match height {
            Some(y) => Ok([x, y, z]),
            None => bail!("{x},{z}: there is no floor here; give another place"),
        }
    }

    /// Returns the point [m] to explain the floor at. A height that was left out is that of the only
    /// floor there, whether the agent can stand on it or not; without a floor, that of the nearest
    /// place where it can.
    ///
    /// # Errors
    /// The height was left out, and there are several floors.
    pub fn point_of_any_floor(&self, grid: &NavGrid, agent: AgentId) -> anyhow::Result<[f32; 3]> {
        let Place { x, y, z } = *self;
        if let Some(y) = y {
            return Ok([x, y, z]);
        }
        let nearest = || grid.nearest_walkable(agent, [x, 0.0, z], f32::INFINITY);
        let height = self.only_height(grid, &self.floors(grid))?;
        let y = height.or_else(|| nearest().map(|(_, point)| point.y));
        Ok([x, y.unwrap_or_default(), z])
    }

    /// All floors there, from below.
    fn floors(&self, grid: &NavGrid) -> Vec<SpanId> {
        let cell = grid.column_at([self.x, 0.0, self.z]);
        cell.map_or(0..0, |cell| grid.column_spans(cell)).map(SpanId).collect()
    }

    /// The height of the only one of some floors [m]; `None` if there is none.
    fn only_height(&self, grid: &NavGrid, floors: &[SpanId]) -> anyhow::Result<Option<f32>> {
        let Place { x, z, .. } = *self;
        let height = |&span: &SpanId| grid.ground_height(x, z, span).unwrap_or_default();
        let heights: Vec<f32> = floors.iter().map(height).collect();
        match heights[..] {
            [] => Ok(None),
            [y] => Ok(Some(y)),
            [first, ..] => bail!(
                "{x},{z}: there are {} floors here, at y {}; add the height, as in {x},{first:.2},{z}",
                heights.len(),
                heights.iter().map(|y| format!("{y:.2}")).collect::<Vec<_>>().join(" and ")
            ),
        }
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Result<Vec<f32>, String> =
            text.split(',').map(|part| number(part.trim())).collect();
        Place::new(&numbers?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_two_or_three_numbers() {
        assert_eq!("1,-2".parse(), Ok(Place { x: 1.0, y: None, z: -2.0 }));
        assert_eq!("1, 2,3e1".parse(), Ok(Place { x: 1.0, y: Some(2.0), z: 30.0 }));
        let error = |text: &str| text.parse::<Place>().unwrap_err();
        assert_eq!(error("1"), "expected x,y,z or x,z, but found 1 numbers");
        assert_eq!(error("1,2,nan"), "\"nan\" is not a number");
    }
}
