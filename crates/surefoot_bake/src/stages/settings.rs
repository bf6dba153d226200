//! The settings of a bake.

use serde::{Deserialize, Serialize};

use super::BakeError;
use surefoot::agent::Agent;

/// The settings of a bake. Lengths are in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BakeSettings {
    /// Side of a cell [m, > 0], at most the size of the level; `None` means the smallest radius,
    /// rounded down to a multiple of 5 cm.
    pub cell_size: Option<f32>,
    /// The rectangle to bake: x0, z0, x1, z1 [m]; `None` means all of the scene.
    pub bounds: Option<[f32; 4]>,
    /// The agents to bake for, at least one.
    pub agents: Vec<Agent>,
    /// Regions whose area, seen from above, is less than this are dropped: their spans are not
    /// walkable for the agent [m², >= 0]. 0 keeps all.
    pub min_region_area: f32,
    /// Most cells along a tile's side [8..=1024]. Tiles of small levels are smaller, so that all
    /// threads have work. Changes memory and speed, never the result.
    #[serde(skip)]
    pub tile_size: u32,
    /// Refuse a bake that is estimated to take more memory than this [bytes].
    #[serde(skip)]
    pub memory_limit: u64,
}

impl Default for BakeSettings {
    fn default() -> Self {
        BakeSettings {
            cell_size: None,
            bounds: None,
            agents: Agent::default_set(),
            min_region_area: 0.0,
            tile_size: 64,
            memory_limit: 8 << 30,
        }
    }
}

impl BakeSettings {
    /// Checks everything that can be checked without a scene.
    ///
    /// # Errors
    /// Fails for an invalid agent, cell size, rectangle or least area of regions.
    pub fn check(&self) -> Result<(), BakeError> {
        check_agents(&self.agents)?;
        let min_area = self.min_region_area;
        if !(min_area >= 0.0 && min_area.is_finite()) {
            return Err(BakeError::MinRegionArea(min_area));
        }
        match (self.cell_size, self.bounds) {
            (Some(size), _) if !(size > 0.0 && size.is_finite()) => Err(BakeError::CellSize(size)),
            (_, Some(bounds @ [x0, z0, x1, z1])) if !(x0 < x1 && z0 < z1) => {
                Err(BakeError::Bounds(bounds))
            }
            _ => Ok(()),
        }
    }

    /// Checks that cells are no wider than the narrowest agent. A bake does not insist on it, but such a
    /// grid misses most gaps that the agent fits through, and is hardly ever meant.
    ///
    /// # Errors
    /// Names the agent and the largest size.
    pub fn check_cell_width(&self) -> Result<(), BakeError> {
        let narrowest = self.agents.iter().min_by(|a, b| a.radius.total_cmp(&b.radius));
        match (self.cell_size, narrowest) {
            (Some(cell_size), Some(Agent { name, radius, .. })) if cell_size > 2.0 * radius => {
                let (agent, width) = (name.clone(), 2.0 * radius);
                Err(BakeError::CellWiderThanAgent { cell_size, agent, width })
            }
            _ => Ok(()),
        }
    }
}

fn check_agents(agents: &[Agent]) -> Result<(), BakeError> {
    if agents.is_empty() {
        return Err(BakeError::NoAgents);
    }
    for (index, agent) in agents.iter().enumerate() {
        agent.check()?;
        if agents[..index].iter().any(|other| other.name == agent.name) {
            return Err(BakeError::SameName(agent.name.clone()));
        }
    }
    Ok(())
}
