//! Provides [`RegionIndex`]: which ground of a world is joined, over however many tiles.

use nalgebra::Point3;

use super::error::WorldError;
use super::info::TilePlace;
use super::section_reader::SectionReader;
use crate::grid::RegionId;

/// A region of a world: spans of any number of tiles that reach each other, over connections and two-way links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldRegion {
    /// How many spans it has [> 0].
    pub spans: u64,
    /// The center of the cell with the most room around it [m].
    pub at: Point3<f32>,
    /// Least coordinates of the centers of its cells [m].
    pub min: Point3<f32>,
    /// Greatest coordinates of the centers of its cells [m].
    pub max: Point3<f32>,
}

/// The regions of a world for one agent. Small enough to stay in memory: 48 bytes a region, 4 for each region of
/// each tile, and 12 a tile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegionIndex {
    /// The largest first.
    pub regions: Vec<WorldRegion>,
    /// In the order of their places.
    pub tiles: Vec<TileRegions>,
}

/// The regions that a tile has a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileRegions {
    /// The tile.
    pub place: TilePlace,
    /// For each region of the tile's grid that of the world; `None` for those without a cell that is the tile's own.
    pub regions: Vec<Option<u32>>,
}

/// Stands for a region without a cell of its own.
const NO_REGION: u32 = u32::MAX;
/// Bytes of a region, and the least bytes of a tile.
const REGION_BYTES: usize = 8 + 3 * 12;
const TILE_BYTES: usize = 12;

impl RegionIndex {
    /// Returns the region of the world that a region of a tile's grid is a part of, as an index of
    /// [`RegionIndex::regions`]. O(log tiles).
    pub fn region_of(&self, place: TilePlace, region: RegionId) -> Option<usize> {
        let at = self.tiles.binary_search_by_key(&place, |tile| tile.place).ok()?;
        let of_world = self.tiles[at].regions.get(region.0 as usize)?;
        of_world.map(|region| region as usize)
    }

    /// How much memory it takes [bytes].
    pub fn bytes(&self) -> usize {
        let of_tile = |tile: &TileRegions| size_of_val(tile) + size_of_val(&*tile.regions);
        size_of_val(&*self.regions) + self.tiles.iter().map(of_tile).sum::<usize>()
    }

    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend((self.regions.len() as u32).to_le_bytes());
        for WorldRegion { spans, at, min, max } in &self.regions {
            bytes.extend(spans.to_le_bytes());
            let points = [at, min, max].into_iter();
            points.flat_map(|point| &point.coords).for_each(|v| bytes.extend(v.to_le_bytes()));
        }
        bytes.extend((self.tiles.len() as u32).to_le_bytes());
        for TileRegions { place, regions } in &self.tiles {
            bytes.extend(place.x.to_le_bytes());
            bytes.extend(place.z.to_le_bytes());
            bytes.extend((regions.len() as u32).to_le_bytes());
            for region in regions {
                bytes.extend(region.unwrap_or(NO_REGION).to_le_bytes());
            }
        }
    }

    pub(super) fn read(reader: &mut SectionReader) -> Result<Self, WorldError> {
        let count = reader.count(REGION_BYTES)?;
        let regions = (0..count).map(|_| WorldRegion::read(reader)).collect::<Result<_, _>>()?;
        let mut index = RegionIndex { regions, tiles: Vec::new() };
        let tiles = reader.count(TILE_BYTES)?;
        index.tiles.reserve_exact(tiles);
        for _ in 0..tiles {
            let tile = index.read_tile(reader)?;
            if index.tiles.last().is_some_and(|last| last.place >= tile.place) {
                return Err(reader.damaged("tiles are not in order"));
            }
            index.tiles.push(tile);
        }
        Ok(index)
    }

    fn read_tile(&self, reader: &mut SectionReader) -> Result<TileRegions, WorldError> {
        let (x, z) = (reader.i32()?, reader.i32()?);
        let count = reader.count(size_of::<u32>())?;
        let mut regions = Vec::with_capacity(count);
        for _ in 0..count {
            regions.push(match reader.u32()? {
                NO_REGION => None,
                region if (region as usize) < self.regions.len() => Some(region),
                _ => return Err(reader.damaged("there is no such region")),
            });
        }
        Ok(TileRegions { place: TilePlace::new(x, z), regions })
    }
}

impl WorldRegion {
    /// The area of its cells, given the side of one [m]; seen from above [m²].
    pub fn area(&self, cell_size: f32) -> f64 {
        self.spans as f64 * f64::from(cell_size).powi(2)
    }

    fn read(reader: &mut SectionReader) -> Result<Self, WorldError> {
        let spans = reader.u64()?;
        let [at, min, max] = [reader.point()?, reader.point()?, reader.point()?];
        Ok(WorldRegion { spans, at, min, max })
    }
}
