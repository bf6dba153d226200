//! Provides [`WorldTiling`]: how a world is cut into tiles, and what each of them sees.

use super::error::WorldBakeError;
use super::source::WorldSource;
use crate::scene::canonical::surroundings_hash_of;
use crate::scene::{Scene, Volume};
use crate::stages::grid::ledge_reach;
use crate::stages::links::{links_lead, links_reach};
use crate::stages::plan::BakePlan;
use crate::stages::provenance::settings_json;
use crate::stages::settings::BakeSettings;
use surefoot::grid::{Cell, ColliderRecord, ContentHash, GridFrame, SceneRecord};
use surefoot_rapier::distance::GroundRect;

/// How a world is cut into tiles: squares of cells whose sides are multiples of [`WorldTiling::SIDE_STEP`].
#[derive(Clone, Debug)]
pub struct WorldTiling {
    pub(super) plan: BakePlan,
    pub(super) settings: BakeSettings,
    tile_side: u32,
    /// How many tiles lie side by side.
    columns: usize,
    rows: usize,
}

/// What a tile is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct TileInput {
    /// The cells that are the tile's own.
    pub own: GridFrame,
    /// A hash of all that the tile depends on: what it sees, the settings, and the version of this program.
    /// Hexadecimal; the hash of the scene in the tile's grid.
    pub key: String,
    /// How many solids it sees. A tile that sees none is empty, and need not be baked.
    pub colliders: usize,
    /// How many cells are baked, with those around its own.
    pub cells: usize,
}

/// How far around a tile's own cells the stages look.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileMargins {
    /// The cells that a tile's grid has beyond its own.
    pub kept: u32,
    /// The cells whose ground links depend on.
    pub links: u32,
    /// The cells around those that ledges there depend on.
    pub ledges: u32,
}

/// More than rounding can add to a reach [m].
const REACH_MARGIN: f32 = 0.05;

impl WorldTiling {
    /// Sides of tiles are multiples of so many cells.
    pub const SIDE_STEP: u32 = 64;
    /// The largest side of a tile [cells].
    pub const MOST_SIDE: u32 = 4096;

    /// Plans the tiles of a world, with sides of so many cells, rounded up to a multiple of
    /// [`WorldTiling::SIDE_STEP`].
    ///
    /// # Errors
    /// Settings that [`bake`](crate::bake) refuses, bounds, and a world without solids.
    pub fn new(
        source: &dyn WorldSource,
        settings: &BakeSettings,
        tile_side: u32,
    ) -> Result<Self, WorldBakeError> {
        if settings.bounds.is_some() {
            return Err(WorldBakeError::Bounds);
        }
        let plan = BakePlan::new(source.bounds(), source.outline(), settings)?;
        let step = Self::SIDE_STEP;
        let tile_side = tile_side.clamp(step, Self::MOST_SIDE).next_multiple_of(step);
        let along = |min: i32, size: u32| {
            let side = i64::from(tile_side);
            let (first, end) = (i64::from(min), i64::from(min) + i64::from(size));
            ((end - 1).div_euclid(side) - first.div_euclid(side) + 1).max(0) as usize
        };
        let GridFrame { min, size_x, size_z, .. } = plan.frame;
        let (columns, rows) = (along(min.x, size_x), along(min.z, size_z));
        Ok(WorldTiling { plan, settings: settings.clone(), tile_side, columns, rows })
    }

    /// The cells of the whole world.
    pub fn frame(&self) -> &GridFrame {
        &self.plan.frame
    }

    /// How many tiles there are, with those that are empty.
    pub fn tiles(&self) -> usize {
        self.columns * self.rows
    }

    /// How many tiles lie side by side along x. Tiles are numbered row by row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The side of a tile [cells].
    pub fn tile_side(&self) -> u32 {
        self.tile_side
    }

    /// How many cells the links of a tile lead beyond its own; 0 if no agent leaves the ground.
    pub fn link_reach(&self) -> u32 {
        links_lead(&self.plan.agents, self.plan.work.cell_size)
    }

    /// The settings of the bake.
    pub fn settings(&self) -> &BakeSettings {
        &self.settings
    }

    /// Returns the cells that are a tile's own.
    ///
    /// # Errors
    /// There is no such tile.
    pub fn own_cells(&self, index: usize) -> Result<GridFrame, WorldBakeError> {
        let tiles = self.tiles();
        if index >= tiles {
            return Err(WorldBakeError::NoSuchTile { index, tiles });
        }
        let (row, column) = (index / self.columns, index % self.columns);
        let side = self.tile_side as i32;
        let frame = &self.plan.frame;
        let along = |min: i32, at: usize| (min.div_euclid(side) + at as i32) * side;
        let min = Cell::new(along(frame.min.x, column), along(frame.min.z, row));
        let square = GridFrame { min, size_x: self.tile_side, size_z: self.tile_side, ..*frame };
        Ok(square.overlap(frame))
    }

    /// Returns what a tile is made of. Reads what the tile sees, and bakes nothing.
    ///
    /// # Errors
    /// There is no such tile, or the source cannot be read.
    pub fn input(
        &self,
        source: &dyn WorldSource,
        index: usize,
    ) -> Result<TileInput, WorldBakeError> {
        let own = self.own_cells(index)?;
        let seen = self.record_of(source, &own)?;
        let colliders = seen.colliders.len();
        let cells = self.cells_of(&own).window.cells();
        Ok(TileInput { own, key: self.key(&own, &seen), colliders, cells })
    }

    /// Returns the record of what a tile sees.
    fn record_of(
        &self,
        source: &dyn WorldSource,
        own: &GridFrame,
    ) -> Result<SceneRecord, WorldBakeError> {
        let seen = self.seen_from(own);
        let colliders = source.records_over(&seen)?;
        Ok(SceneRecord::new(surroundings_over(source.outline(), &seen), colliders))
    }

    /// Returns the hash of all that a tile depends on.
    pub(super) fn key(&self, own: &GridFrame, seen: &SceneRecord) -> String {
        let SceneRecord { surroundings, colliders } = seen;
        let mut hasher = blake3::Hasher::new();
        hasher.update(TILE_FORMAT.as_bytes());
        hasher.update(surroundings);
        let settings =
            settings_json(&BakeSettings { min_region_area: 0.0, ..self.settings.clone() });
        hasher.update(settings.to_string().as_bytes());
        // Tiles at the border of the world have other cells.
        let cells = self.cells_of(own);
        for frame in [own, &cells.kept, &cells.ground, &cells.window] {
            let Cell { x, z } = frame.min;
            for number in [x as u32, z as u32, frame.size_x, frame.size_z] {
                hasher.update(&number.to_le_bytes());
            }
        }
        for record in colliders {
            hasher.update(&record.hash);
        }
        hasher.finalize().to_hex()[..KEY_DIGITS].to_owned()
    }

    /// Returns whether a solid is counted with a tile: the one that its least corner lies in.
    pub(super) fn owns(&self, own: &GridFrame, record: &ColliderRecord) -> bool {
        let frame = &self.plan.frame;
        let Cell { x, z } = frame.cell_at(record.min[0], record.min[1]);
        let inside = |at: i32, min: i32, size: u32| at.clamp(min, min + size as i32 - 1);
        let x = inside(x, frame.min.x, frame.size_x);
        let z = inside(z, frame.min.z, frame.size_z);
        own.index(Cell::new(x, z)).is_some()
    }

    /// Returns the cells that a tile works on.
    pub(super) fn cells_of(&self, own: &GridFrame) -> TileCells {
        let TileMargins { kept, links, ledges } = self.margins();
        let (frame, work) = (&self.plan.frame, &self.plan.work);
        let ground = own.grown(links.max(kept)).overlap(frame);
        TileCells {
            own: *own,
            kept: own.grown(kept).overlap(frame),
            ground,
            window: ground.grown(ledges).overlap(work),
        }
    }

    fn margins(&self) -> TileMargins {
        let (agents, cell_size) = (&self.plan.agents, self.plan.work.cell_size);
        TileMargins {
            kept: links_lead(agents, cell_size).max(1),
            links: links_reach(agents, cell_size),
            ledges: ledge_reach(agents, cell_size),
        }
    }

    /// Returns the rectangle whose geometry a tile depends on.
    pub(super) fn seen_from(&self, own: &GridFrame) -> GroundRect {
        let (min, max) = self.cells_of(own).window.grown(2).bounds();
        let step = std::f32::consts::SQRT_2 * self.plan.work.cell_size;
        let reach = self.plan.probes.iter().map(|probe| probe.reach(step)).fold(0.0, f32::max);
        GroundRect { min, max }.grown(reach + REACH_MARGIN)
    }
}

/// Returns the hash of what matters to all floors over a rectangle: areas, and the volumes that reach into it.
/// Links are not in it: they are found when tiles are merged.
pub(super) fn surroundings_over(outline: &Scene, seen: &GroundRect) -> ContentHash {
    surroundings_hash_of(outline, |Volume { shape, .. }| {
        let (low, high) = shape.bounds();
        GroundRect { min: [low.x, low.z], max: [high.x, high.z] }.intersects(seen)
    })
}

/// Length of a key.
const KEY_DIGITS: usize = 32;

/// Changes with what a tile's file holds for the same input.
const TILE_FORMAT: &str = "surefoot tile 2";

/// The cells that a tile works on.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileCells {
    /// Its own.
    pub own: GridFrame,
    /// Those of its grid.
    pub kept: GridFrame,
    /// Those whose ground is exact.
    pub ground: GridFrame,
    /// Those that are cast.
    pub window: GridFrame,
}
