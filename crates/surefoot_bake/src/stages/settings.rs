//! The settings of a bake.

use serde::{Deserialize, Serialize};

use super::BakeError;
use nalgebra::Vector3;
use surefoot::agent::Agent;
use surefoot::grid::LinkKind;

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
    /// What generated links cost. Not kept in grids if it is the default.
    #[serde(skip_serializing_if = "is_default")]
    pub link_costs: LinkCosts,
    /// Regions whose area, seen from above, is less than this are dropped: their spans are not
    /// walkable for the agent [m², >= 0]. 0 keeps all.
    #[serde(skip_serializing_if = "is_default")]
    pub min_region_area: f32,
    /// Most cells along a tile's side [8..=1024]. Tiles of small levels are smaller, so that all
    /// threads have work. Changes memory and speed, never the result.
    #[serde(skip)]
    pub tile_size: u32,
    /// Refuse a bake that is estimated to take more memory than this [bytes], and end one that turns out
    /// to.
    #[serde(skip)]
    pub memory_limit: u64,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What generated links cost, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinkCosts {
    /// Of jumps over gaps.
    pub jump: LinkCost,
    /// Of drops.
    pub drop: LinkCost,
    /// Of climbs onto ledges.
    pub climb: LinkCost,
}

/// What a generated link costs: the sum of what its fields say, in metres of plain ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkCost {
    /// Of any such link [>= 0, finite].
    pub base: f32,
    /// For each metre from end to end [>= 0, finite].
    pub per_metre: f32,
    /// For each metre of the difference in height [>= 0, finite].
    pub per_rise: f32,
}

impl Default for LinkCosts {
    fn default() -> Self {
        LinkCosts {
            jump: LinkCost { base: 2.0, per_metre: 1.0, per_rise: 1.0 },
            drop: LinkCost { base: 1.0, per_metre: 1.0, per_rise: 0.0 },
            climb: LinkCost { base: 2.0, per_metre: 1.0, per_rise: 2.0 },
        }
    }
}

impl LinkCosts {
    /// Returns the cost of a link of a kind that leads so far [m].
    pub(super) fn of(&self, kind: LinkKind, along: Vector3<f32>) -> f32 {
        let LinkCost { base, per_metre, per_rise } = match kind {
            LinkKind::Drop => self.drop,
            LinkKind::Climb => self.climb,
            _ => self.jump,
        };
        base + per_metre * along.norm() + per_rise * along.y.abs()
    }

    fn check(&self) -> Result<(), BakeError> {
        for (kind, cost) in [("jump", self.jump), ("drop", self.drop), ("climb", self.climb)] {
            let LinkCost { base, per_metre, per_rise } = cost;
            let fields = [("base", base), ("per_metre", per_metre), ("per_rise", per_rise)];
            if let Some((field, value)) =
                fields.into_iter().find(|(_, v)| !(0.0..=MOST_COST).contains(v))
            {
                return Err(BakeError::LinkCost { kind, field, value });
            }
        }
        Ok(())
    }
}

/// The most that a part of a link's cost may be.
const MOST_COST: f32 = 1e6;

impl Default for BakeSettings {
    fn default() -> Self {
        BakeSettings {
            cell_size: None,
            bounds: None,
            agents: Agent::default_set(),
            link_costs: LinkCosts::default(),
            min_region_area: 0.0,
            tile_size: 128,
            memory_limit: 8 << 30,
        }
    }
}

impl BakeSettings {
    /// Checks everything that can be checked without a scene.
    ///
    /// # Errors
    /// Fails for an invalid agent or one with a radius below 1 cm, and for an invalid cell size, rectangle or
    /// least area of regions.
    pub fn check(&self) -> Result<(), BakeError> {
        check_agents(&self.agents)?;
        self.link_costs.check()?;
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

/// The least radius of an agent [m]. Floors closer than this are one floor, and bodies are lifted by a
/// tenth of it: of smaller ones, rounding decides where they fit.
const LEAST_RADIUS: f32 = 0.01;

fn check_agents(agents: &[Agent]) -> Result<(), BakeError> {
    if agents.is_empty() {
        return Err(BakeError::NoAgents);
    }
    for (index, agent) in agents.iter().enumerate() {
        agent.check()?;
        if agent.radius < LEAST_RADIUS {
            let (agent, radius) = (agent.name.clone(), agent.radius);
            return Err(BakeError::AgentTooSmall { agent, radius, least: LEAST_RADIUS });
        }
        if agents[..index].iter().any(|other| other.name == agent.name) {
            return Err(BakeError::SameName(agent.name.clone()));
        }
    }
    Ok(())
}
