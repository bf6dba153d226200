//! Provides [`WorldJobs`]: the jobs that bake a planned world. Any scheduler may run them, in any order, on
//! any number of machines, each of them any number of times.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use surefoot::observer::check_cancelled;
use surefoot::{NavGrid, Observer};
use surefoot_bake::{BakeObserver, Baked, Stage, WorldSource, WorldTiling};

use crate::error::JobError;
use crate::plan::{PlannedTile, WorldPlan};
use crate::store::WorldStore;
use crate::stored::{WorldStatus, read_tile, status};

/// The jobs of a planned world.
pub struct WorldJobs<'a> {
    source: &'a dyn WorldSource,
    plan: &'a WorldPlan,
    store: &'a WorldStore,
    tiling: WorldTiling,
}

/// What became of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileOutcome {
    /// It was in the store already.
    AlreadyThere,
    /// It was baked, and has so many spans.
    Baked {
        /// Over its own cells and those around them.
        spans: usize,
    },
}

/// What `verify` found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The index of the tile.
    pub index: usize,
    /// What is wrong with it; `None` if its bytes are those of a new bake.
    pub problem: Option<String>,
}

impl<'a> WorldJobs<'a> {
    /// Prepares for jobs. The source is the one that the plan was made for.
    ///
    /// # Errors
    /// The world lies over other cells than planned: it has changed.
    pub fn new(
        source: &'a dyn WorldSource,
        plan: &'a WorldPlan,
        store: &'a WorldStore,
    ) -> Result<Self, JobError> {
        let tiling = WorldTiling::new(source, &plan.request.settings, plan.tile_side)?;
        if *tiling.frame() != plan.frame {
            let problem = "the world has changed since it was planned; plan it again".to_owned();
            return Err(JobError::Plan { place: store.place().to_owned(), problem });
        }
        Ok(WorldJobs { source, plan, store, tiling })
    }

    /// Bakes a tile, unless it is in the store.
    ///
    /// # Errors
    /// There is no such tile, the world has changed, or the store cannot be written.
    pub fn tile(&self, index: usize, observer: &dyn BakeObserver) -> Result<TileOutcome, JobError> {
        let planned = self.plan.tile(index)?;
        match self.store.size(&planned.file())? {
            Some(_) => Ok(TileOutcome::AlreadyThere),
            None => self.tile_again(index, observer),
        }
    }

    /// Bakes a tile, and puts it in place of the one in the store.
    ///
    /// # Errors
    /// As [`WorldJobs::tile`].
    pub fn tile_again(
        &self,
        index: usize,
        observer: &dyn BakeObserver,
    ) -> Result<TileOutcome, JobError> {
        let planned = self.plan.tile(index)?;
        let grid = self.bake(index, planned, observer)?;
        self.store.write(&planned.file(), bytes_of(index, planned, &grid)?)?;
        Ok(TileOutcome::Baked { spans: grid.spans().len() })
    }

    fn bake(
        &self,
        index: usize,
        planned: &PlannedTile,
        observer: &dyn BakeObserver,
    ) -> Result<NavGrid, JobError> {
        let grid = self.tiling.bake_tile(self.source, planned.number, observer)?;
        if grid.provenance().scene_hash != planned.key {
            return Err(JobError::Changed { index });
        }
        Ok(grid)
    }

    /// Bakes all tiles that are not in the store, several at once, and returns how many were baked.
    ///
    /// # Errors
    /// As [`WorldJobs::tile`].
    pub fn all_tiles(&self, observer: &dyn Observer) -> Result<usize, JobError> {
        let tiles = self.plan.tiles.len();
        let (done, baked) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let bake = |index: usize| {
            check_cancelled(observer)?;
            let outcome = self.tile(index, &TileObserver(observer))?;
            if outcome != TileOutcome::AlreadyThere {
                baked.fetch_add(1, Ordering::Relaxed);
            }
            observer.parts_done(done.fetch_add(1, Ordering::Relaxed) + 1, tiles);
            Ok::<_, JobError>(())
        };
        (0..tiles).into_par_iter().with_max_len(1).try_for_each(bake)?;
        Ok(baked.into_inner())
    }

    /// Reads a tile of the store; `None` if it is not there.
    ///
    /// # Errors
    /// There is no such tile, or what is in its place is damaged or that of another.
    pub fn read_tile(&self, index: usize) -> Result<Option<NavGrid>, JobError> {
        read_tile(self.plan, self.store, index)
    }

    /// Merges all tiles into one grid, byte for byte that of baking the world whole. They must fit into
    /// memory.
    ///
    /// # Errors
    /// A tile is missing or damaged.
    pub fn merge(&self, observer: &dyn BakeObserver) -> Result<Baked, JobError> {
        self.check_complete()?;
        let mut tiles = vec![None; self.tiling.tiles()];
        let read = |index: usize| {
            check_cancelled(observer)?;
            self.read_tile(index)
        };
        let read: Vec<_> = (0..self.plan.tiles.len()).into_par_iter().map(read).collect();
        for (grid, planned) in read.into_iter().zip(&self.plan.tiles) {
            tiles[planned.number] = grid?;
        }
        Ok(self.tiling.merge(self.source, &tiles, observer)?)
    }

    /// Returns how far the world is baked.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn status(&self) -> Result<WorldStatus, JobError> {
        status(self.plan, self.store)
    }

    /// Bakes some tiles again, and compares them with those of the store.
    ///
    /// # Errors
    /// There is no such tile, or the world has changed.
    pub fn verify(
        &self,
        indices: &[usize],
        observer: &dyn BakeObserver,
    ) -> Result<Vec<Verified>, JobError> {
        let verify = |&index: &usize| {
            let planned = self.plan.tile(index)?;
            let grid = self.bake(index, planned, observer)?;
            let expected = bytes_of(index, planned, &grid)?;
            let problem = match self.store.read(&planned.file())? {
                None => Some("it is not in the store".to_owned()),
                Some(bytes) if bytes == expected => None,
                Some(_) => Some("it is not what a new bake gives".to_owned()),
            };
            Ok(Verified { index, problem })
        };
        indices.iter().map(verify).collect()
    }

    fn check_complete(&self) -> Result<(), JobError> {
        let WorldStatus { tiles, missing, .. } = self.status()?;
        match missing.first() {
            Some(&first) => Err(JobError::Missing { missing: missing.len(), tiles, first }),
            None => Ok(()),
        }
    }
}

/// Passes on whether a bake is cancelled, and nothing else: several tiles are baked at once.
struct TileObserver<'a>(&'a dyn Observer);

impl Observer for TileObserver<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

impl BakeObserver for TileObserver<'_> {
    fn begin(&self, _stage: Stage) {}
}

/// Returns the bytes of a tile's file.
fn bytes_of(index: usize, planned: &PlannedTile, grid: &NavGrid) -> Result<Vec<u8>, JobError> {
    let fail = |problem: String| JobError::Tile { index, name: planned.file(), problem };
    grid.to_bytes().map_err(|error| fail(error.to_string()))
}
