//! What the store of a planned world has. Needs no source.

use std::collections::BTreeSet;

use surefoot::NavGrid;

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
