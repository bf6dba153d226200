//! Provides [`WorldPlan`]: which tiles a world has, and what each of them is made of.

use serde::{Deserialize, Serialize};

use rayon::prelude::*;
use surefoot::Observer;
use surefoot::grid::{Cell, GridFrame};
use surefoot::observer::check_cancelled;
use surefoot_bake::scene::LinkMarker;
use surefoot_bake::{BakeError, TileInput, WorldBakeError, WorldSource, WorldTiling};

use crate::error::JobError;
use crate::request::WorldRequest;
use crate::store::WorldStore;

/// Which tiles a world has, and what each of them is made of. Jobs read it from the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorldPlan {
    /// Changes with the form of plans.
    pub version: u32,
    /// What is baked, and how.
    pub request: WorldRequest,
    /// Hash of the content of the source.
    pub source_hash: String,
    /// The cells of the whole world.
    pub frame: GridFrame,
    /// Side of a tile [cells].
    pub tile_side: u32,
    /// The links that the author marked. Tiles are baked without them.
    pub links: Vec<LinkMarker>,
    /// How many cells the generated links of a tile lead beyond its own; 0 if no agent leaves the ground.
    pub link_reach: u32,
    /// The tiles that are not empty, row by row: the index of a job is that of one of these.
    pub tiles: Vec<PlannedTile>,
}

/// A tile to bake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedTile {
    /// Its number among all tiles of the world, with those that are empty; row by row.
    pub number: usize,
    /// The cells that are its own.
    pub own: GridFrame,
    /// Hash of all that it depends on: its name in the store.
    pub key: String,
    /// How many solids it sees.
    pub colliders: usize,
    /// About how much memory it takes to bake it on one thread, without the source [bytes].
    pub bytes: u64,
    /// About how long it takes to bake it on one thread [s].
    pub seconds: f32,
}

/// The version of plans that are written.
const VERSION: u32 = 2;

/// The name of the plan in a store.
const PLAN: &str = "plan.json";

/// What a cell takes to bake, and what each agent adds. Measured on open terrain with houses: one floor over
/// most cells. Levels with several floors take more.
const SECONDS_PER_CELL: f32 = 0.5e-6;
const SECONDS_PER_CELL_AND_AGENT: f32 = 0.6e-6;
const BYTES_PER_CELL: u64 = 90;
const BYTES_PER_CELL_AND_AGENT: u64 = 40;

impl WorldPlan {
    /// Plans a world: reads all of it once, to find out what each tile sees.
    ///
    /// # Errors
    /// Settings that cannot be used, a source that cannot be read, an empty world; or the observer
    /// cancels it.
    pub fn new(
        source: &dyn WorldSource,
        request: WorldRequest,
        observer: &dyn Observer,
    ) -> Result<Self, JobError> {
        let tiling = WorldTiling::new(source, &request.settings, request.tile_side)?;
        let agents = request.settings.agents.len() as u64;
        let done = std::sync::atomic::AtomicUsize::new(0);
        let planned = |number: usize| -> Result<Option<PlannedTile>, WorldBakeError> {
            check_cancelled(observer).map_err(BakeError::from)?;
            let TileInput { own, key, colliders, cells } = tiling.input(source, number)?;
            let before = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            observer.parts_done(before + 1, tiling.tiles());
            let per_cell = SECONDS_PER_CELL + agents as f32 * SECONDS_PER_CELL_AND_AGENT;
            let bytes = BYTES_PER_CELL + agents * BYTES_PER_CELL_AND_AGENT;
            Ok((colliders > 0).then(|| PlannedTile {
                number,
                own,
                key,
                colliders,
                bytes: cells as u64 * bytes,
                seconds: cells as f32 * per_cell,
            }))
        };
        let tiles = (0..tiling.tiles()).into_par_iter().map(planned);
        let tiles: Vec<Option<PlannedTile>> = tiles.collect::<Result<_, _>>()?;
        Ok(WorldPlan {
            version: VERSION,
            source_hash: source.outline().report.hash.clone(),
            frame: *tiling.frame(),
            tile_side: tiling.tile_side(),
            links: source.outline().links.clone(),
            link_reach: tiling.link_reach(),
            tiles: tiles.into_iter().flatten().collect(),
            request,
        })
    }

    /// Writes the plan into a store, in place of the one that is there.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn write(&self, store: &WorldStore) -> Result<(), JobError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        Ok(store.write(PLAN, text.into_bytes())?)
    }

    /// Reads the plan of a store.
    ///
    /// # Errors
    /// There is none, or it cannot be read or used.
    pub fn read(store: &WorldStore) -> Result<Self, JobError> {
        let fail = |problem: String| JobError::Plan { place: store.place().to_owned(), problem };
        let Some(bytes) = store.read(PLAN)? else {
            return Err(fail(format!(
                "there is no {PLAN}; plan a world with `surefoot world plan`"
            )));
        };
        let version: PlanVersion = serde_json::from_slice(&bytes)
            .map_err(|error| fail(format!("{PLAN} is damaged: {error}; plan the world again")))?;
        if version.version != VERSION {
            let other = version.version;
            return Err(fail(format!(
                "{PLAN} has version {other}, but this program knows {VERSION}; plan the world again"
            )));
        }
        serde_json::from_slice(&bytes)
            .map_err(|error| fail(format!("{PLAN} is damaged: {error}; plan the world again")))
    }

    /// Returns a hash of the plan: jobs of one plan have the same tiles.
    pub fn id(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        self.tiles.iter().for_each(|tile| {
            hasher.update(tile.key.as_bytes());
        });
        hasher.update(&serde_json::to_vec(&self.links).unwrap_or_default());
        hasher.finalize().to_hex()[..16].to_owned()
    }

    /// Returns the indices of the tiles that have some of the cells, in order. O(cells / tile + log tiles).
    pub fn tiles_over(&self, cells: &GridFrame) -> Vec<usize> {
        if cells.cells() == 0 {
            return Vec::new();
        }
        let side = i64::from(self.tile_side.max(1));
        let along = |min: i32, size: u32| {
            let end = i64::from(min) + i64::from(size);
            i64::from(min).div_euclid(side)..=(end - 1).div_euclid(side)
        };
        let columns = along(cells.min.x, cells.size_x);
        let rows = along(cells.min.z, cells.size_z);
        let first = self.frame.min;
        let least = move |at: i64, first: i32| (at * side).max(i64::from(first)) as i32;
        let places = rows.flat_map(|z| columns.clone().map(move |x| (x, z)));
        let cells = places.map(|(x, z)| Cell::new(least(x, first.x), least(z, first.z)));
        let index = |cell: Cell| self.tiles.binary_search_by_key(&cell, |tile| tile.own.min).ok();
        cells.filter_map(index).collect()
    }

    /// Returns a tile by its index among those that are not empty.
    ///
    /// # Errors
    /// There is no such tile.
    pub fn tile(&self, index: usize) -> Result<&PlannedTile, JobError> {
        let tiles = self.tiles.len();
        self.tiles.get(index).ok_or(JobError::NoSuchIndex { index, tiles })
    }
}

/// The version of a plan whose form is not known.
#[derive(Deserialize)]
struct PlanVersion {
    version: u32,
}
