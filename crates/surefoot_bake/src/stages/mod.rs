//! The stages of a bake: a scene becomes a grid.
//!
//! `tile` has the stages that need the world: floors, standing, connections, border edges. `grid`
//! assembles the tiles and has the stages that need the whole grid. Every stage is a function of
//! the geometry and the settings: neither tiles nor threads nor the order of anything in the file
//! can be seen in the result.

mod check_memory;
mod count_volume_spans;
mod drop_small_regions;
mod error;
mod grid;
mod links;
mod live;
mod memory_watch;
mod observer;
mod plan;
mod provenance;
mod settings;
mod snap_links;
mod split_tiles;
mod tile;
mod world;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::casts::{Caster, CollisionWorld, TiledCaster};
use crate::scene::{Scene, Volume};
use surefoot::agent::Agent;
use surefoot::grid::baker::{finish_layer, make_ids_unique, two_way_ends};
use surefoot::grid::{
    AgentId, AgentLayer, GridError, GridFrame, GridParts, Link, Measures, NavGrid, Provenance,
    Rooms, Span,
};
use surefoot::observer::check_cancelled;

pub use count_volume_spans::VolumeSpans;
pub use drop_small_regions::{DroppedRegions, drop_regions, is_small_region};
pub use error::BakeError;
pub use links::{LinkVerdict, explain_link};
pub use live::{
    BackgroundBake, ColliderId, LiveBake, LiveError, LiveUpdate, UpdateError, UpdatedGrid,
    WholeBakeReason, update_grid,
};
pub use observer::{BakeObserver, Stage};
pub use settings::{BakeSettings, LinkCost, LinkCosts};
pub use snap_links::LinkProblem;
pub use world::{
    LiveTile, LiveTiles, SceneSource, TileInput, WorldBakeError, WorldLinkFound, WorldLinkRules,
    WorldSource, WorldTiling,
};

use check_memory::{check_colliders, check_memory};
use count_volume_spans::count_volume_spans;
use drop_small_regions::{drop_lost_lanes, drop_small_regions};
use grid::{AgentSpans, GridColumns, mark_ledges, rooms_of_walkable};
use links::{BlockLinks, LinkStage};
use memory_watch::MemoryWatch;
use plan::{BakeContext, BakePlan};
use provenance::{provenance, scene_record};
use snap_links::snap_links;
use split_tiles::split_tiles;
use tile::TileResult;

/// A baked grid, and what its user should know about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Baked {
    /// The grid.
    pub grid: NavGrid,
    /// Links that some agent cannot take.
    pub link_problems: Vec<LinkProblem>,
    /// What each volume of the scene touches, in the order of volumes.
    pub volumes: Vec<VolumeSpans>,
    /// For each agent the regions that were dropped for being too small; empty if none had to be
    /// dropped, as by default.
    pub dropped_regions: Vec<DroppedRegions>,
}

/// Bakes a scene.
///
/// Runs on the current rayon thread pool. O(cells + triangles), for each agent.
///
/// # Errors
/// Fails for invalid settings, an empty scene and a grid that is too large, and if the observer
/// cancels the bake.
pub fn bake(
    scene: &Scene,
    settings: &BakeSettings,
    observer: &dyn BakeObserver,
) -> Result<Baked, BakeError> {
    check_colliders(scene, settings)?;
    observer.begin(Stage::Index);
    let world = CollisionWorld::new(scene)?;
    check_cancelled(observer)?;
    let caster = caster_of(&world);
    check_cancelled(observer)?;
    bake_with(scene, &caster, settings, observer)
}

/// Returns a caster against a whole world, on all threads.
fn caster_of(world: &CollisionWorld) -> TiledCaster<'_> {
    rayon::join(|| TiledCaster::new(world), || world.find_shells()).0
}

/// Bakes a scene with a caster of the caller's choice, made from the scene's [`CollisionWorld`].
///
/// # Errors
/// Fails as [`bake`] does.
pub fn bake_with<C: Caster>(
    scene: &Scene,
    caster: &C,
    settings: &BakeSettings,
    observer: &dyn BakeObserver,
) -> Result<Baked, BakeError> {
    let world = caster.world();
    let plan = BakePlan::new(world.bounds(), scene, settings)?;
    check_memory(caster, &plan, observer)?;
    let frames = split_tiles(&plan.work, plan.tile_size, rayon::current_num_threads());
    let tiles = bake_tiles(&BakeContext { caster, plan: &plan, observer }, &frames)?;
    let columns = GridColumns::new(plan.work, &tiles)?;
    let assembly = Assembly { scene, caster, plan: &plan, settings, observer };
    let (parts, links) = assembly.assemble(columns, tiles.into())?;
    assembly.freeze(parts, links, None)
}

/// What it takes to make tiles into a grid.
struct Assembly<'a, C> {
    /// Its areas, links, volumes and report.
    scene: &'a Scene,
    caster: &'a C,
    plan: &'a BakePlan,
    settings: &'a BakeSettings,
    observer: &'a dyn BakeObserver,
}

/// The links of a grid.
struct LevelLinks {
    /// Those that were generated, before ids are unique.
    generated: BlockLinks,
    /// The author's links that some agent cannot take.
    problems: Vec<LinkProblem>,
}

impl<C: Caster> Assembly<'_, C> {
    /// Assembles tiles over all columns, marks ledges, and generates links. Tiles that are not kept are
    /// freed as soon as they can be.
    fn assemble(
        &self,
        columns: GridColumns,
        tiles: Cow<'_, [TileResult]>,
    ) -> Result<(GridParts, LevelLinks), BakeError> {
        let Assembly { scene, caster, settings, observer, .. } = *self;
        let mut parts = self.ground(columns, tiles)?;
        let world = caster.world();
        parts.provenance = provenance(scene, settings, scene_record(scene, world));
        parts.nodes = world.nodes().to_vec();
        let problems = snap_and_finish(&mut parts, scene)?;
        let mut generated = BlockLinks::default();
        if self.has_jumpers() {
            let stage = LinkStage { caster, observer, costs: &settings.link_costs };
            generated = stage.generate(&parts, None)?;
            add_links(&mut parts, &generated)?;
            begin(observer, Stage::Freeze)?;
        }
        Ok((parts, LevelLinks { generated, problems }))
    }

    /// Assembles tiles over all columns, marks ledges, and crops to the frame: all but nodes, links, and what
    /// those decide.
    fn ground(
        &self,
        columns: GridColumns,
        tiles: Cow<'_, [TileResult]>,
    ) -> Result<GridParts, BakeError> {
        let Assembly { plan, observer, .. } = *self;
        begin(observer, Stage::Assemble)?;
        let (spans, found) = assemble_tiles(&columns, &tiles, plan);
        drop(tiles);
        begin(observer, Stage::Ledges)?;
        let layers = mark_all_ledges(&columns, found, plan);
        begin(observer, Stage::Freeze)?;
        let GridColumns { frame, first } = columns;
        let (areas, links, nodes) = (plan.areas.clone(), Vec::new(), Vec::new());
        let provenance = Provenance::default();
        let mut parts = GridParts { frame, first, spans, layers, links, areas, nodes, provenance };
        parts.crop(&plan.frame);
        Ok(parts)
    }

    /// Whether some agent can do more than walk.
    fn has_jumpers(&self) -> bool {
        self.plan.agents.iter().any(Agent::leaves_ground)
    }

    /// Drops small regions, and freezes the grid, which may follow another.
    fn freeze(
        &self,
        parts: GridParts,
        links: LevelLinks,
        older: Option<OlderGrid>,
    ) -> Result<Baked, BakeError> {
        let ground = GroundRules { volumes: &self.scene.volumes, settings: self.settings };
        freeze(parts, links, ground, older)
    }
}

/// What decides about ground that was found.
struct GroundRules<'a> {
    volumes: &'a [Volume],
    settings: &'a BakeSettings,
}

/// Drops small regions, and freezes the grid, which may follow another.
fn freeze(
    mut parts: GridParts,
    links: LevelLinks,
    rules: GroundRules,
    older: Option<OlderGrid>,
) -> Result<Baked, BakeError> {
    let volumes = count_volume_spans(&parts, rules.volumes);
    // After all links: those that lead there and back join regions.
    let dropped_regions = drop_small_regions(&mut parts, rules.settings.min_region_area);
    let mut link_problems = links.problems;
    link_problems.extend(drop_lost_lanes(&mut parts, &dropped_regions));
    let grid = match older {
        Some(OlderGrid { grid, rows }) => NavGrid::from_baker_after(parts, grid, rows)?,
        None => NavGrid::from_baker(parts)?,
    };
    Ok(Baked { grid, link_problems, volumes, dropped_regions })
}

/// A grid, and the rows in which the next one differs from it.
struct OlderGrid<'a> {
    grid: &'a NavGrid,
    rows: Range<usize>,
}

/// Assembles the spans of tiles, and what each agent may do on them.
fn assemble_tiles(
    columns: &GridColumns,
    tiles: &[TileResult],
    plan: &BakePlan,
) -> (Vec<Span>, Vec<AgentSpans>) {
    let agents = (0..plan.agents.len()).into_par_iter();
    let assemble_agents = || agents.map(|agent| columns.assemble_agent(tiles, agent)).collect();
    rayon::join(|| columns.assemble_spans(tiles), assemble_agents)
}

/// Marks the ledges of all agents.
fn mark_all_ledges(
    columns: &GridColumns,
    found: Vec<AgentSpans>,
    plan: &BakePlan,
) -> Vec<AgentLayer> {
    let mut layers: Vec<AgentLayer> = plan.agents.iter().map(empty_layer).collect();
    let pairs = layers.par_iter_mut().zip(found);
    pairs.for_each(|(layer, mut found)| {
        let rooms = std::mem::take(&mut found.rooms);
        layer.measures = found.measures();
        mark_ledges(columns, found, layer);
        layer.rooms = rooms_of_walkable(&rooms, layer);
    });
    layers
}

/// Begins a stage, unless the bake is cancelled.
fn begin(observer: &dyn BakeObserver, stage: Stage) -> Result<(), BakeError> {
    check_cancelled(observer)?;
    observer.begin(stage);
    Ok(())
}

/// Bakes tiles, on all threads.
fn bake_tiles<C: Caster>(
    context: &BakeContext<C>,
    tiles: &[GridFrame],
) -> Result<Vec<TileResult>, BakeError> {
    let observer = context.observer;
    let watch = MemoryWatch::new(context.plan, observer);
    let done = AtomicUsize::new(0);
    tiles
        .par_iter()
        // Otherwise rayon would leave the last few tiles of a row to one thread.
        .with_max_len(1)
        .map(|cells| {
            check_cancelled(observer)?;
            watch.check()?;
            let result = TileResult::bake(context, &watch, cells);
            // A tile that is cancelled is not complete.
            check_cancelled(observer)?;
            watch.add_spans(result.spans.len())?;
            observer.parts_done(done.fetch_add(1, Ordering::Relaxed) + 1, tiles.len());
            Ok(result)
        })
        .collect()
}

fn empty_layer(agent: &Agent) -> AgentLayer {
    AgentLayer {
        agent: agent.clone(),
        standings: Vec::new(),
        far_connections: Vec::new(),
        regions: Vec::new(),
        rooms: Rooms::default(),
        measures: Measures::default(),
        order: None,
    }
}

/// Snaps the author's links, and computes clearance and regions, which two-way links join.
fn snap_and_finish(parts: &mut GridParts, scene: &Scene) -> Result<Vec<LinkProblem>, BakeError> {
    // Snapping needs verdicts only, so that everything else is computed once.
    let (links, link_problems) = snap_links(parts, &scene.links);
    parts.links = links;
    finish_layers(parts)?;
    Ok(link_problems)
}

/// Adds generated links; those that are two-way join regions.
fn add_links(parts: &mut GridParts, generated: &BlockLinks) -> Result<(), BakeError> {
    let joins = generated.iter().any(Link::is_reversible);
    parts.links.extend(generated.iter().cloned());
    make_ids_unique(&mut parts.links);
    if joins {
        finish_layers(parts)?;
    }
    Ok(())
}

fn finish_layers(parts: &mut GridParts) -> Result<(), GridError> {
    #[cfg(test)]
    tests::FINISHED.set(tests::FINISHED.get() + 1);
    let GridParts { frame, first, layers, links, .. } = parts;
    layers.par_iter_mut().enumerate().try_for_each(|(index, layer)| {
        let two_way = two_way_ends(links, AgentId(index as u16));
        finish_layer(frame, first, &two_way, layer)
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use nalgebra::Vector3;

    use super::*;
    use crate::scene::{LinkMarker, Placement, SceneBuilder};
    use surefoot::grid::LinkKind;

    thread_local! {
        /// How often this thread has computed clearance and regions.
        pub(super) static FINISHED: Cell<u32> = const { Cell::new(0) };
    }

    #[test]
    fn clearance_and_regions_are_computed_once() {
        let mut builder = SceneBuilder::new("islands");
        for x in [-4.0, 4.0] {
            builder.cuboid("island", Vector3::new(2.0, 0.5, 2.0), Placement::at([x, 0.0, 0.0]));
        }
        builder.link(LinkMarker {
            name: "bridge".to_owned(),
            from: [-3.0, 0.5, 0.0].into(),
            to: [3.0, 0.5, 0.0].into(),
            two_way: true,
            cost: None,
            kind: LinkKind::Jump,
            ..LinkMarker::default()
        });
        let scene = builder.build().expect("a sound scene");
        let settings = BakeSettings { agents: vec![Agent::new("human")], ..Default::default() };
        let before = FINISHED.get();
        let baked = bake(&scene, &settings, &()).expect("it can be baked");
        assert_eq!(baked.link_problems, []);
        assert_eq!(baked.grid.layers()[0].regions.len(), 1, "the link joins the islands");
        assert_eq!(FINISHED.get() - before, 1);
    }
}
