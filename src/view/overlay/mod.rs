//! Provides [`Overlay`]: what changed since the bake. Obstacles come and go, ground gets more expensive,
//! links open and close, while the grid below stays as it is and is shared.
//!
//! For each agent that is affected an overlay keeps a copy of what it may do on every span, and how
//! many obstacles are in its way there. A change touches the spans under an obstacle and those next
//! to them, nothing else.

mod footprint;
mod history;
mod patch;

use std::collections::BTreeMap;

use crate::agent::Agent;
use crate::grid::{AgentId, AreaId, Factors, GridFrame, NavGrid, Standing, factors};

use footprint::Footprint;
use history::History;
use patch::Patch;

pub(crate) use history::Change;

pub use footprint::{Obstacle, ObstacleError};

/// Changes to a grid since its bake.
///
/// ```
/// use std::sync::Arc;
/// use surefoot::grid::{NavGrid, SpanId};
/// use surefoot::view::{Obstacle, Overlay, View};
/// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 5\nmap\n.....\n", 1.0, &[])?;
/// let mut overlay = Overlay::new(&grid);
/// let barrel = Obstacle::Cylinder { base: [2.5, 0.0, 0.5].into(), radius: 0.3, height: 1.0 };
/// let id = overlay.block(barrel)?;
/// let view = View::new(&grid, "human")?.with_overlay(Arc::new(overlay.clone()))?;
/// assert!(!view.is_walkable(SpanId(2)));
/// assert!(overlay.unblock(id));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Overlay {
    /// The grid it is for.
    grid: NavGrid,
    version: u64,
    /// In the order in which they were placed.
    obstacles: BTreeMap<ObstacleId, Footprint>,
    next_id: u64,
    /// What a metre on each area costs.
    factors: Box<Factors>,
    /// How many areas there are.
    areas: usize,
    /// For each link whether it is open.
    open: Vec<bool>,
    /// For each agent, once an obstacle has been in its way.
    patches: Vec<Option<Patch>>,
    history: History,
}

/// An obstacle that was placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(u64);

impl Overlay {
    /// No changes to a grid.
    pub fn new(grid: &NavGrid) -> Self {
        Overlay {
            grid: grid.clone(),
            version: 0,
            obstacles: BTreeMap::new(),
            next_id: 0,
            factors: factors(grid.areas()),
            areas: grid.areas().len(),
            open: vec![true; grid.links().len()],
            patches: grid.layers().iter().map(|_| None).collect(),
            history: History::default(),
        }
    }

    /// Counts the changes so far. Whatever was found on another version may no longer hold.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Places an obstacle: no agent can stand where its body would touch it. What a body can step
    /// over, and what lies above its head, is not in its way. The centers of cells decide: where cells are
    /// wider than a body, something thin may stand between two of them and block neither. O(columns
    /// under the obstacle), and for each agent O(spans) the first time.
    ///
    /// # Errors
    /// Not a shape: numbers that are not finite, negative sizes, or fewer than three corners.
    pub fn block(&mut self, obstacle: Obstacle) -> Result<ObstacleId, ObstacleError> {
        let footprint = Footprint::of(obstacle)?;
        self.change(&footprint, Patch::add);
        let id = ObstacleId(self.next_id);
        self.next_id += 1;
        self.obstacles.insert(id, footprint);
        Ok(id)
    }

    /// Removes an obstacle; false if there is none of that id. O(columns under it).
    pub fn unblock(&mut self, id: ObstacleId) -> bool {
        let removed = self.obstacles.remove(&id);
        if let Some(footprint) = &removed {
            self.change(footprint, Patch::remove);
        }
        removed.is_some()
    }

    /// Sets what a metre on an area costs [metres-equivalent, > 0, finite]. False, and
    /// nothing is changed, where there is no such kind or no such cost.
    pub fn set_factor(&mut self, area: AreaId, factor: f32) -> bool {
        let sound = factor.is_finite() && factor > 0.0;
        let known = &mut self.factors[..self.areas];
        let Some(own) = known.get_mut(usize::from(area.0)).filter(|_| sound) else {
            return false;
        };
        *own = factor;
        self.version += 1;
        self.history.add([Change::Area(area)]);
        true
    }

    /// Opens or closes a link, by its index in the grid; false where there is none.
    pub fn set_open(&mut self, link: usize, open: bool) -> bool {
        let Some(own) = self.open.get_mut(link) else { return false };
        *own = open;
        self.version += 1;
        self.history.add([Change::Link(link as u32)]);
        true
    }

    /// Whether a link is open; true for those there are not.
    pub fn is_open(&self, link: usize) -> bool {
        self.open.get(link).copied().unwrap_or(true)
    }

    /// Number of obstacles placed and not taken away.
    pub fn obstacles(&self) -> usize {
        self.obstacles.len()
    }

    fn change(
        &mut self,
        footprint: &Footprint,
        apply: fn(&mut Patch, &NavGrid, AgentId, &Footprint) -> Option<GridFrame>,
    ) {
        let mut touched = Vec::new();
        let grid = &self.grid;
        for (agent, patch) in (0..).map(AgentId).zip(&mut self.patches) {
            let patch = patch.get_or_insert_with(|| Patch::new(grid, agent));
            let cells = apply(patch, grid, agent, footprint);
            touched.extend(cells.map(|cells| Change::Ground(agent, cells)));
        }
        self.version += 1;
        self.history.add(touched);
    }

    /// Names what all changes made of the grid: no two overlays that differ share it.
    pub(crate) fn state(&self) -> u64 {
        self.history.state()
    }

    /// The changes after a state; `None` where they are not known.
    pub(crate) fn changes_since(&self, state: u64) -> Option<impl Iterator<Item = Change>> {
        self.history.since(state)
    }

    /// The grid it is for.
    pub fn grid(&self) -> &NavGrid {
        &self.grid
    }

    /// Whether the overlay is for this grid, or for one with the same contents.
    pub(crate) fn fits(&self, grid: &NavGrid) -> bool {
        let is_same = self.grid.number() == grid.number();
        is_same || self.grid.fingerprint() == grid.fingerprint()
    }

    pub(crate) fn factors(&self) -> &Factors {
        &self.factors
    }

    /// What an agent may do on each span now; `None` where that is what was baked.
    pub(crate) fn standings(&self, agent: AgentId) -> Option<&[Standing]> {
        self.patches.get(agent.index())?.as_ref().map(Patch::standings)
    }

    /// No cell that an obstacle blocks for an agent is nearer to a place than this [m]; `None`
    /// without obstacles.
    pub(crate) fn distance_to_blocked(
        &self,
        agent: &Agent,
        place: [f32; 2],
        cell_size: f32,
    ) -> Option<f32> {
        // A cell is blocked by its center, and reaches this much beyond it. A box reaches farthest
        // at its corners.
        let beyond = cell_size * std::f32::consts::FRAC_1_SQRT_2;
        let body = agent.radius * std::f32::consts::SQRT_2;
        let distances = self.obstacles.values().map(|footprint| footprint.distance(place));
        distances.min_by(f32::total_cmp).map(|near| (near - body - beyond).max(0.0))
    }
}
