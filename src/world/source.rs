//! Provides [`TileSource`]: where tiles come from.

use std::fmt;
use std::sync::Arc;

use super::error::WorldError;
use super::format::WorldFile;
use super::info::{TilePlace, WorldInfo};
use crate::grid::{GridFrame, NavGrid};

/// Makes tiles.
type Generator = dyn Fn(TilePlace) -> Option<NavGrid> + Send + Sync;

/// Where tiles come from.
pub(super) enum TileSource {
    File(WorldFile),
    Generated(Arc<WorldInfo>, Box<Generator>),
}

impl fmt::Debug for TileSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TileSource::File(file) => file.fmt(f),
            TileSource::Generated(info, _) => write!(f, "Generated({:?})", info.name),
        }
    }
}

impl TileSource {
    pub(super) fn info(&self) -> &Arc<WorldInfo> {
        match self {
            TileSource::File(file) => file.info(),
            TileSource::Generated(info, _) => info,
        }
    }

    /// Bytes that a tile takes in memory, as far as is known before it is loaded: `None` if there is no
    /// such tile. A tile that is generated counts as one floor.
    pub(super) fn bytes_of(&self, place: TilePlace) -> Result<Option<u64>, WorldError> {
        let info = self.info();
        let cells = info.cells_of(place);
        let spans = match self {
            _ if cells.cells() == 0 => None,
            TileSource::File(file) => file.find(place)?.map(|entry| u64::from(entry.spans)),
            TileSource::Generated(..) => Some(cells.cells() as u64),
        };
        Ok(spans.map(|spans| info.bytes_of(spans, &cells)))
    }

    /// Calls back for each tile that has some of the cells, with the bytes that it takes.
    pub(super) fn for_each_within(
        &self,
        cells: &GridFrame,
        call: &mut dyn FnMut(TilePlace, u64) -> Result<(), WorldError>,
    ) -> Result<(), WorldError> {
        let info = self.info();
        let all = WorldInfo::endless(info.frame.cell_size, info.tile_side, Vec::new());
        let within = WorldInfo { frame: *cells, ..all };
        let (first, columns) = (within.first_place(), u64::from(within.columns()));
        let count = columns * u64::from(within.rows());
        match self {
            TileSource::File(file) if count > file.tiles() => file.for_each_tile(|place, entry| {
                let own = info.cells_of(place);
                if own.overlap(cells).cells() == 0 {
                    return Ok(());
                }
                call(place, info.bytes_of(u64::from(entry.spans), &own))
            }),
            _ => (0..count).try_for_each(|at| {
                let (z, x) = ((at / columns) as i32, (at % columns) as i32);
                let place = TilePlace::new(first.x + x, first.z + z);
                self.bytes_of(place)?.map_or(Ok(()), |bytes| call(place, bytes))
            }),
        }
    }

    /// Loads a tile; `None` if there is no such tile.
    pub(super) fn load(&self, place: TilePlace) -> Result<Option<NavGrid>, WorldError> {
        match self {
            TileSource::File(file) => {
                let entry = file.find(place)?;
                entry.map(|entry| file.tile(place, &entry)).transpose()
            }
            TileSource::Generated(info, generate) if info.has(place) => {
                let tile = generate(place);
                if let Some(tile) = &tile {
                    info.check_tile(place, tile)?;
                }
                Ok(tile)
            }
            TileSource::Generated(..) => Ok(None),
        }
    }
}
