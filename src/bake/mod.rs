//! The baker: a world becomes a grid, one file a stage.

use serde::{Deserialize, Serialize};

use crate::agent::Agent;

/// What a bake is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BakeSettings {
    /// Length of a cell's side [m, > 0]; `None` means the smallest agent's radius, rounded down to 5 cm.
    pub cell_size: Option<f32>,
    /// The rectangle to bake: x0, z0, x1, z1 [m]; `None` means all of the scene.
    pub bounds: Option<[f32; 4]>,
    /// The bodies to bake for, at least one.
    pub agents: Vec<Agent>,
    /// Cells along each side of a tile [1..=1024]; it changes memory and speed, never the result.
    pub tile_size: u32,
}

impl Default for BakeSettings {
    fn default() -> Self {
        BakeSettings { cell_size: None, bounds: None, agents: Agent::default_set(), tile_size: 64 }
    }
}
