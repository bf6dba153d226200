//! Provides [`Overlay`]: run-time changes over a grid that stays as baked. Obstacles come and go, areas
//! get other cost factors, links open and close.
//!
//! Once there is an obstacle, an overlay keeps a copy of each agent's standings, and counts the obstacles
//! over every span. A change updates the spans under an obstacle and those next to them, nothing else.

mod footprint;
mod history;
mod patch;
mod transfer;

use std::collections::BTreeMap;

use crate::agent::Agent;
use crate::grid::{AgentId, Factors, NavGrid, Standing, factors};
use crate::level::{AreaId, Link};

use footprint::Footprint;
use history::History;
use patch::{Patch, PatchChange};

pub(crate) use history::Change;

pub use footprint::{Obstacle, ObstacleError};

/// Run-time changes over a grid.
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
    /// The grid that it changes.
    grid: NavGrid,
    version: u64,
    /// In the order in which they were added.
    obstacles: BTreeMap<ObstacleId, Footprint>,
    next_id: u64,
    /// The cost factor of each area.
    factors: Box<Factors>,
    /// Number of areas.
    areas: usize,
    /// Whether each link is open.
    open_links: Vec<bool>,
    /// Whether each link moves and is not at its stop now.
    away_links: Vec<bool>,
    /// For each agent, once there has been an obstacle.
    patches: Vec<Option<Patch>>,
    history: History,
}

/// Names an obstacle of an overlay; never used again after it is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(u64);

/// Why an overlay refuses a change.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OverlayError {
    /// The grid has no such area.
    #[error("the grid has no area {}; it has {areas} areas", area.0)]
    UnknownArea {
        /// The area.
        area: AreaId,
        /// Number of areas that the grid has.
        areas: usize,
    },
    /// A cost factor out of its range.
    #[error("the cost factor is {factor}; it has to be a finite number > 0")]
    Factor {
        /// The factor.
        factor: f32,
    },
    /// The grid has no such link.
    #[error("the grid has no link {link}; it has {links} links")]
    UnknownLink {
        /// Index of the link.
        link: usize,
        /// Number of links that the grid has.
        links: usize,
    },
    /// The link does not move.
    #[error("the link {link} does not move, so it has no stops; open and close it instead")]
    FixedLink {
        /// Index of the link.
        link: usize,
    },
    /// The link has no such stop.
    #[error("the link {link} has no stop {stop}; stops count from 0, in the order of its marker")]
    UnknownStop {
        /// Index of the link.
        link: usize,
        /// The number of the stop.
        stop: u32,
    },
}

impl Overlay {
    /// No changes to a grid. Links that move are at their first stops.
    pub fn new(grid: &NavGrid) -> Self {
        let is_away = |link: &Link| link.stop.is_some_and(|stop| stop.number != 0);
        Overlay {
            grid: grid.clone(),
            version: 0,
            obstacles: BTreeMap::new(),
            next_id: 0,
            factors: factors(grid.areas()),
            areas: grid.areas().len(),
            open_links: vec![true; grid.links().len()],
            away_links: grid.links().iter().map(is_away).collect(),
            patches: grid.layers().iter().map(|_| None).collect(),
            history: History::default(),
        }
    }

    /// Number of changes so far. Paths and costs of an earlier version may no longer hold.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Adds an obstacle: an agent cannot stand where its body would touch it. An obstacle does not block
    /// a body that can step over it, or one that fits below it. The body is tested at the centers of
    /// cells: if cells are wider than the body, a thin obstacle may lie between two centers and block
    /// neither. O(columns under the obstacle), and for each agent O(spans) the first time.
    ///
    /// # Errors
    /// The obstacle is not a shape: a number is not finite, a size is negative, a prism has fewer than
    /// three corners or its top lies below its bottom.
    pub fn block(&mut self, obstacle: Obstacle) -> Result<ObstacleId, ObstacleError> {
        let footprint = Footprint::new(obstacle)?;
        self.patch(&footprint, PatchChange::Add);
        let id = ObstacleId(self.next_id);
        self.next_id += 1;
        self.obstacles.insert(id, footprint);
        Ok(id)
    }

    /// Removes an obstacle; returns whether there was one of that id. O(columns under the obstacle).
    pub fn unblock(&mut self, id: ObstacleId) -> bool {
        let removed = self.obstacles.remove(&id);
        if let Some(footprint) = &removed {
            self.patch(footprint, PatchChange::Remove);
        }
        removed.is_some()
    }

    /// Sets the cost factor of an area [metres of plain ground per metre, > 0, finite]. O(1).
    ///
    /// # Errors
    /// The grid has no such area, or the factor is not a positive finite number; nothing changes.
    pub fn set_factor(&mut self, area: AreaId, factor: f32) -> Result<(), OverlayError> {
        if area.index() >= self.areas {
            return Err(OverlayError::UnknownArea { area, areas: self.areas });
        }
        if !(factor.is_finite() && factor > 0.0) {
            return Err(OverlayError::Factor { factor });
        }
        self.factors[area.index()] = factor;
        self.version += 1;
        self.history.add([Change::Area(area)]);
        Ok(())
    }

    /// Opens or closes a link, by its index in the grid. O(1).
    ///
    /// # Errors
    /// The grid has no such link; nothing changes.
    pub fn set_link_open(&mut self, link: usize, open: bool) -> Result<(), OverlayError> {
        let links = self.open_links.len();
        let Some(own) = self.open_links.get_mut(link) else {
            return Err(OverlayError::UnknownLink { link, links });
        };
        *own = open;
        self.version += 1;
        self.history.add([Change::Link(link as u32)]);
        Ok(())
    }

    /// Tells where a link that moves is now: at a stop, by its number, or at none of them. Any of the links
    /// to its stops names it, by its index in the grid. Bodies get on only the links to that stop, if they
    /// are open. Paths lead over those to the other stops as well, and bodies wait in front of them until
    /// the link comes. At first it is at stop 0. O(links).
    ///
    /// # Errors
    /// The grid has no such link, it does not move, or it has no such stop; nothing changes.
    pub fn set_link_stop(&mut self, link: usize, stop: Option<u32>) -> Result<(), OverlayError> {
        let links = self.grid.links();
        let unknown = OverlayError::UnknownLink { link, links: links.len() };
        let own = links.get(link).ok_or(unknown)?;
        let moving = own.stop.ok_or(OverlayError::FixedLink { link })?.moving;
        let stops = (0..).zip(links).filter_map(|(index, link)| Some((index, link.stop?)));
        let stops = stops.filter(|(_, own)| own.moving == moving);
        if let Some(stop) = stop
            && !stops.clone().any(|(_, own)| own.number == stop)
        {
            return Err(OverlayError::UnknownStop { link, stop });
        }
        for (index, own) in stops {
            self.away_links[index] = Some(own.number) != stop;
        }
        self.version += 1;
        Ok(())
    }

    /// Whether a link is open; true for links that the grid does not have.
    pub fn is_link_open(&self, link: usize) -> bool {
        self.open_links.get(link).copied().unwrap_or(true)
    }

    /// Whether a link is where bodies get on it now: true unless it moves and is somewhere else, and true
    /// for links that the grid does not have. See [`Overlay::set_link_stop`].
    pub fn is_link_at_stop(&self, link: usize) -> bool {
        self.away_links.get(link).is_none_or(|away| !away)
    }

    /// Number of obstacles added and not removed.
    pub fn obstacles(&self) -> usize {
        self.obstacles.len()
    }

    fn patch(&mut self, footprint: &Footprint, change: PatchChange) {
        let mut touched = Vec::new();
        let grid = &self.grid;
        for (agent, patch) in (0..).map(AgentId).zip(&mut self.patches) {
            let patch = patch.get_or_insert_with(|| Patch::new(grid, agent));
            let cells = patch.apply(grid, footprint, change);
            touched.extend(cells.map(|cells| Change::Ground(agent, cells)));
        }
        self.version += 1;
        self.history.add(touched);
    }

    /// Names the state that all changes led to: overlays in different states never share it.
    pub(crate) fn state(&self) -> u64 {
        self.history.state()
    }

    /// The changes after a state; `None` if they are not known, or no longer.
    pub(crate) fn changes_since(&self, state: u64) -> Option<impl Iterator<Item = Change>> {
        self.history.since(state)
    }

    /// The grid that it changes.
    pub fn grid(&self) -> &NavGrid {
        &self.grid
    }

    /// Whether the overlay is for this grid or for one with the same contents.
    pub(crate) fn fits(&self, grid: &NavGrid) -> bool {
        let is_same = self.grid.number() == grid.number();
        is_same || self.grid.fingerprint() == grid.fingerprint()
    }

    /// The cost factor of each area.
    pub(crate) fn factors(&self) -> &Factors {
        &self.factors
    }

    /// What an agent may do on each span now; `None` if that is as baked.
    pub(crate) fn standings(&self, agent: AgentId) -> Option<&[Standing]> {
        self.patches.get(agent.index())?.as_ref().map(Patch::standings)
    }

    /// A lower bound on the distance from a point (x, z) to all cells that obstacles block for an agent
    /// [m]; `None` if there are no obstacles.
    pub(crate) fn distance_to_blocked(
        &self,
        agent: &Agent,
        point: [f32; 2],
        cell_size: f32,
    ) -> Option<f32> {
        // A cell is blocked if its center is, and its corners are this far from it. A box is widest
        // at its corners.
        let beyond = cell_size * std::f32::consts::FRAC_1_SQRT_2;
        let body = agent.radius * std::f32::consts::SQRT_2;
        let distances = self.obstacles.values().map(|footprint| footprint.distance(point));
        distances.min_by(f32::total_cmp).map(|near| (near - body - beyond).max(0.0))
    }
}
