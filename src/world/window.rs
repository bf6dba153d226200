//! Provides [`WindowJob`]: from points of interest to a grid of the tiles near them, in steps.

use std::collections::BTreeSet;

use super::assemble::{Tiles, assemble};
use super::error::WorldError;
use super::info::TilePlace;
use super::plan::{GroundPoint, Plan, PlanParameters, plan};
use super::tile_set::TileSet;
use crate::grid::NavGrid;
use crate::parallel::for_each_job;

/// How much of a world is in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldBudget {
    /// What the loaded tiles and the columns of their frame take [bytes]: 16 a span and 8 more for each
    /// agent, 4 a column. The grid that is made of them takes as much again, and so does the next one while
    /// it is made.
    pub bytes: u64,
    /// Without threads, the most tiles that a call of [`World::update`](super::World::update) loads
    /// [> 0]. With them it loads none itself.
    pub tiles_per_update: u32,
}

impl Default for WorldBudget {
    /// 64 MiB, and a tile per call.
    fn default() -> Self {
        WorldBudget { bytes: 64 << 20, tiles_per_update: 1 }
    }
}

/// Work on the next window.
pub(super) struct WindowJob {
    pub source: TileSet,
    /// Whether one of those of the last window is no longer what it was.
    pub is_changed: bool,
    pub points: Vec<GroundPoint>,
    pub budget: u64,
    /// Whether the tiles under the points and next to them are enough for now, if the former are new.
    pub is_urgent: bool,
    /// Those of the last window.
    pub loaded: Tiles,
    /// Those that could not be loaded.
    pub failed: BTreeSet<TilePlace>,
    pub progress: WindowProgress,
}

/// How far the work has come.
#[derive(Default)]
pub(super) struct WindowProgress {
    plan: Option<Plan>,
    /// The tiles of the last window.
    before: Vec<TilePlace>,
    /// Tiles still to be loaded, in reverse.
    missing: Vec<TilePlace>,
    is_partial: bool,
    faults: Vec<WorldError>,
}

/// The result.
pub(super) struct Window {
    pub tiles: Tiles,
    pub failed: BTreeSet<TilePlace>,
    /// `None` if the tiles are those of the last window, or if there is no ground.
    pub grid: Option<NavGrid>,
    /// Whether there is more to load for these points.
    pub is_partial: bool,
    pub faults: Vec<WorldError>,
}

/// Ring 1 is enough for now if those who walk have no ground yet.
const URGENT_RINGS: u32 = 1;
/// So many tiles are loaded at a time.
const TILES_AT_A_TIME: usize = 16;

impl WindowJob {
    /// Does all of it.
    pub(super) fn run(mut self) -> Window {
        while !self.step(TILES_AT_A_TIME) {}
        self.finish()
    }

    /// Plans, or loads at most so many tiles; returns whether all are loaded.
    pub(super) fn step(&mut self, most: usize) -> bool {
        if self.progress.plan.is_none() {
            self.progress.before = self.loaded.keys().copied().collect();
            let plan = self.plan().unwrap_or_else(|fault| {
                self.progress.faults.push(fault);
                Plan { tiles: self.loaded.keys().copied().collect(), under_points: 0 }
            });
            let is_missing = |place: &TilePlace| !self.loaded.contains_key(place);
            let missing = plan.tiles.iter().rev().copied().filter(is_missing);
            self.progress.missing = missing.collect();
            self.progress.plan = Some(plan);
        }
        let missing = &mut self.progress.missing;
        let places: Vec<TilePlace> =
            missing.drain(missing.len() - most.min(missing.len())..).rev().collect();
        let source = &self.source;
        let results = for_each_job(places.clone(), true, |place| source.load(place));
        for (place, result) in places.into_iter().zip(results) {
            match result {
                Ok(Some(tile)) => {
                    self.loaded.insert(place, tile);
                }
                Ok(None) => {}
                Err(fault) => {
                    self.failed.insert(place);
                    self.progress.faults.push(fault);
                }
            }
        }
        self.progress.missing.is_empty()
    }

    fn plan(&mut self) -> Result<Plan, WorldError> {
        let with = |last_ring: u32| {
            let WindowJob { points, budget, failed, .. } = &*self;
            plan(&self.source, &PlanParameters { points, budget: *budget, failed, last_ring })
        };
        let whole = with(u32::MAX)?;
        let mut under = whole.tiles[..whole.under_points].iter();
        if !self.is_urgent || under.all(|place| self.loaded.contains_key(place)) {
            return Ok(whole);
        }
        // The nearest rings, and what is loaded of the others.
        let mut near = with(URGENT_RINGS)?;
        let rest = whole.tiles.get(near.tiles.len()..).unwrap_or_default().iter();
        near.tiles.extend(rest.filter(|place| self.loaded.contains_key(place)));
        self.progress.is_partial = near != whole;
        Ok(near)
    }

    /// Drops tiles that are no longer wanted, and makes a grid of the others.
    pub(super) fn finish(self) -> Window {
        let WindowJob { source, is_changed, loaded, failed, progress, .. } = self;
        let WindowProgress { plan, before, is_partial, mut faults, .. } = progress;
        let wanted: BTreeSet<TilePlace> = plan.unwrap_or_default().tiles.into_iter().collect();
        let tiles: Tiles = loaded.into_iter().filter(|(place, _)| wanted.contains(place)).collect();
        let is_new = !tiles.is_empty() && (is_changed || !tiles.keys().eq(&before));
        let grid = is_new.then(|| assemble(source.info(), &tiles));
        let grid = grid.and_then(|grid| grid.map_err(|fault| faults.push(fault)).ok());
        Window { tiles, failed, grid, is_partial, faults }
    }
}
