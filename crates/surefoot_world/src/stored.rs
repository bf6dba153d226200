//! What the store of a planned world has: tiles, and what it costs to cross them. Needs no source.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use surefoot::far::{BorderRules, TileBorder, TileBorders};
use surefoot::grid::{AgentId, Provenance};
use surefoot::observer::check_cancelled;
use surefoot::world::{TilePlace, WorldInfo, WorldWriter};
use surefoot::{NavGrid, Observer};

use crate::error::JobError;
use crate::plan::{PlannedTile, WorldPlan};
use crate::store::WorldStore;

/// How far a world is baked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldStatus {
    /// How many tiles the plan has.
    pub tiles: usize,
    /// The indices of those that are not in the store, in order.
    pub missing: Vec<usize>,
    /// The size of those that are [bytes].
    pub bytes: u64,
    /// Files of the store that belong to no tile of the plan.
    pub others: usize,
}

impl PlannedTile {
    /// Returns its name in a store.
    pub fn file(&self) -> String {
        format!("{TILES}/{}.navgrid", self.key)
    }
}

impl WorldPlan {
    /// Returns the name of a tile's borders in a store.
    pub fn borders_file(&self, tile: &PlannedTile) -> String {
        format!("{BORDERS}/{}-{}.borders", tile.key, self.request.gate_spacing)
    }
}

/// The folder of the borders of tiles in a store.
const BORDERS: &str = "borders";

/// The folder of tiles in a store.
const TILES: &str = "tiles";

/// Returns how far a planned world is baked.
///
/// # Errors
/// The store cannot be read.
pub fn status(plan: &WorldPlan, store: &WorldStore) -> Result<WorldStatus, JobError> {
    let files = store.list(TILES)?;
    let planned: BTreeSet<String> = plan.tiles.iter().map(PlannedTile::file).collect();
    let present: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let is_missing = |index: &usize| !present.contains(plan.tiles[*index].file().as_str());
    let own = files.iter().filter(|file| planned.contains(&file.name));
    Ok(WorldStatus {
        tiles: plan.tiles.len(),
        missing: (0..plan.tiles.len()).filter(is_missing).collect(),
        bytes: own.clone().map(|file| file.bytes).sum(),
        others: files.len() - own.count(),
    })
}

/// Reads a tile of the store; `None` if it is not there.
///
/// # Errors
/// There is no such tile, or what is in its place is damaged or that of another.
pub fn read_tile(
    plan: &WorldPlan,
    store: &WorldStore,
    index: usize,
) -> Result<Option<NavGrid>, JobError> {
    let planned = plan.tile(index)?;
    let name = planned.file();
    let Some(bytes) = store.read(&name)? else { return Ok(None) };
    let fail = |problem: String| JobError::Tile { index, name: name.clone(), problem };
    let grid = NavGrid::from_bytes(&bytes).map_err(|error| fail(error.to_string()))?;
    match grid.provenance().scene_hash == planned.key {
        true => Ok(Some(grid)),
        false => Err(fail("it is another tile".to_owned())),
    }
}

/// Computes the borders of a tile, unless they are in the store: what it costs to get from one side of it to
/// another. Returns whether it did.
///
/// # Errors
/// The tile is not baked yet, or damaged; or the store cannot be written.
pub fn seams(plan: &WorldPlan, store: &WorldStore, index: usize) -> Result<bool, JobError> {
    let planned = plan.tile(index)?;
    let name = plan.borders_file(planned);
    if store.size(&name)?.is_some() {
        return Ok(false);
    }
    let grid = read_tile(plan, store, index)?.ok_or(JobError::NotBaked { index })?;
    let rules = BorderRules::with_spacing(plan.request.gate_spacing);
    let agents = (0..grid.layers().len() as u16).map(AgentId);
    let borders = agents.map(|agent| TileBorder::find(&grid, &planned.own, agent, &rules));
    let agents = borders.collect::<Result<_, _>>().map_err(|error| JobError::Tile {
        index,
        name: planned.file(),
        problem: error.to_string(),
    })?;
    store.write(&name, TileBorders { rules, agents }.to_bytes())?;
    Ok(true)
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
    let planned = plan.tile(index)?;
    let name = plan.borders_file(planned);
    let bytes = store.read(&name)?.ok_or(JobError::NoBorders { index })?;
    TileBorders::from_bytes(&bytes).map_err(|error| JobError::Tile {
        index,
        name,
        problem: error.to_string(),
    })
}

/// Packs the tiles of a planned world, and what it costs to cross them, into one `.navworld` file. Takes the
/// memory of one tile and of all borders.
///
/// # Errors
/// Tiles or borders are missing or damaged, or the file cannot be written.
pub fn pack(
    plan: &WorldPlan,
    store: &WorldStore,
    file: &Path,
    observer: &dyn Observer,
) -> Result<(), JobError> {
    let WorldStatus { tiles, missing, .. } = status(plan, store)?;
    if let Some(&first) = missing.first() {
        return Err(JobError::Missing { missing: missing.len(), tiles, first });
    }
    let Some(first) = (tiles > 0).then(|| read_tile(plan, store, 0)).transpose()?.flatten() else {
        return Err(JobError::Missing { missing: 0, tiles, first: 0 });
    };
    let provenance = Provenance {
        scene_hash: plan.source_hash.clone(),
        record: None,
        ..first.provenance().clone()
    };
    let of_tile = WorldInfo::of_tile(&first, plan.frame, plan.tile_side);
    let info = WorldInfo { provenance, ..of_tile };
    let place = |tile: &PlannedTile| info.place_of(tile.own.min);
    let indices: BTreeMap<TilePlace, usize> = plan.tiles.iter().map(place).zip(0..).collect();
    let mut writer = WorldWriter::create(file, info.clone())?;
    let mut done = 0;
    for place in writer.order() {
        let Some(&index) = indices.get(&place) else { continue };
        check_cancelled(observer)?;
        let tile = read_tile(plan, store, index)?.ok_or(JobError::NotBaked { index })?;
        writer.tile(place, &tile)?;
        done += 1;
        observer.parts_done(done, tiles);
    }
    let borders = (0..tiles).map(|index| read_borders(plan, store, index));
    writer.borders(&borders.collect::<Result<Vec<_>, _>>()?)?;
    Ok(writer.finish()?)
}
