//! Provides [`BakedLevel`]: what updates of a level take over from its last bake.

use rayon::prelude::*;

use super::tile_store::{NodeNames, TileStore};
use super::update::LevelGround;
use crate::casts::CollisionWorld;
use crate::scene::Scene;
use crate::stages::check_memory::{check_colliders, check_memory};
use crate::stages::grid::GridColumns;
use crate::stages::observer::{BakeObserver, Stage};
use crate::stages::plan::{BakeContext, BakePlan};
use crate::stages::settings::BakeSettings;
use crate::stages::split_tiles::split_tiles;
use crate::stages::{Assembly, BakeError, Baked, bake_tiles, caster_of};
use surefoot::grid::GridFrame;
use surefoot::grid::baker::lowest_spans;

/// A level as it was baked last, and what updates take over from it.
#[derive(Debug)]
pub(super) struct BakedLevel {
    /// The cells that tiles cover.
    pub work: GridFrame,
    pub tiles: TileStore,
    pub ground: LevelGround,
    pub nodes: NodeNames,
}

/// Most cells along the side of a tile that is kept: an update copies all of each tile that it touches.
const MAX_KEPT_SIDE: u32 = 64;

impl BakedLevel {
    /// Bakes a scene whole.
    pub fn bake(
        scene: &Scene,
        settings: &BakeSettings,
        observer: &dyn BakeObserver,
    ) -> Result<(Self, Baked), BakeError> {
        check_colliders(scene, settings)?;
        observer.begin(Stage::Index);
        let world = CollisionWorld::new(scene)?;
        let caster = caster_of(&world);
        let plan = BakePlan::new(world.bounds(), scene, settings)?;
        check_memory(&caster, &plan, observer)?;
        let context = BakeContext { caster: &caster, plan: &plan, observer };
        let side = plan.tile_size.min(MAX_KEPT_SIDE);
        let frames = split_tiles(&plan.work, side, rayon::current_num_threads());
        let tiles = bake_tiles(&context, &frames)?;
        let assembly = Assembly { scene, caster: &caster, plan: &plan, settings, observer };
        let columns = GridColumns::new(plan.work, &tiles)?;
        let (parts, links) = assembly.assemble(columns, (&tiles[..]).into())?;
        let whole = (settings.min_region_area > 0.0).then(|| parts.clone());
        let lowest = parts.layers.par_iter().map(|layer| lowest_spans(&parts.first, layer));
        let ground =
            LevelGround { links: links.generated.clone(), lowest: lowest.collect(), whole };
        let baked = assembly.freeze(parts, links, None)?;
        let nodes: NodeNames = world.nodes().into();
        let tiles = TileStore::new(tiles, &nodes);
        Ok((BakedLevel { work: plan.work, tiles, ground, nodes }, baked))
    }
}
