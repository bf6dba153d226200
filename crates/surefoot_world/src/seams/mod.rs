//! What leads from tile to tile: what it costs to cross a tile, links between tiles, and regions over many.

mod links;
mod region_index;
mod regions;
mod tile_reader;

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use surefoot::far::{BorderRules, TileBorder, TileBorders};
use surefoot::grid::{AgentId, GridTile};
use surefoot::observer::check_cancelled;
use surefoot::{NavGrid, Observer};

use crate::error::JobError;
use crate::plan::WorldPlan;
use crate::store::WorldStore;

pub(crate) use links::find_link;
pub(crate) use region_index::{PackedTile, RegionIndexing};
pub(crate) use regions::WorldRegions;
pub(crate) use tile_reader::TileReader;

/// The folder of the borders of tiles in a store.
const BORDERS: &str = "borders";

impl WorldPlan {
    /// Returns the name of the borders of a tile in a store.
    ///
    /// # Errors
    /// There is no such tile.
    pub fn borders_file(&self, index: usize) -> Result<String, JobError> {
        let near = self.links_near(index)?;
        let links = near.key(self).map_or_else(String::new, |key| format!("-{key}"));
        let (key, spacing) = (&self.tile(index)?.key, self.request.gate_spacing);
        Ok(format!("{BORDERS}/{key}-{spacing}{links}.borders"))
    }
}

/// Computes the borders of a tile, unless they are in the store: what it costs to get from one side of it to
/// another. Returns whether it did.
///
/// # Errors
/// The tile is not baked yet, or another whose links lead to it; one is damaged; or the store cannot be written.
pub fn seams(plan: &WorldPlan, store: &WorldStore, index: usize) -> Result<bool, JobError> {
    let name = plan.borders_file(index)?;
    if store.size(&name)?.is_some() {
        return Ok(false);
    }
    let mut reader = TileReader::new(plan, store);
    let grid = reader.tile(index)?;
    let borders = find_borders(&mut reader, index, &grid)?;
    store.write(&name, borders.to_bytes())?;
    Ok(true)
}

/// Computes the borders of a tile, given its grid.
///
/// # Errors
/// Another tile whose links lead to it is not there yet, or damaged.
pub(crate) fn find_borders(
    reader: &mut TileReader,
    index: usize,
    grid: &NavGrid,
) -> Result<TileBorders, JobError> {
    let plan = reader.plan;
    let (planned, near) = (plan.tile(index)?, plan.links_near(index)?);
    let rules = BorderRules::with_spacing(plan.request.gate_spacing);
    let tile = GridTile { own: planned.own, grid };
    let mut border = |agent: AgentId| {
        let links = near.find(reader, agent, &rules)?;
        TileBorder::find(&tile, agent, &links, &rules).map_err(|error| JobError::Tile {
            index,
            name: planned.file(),
            problem: error.to_string(),
        })
    };
    let agents = (0..grid.layers().len() as u16).map(|agent| border(AgentId(agent)));
    Ok(TileBorders { rules, agents: agents.collect::<Result<_, _>>()? })
}

/// Computes the borders of all tiles that are not in the store, several at once, and returns how many
/// were computed.
///
/// # Errors
/// As [`seams`].
pub fn all_seams(
    plan: &WorldPlan,
    store: &WorldStore,
    observer: &dyn Observer,
) -> Result<usize, JobError> {
    let tiles = plan.tiles.len();
    let (done, computed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let compute = |index: usize| {
        check_cancelled(observer)?;
        computed.fetch_add(usize::from(seams(plan, store, index)?), Ordering::Relaxed);
        observer.parts_done(done.fetch_add(1, Ordering::Relaxed) + 1, tiles);
        Ok::<_, JobError>(())
    };
    (0..tiles).into_par_iter().with_max_len(1).try_for_each(compute)?;
    Ok(computed.into_inner())
}

/// Reads the borders of a tile.
///
/// # Errors
/// They are not there, or damaged.
pub fn read_borders(
    plan: &WorldPlan,
    store: &WorldStore,
    index: usize,
) -> Result<TileBorders, JobError> {
    let name = plan.borders_file(index)?;
    let bytes = store.read(&name)?.ok_or(JobError::NoBorders { index })?;
    TileBorders::from_bytes(&bytes).map_err(|error| JobError::Tile {
        index,
        name,
        problem: error.to_string(),
    })
}
