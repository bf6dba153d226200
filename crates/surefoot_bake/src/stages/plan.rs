//! The plan of a bake: checked settings, and what follows from them.

use std::cmp::Ordering;

use nalgebra::Point3;

use super::observer::BakeObserver;
use super::tile::apply_volumes::{PlannedVolume, plan_volumes};
use super::{BakeError, BakeSettings};
use crate::casts::{Body, Probe, WorldSize};
use crate::scene::Scene;
use surefoot::agent::Agent;
use surefoot::grid::{Area, GridFrame};

/// What every tile of a bake needs.
pub(super) struct BakeContext<'a, C> {
    pub caster: &'a C,
    pub plan: &'a BakePlan,
    pub observer: &'a dyn BakeObserver,
}

/// Checked settings, and what follows from them.
#[derive(Clone, Debug)]
pub(super) struct BakePlan {
    /// The cells of the result.
    pub frame: GridFrame,
    /// The cells to work on: more than the result if bounds cut through the level, so that edges
    /// just outside still count.
    pub work: GridFrame,
    pub agents: Vec<Agent>,
    /// The kinds of ground of the scene.
    pub areas: Vec<Area>,
    /// What the ground in parts of space is, from the strongest volume down.
    pub volumes: Vec<PlannedVolume>,
    /// One for each agent; then, in the same order, one for each that reaches higher by all that a
    /// body can come to rest above a floor.
    pub probes: Vec<Probe>,
    /// The agents from the largest body to the smallest.
    pub by_size: Vec<usize>,
    /// For each probe the bodies of larger agents that it fits into.
    pub enclosing: Vec<Vec<EnclosingBody>>,
    pub tile_size: u32,
    /// [bytes]
    pub memory_limit: u64,
    /// What the world takes that is cast against, by an estimate [bytes].
    pub collider_bytes: u64,
}

/// The body of a larger agent that another body fits into.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnclosingBody {
    /// Index of the larger agent.
    pub agent: usize,
    /// Whether it is the body that reaches higher.
    pub is_higher: bool,
    /// How far the other body is raised to fit [m, >= 0].
    pub rise: f32,
}

/// Least side of a default cell [m].
const MIN_DEFAULT_CELL: f32 = 0.05;

impl BakePlan {
    /// Plans the bake of a scene, given the box around it: least and greatest corner [m].
    ///
    /// # Errors
    /// Fails for invalid settings and volumes, and for a level without collision or with too many
    /// cells.
    pub fn new(
        bounds: Option<(Point3<f32>, Point3<f32>)>,
        scene: &Scene,
        settings: &BakeSettings,
    ) -> Result<Self, BakeError> {
        settings.check()?;
        let agents = settings.agents.clone();
        let cell_size = settings.cell_size.unwrap_or_else(|| default_cell_size(&agents));
        let level = LevelExtent::of(bounds).ok_or(BakeError::EmptyScene)?;
        level.check_cell_size(cell_size)?;
        let (frame, work) = match settings.bounds {
            None => {
                let frame = covering(cell_size, level.min, level.max)?;
                (frame, frame)
            }
            Some(bounds @ [x0, z0, x1, z1]) => {
                let frame = covering(cell_size, [x0, z0], [x1, z1])?;
                let work = level.part_of(frame.grown(halo(&agents, cell_size)));
                (level.check_part(bounds, level.part_of(frame))?, work)
            }
        };
        let probes = agents.iter().map(|agent| probe(agent, cell_size));
        let probes: Vec<_> = probes.clone().chain(probes.map(reaching_higher)).collect();
        let mut by_size: Vec<usize> = (0..agents.len()).collect();
        let size = |agent: usize| [probes[agent].body.radius, probes[agent].body.top];
        by_size.sort_by(|&a, &b| size(b).partial_cmp(&size(a)).unwrap_or(Ordering::Equal));
        let enclosing = enclosing_bodies(&probes, &by_size);
        let tile_size = settings.tile_size.clamp(8, 1024);
        Ok(BakePlan {
            frame,
            work,
            agents,
            areas: scene.areas.clone(),
            volumes: plan_volumes(scene)?,
            probes,
            by_size,
            enclosing,
            tile_size,
            memory_limit: settings.memory_limit,
            collider_bytes: WorldSize::of(scene).bytes,
        })
    }

    /// Returns the index of the probe of an agent that reaches higher.
    pub fn higher_probe(&self, agent: usize) -> usize {
        self.agents.len() + agent
    }
}

/// Returns an agent's body and the free room around it that is worth knowing: the ground below
/// limits it anyway, and more than a few cells of room prove nothing more.
fn probe(agent: &Agent, cell_size: f32) -> Probe {
    let body = Body::new(agent);
    let ground = 0.999 * body.bottom;
    Probe { body, max_room: ground.min(MAX_ROOM_CELLS * cell_size) }
}

/// Returns a probe whose body reaches higher by all that it is lifted.
fn reaching_higher(probe: Probe) -> Probe {
    let body = Body { top: probe.body.top + probe.body.bottom, ..probe.body };
    Probe { body, ..probe }
}

/// Returns for each probe those of larger agents that its body fits into. Probes are in the order
/// of agents, first as they are, then reaching higher.
fn enclosing_bodies(probes: &[Probe], by_size: &[usize]) -> Vec<Vec<EnclosingBody>> {
    let agents = by_size.len();
    let rank = |probe: usize| by_size.iter().position(|&agent| agent == probe % agents);
    let enclosing = |inner: usize| {
        let fits = |outer: usize| {
            let rise = probes[inner].body.rise_into(&probes[outer].body)?;
            Some(EnclosingBody { agent: outer % agents, is_higher: outer >= agents, rise })
        };
        (0..probes.len()).filter(|&outer| rank(outer) < rank(inner)).filter_map(fits).collect()
    };
    (0..probes.len()).map(enclosing).collect()
}

/// Room of this many cells proves a floor and all of its neighbors and steps.
const MAX_ROOM_CELLS: f32 = 2.2;

/// Returns the smallest radius, rounded down to a multiple of 5 cm.
fn default_cell_size(agents: &[Agent]) -> f32 {
    let smallest = agents.iter().map(|agent| agent.radius).fold(f32::INFINITY, f32::min);
    ((f64::from(smallest) / 0.05 + 1e-3).floor() * 0.05).max(MIN_DEFAULT_CELL.into()) as f32
}

/// The farthest cells from the origin. Farther out, 32-bit numbers do not tell the center of a cell from
/// its borders.
const FARTHEST_CELL: i64 = 1 << 22;

fn covering(cell_size: f32, min: [f32; 2], max: [f32; 2]) -> Result<GridFrame, BakeError> {
    let frame = GridFrame::covering(cell_size, min, max);
    let frame = frame.ok_or(BakeError::TooManyCells { cell_size, min, max })?;
    let axes = [(frame.min.x, frame.size_x), (frame.min.z, frame.size_z)];
    let ends = axes.map(|(first, size)| [first.into(), i64::from(first) + i64::from(size)]);
    if ends.as_flattened().iter().any(|cell: &i64| cell.abs() > FARTHEST_CELL) {
        let corners = [min, max];
        let farthest = corners.as_flattened().iter().fold(0.0, |far: f32, v| far.max(v.abs()));
        return Err(BakeError::TooFarOut { cell_size, farthest });
    }
    Ok(frame)
}

/// The rectangle that a level lies in, seen from above.
struct LevelExtent {
    /// Least x and z [m].
    min: [f32; 2],
    /// Greatest x and z [m].
    max: [f32; 2],
}

impl LevelExtent {
    /// Returns `None` for a level without collision.
    fn of(bounds: Option<(Point3<f32>, Point3<f32>)>) -> Option<Self> {
        let (low, high) = bounds?;
        Some(LevelExtent { min: [low.x, low.z], max: [high.x, high.z] })
    }

    /// Refuses cells that are larger than the level: not one of their centers need lie over it.
    fn check_cell_size(&self, cell_size: f32) -> Result<(), BakeError> {
        let size = [0, 1].map(|axis| self.max[axis] - self.min[axis]);
        let is_wider = size.iter().all(|&side| cell_size > side);
        if is_wider { Err(BakeError::CellWiderThanLevel { cell_size, size }) } else { Ok(()) }
    }

    /// Returns the part of a frame over the level.
    fn part_of(&self, frame: GridFrame) -> GridFrame {
        let whole = GridFrame::covering(frame.cell_size, self.min, self.max);
        whole.map_or(frame, |whole| frame.overlap(&whole))
    }

    /// Refuses a part without cells, which bounds beside the level lead to.
    fn check_part(&self, bounds: [f32; 4], part: GridFrame) -> Result<GridFrame, BakeError> {
        let (min, max) = (self.min, self.max);
        match part.cells() {
            0 => Err(BakeError::BoundsBesideLevel { bounds, min, max }),
            _ => Ok(part),
        }
    }
}

/// Returns how many cells beyond the bounds ledges inside can depend on.
fn halo(agents: &[Agent], cell_size: f32) -> u32 {
    let margin = agents.iter().map(Agent::ledge_margin).fold(0.0, f32::max);
    (margin / cell_size).ceil() as u32 + 1
}
