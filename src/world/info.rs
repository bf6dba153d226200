//! Provides [`WorldInfo`]: where the tiles of a world lie, and what they have in common.

use crate::agent::Agent;
use crate::grid::{AgentId, Area, Cell, GridFrame, NavGrid, Provenance};

use super::error::WorldError;
use super::links::WorldLink;

/// Which tile: how many tiles to the right of cell 0 it lies, and how many rows of tiles further on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TilePlace {
    /// Rows of tiles along world z. First, so that places sort row by row.
    pub z: i32,
    /// Tiles along world x.
    pub x: i32,
}

impl TilePlace {
    /// The tile at column `x` of row `z`.
    pub const fn new(x: i32, z: i32) -> Self {
        TilePlace { x, z }
    }
}

impl std::fmt::Display for TilePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.x, self.z)
    }
}

/// What the tiles of a world have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldInfo {
    /// The world's name, for people.
    pub name: String,
    /// The cells of the world, and their size.
    pub frame: GridFrame,
    /// Side of a tile [cells, 1 to 4096]. A tile's least cell is a multiple of it.
    pub tile_side: u32,
    /// Whose ground the tiles have, in the order of their layers.
    pub agents: Vec<Agent>,
    /// The kinds of ground.
    pub areas: Vec<Area>,
    /// Where the world came from; without the record of its solids.
    pub provenance: Provenance,
    /// The author's links, which may lead from one tile to another. Those that were generated are in the tiles.
    pub links: Vec<WorldLink>,
}

/// Cells are numbered within so many from cell 0.
const MOST_CELLS: i32 = 1 << 30;
/// The largest side of a tile [cells].
const MOST_SIDE: u32 = 4096;

impl WorldInfo {
    /// A world without bounds, as far as cells can be numbered: 2^30 each way. It has plain ground only.
    pub fn endless(cell_size: f32, tile_side: u32, agents: Vec<Agent>) -> Self {
        let (min, size) = (Cell::new(-MOST_CELLS, -MOST_CELLS), 2 * MOST_CELLS.unsigned_abs());
        WorldInfo {
            name: String::new(),
            frame: GridFrame { cell_size, min, size_x: size, size_z: size },
            tile_side,
            agents,
            areas: vec![Area::walkable()],
            provenance: Provenance::default(),
            links: Vec::new(),
        }
    }

    /// A world of some cells, whose tiles have what one of them has.
    pub fn of_tile(tile: &NavGrid, frame: GridFrame, tile_side: u32) -> Self {
        let provenance = Provenance { record: None, ..tile.provenance().clone() };
        WorldInfo {
            name: provenance.scene.clone(),
            frame,
            tile_side,
            agents: tile.layers().iter().map(|layer| layer.agent.clone()).collect(),
            areas: tile.areas().to_vec(),
            provenance,
            links: Vec::new(),
        }
    }

    /// Returns whether there can be such a world.
    ///
    /// # Errors
    /// The first thing that is wrong: cells without size or too many of them, a side that is no side, too
    /// many agents.
    pub fn check(&self) -> Result<(), WorldError> {
        let GridFrame { cell_size, min, size_x, size_z } = self.frame;
        let fits = |min: i32, size: u32| {
            let end = i64::from(min) + i64::from(size);
            min >= -MOST_CELLS && end <= i64::from(MOST_CELLS)
        };
        let problem = if !(cell_size.is_finite() && cell_size > 0.0) {
            format!("cells are {cell_size} m wide; they need a finite size > 0")
        } else if !(fits(min.x, size_x) && fits(min.z, size_z)) {
            format!("its cells lie {MOST_CELLS} or more from cell 0")
        } else if !(1..=MOST_SIDE).contains(&self.tile_side) {
            format!("tiles have a side of {} cells; it has to be 1 to {MOST_SIDE}", self.tile_side)
        } else if self.agents.len() > usize::from(u16::MAX) {
            format!("there are {} agents", self.agents.len())
        } else {
            return self.check_links();
        };
        Err(WorldError::Info { problem })
    }

    fn check_links(&self) -> Result<(), WorldError> {
        for (at, link) in self.links.iter().enumerate() {
            link.check(self.agents.len()).map_err(|problem| WorldError::Info {
                problem: format!("link {at} \"{}\": {problem}", link.link.name),
            })?;
        }
        Ok(())
    }

    /// Returns the agent of a name.
    ///
    /// # Errors
    /// There is none; the error names those there are.
    pub(super) fn agent_named(&self, name: &str) -> Result<AgentId, WorldError> {
        let index = self.agents.iter().position(|known| known.name == name);
        index.map(|index| AgentId(index as u16)).ok_or_else(|| {
            let names: Vec<&str> = self.agents.iter().map(|agent| agent.name.as_str()).collect();
            let problem = format!("it has no agent \"{name}\"; there are {}", names.join(", "));
            WorldError::Info { problem }
        })
    }

    /// The tile with the least x and z.
    pub fn first_place(&self) -> TilePlace {
        let Cell { x, z } = self.frame.min;
        self.place_of(Cell::new(x, z))
    }

    /// How many tiles lie side by side along x.
    pub fn columns(&self) -> u32 {
        self.along(self.frame.min.x, self.frame.size_x)
    }

    /// How many rows of tiles there are.
    pub fn rows(&self) -> u32 {
        self.along(self.frame.min.z, self.frame.size_z)
    }

    fn along(&self, min: i32, size: u32) -> u32 {
        let side = self.side();
        let end = i64::from(min) + i64::from(size);
        let (first, last) = (i64::from(min).div_euclid(side), (end - 1).div_euclid(side));
        (last - first + 1).max(0) as u32
    }

    fn side(&self) -> i64 {
        i64::from(self.tile_side.max(1))
    }

    /// The tile of a cell, in the world or not.
    pub fn place_of(&self, cell: Cell) -> TilePlace {
        let at = |v: i32| i64::from(v).div_euclid(self.side()) as i32;
        TilePlace::new(at(cell.x), at(cell.z))
    }

    /// The tile under a point (x, z) [m], in the world or not.
    pub fn place_at(&self, x: f32, z: f32) -> TilePlace {
        self.place_of(self.frame.cell_at(x, z))
    }

    /// The cells of a tile; none outside the world.
    pub fn cells_of(&self, place: TilePlace) -> GridFrame {
        let at = |v: i32| i32::try_from(i64::from(v) * self.side()).ok();
        let (Some(x), Some(z)) = (at(place.x), at(place.z)) else {
            return GridFrame { size_x: 0, size_z: 0, ..self.frame };
        };
        let side = self.tile_side;
        let square = GridFrame { min: Cell::new(x, z), size_x: side, size_z: side, ..self.frame };
        square.overlap(&self.frame)
    }

    /// Whether a tile has cells of the world.
    pub(super) fn has(&self, place: TilePlace) -> bool {
        self.cells_of(place).cells() > 0
    }

    /// The tile of the world that is nearest to a place.
    pub(super) fn nearest(&self, place: TilePlace) -> TilePlace {
        let first = self.first_place();
        let clamped = |v: i32, first: i32, count: u32| {
            let last = i64::from(first) + i64::from(count.max(1)) - 1;
            i64::from(v).clamp(i64::from(first), last) as i32
        };
        let x = clamped(place.x, first.x, self.columns());
        TilePlace::new(x, clamped(place.z, first.z, self.rows()))
    }

    /// Bytes that the spans and columns of a tile take in memory.
    pub(super) fn bytes_of(&self, spans: u64, cells: &GridFrame) -> u64 {
        let per_span = 16 + 8 * self.agents.len() as u64;
        let columns = (cells.cells() as u64).saturating_mul(BYTES_PER_COLUMN);
        spans.saturating_mul(per_span).saturating_add(columns)
    }

    /// Checks that a grid is the tile of a place.
    pub(super) fn check_tile(&self, place: TilePlace, tile: &NavGrid) -> Result<(), WorldError> {
        let own = self.cells_of(place);
        let around = own.grown(self.tile_side);
        let problem = if own.cells() == 0 {
            "it lies outside the world".to_owned()
        } else if tile.frame().cell_size != self.frame.cell_size {
            format!("its cells are {} m wide", tile.frame().cell_size)
        } else if own.overlap(tile.frame()) != own {
            "its grid does not have all of its cells".to_owned()
        } else if tile.frame().overlap(&around) != *tile.frame() {
            "its grid reaches farther than the tiles around it".to_owned()
        } else if !tile.layers().iter().map(|layer| &layer.agent).eq(&self.agents) {
            "it has other agents than the world".to_owned()
        } else if tile.areas() != self.areas {
            "it has other areas than the world".to_owned()
        } else {
            return Ok(());
        };
        Err(WorldError::Mismatch { place, problem })
    }
}

/// A column has the number of its first span.
pub(super) const BYTES_PER_COLUMN: u64 = 4;
