//! Provides [`MemoryWatch`]: counts what tiles hold while they are baked, and ends the bake if that is
//! more than it may take.
//!
//! The estimate made beforehand is from samples: a small, deep stack of floors may lie between them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::BakeError;
use super::check_memory::bytes_of_bake;
use super::observer::{BakeObserver, Stage};
use super::plan::BakePlan;
use surefoot::Observer;
use surefoot::grid::GridFrame;

/// Bytes per hit while columns are cast: with its cell, and in its column.
const BYTES_PER_HIT: u64 = 32 + 28;
/// Bytes per floor of a tile under work, and what each agent adds to them: about the sizes of what the
/// stages keep of one.
const BYTES_PER_FLOOR: u64 = 150;
const BYTES_PER_FLOOR_OF_AGENT: u64 = 40;
/// Bytes per span of a tile that is done, and what each agent adds to them.
const BYTES_PER_SPAN_DONE: u64 = 16;
const BYTES_PER_SPAN_OF_AGENT: u64 = 8 + 2;
/// Tiles may hold this much at once, however low the limit is [bytes]: how many are under work depends on
/// the number of threads, and a small bake must not.
const ALWAYS_ALLOWED: u64 = 256 << 20;

/// Observes the bake of tiles for the observer of the whole bake, and counts memory. A bake that takes too
/// much is cancelled.
pub(super) struct MemoryWatch<'a> {
    plan: &'a BakePlan,
    observer: &'a dyn BakeObserver,
    /// Of the tiles that are done.
    spans: AtomicU64,
    /// What the tiles under work hold [bytes].
    under_work: AtomicU64,
    is_full: AtomicBool,
}

impl<'a> MemoryWatch<'a> {
    pub fn new(plan: &'a BakePlan, observer: &'a dyn BakeObserver) -> Self {
        let [spans, under_work] = [0, 0].map(AtomicU64::new);
        MemoryWatch { plan, observer, spans, under_work, is_full: AtomicBool::new(false) }
    }

    /// Counts a tile under work until what is returned is dropped.
    pub fn begin_tile(&self) -> TileMemory<'_> {
        TileMemory { watch: self, bytes: AtomicU64::new(0) }
    }

    /// Counts the spans of a tile that is done.
    ///
    /// # Errors
    /// Fails if the bake takes too much memory.
    pub fn add_spans(&self, spans: usize) -> Result<(), BakeError> {
        self.spans.fetch_add(spans as u64, Ordering::Relaxed);
        self.look();
        self.check()
    }

    /// Fails if the bake takes too much memory.
    ///
    /// # Errors
    /// As said.
    pub fn check(&self) -> Result<(), BakeError> {
        let GridFrame { cell_size, size_x, size_z, .. } = self.plan.work;
        let (cells, limit) = ([size_x, size_z], self.plan.memory_limit);
        match self.is_full.load(Ordering::Relaxed) {
            true => Err(BakeError::TooManyFloors { cells, limit, cell_size }),
            false => Ok(()),
        }
    }

    /// Looks at whether the bake takes too much: once all spans that are known are in the grid, or now.
    fn look(&self) {
        let (limit, agents) = (self.plan.memory_limit, self.plan.agents.len() as u64);
        let spans = self.spans.load(Ordering::Relaxed);
        let bytes_per_span = BYTES_PER_SPAN_DONE + BYTES_PER_SPAN_OF_AGENT * agents;
        let held = spans * bytes_per_span + self.under_work.load(Ordering::Relaxed);
        if bytes_of_bake(self.plan, spans) > limit || held > limit.max(ALWAYS_ALLOWED) {
            self.is_full.store(true, Ordering::Relaxed);
        }
    }
}

impl Observer for MemoryWatch<'_> {
    fn parts_done(&self, done: usize, of: usize) {
        self.observer.parts_done(done, of);
    }

    fn is_cancelled(&self) -> bool {
        self.is_full.load(Ordering::Relaxed) || self.observer.is_cancelled()
    }
}

impl BakeObserver for MemoryWatch<'_> {
    fn begin(&self, stage: Stage) {
        self.observer.begin(stage);
    }

    fn memory_estimated(&self, bytes: u64) {
        self.observer.memory_estimated(bytes);
    }
}

/// What a tile under work holds.
pub(super) struct TileMemory<'a> {
    watch: &'a MemoryWatch<'a>,
    /// What is counted of it [bytes].
    bytes: AtomicU64,
}

impl TileMemory<'_> {
    /// Says that the tile holds a number of hits and nothing else.
    pub fn holds_hits(&self, hits: usize) {
        self.holds(hits as u64 * BYTES_PER_HIT);
    }

    /// Says that the tile holds a number of floors and nothing else.
    pub fn holds_floors(&self, floors: usize) {
        let agents = self.watch.plan.agents.len() as u64;
        self.holds(floors as u64 * (BYTES_PER_FLOOR + BYTES_PER_FLOOR_OF_AGENT * agents));
    }

    fn holds(&self, bytes: u64) {
        let before = self.bytes.swap(bytes, Ordering::Relaxed);
        // Wraps around, so that the sum is right whether it grows or shrinks.
        self.watch.under_work.fetch_add(bytes.wrapping_sub(before), Ordering::Relaxed);
        self.watch.look();
    }
}

impl Drop for TileMemory<'_> {
    fn drop(&mut self) {
        self.holds(0);
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;
    use crate::casts::CollisionWorld;
    use crate::scene::{Placement, SceneBuilder};
    use crate::stages::BakeSettings;

    #[test]
    fn tiles_under_work_count_until_they_are_done() {
        let mut builder = SceneBuilder::new("floor");
        builder.cuboid("floor", Vector3::new(2.0, 0.5, 2.0), Placement::at([0.0; 3]));
        let scene = builder.build().expect("a sound scene");
        let bounds = CollisionWorld::new(&scene).expect("a sound world").bounds();
        let settings = BakeSettings { memory_limit: 1 << 30, ..BakeSettings::default() };
        let plan = BakePlan::new(bounds, &scene, &settings).expect("sound settings");
        let watch = MemoryWatch::new(&plan, &());
        let ten_million = 10_000_000;
        {
            let tiles = [watch.begin_tile(), watch.begin_tile()];
            tiles[0].holds_hits(ten_million);
            tiles[0].holds_floors(10);
            tiles[1].holds_hits(ten_million);
            assert_eq!(watch.check(), Ok(()), "600 MB");
        }
        let tile = watch.begin_tile();
        tile.holds_hits(ten_million);
        assert!(!watch.is_cancelled());
        watch.begin_tile().holds_hits(ten_million);
        assert!(watch.is_cancelled(), "two such tiles at once");
        assert!(
            matches!(watch.check(), Err(BakeError::TooManyFloors { limit, .. }) if limit == 1 << 30)
        );
    }
}
