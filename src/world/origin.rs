//! Provides [`Origin`]: a world seen from one of its tiles, so that coordinates stay small and precise.

use nalgebra::{Point3, Vector3};

use super::error::WorldError;
use super::info::{TilePlace, WorldInfo};
use super::links::WorldLink;
use super::region_index::{RegionIndex, TileRegions};
use crate::far::TileBorder;
use crate::grid::{Cell, CellLayer, CellOffset, GridFrame, NavGrid};
use crate::level::Link;

/// From which tile of its source a world is seen: the least cell of that one is cell (0, 0).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin {
    /// The tile, as the source counts.
    place: TilePlace,
    /// Its least cell, as the source counts.
    cells: CellOffset,
    /// Side of a cell [m].
    cell_size: f32,
}

impl Origin {
    /// The origin at a tile of a source, of which `from` is the origin so far. `None` if the tile is nowhere.
    pub fn at(self, place: TilePlace, info: &WorldInfo) -> Option<Self> {
        let place = self.to_source(place)?;
        let side = i32::try_from(info.tile_side).ok()?;
        let cells = CellOffset { x: place.x.checked_mul(side)?, z: place.z.checked_mul(side)? };
        Some(Origin { place, cells, cell_size: info.frame.cell_size })
    }

    /// Whether the source is seen as it is.
    pub fn is_that_of_the_source(self) -> bool {
        self.place == TilePlace::default()
    }

    /// Which tile of the source a place is.
    pub fn to_source(self, place: TilePlace) -> Option<TilePlace> {
        let TilePlace { x, z } = self.place;
        Some(TilePlace::new(place.x.checked_add(x)?, place.z.checked_add(z)?))
    }

    /// Which place a tile of the source is.
    pub fn of_source(self, place: TilePlace) -> Option<TilePlace> {
        let TilePlace { x, z } = self.place;
        Some(TilePlace::new(place.x.checked_sub(x)?, place.z.checked_sub(z)?))
    }

    /// Returns the same cells as the source counts them; those that have no number there are left out.
    pub fn cells_of_source(self, cells: &GridFrame) -> GridFrame {
        let CellOffset { x, z } = self.cells;
        moved_frame(cells, [x.into(), z.into()])
    }

    /// Returns the info as seen from the origin.
    ///
    /// # Errors
    /// An end of a link has no number there.
    pub fn info(self, info: &WorldInfo) -> Result<WorldInfo, WorldError> {
        let CellOffset { x, z } = self.cells;
        let frame = moved_frame(&info.frame, [-i64::from(x), -i64::from(z)]);
        // What has no number is left out of endless worlds.
        let frame = frame.overlap(&WorldInfo::endless(info.frame.cell_size, 1, Vec::new()).frame);
        let links = info.links.iter().map(|link| self.world_link(link)).collect::<Option<_>>();
        let problem = "a link of it is too far away to be seen from there".to_owned();
        let links = links.ok_or(WorldError::Info { problem })?;
        Ok(WorldInfo { frame, links, ..info.clone() })
    }

    fn world_link(self, link: &WorldLink) -> Option<WorldLink> {
        let lane = |&[from, to]: &[CellLayer; 2]| Some([self.address(from)?, self.address(to)?]);
        let lanes =
            |lanes: &Vec<[CellLayer; 2]>| lanes.iter().map(lane).collect::<Option<Vec<_>>>();
        let lanes = link.lanes.iter().map(lanes).collect::<Option<_>>()?;
        let mut link = link.link.clone();
        self.move_link(&mut link);
        Some(WorldLink { link, lanes })
    }

    fn address(self, CellLayer { cell, layer }: CellLayer) -> Option<CellLayer> {
        let Cell { x, z } = cell;
        let cell = Cell::new(x.checked_sub(self.cells.x)?, z.checked_sub(self.cells.z)?);
        Some(CellLayer { cell, layer })
    }

    fn move_link(self, link: &mut Link) {
        link.from.iter_mut().chain(&mut link.to).for_each(|point| self.move_point(point));
    }

    fn move_point(self, point: &mut Point3<f32>) {
        let metres = |cells: i32| f64::from(cells) * f64::from(self.cell_size);
        let offset = Vector3::new(metres(self.cells.x), 0.0, metres(self.cells.z));
        *point = (point.cast::<f64>() - offset).cast::<f32>();
    }

    /// Returns a tile of the source as seen from the origin; `None` if its cells have no numbers there.
    pub fn tile(self, tile: NavGrid) -> Result<Option<NavGrid>, WorldError> {
        if self.is_that_of_the_source() {
            return Ok(Some(tile));
        }
        let mut parts = tile.into_parts();
        let Some(min) = self.address(CellLayer { cell: parts.frame.min, layer: 0 }) else {
            return Ok(None);
        };
        parts.frame.min = min.cell;
        parts.links.iter_mut().for_each(|link| self.move_link(link));
        // It says where the solids of the tile were.
        parts.provenance.record = None;
        let problem = |source| WorldError::Merge { place: TilePlace::default(), source };
        NavGrid::from_baker(parts).map(Some).map_err(problem)
    }

    /// Returns the border of a tile as seen from the origin; `None` if its cells have no numbers there.
    pub fn border(self, mut border: TileBorder) -> Option<TileBorder> {
        border.min = self.address(CellLayer { cell: border.min, layer: 0 })?.cell;
        for gate in &mut border.gates {
            (gate.at, gate.to) = (self.address(gate.at)?, self.address(gate.to)?);
        }
        Some(border)
    }

    /// Returns the regions of the source as seen from the origin.
    pub fn regions(self, mut index: RegionIndex) -> RegionIndex {
        if self.is_that_of_the_source() {
            return index;
        }
        for region in &mut index.regions {
            for point in [&mut region.at, &mut region.min, &mut region.max] {
                self.move_point(point);
            }
        }
        let tiles = std::mem::take(&mut index.tiles).into_iter();
        index.tiles = tiles
            .filter_map(|tile| Some(TileRegions { place: self.of_source(tile.place)?, ..tile }))
            .collect();
        index
    }
}

/// Moves a frame by some cells along x and z, as far as cells have numbers.
fn moved_frame(frame: &GridFrame, by: [i64; 2]) -> GridFrame {
    let along = |min: i32, size: u32, by: i64| {
        let (low, high) = (i64::from(min) + by, i64::from(min) + i64::from(size) + by);
        let [low, high] = [low, high].map(|v| v.clamp(i32::MIN.into(), i32::MAX.into()));
        (low as i32, (high - low) as u32)
    };
    let (x, size_x) = along(frame.min.x, frame.size_x, by[0]);
    let (z, size_z) = along(frame.min.z, frame.size_z, by[1]);
    GridFrame { cell_size: frame.cell_size, min: Cell::new(x, z), size_x, size_z }
}
