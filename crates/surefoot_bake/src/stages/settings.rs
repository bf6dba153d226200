//! What a bake is asked for, and the checked plan made of it.

use std::cmp::Ordering;

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

use super::BakeError;
use crate::casts::{Body, Probe, World};
use surefoot::agent::Agent;
use surefoot::grid::GridFrame;

/// What a bake is asked for. Lengths in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BakeSettings {
    /// Length of a cell's side [m, > 0]; `None` means the smallest radius, rounded down to 5 cm.
    pub cell_size: Option<f32>,
    /// The rectangle to bake: x0, z0, x1, z1 [m]; `None` means all of the scene.
    pub bounds: Option<[f32; 4]>,
    /// The bodies to bake for, at least one.
    pub agents: Vec<Agent>,
    /// Most cells along a tile's side [8..=1024]; small levels are cut smaller, so that all threads
    /// have work. It changes memory and speed, never the result.
    #[serde(skip)]
    pub tile_size: u32,
    /// Largest grid to attempt, by an estimate made beforehand [bytes].
    #[serde(skip)]
    pub memory_limit: u64,
}

impl Default for BakeSettings {
    fn default() -> Self {
        BakeSettings {
            cell_size: None,
            bounds: None,
            agents: Agent::default_set(),
            tile_size: 64,
            memory_limit: 8 << 30,
        }
    }
}

impl BakeSettings {
    /// Checks all that can be checked without a scene.
    ///
    /// # Errors
    /// Agents, a cell size or a rectangle that cannot be meant.
    pub fn check(&self) -> Result<(), BakeError> {
        check_agents(&self.agents)?;
        match (self.cell_size, self.bounds) {
            (Some(size), _) if !(size > 0.0 && size.is_finite()) => Err(BakeError::CellSize(size)),
            (_, Some([x0, z0, x1, z1])) if !(x0 < x1 && z0 < z1) => {
                Err(BakeError::Bounds([x0, z0, x1, z1]))
            }
            _ => Ok(()),
        }
    }
}

/// Checked settings, and what follows from them.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The cells of the result.
    pub frame: GridFrame,
    /// The cells to work on: more than the result where bounds cut through the level, so that
    /// ledges just outside still count.
    pub work: GridFrame,
    pub agents: Vec<Agent>,
    /// One for each agent; then, in the same order, those that reach higher by all that a body can
    /// come to rest above a floor.
    pub probes: Vec<Probe>,
    /// The agents from the largest body to the smallest.
    pub by_size: Vec<usize>,
    /// For each probe the larger bodies that it fits into.
    pub around: Vec<Vec<Around>>,
    pub tile_size: u32,
}

/// The body of a larger agent, as another one is held in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub agent: usize,
    /// It is the one that reaches higher.
    pub is_higher: bool,
    /// How far the other one is raised to fit [m].
    pub rise: f32,
}

/// The finest default cell [m].
const LEAST_DEFAULT_CELL: f32 = 0.05;

impl Plan {
    pub fn new(world: &World, settings: &BakeSettings) -> Result<Self, BakeError> {
        settings.check()?;
        let agents = settings.agents.clone();
        let cell_size = settings.cell_size.unwrap_or_else(|| default_cell_size(&agents));
        let (low, high) = world.bounds().ok_or(BakeError::EmptyScene)?;
        let (frame, work) = match settings.bounds {
            None => {
                let frame = covering(cell_size, [low.x, low.z], [high.x, high.z])?;
                (frame, frame)
            }
            Some([x0, z0, x1, z1]) => {
                let frame = covering(cell_size, [x0, z0], [x1, z1])?;
                (within(frame, low, high), within(frame.grown(halo(&agents, cell_size)), low, high))
            }
        };
        let probes = agents.iter().map(|agent| probe(agent, cell_size));
        let probes: Vec<_> = probes.clone().chain(probes.map(reaching_higher)).collect();
        let mut by_size: Vec<usize> = (0..agents.len()).collect();
        let size = |agent: usize| [probes[agent].body.radius, probes[agent].body.top];
        by_size.sort_by(|&a, &b| size(b).partial_cmp(&size(a)).unwrap_or(Ordering::Equal));
        let around = bodies_around(&probes, &by_size);
        let tile_size = settings.tile_size.clamp(8, 1024);
        Ok(Plan { frame, work, agents, probes, by_size, around, tile_size })
    }

    /// The probe of an agent that reaches higher.
    pub fn higher_probe(&self, agent: usize) -> usize {
        self.agents.len() + agent
    }
}

/// An agent's body and the free room round it that is worth knowing: over open ground the ground
/// itself limits it, and more than a few cells prove nothing more.
fn probe(agent: &Agent, cell_size: f32) -> Probe {
    let body = Body::new(agent);
    let ground = 0.999 * body.bottom;
    Probe { body, enough: ground.min(CELLS_OF_ROOM * cell_size) }
}

/// A body that reaches higher by all it is lifted.
fn reaching_higher(probe: Probe) -> Probe {
    let body = Body { top: probe.body.top + probe.body.bottom, ..probe.body };
    Probe { body, ..probe }
}

/// For each probe those of larger agents that its body fits into. Probes are numbered agent by agent,
/// first as they are, then reaching higher.
fn bodies_around(probes: &[Probe], by_size: &[usize]) -> Vec<Vec<Around>> {
    let agents = by_size.len();
    let rank = |probe: usize| by_size.iter().position(|&agent| agent == probe % agents);
    let around = |inner: usize| {
        let fits = |outer: usize| {
            let rise = probes[inner].body.rise_into(&probes[outer].body)?;
            Some(Around { agent: outer % agents, is_higher: outer >= agents, rise })
        };
        (0..probes.len()).filter(|&outer| rank(outer) < rank(inner)).filter_map(fits).collect()
    };
    (0..probes.len()).map(around).collect()
}

/// Free room of this many cells proves all cells and steps round one.
const CELLS_OF_ROOM: f32 = 2.2;

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

/// The smallest radius, rounded down to 5 cm.
fn default_cell_size(agents: &[Agent]) -> f32 {
    let smallest = agents.iter().map(|agent| agent.radius).fold(f32::INFINITY, f32::min);
    ((f64::from(smallest) / 0.05 + 1e-3).floor() * 0.05).max(LEAST_DEFAULT_CELL.into()) as f32
}

fn covering(cell_size: f32, min: [f32; 2], max: [f32; 2]) -> Result<GridFrame, BakeError> {
    GridFrame::covering(cell_size, min, max).ok_or(BakeError::TooManyCells { cell_size, min, max })
}

/// The part of a frame over the level, at least one cell.
fn within(frame: GridFrame, low: Point3<f32>, high: Point3<f32>) -> GridFrame {
    let level = GridFrame::covering(frame.cell_size, [low.x, low.z], [high.x, high.z]);
    level.map_or(frame, |level| frame.overlap(&level))
}

/// Cells beyond given bounds that ledges inside can depend on.
fn halo(agents: &[Agent], cell_size: f32) -> u32 {
    let margin = agents.iter().map(Agent::ledge_margin).fold(0.0, f32::max);
    (margin / cell_size).ceil() as u32 + 1
}
