//! What can be read of a world besides its window: single tiles, sections, and a part of it as one grid.

use super::assemble::{Tiles, assemble};
use super::error::WorldError;
use super::info::{BYTES_PER_COLUMN, TilePlace};
use super::source::TileSource;
use super::streaming::World;
use crate::grid::{GridFrame, NavGrid};

impl World {
    /// How many tiles it has; `None` if they are generated.
    pub fn tiles(&self) -> Option<u64> {
        match &*self.tile_set.source {
            TileSource::File(file) => Some(file.tiles()),
            TileSource::Generated(..) => None,
        }
    }

    /// Whether there is a tile at a place. A world that is generated has one wherever it has cells, though
    /// the callback may find that there is no ground. May read a part of the directory.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn has_tile(&self, place: TilePlace) -> Result<bool, WorldError> {
        Ok(self.tile_set.bytes_of(place)?.is_some())
    }

    /// Loads one tile: a grid of its own cells and of a few around them. `None` if there is no such tile.
    ///
    /// # Errors
    /// It cannot be read, takes more memory than allowed, or is not the tile of its place.
    pub fn tile(&self, place: TilePlace) -> Result<Option<NavGrid>, WorldError> {
        self.tile_set.load(place)
    }

    /// Reads a section of a program's own, see [`WorldWriter::section`](super::WorldWriter::section).
    /// `None` if there is none of that kind.
    ///
    /// # Errors
    /// It cannot be read, is damaged, or takes more memory than allowed.
    pub fn section(&self, kind: [u8; 4]) -> Result<Option<Vec<u8>>, WorldError> {
        match &*self.tile_set.source {
            TileSource::File(file) => file.section(kind),
            TileSource::Generated(..) => Ok(None),
        }
    }

    /// Loads all tiles that have cells in a rectangle, given its least and greatest x and z
    /// `[x0, z0, x1, z1]` [m], and makes one grid of them, at once. The window stays as it is.
    ///
    /// # Errors
    /// The rectangle is not finite, or there is no tile; it takes more memory than the limit of
    /// [`LoadOptions`]; a tile cannot be read, or does not fit its neighbors.
    pub fn load(&self, rect: [f32; 4]) -> Result<NavGrid, WorldError> {
        if let Some(at) = rect.iter().position(|v| !v.is_finite()) {
            return Err(WorldError::NotFinite { at });
        }
        let info = self.info();
        let [x0, z0, x1, z1] = rect;
        let cells = GridFrame::covering(info.frame.cell_size, [x0, z0], [x1, z1]);
        let cells = cells.map(|cells| cells.overlap(&info.frame));
        let Some(cells) = cells.filter(|cells| cells.cells() > 0) else {
            return Err(WorldError::NoTile);
        };
        let places = self.places_within(&cells)?;
        let mut tiles = Tiles::new();
        for place in places {
            if let Some(tile) = self.tile(place)? {
                tiles.insert(place, tile);
            }
        }
        assemble(info, &tiles)
    }

    /// Returns the places of the tiles over some cells, if their grid is not too large.
    fn places_within(&self, cells: &GridFrame) -> Result<Vec<TilePlace>, WorldError> {
        let info = self.info();
        let limit = self.memory_limit;
        let check = |bytes: u64, frame: &GridFrame| {
            let columns = (frame.cells() as u64).saturating_mul(BYTES_PER_COLUMN);
            // The tiles, and the grid that is made of them.
            let needed = bytes.saturating_mul(2).saturating_add(columns);
            let part = "the grid of that rectangle".to_owned();
            if needed > limit {
                Err(WorldError::MemoryLimit { part, needed, limit })
            } else {
                Ok(())
            }
        };
        let (mut places, mut bytes, mut frame) = (Vec::new(), 0u64, None::<GridFrame>);
        if let TileSource::Generated(..) = &*self.tile_set.source {
            check(info.bytes_of(cells.cells() as u64, cells), cells)?;
        }
        self.tile_set.for_each_within(cells, &mut |place, own| {
            let around = info.cells_of(place);
            let whole = frame.map_or(around, |frame| frame.bounding(&around));
            frame = Some(whole);
            bytes = bytes.saturating_add(own);
            places.push(place);
            check(bytes, &whole)
        })?;
        Ok(places)
    }
}
