//! Provides [`TileSet`]: the tiles of a source, and those that stand in for some of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::WorldError;
use super::info::{TilePlace, WorldInfo};
use super::source::TileSource;
use crate::grid::{GridFrame, NavGrid};

/// The tiles of a source, of which some have changed. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct TileSet {
    pub source: Arc<TileSource>,
    /// Those that changed; `None` where there is no longer any ground.
    changed: Arc<BTreeMap<TilePlace, Option<NavGrid>>>,
}

impl TileSet {
    /// The tiles of a source, as they are.
    pub fn new(source: TileSource) -> Self {
        TileSet { source: Arc::new(source), changed: Arc::default() }
    }

    pub fn info(&self) -> &Arc<WorldInfo> {
        self.source.info()
    }

    /// Puts tiles in place of others.
    pub fn replace(&mut self, tiles: Vec<(TilePlace, Option<NavGrid>)>) {
        Arc::make_mut(&mut self.changed).extend(tiles);
    }

    /// Bytes that a tile takes in memory, as far as is known before it is loaded: `None` if there is no such
    /// tile.
    pub fn bytes_of(&self, place: TilePlace) -> Result<Option<u64>, WorldError> {
        match self.changed.get(&place) {
            Some(tile) => Ok(tile.as_ref().map(|tile| self.changed_bytes(place, tile))),
            None => self.source.bytes_of(place),
        }
    }

    fn changed_bytes(&self, place: TilePlace, tile: &NavGrid) -> u64 {
        let info = self.info();
        info.bytes_of(tile.spans().len() as u64, &info.cells_of(place))
    }

    /// Calls back for each tile that has some of the cells, with the bytes that it takes.
    pub fn for_each_within(
        &self,
        cells: &GridFrame,
        call: &mut dyn FnMut(TilePlace, u64) -> Result<(), WorldError>,
    ) -> Result<(), WorldError> {
        for (&place, tile) in &*self.changed {
            let lies_within = self.info().cells_of(place).overlap(cells).cells() > 0;
            if let Some(tile) = tile.as_ref().filter(|_| lies_within) {
                call(place, self.changed_bytes(place, tile))?;
            }
        }
        self.source.for_each_within(cells, &mut |place, bytes| {
            if self.changed.contains_key(&place) { Ok(()) } else { call(place, bytes) }
        })
    }

    /// Loads a tile; `None` if there is no such tile.
    pub fn load(&self, place: TilePlace) -> Result<Option<NavGrid>, WorldError> {
        match self.changed.get(&place) {
            Some(tile) => Ok(tile.clone()),
            None => self.source.load(place),
        }
    }
}
