//! Provides [`TileReader`]: the tiles of a store, of which the last ones are kept.

use std::collections::VecDeque;

use surefoot::NavGrid;
use surefoot::grid::{GridFrame, GridParts, GridTile, merge_tiles};

use crate::error::JobError;
use crate::plan::WorldPlan;
use crate::store::WorldStore;
use crate::stored::read_tile;

/// Reads tiles of a store that are all needed, and keeps the last ones.
pub(crate) struct TileReader<'a> {
    pub plan: &'a WorldPlan,
    store: &'a WorldStore,
    /// The last ones, by their indices; the oldest first.
    kept: VecDeque<(usize, NavGrid)>,
}

/// So many tiles are kept: those around a corner, at both ends of a link.
const MOST_KEPT: usize = 16;

impl<'a> TileReader<'a> {
    pub fn new(plan: &'a WorldPlan, store: &'a WorldStore) -> Self {
        TileReader { plan, store, kept: VecDeque::new() }
    }

    /// Returns a tile.
    ///
    /// # Errors
    /// It is not there yet, or damaged.
    pub fn tile(&mut self, index: usize) -> Result<NavGrid, JobError> {
        if let Some((_, grid)) = self.kept.iter().find(|(kept, _)| *kept == index) {
            return Ok(grid.clone());
        }
        let read = read_tile(self.plan, self.store, index)?;
        let grid = read.ok_or(JobError::NotBaked { index })?;
        if self.kept.len() == MOST_KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back((index, grid.clone()));
        Ok(grid)
    }

    /// Returns the ground over some cells, of all tiles that have some of them.
    ///
    /// # Errors
    /// As [`TileReader::tile`]; or the tiles do not fit.
    pub fn ground(&mut self, cells: &GridFrame) -> Result<GridParts, JobError> {
        let cells = cells.overlap(&self.plan.frame);
        let indices = self.plan.tiles_over(&cells);
        let grids: Vec<NavGrid> =
            indices.iter().map(|&index| self.tile(index)).collect::<Result<_, _>>()?;
        let own = indices.iter().map(|&index| self.plan.tiles[index].own);
        let tiles: Vec<GridTile> =
            own.zip(&grids).map(|(own, grid)| GridTile { own, grid }).collect();
        merge_tiles(&cells, &tiles).map_err(|error| {
            let index = indices.first().copied().unwrap_or_default();
            let name = self.plan.tiles.get(index).map(|tile| tile.file()).unwrap_or_default();
            JobError::Tile { index, name, problem: error.to_string() }
        })
    }
}
