//! Bakes one tile of a world, from what it sees alone.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::error::WorldBakeError;
use super::source::WorldSource;
use super::tiling::{TileCells, WorldTiling, surroundings_over};
use crate::scene::Scene;
use crate::stages::grid::GridColumns;
use crate::stages::links::LinkStage;
use crate::stages::observer::{BakeObserver, Stage};
use crate::stages::plan::{BakeContext, BakePlan};
use crate::stages::provenance::settings_json;
use crate::stages::split_tiles::split_tiles;
use crate::stages::{Assembly, BakeError, Baked, bake_tiles, begin, caster_of, finish_layers};
use surefoot::Observer;
use surefoot::grid::baker::make_ids_unique;
use surefoot::grid::{GridParts, NavGrid, Provenance, SceneRecord};
use surefoot::observer::check_cancelled;

impl WorldTiling {
    /// Bakes a whole world, tile by tile: the source is read where a tile needs it, while tiles are kept until
    /// they are merged. The result is, byte for byte, that of baking it at once.
    ///
    /// # Errors
    /// As [`WorldTiling::bake_tile`] and [`WorldTiling::merge`].
    pub fn bake(
        &self,
        source: &dyn WorldSource,
        observer: &dyn BakeObserver,
    ) -> Result<Baked, WorldBakeError> {
        let done = AtomicUsize::new(0);
        let tiles = (0..self.tiles()).into_par_iter().with_max_len(1).map(|index| {
            check_cancelled(observer).map_err(BakeError::from)?;
            let is_empty = self.input(source, index)?.colliders == 0;
            let tile = (!is_empty).then(|| self.bake_tile(source, index, &Quiet(observer)));
            observer.parts_done(done.fetch_add(1, Ordering::Relaxed) + 1, self.tiles());
            tile.transpose()
        });
        let tiles: Vec<Option<NavGrid>> = tiles.collect::<Result<_, _>>()?;
        self.merge(source, &tiles, observer)
    }

    /// Bakes a tile: a grid of its own cells and of those around them that their connections and links lead
    /// to. Its own cells are those of a bake of the whole world, but for clearance and regions, which are
    /// those of this grid, and without the author's links. Its record has the solids whose least corner lies
    /// in it, and the hash of the areas and of the volumes that it sees.
    ///
    /// # Errors
    /// There is no such tile, the source cannot be read, or the observer cancels the bake.
    pub fn bake_tile(
        &self,
        source: &dyn WorldSource,
        index: usize,
        observer: &dyn BakeObserver,
    ) -> Result<NavGrid, WorldBakeError> {
        let cells = self.cells_of(&self.own_cells(index)?);
        let seen = self.seen_from(&cells.own);
        observer.begin(Stage::Index);
        let world = source.world_over(&seen)?;
        check_cancelled(observer).map_err(BakeError::from)?;
        let caster = caster_of(&world);
        let plan = BakePlan { frame: cells.ground, work: cells.window, ..self.plan.clone() };
        let scene = Scene { links: Vec::new(), ..source.outline().clone() };
        let settings = &self.settings;
        let assembly = Assembly { scene: &scene, caster: &caster, plan: &plan, settings, observer };
        let mut parts = assembly.tile_ground(&cells)?;
        parts.nodes = world.nodes().to_vec();
        parts.crop(&cells.kept);
        finish_layers(&mut parts).map_err(BakeError::from)?;
        let records = source.records_over(&seen)?;
        let own = records.into_iter().filter(|record| self.owns(&cells.own, record)).collect();
        let report = &scene.report;
        parts.provenance = Provenance {
            scene: report.file.clone(),
            scene_hash: self.input(source, index)?.key,
            settings: settings_json(settings),
            record: Some(SceneRecord::new(surroundings_over(source.outline(), &seen), own)),
        };
        Ok(NavGrid::from_baker(parts).map_err(BakeError::from)?)
    }
}

/// Passes on whether a bake is cancelled, and in which stage a thread is, but not how far one of many tiles is.
struct Quiet<'a>(&'a dyn BakeObserver);

impl Observer for Quiet<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

impl BakeObserver for Quiet<'_> {
    fn begin(&self, stage: Stage) {
        self.0.begin(stage);
    }
}

impl<C: crate::casts::Caster> Assembly<'_, C> {
    /// Bakes the ground of a tile and what is around it, and the links of its own cells.
    fn tile_ground(&self, cells: &TileCells) -> Result<GridParts, BakeError> {
        let Assembly { caster, plan, settings, observer, .. } = *self;
        let frames = split_tiles(&plan.work, plan.tile_size, rayon::current_num_threads());
        let tiles = bake_tiles(&BakeContext { caster, plan, observer }, &frames)?;
        let columns = GridColumns::new(plan.work, &tiles)?;
        let mut parts = self.ground(columns, tiles.into())?;
        if self.has_jumpers() {
            finish_layers(&mut parts)?;
            let stage = LinkStage { caster, observer, costs: &settings.link_costs };
            parts.links.extend(stage.generate_in(&parts, &cells.own)?.iter().cloned());
            make_ids_unique(&mut parts.links);
        }
        begin(observer, Stage::Freeze)?;
        Ok(parts)
    }
}
