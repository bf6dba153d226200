//! Provides [`LiveTiles`]: tiles of a world that change while they are loaded.

use surefoot::NavGrid;
use surefoot::grid::baker::make_ids_unique;
use surefoot::grid::{
    ColliderRecord, GridFrame, GridParts, GridTile, Provenance, SceneRecord, merge_tiles,
};
use surefoot_rapier::distance::GroundRect;

use super::error::WorldBakeError;
use super::source::WorldSource;
use super::tiling::{WorldTiling, surroundings_over};
use crate::scene::Scene;
use crate::stages::links::BlockLinks;
use crate::stages::live::{LiveBake, NodeNumbers};
use crate::stages::observer::BakeObserver;
use crate::stages::provenance::settings_json;
use crate::stages::settings::BakeSettings;
use crate::stages::{BakeError, finish_layers};

/// Some tiles of a world whose colliders are added, moved and removed: a [`LiveBake`] of what they see. After an
/// update the tiles are those that baking the changed world gives, and
/// [`World::set_tiles`](surefoot::world::World::set_tiles) puts them in place of those that were loaded.
///
/// A tile depends on more than its own cells. So a change has to lie so deep within these tiles that no other tile
/// sees it: see [`WorldTiling::tiles_that_see`].
#[derive(Debug)]
pub struct LiveTiles {
    tiling: WorldTiling,
    /// What the world has beyond its solids.
    outline: Scene,
    live: LiveBake,
    /// The numbers of the tiles.
    tiles: Vec<usize>,
}

/// A tile that was baked again.
#[derive(Clone, Debug)]
pub struct LiveTile {
    /// Its number.
    pub index: usize,
    /// The cells that are its own.
    pub own: GridFrame,
    /// Its grid.
    pub grid: NavGrid,
}

impl WorldTiling {
    /// Returns the numbers of the tiles that see something within a rectangle, and so change with it.
    pub fn tiles_that_see(&self, rect: &GroundRect) -> Vec<usize> {
        let sees = |index: &usize| {
            self.own_cells(*index).is_ok_and(|own| self.seen_from(&own).intersects(rect))
        };
        (0..self.tiles()).filter(sees).collect()
    }

    /// Bakes some tiles, to be baked again whenever something in them changes. Takes the memory and time of a bake
    /// of the rectangle around them.
    ///
    /// # Errors
    /// There is no such tile, there are none, the source cannot be read, or the observer cancels the bake.
    pub fn live_tiles(
        &self,
        source: &dyn WorldSource,
        tiles: &[usize],
        observer: &dyn BakeObserver,
    ) -> Result<LiveTiles, WorldBakeError> {
        let own = tiles.iter().map(|&index| self.own_cells(index));
        let own: Vec<GridFrame> = own.collect::<Result<_, _>>()?;
        let Some(all) = own.iter().copied().reduce(|one, other| one.bounding(&other)) else {
            return Err(WorldBakeError::NoSuchTile { index: 0, tiles: 0 });
        };
        let scene = source.scene_over(&self.seen_from(&all))?;
        // Links of the author may lead anywhere, and small regions may go on elsewhere.
        let scene = Scene { links: Vec::new(), ..scene };
        let (min, max) = self.cells_of(&all).ground.bounds();
        let settings = BakeSettings {
            bounds: Some([min[0], min[1], max[0], max[1]]),
            min_region_area: 0.0,
            cell_size: Some(self.frame().cell_size),
            ..self.settings.clone()
        };
        let live = LiveBake::new(scene, &settings, observer)?;
        let outline = Scene { links: Vec::new(), ..source.outline().clone() };
        Ok(LiveTiles { tiling: self.clone(), outline, live, tiles: tiles.to_vec() })
    }
}

impl LiveTiles {
    /// What they are made of: colliders to be added, moved and removed.
    pub fn live(&mut self) -> &mut LiveBake {
        &mut self.live
    }

    /// Bakes again what changed since the last update, and returns all of the tiles.
    ///
    /// # Errors
    /// As [`LiveBake::update`]; the tiles stay as they were.
    pub fn update(&mut self, observer: &dyn BakeObserver) -> Result<Vec<LiveTile>, WorldBakeError> {
        self.live.update(observer)?;
        self.tiles.iter().map(|&index| self.tile(index)).collect()
    }

    /// Cuts a tile out of the grid of all.
    fn tile(&self, index: usize) -> Result<LiveTile, WorldBakeError> {
        let own = self.tiling.own_cells(index)?;
        let kept = self.tiling.cells_of(&own).kept;
        let grid = self.live.grid();
        let cells = GridTile { own: grid.frame().overlap(&kept), grid };
        let mut parts = merge_tiles(&kept, &[cells]).map_err(BakeError::from)?;
        parts.links = BlockLinks::of_grid(&parts).within(&parts.frame, &own);
        make_ids_unique(&mut parts.links);
        finish_layers(&mut parts).map_err(BakeError::from)?;
        let records = self.live.records();
        let seen = self.tiling.seen_from(&own);
        rename_nodes(&mut parts, self.live.names_over(&seen));
        let sees = |record: &&ColliderRecord| {
            GroundRect { min: record.min, max: record.max }.intersects(&seen)
        };
        let around = surroundings_over(&self.outline, &seen);
        let all = SceneRecord::new(around, records.iter().filter(sees).copied().collect());
        let owned = records.into_iter().filter(|record| self.tiling.owns(&own, record)).collect();
        parts.provenance = Provenance {
            scene: self.outline.report.file.clone(),
            scene_hash: self.tiling.key(&own, &all),
            settings: settings_json(&self.tiling.settings),
            record: Some(SceneRecord::new(around, owned)),
        };
        Ok(LiveTile { index, own, grid: NavGrid::from_baker(parts).map_err(BakeError::from)? })
    }
}

/// Gives nodes their numbers among some names.
fn rename_nodes(parts: &mut GridParts, names: Vec<String>) {
    if let Some(numbers) = NodeNumbers::new(&parts.nodes, &names) {
        parts.spans.iter_mut().for_each(|span| *span = numbers.span(*span));
        for standing in parts.layers.iter_mut().flat_map(|layer| &mut layer.standings) {
            *standing = standing.renumbered(|node| numbers.node(node));
        }
    }
    parts.nodes = names;
}
