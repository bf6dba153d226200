//! Merges the tiles of a world into one grid.

use super::error::WorldBakeError;
use super::source::WorldSource;
use super::tiling::WorldTiling;
use crate::scene::canonical::surroundings_hash;
use crate::stages::links::BlockLinks;
use crate::stages::observer::{BakeObserver, Stage};
use crate::stages::provenance::provenance;
use crate::stages::snap_links::snap_links;
use crate::stages::{BakeError, Baked, GroundRules, LevelLinks, begin, finish_layers, freeze};
use surefoot::grid::baker::make_ids_unique;
use surefoot::grid::{GridTile, NavGrid, SceneRecord, merge_tiles};

impl WorldTiling {
    /// Merges tiles into the grid of the whole world: byte for byte what baking it whole gives. Tiles that
    /// are `None` are empty.
    ///
    /// # Errors
    /// There are more or fewer tiles than the world has; tiles do not fit, or were not baked for this world.
    pub fn merge(
        &self,
        source: &dyn WorldSource,
        tiles: &[Option<NavGrid>],
        observer: &dyn BakeObserver,
    ) -> Result<Baked, WorldBakeError> {
        if tiles.len() != self.tiles() {
            let problem = format!("there are {} tiles in place of {}", tiles.len(), self.tiles());
            return Err(WorldBakeError::Tile { index: tiles.len(), problem });
        }
        begin(observer, Stage::Assemble)?;
        let scene = source.outline();
        let mut present = Vec::new();
        let mut records = Vec::new();
        for (index, grid) in tiles.iter().enumerate() {
            let Some(grid) = grid else { continue };
            let own = self.own_cells(index)?;
            self.check_tile(index, grid)?;
            records.extend(grid.provenance().record.iter().flat_map(|record| &record.colliders));
            present.push(GridTile { own, grid });
        }
        let mut parts = merge_tiles(self.frame(), &present).map_err(BakeError::from)?;
        if parts.layers.is_empty() {
            return Err(BakeError::EmptyScene.into());
        }
        begin(observer, Stage::Freeze)?;
        let generated = BlockLinks::of_grid(&parts);
        let record = SceneRecord::new(surroundings_hash(scene), records);
        parts.provenance = provenance(scene, &self.settings, record);
        let (links, problems) = snap_links(&parts, &scene.links);
        parts.links = links;
        parts.links.extend(generated.iter().cloned());
        make_ids_unique(&mut parts.links);
        finish_layers(&mut parts).map_err(BakeError::from)?;
        let links = LevelLinks { generated, problems };
        let rules = GroundRules { volumes: &scene.volumes, settings: &self.settings };
        Ok(freeze(parts, links, rules, None)?)
    }

    /// Checks that a grid is a tile of this world.
    fn check_tile(&self, index: usize, grid: &NavGrid) -> Result<(), WorldBakeError> {
        let kept = self.cells_of(&self.own_cells(index)?).kept;
        let agents = grid.layers().iter().map(|layer| &layer.agent);
        let problem = if *grid.frame() != kept {
            "it lies over other cells than the tile of this plan"
        } else if !agents.eq(&self.settings.agents) {
            "it was baked for other agents"
        } else {
            return Ok(());
        };
        Err(WorldBakeError::Tile { index, problem: problem.to_owned() })
    }
}
