//! Provides [`LevelUpdate`]: bakes again what changed of a level.
//!
//! Cells within a body's reach of a change are *dirty*: cast and judged again. Ledges near them may move,
//! so a *window* around them, as far as ledges reach, is assembled and takes the place of that part of the
//! older grid. Links, clearance and regions follow as far as they can have changed.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::splice::{ReplacedGrid, Splice, Window, hull};
use super::tile_store::{NodeNames, NodeNumbers, TilePatches, TileStore};
use crate::casts::{CollisionError, NearWorld, TiledCaster};
use crate::scene::Scene;
use crate::stages::check_memory::check_known_memory;
use crate::stages::grid::{GridColumns, ledge_reach};
use crate::stages::links::{BlockLinks, KnownLinks, LinkStage, links_see};
use crate::stages::observer::{BakeObserver, Stage};
use crate::stages::plan::{BakeContext, BakePlan};
use crate::stages::settings::BakeSettings;
use crate::stages::snap_links::snap_links;
use crate::stages::split_tiles::split_tiles;
use crate::stages::tile::TileResult;
use crate::stages::{
    Assembly, BakeError, Baked, LevelLinks, OlderGrid, assemble_tiles, bake_tiles, begin,
    mark_all_ledges,
};
use surefoot::NavGrid;
use surefoot::grid::baker::{
    CHANGE_REACH, ChangedLayer, GridChange, LayerChange, SpanPlace, TwoWayEnds, make_ids_unique,
    merge_windows, two_way_ends,
};
use surefoot::grid::{AgentId, AgentLayer, GridFrame, GridParts, Provenance};
use surefoot_rapier::distance::GroundRect;

/// What an update is made of.
pub(super) struct LevelUpdate<'a> {
    /// Its areas, links and volumes.
    pub scene: &'a Scene,
    pub settings: &'a BakeSettings,
    pub solids: &'a dyn LevelSolids,
    pub old: OldLevel<'a>,
    pub plan: &'a BakePlan,
    pub provenance: &'a Provenance,
    pub observer: &'a dyn BakeObserver,
}

/// The solids of a level as it is now.
pub(super) trait LevelSolids: Sync {
    /// The names of all nodes, sorted.
    fn nodes(&self) -> &[String];

    /// Returns the world of the solids over some rectangles.
    ///
    /// # Errors
    /// A solid anywhere cannot be converted.
    fn world_near(&self, rects: &[GroundRect]) -> Result<NearWorld, CollisionError>;
}

/// A level before the update.
#[derive(Clone, Copy)]
pub(super) struct OldLevel<'a> {
    /// The grid, if it may be in use.
    pub grid: Option<&'a NavGrid>,
    /// Its arrays, before small regions were dropped from it.
    pub parts: &'a GridParts,
    /// Its tiles, if they were kept; else the whole windows are baked again.
    pub tiles: Option<&'a TileStore>,
    pub links: &'a BlockLinks,
    /// For each agent the lowest span of each region.
    pub lowest: &'a [Vec<SpanPlace>],
    pub nodes: &'a NodeNames,
}

/// What was known of the ground of a level before its grid was frozen.
#[derive(Debug)]
pub(super) struct LevelGround {
    pub links: BlockLinks,
    /// For each agent the lowest span of each region.
    pub lowest: Vec<Vec<SpanPlace>>,
    /// The grid before small regions were dropped from it, if they are.
    pub whole: Option<GridParts>,
}

/// What an update leads to.
pub(super) struct Updated {
    /// What becomes of the tiles, if they were kept.
    pub tiles: Option<TilePatches>,
    pub ground: LevelGround,
    pub nodes: NodeNames,
    pub baked: Baked,
    pub cells_baked: usize,
    /// The rows of the grid that may have changed.
    pub rows: Range<usize>,
    /// Whether rows tell for standings, too; else they may have changed anywhere.
    pub is_local: bool,
}

/// The layers of all agents after a change.
struct FinishedLayers {
    lowest: Vec<Vec<SpanPlace>>,
    is_local: bool,
}

/// The cells to bake and to replace.
struct ChangedCells {
    dirty: Vec<GridFrame>,
    windows: Vec<GridFrame>,
}

/// Tiles that were kept, and the names of nodes now.
struct KeptTiles<'a> {
    store: &'a TileStore,
    nodes: &'a NodeNames,
}

/// What was baked again, assembled.
struct BakedWindows {
    windows: Vec<Window>,
    tiles: Option<TilePatches>,
    /// How many cells were cast.
    cells: usize,
}

/// More than rounding can add to a reach [m].
const REACH_MARGIN: f32 = 0.05;

/// An update that would replace more of the cells than one in so many bakes them all instead.
const MOST_REPLACED: usize = 2;

impl LevelUpdate<'_> {
    /// Bakes what changed over some rectangles; `None` if it is better to bake everything.
    pub fn run(
        &self,
        changed: &[GroundRect],
        replaced: Option<ReplacedGrid>,
    ) -> Result<Option<Updated>, BakeError> {
        let Some(cells) = self.changed_cells(changed) else { return Ok(None) };
        let spans = self.old.parts.spans.len() as u64;
        check_known_memory(self.plan, spans, self.observer)?;
        let near = self.solids.world_near(&self.rects_seen(&cells))?;
        let caster = near.caster();
        let nodes = self.node_names();
        let BakedWindows { windows, tiles, cells: cells_baked } = match self.old.tiles {
            Some(store) => {
                self.patch_tiles(&KeptTiles { store, nodes: &nodes }, &cells, &caster)?
            }
            None => self.bake_windows(&cells, &caster)?,
        };
        let mut parts = self.splice(&nodes, &windows, replaced);
        let windows: Vec<GridFrame> = windows.iter().map(|window| window.inner).collect();
        let links = self.find_links(&mut parts, &windows, &caster)?;
        begin(self.observer, Stage::Freeze)?;
        let finished = self.finish(&mut parts, &windows)?;
        let rows = if Arc::ptr_eq(&nodes, self.old.nodes) {
            changed_rows(self.old.parts, &windows)
        } else {
            // Nodes have other numbers.
            0..self.old.parts.frame.size_z as usize
        };
        let whole = (self.settings.min_region_area > 0.0).then(|| parts.clone());
        let generated = links.generated.clone();
        // Where small regions are dropped, others may be so far from what changed.
        let older = self.old.grid.filter(|_| whole.is_none());
        let older = older.map(|grid| OlderGrid { grid, rows: rows.clone() });
        let baked = self.assembly(&caster).freeze(parts, links, older)?;
        let ground = LevelGround { links: generated, whole, lowest: finished.lowest };
        let is_local = finished.is_local;
        Ok(Some(Updated { tiles, ground, nodes, baked, cells_baked, rows, is_local }))
    }

    /// Returns the names of the nodes; the same list if they did not change.
    fn node_names(&self) -> NodeNames {
        let (old, nodes) = (self.old.nodes, self.solids.nodes());
        if **old == *nodes { Arc::clone(old) } else { nodes.into() }
    }

    /// Returns the cells to bake and to replace; `None` if they are many.
    fn changed_cells(&self, changed: &[GroundRect]) -> Option<ChangedCells> {
        let work = &self.plan.work;
        let reach = self.body_reach() + 3.0 * work.cell_size + REACH_MARGIN;
        let dirty = changed.iter().map(|rect| {
            let GroundRect { min, max } = rect.grown(reach);
            let (least, greatest) = work.bounds();
            // What lies far outside has no numbers of cells.
            let inside = |at: [f32; 2]| [0, 1].map(|i| at[i].clamp(least[i], greatest[i]));
            let cells = GridFrame::covering(work.cell_size, inside(min), inside(max))?;
            Some(cells.grown(1).overlap(work))
        });
        let mut dirty: Vec<GridFrame> = merge_windows(dirty.collect::<Option<_>>()?);
        let windows = dirty.iter().map(|cells| self.with_ledges(cells)).collect();
        let windows = merge_windows(windows);
        let mut costly = &windows;
        if self.old.tiles.is_none() {
            dirty = windows.iter().map(|window| self.with_ledges(window)).collect();
            costly = &dirty;
        }
        let cells: usize = costly.iter().map(GridFrame::cells).sum();
        (MOST_REPLACED * cells <= work.cells()).then_some(ChangedCells { dirty, windows })
    }

    /// Returns some cells, and those around them as far as ledges reach.
    fn with_ledges(&self, cells: &GridFrame) -> GridFrame {
        let work = &self.plan.work;
        cells.grown(ledge_reach(&self.plan.agents, work.cell_size)).overlap(work)
    }

    /// Returns how far from where it stands a body touches things, as it steps to the next cell [m].
    fn body_reach(&self) -> f32 {
        let step = std::f32::consts::SQRT_2 * self.plan.work.cell_size;
        self.plan.probes.iter().map(|probe| probe.reach(step)).fold(0.0, f32::max)
    }

    /// Returns the rectangles whose geometry matters.
    fn rects_seen(&self, cells: &ChangedCells) -> Vec<GroundRect> {
        let rect = |frame: GridFrame| {
            let (min, max) = frame.bounds();
            GroundRect { min, max }
        };
        let reach = self.body_reach() + REACH_MARGIN;
        let dirty = cells.dirty.iter().map(|cells| rect(cells.grown(2)).grown(reach));
        let links = links_see(&self.plan.agents, self.plan.work.cell_size);
        let seen = cells.windows.iter().filter_map(|window| Some(rect(window.grown(links?))));
        dirty.chain(seen).collect()
    }

    fn assembly<'b>(&'b self, caster: &'b TiledCaster<'b>) -> Assembly<'b, TiledCaster<'b>> {
        let LevelUpdate { scene, settings, plan, observer, .. } = *self;
        Assembly { scene, caster, plan, settings, observer }
    }

    /// Bakes what changed of tiles that were kept, and assembles the windows.
    fn patch_tiles(
        &self,
        kept: &KeptTiles,
        cells: &ChangedCells,
        caster: &TiledCaster,
    ) -> Result<BakedWindows, BakeError> {
        let KeptTiles { store, nodes } = *kept;
        let parts = store.split(&cells.dirty);
        let frames: Vec<GridFrame> = parts.iter().map(|&(_, frame)| frame).collect();
        let context = BakeContext { caster, plan: self.plan, observer: self.observer };
        let patches = store.patch(&parts, bake_tiles(&context, &frames)?, nodes);
        begin(self.observer, Stage::Assemble)?;
        let windows = cells.windows.iter().map(|inner| {
            let tiles = store.part(&patches, &self.with_ledges(inner));
            self.window(inner, &tiles)
        });
        let windows = windows.collect::<Result<_, _>>()?;
        let cells = frames.iter().map(GridFrame::cells).sum();
        Ok(BakedWindows { windows, tiles: Some(patches), cells })
    }

    /// Bakes all cells that windows depend on, and assembles the windows.
    fn bake_windows(
        &self,
        cells: &ChangedCells,
        caster: &TiledCaster,
    ) -> Result<BakedWindows, BakeError> {
        let threads = rayon::current_num_threads();
        let split = |frame| split_tiles(frame, self.plan.tile_size, threads);
        let frames: Vec<Vec<GridFrame>> = cells.dirty.iter().map(split).collect();
        let context = BakeContext { caster, plan: self.plan, observer: self.observer };
        let mut baked = bake_tiles(&context, &frames.concat())?.into_iter();
        begin(self.observer, Stage::Assemble)?;
        let windows = cells.windows.iter().zip(&frames).map(|(inner, frames)| {
            let tiles: Vec<TileResult> = baked.by_ref().take(frames.len()).collect();
            self.window(inner, &tiles)
        });
        let windows = windows.collect::<Result<_, _>>()?;
        let cells = cells.dirty.iter().map(GridFrame::cells).sum();
        Ok(BakedWindows { windows, tiles: None, cells })
    }

    /// Puts windows in place of parts of the older grid.
    fn splice(
        &self,
        nodes: &NodeNames,
        windows: &[Window],
        replaced: Option<ReplacedGrid>,
    ) -> GridParts {
        let numbers = NodeNumbers::new(self.old.nodes, nodes);
        let splice = Splice::new(self.old.parts, windows, numbers);
        GridParts {
            areas: self.plan.areas.clone(),
            nodes: nodes.to_vec(),
            provenance: self.provenance.clone(),
            ..splice.build(replaced)
        }
    }

    /// Assembles the tiles over a window and as far around it as ledges inside depend on.
    fn window(&self, inner: &GridFrame, tiles: &[TileResult]) -> Result<Window, BakeError> {
        let (plan, frame) = (self.plan, self.with_ledges(inner));
        let columns = GridColumns::new(frame, tiles)?;
        let (spans, found) = assemble_tiles(&columns, tiles, plan);
        let layers = mark_all_ledges(&columns, found, plan);
        let inner = inner.overlap(&plan.frame);
        let mut window = Window { inner, frame, first: columns.first, spans, layers };
        window.prepare(&plan.frame);
        Ok(window)
    }

    /// Snaps the author's links, and finds the generated ones that may have changed.
    fn find_links(
        &self,
        parts: &mut GridParts,
        windows: &[GridFrame],
        caster: &TiledCaster,
    ) -> Result<LevelLinks, BakeError> {
        let (links, problems) = snap_links(parts, &self.scene.links);
        parts.links = links;
        let assembly = self.assembly(caster);
        if !assembly.has_jumpers() {
            return Ok(LevelLinks { generated: BlockLinks::default(), problems });
        }
        let change = GridChange { old: self.old.parts, first: &parts.first, windows };
        let mut links = self.old.links.clone();
        links.for_each_mut(|link| {
            for end in link.lanes.iter_mut().flatten().flat_map(|lane| &mut lane.spans) {
                if !change.is_old_in_window(*end) {
                    *end = change.renumbered(*end);
                }
            }
        });
        let costs = &self.settings.link_costs;
        let stage = LinkStage { caster, observer: self.observer, costs };
        let generated = stage.generate(parts, Some(KnownLinks { links, windows }))?;
        parts.links.extend(generated.iter().cloned());
        make_ids_unique(&mut parts.links);
        Ok(LevelLinks { generated, problems })
    }

    /// Computes clearance and regions.
    fn finish(
        &self,
        parts: &mut GridParts,
        windows: &[GridFrame],
    ) -> Result<FinishedLayers, BakeError> {
        let GridParts { first, layers, links, .. } = parts;
        let change = GridChange { old: self.old.parts, first, windows };
        let finish = |(agent, layer): (usize, &mut AgentLayer)| {
            let (lowest, agent) = (&self.old.lowest[agent], AgentId(agent as u16));
            let [old, new] =
                [&self.old.parts.links, &*links].map(|links| two_way_ends(links, agent));
            let two_way = TwoWayEnds { old: &old, new: &new };
            change.finish_layer(&LayerChange { agent, two_way, lowest }, layer)
        };
        let finished = layers.par_iter_mut().enumerate().map(finish);
        let finished: Vec<ChangedLayer> = finished.collect::<Result<_, _>>()?;
        let is_local = finished.iter().all(|layer| layer.is_local);
        let lowest = finished.into_iter().map(|layer| layer.lowest).collect();
        Ok(FinishedLayers { lowest, is_local })
    }
}

/// Returns the rows of a grid in which something may have changed around some windows.
fn changed_rows(parts: &GridParts, windows: &[GridFrame]) -> Range<usize> {
    let rows = |window: &GridFrame| {
        let near = window.grown(CHANGE_REACH).overlap(&parts.frame);
        let start = (near.min.z - parts.frame.min.z) as usize;
        start..start + near.size_z as usize
    };
    windows.iter().map(rows).fold(0..0, |all, rows| hull(&all, &rows))
}
