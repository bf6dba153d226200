//! Provides [`LevelUpdate`]: bakes again what changed of a level.
//!
//! Cells within a body's reach of a change are *dirty*: cast and judged again. Ledges near them may move,
//! so a *window* around them, as far as ledges reach, is assembled and takes the place of that part of the
//! older grid. Links, clearance and regions follow as far as they can have changed.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::colliders::Colliders;
use super::level::{BakedLevel, LevelGround};
use super::splice::{ReplacedGrid, Splice, Window, hull};
use super::tile_store::{NodeNames, NodeNumbers, TilePatches};
use crate::casts::TiledCaster;
use crate::scene::Scene;
use crate::stages::check_memory::check_known_memory;
use crate::stages::grid::{GridColumns, ledge_reach};
use crate::stages::links::{BlockLinks, KnownLinks, LinkStage, links_see};
use crate::stages::observer::{BakeObserver, Stage};
use crate::stages::plan::{BakeContext, BakePlan};
use crate::stages::settings::BakeSettings;
use crate::stages::snap_links::snap_links;
use crate::stages::{
    Assembly, BakeError, Baked, LevelLinks, OlderGrid, assemble_tiles, bake_tiles, begin,
    mark_all_ledges, provenance,
};
use surefoot::NavGrid;
use surefoot::grid::baker::{
    CHANGE_REACH, ChangedLayer, GridChange, LayerChange, SpanPlace, TwoWayEnds, make_ids_unique,
    merge_windows, two_way_ends,
};
use surefoot::grid::{AgentId, AgentLayer, GridFrame, GridParts};
use surefoot_rapier::distance::GroundRect;

/// What an update is made of.
pub(super) struct LevelUpdate<'a> {
    pub scene: &'a Scene,
    pub settings: &'a BakeSettings,
    pub colliders: &'a Colliders,
    pub level: &'a BakedLevel,
    pub grid: &'a NavGrid,
    /// The grid before the update, before small regions were dropped from it.
    pub old: &'a GridParts,
    pub plan: &'a BakePlan,
    pub observer: &'a dyn BakeObserver,
}

/// What an update leads to.
pub(super) struct Updated {
    pub tiles: TilePatches,
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
        let spans = self.old.spans.len() as u64;
        if let Some(bytes) = check_known_memory(self.plan, spans, self.settings.memory_limit)? {
            self.observer.memory_estimated(bytes);
        }
        let near = self.colliders.world_near(&self.rects_seen(&cells))?;
        let caster = near.caster();
        let nodes = self.node_names();
        let parts = self.level.tiles.split(&cells.dirty);
        let frames: Vec<GridFrame> = parts.iter().map(|&(_, frame)| frame).collect();
        let context = BakeContext { caster: &caster, plan: self.plan, observer: self.observer };
        let baked = bake_tiles(&context, &frames)?;
        let tiles = self.level.tiles.patch(&parts, baked, &nodes);
        begin(self.observer, Stage::Assemble)?;
        let windows = cells.windows.iter().map(|window| self.window(&tiles, window));
        let windows: Vec<Window> = windows.collect::<Result<_, _>>()?;
        let mut parts = self.splice(&tiles, &windows, replaced);
        let windows: Vec<GridFrame> = windows.iter().map(|window| window.inner).collect();
        let links = self.find_links(&mut parts, &windows, &caster)?;
        begin(self.observer, Stage::Freeze)?;
        let finished = self.finish(&mut parts, &windows)?;
        let rows = if Arc::ptr_eq(&nodes, &self.level.nodes) {
            changed_rows(self.old, &windows)
        } else {
            // Nodes have other numbers.
            0..self.old.frame.size_z as usize
        };
        let whole = (self.settings.min_region_area > 0.0).then(|| parts.clone());
        let generated = links.generated.clone();
        // Where small regions are dropped, others may be so far from what changed.
        let older = whole.is_none().then(|| OlderGrid { grid: self.grid, rows: rows.clone() });
        let baked = self.assembly(&caster).freeze(parts, links, older)?;
        let cells_baked = frames.iter().map(GridFrame::cells).sum();
        let ground = LevelGround { links: generated, whole, lowest: finished.lowest };
        let is_local = finished.is_local;
        Ok(Some(Updated { tiles, ground, nodes, baked, cells_baked, rows, is_local }))
    }

    /// Returns the names of the nodes; the same list if they did not change.
    fn node_names(&self) -> NodeNames {
        let nodes = self.colliders.nodes();
        if *self.level.nodes == *nodes { Arc::clone(&self.level.nodes) } else { nodes.into() }
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
        let dirty: Vec<GridFrame> = merge_windows(dirty.collect::<Option<_>>()?);
        let ledges = ledge_reach(&self.plan.agents, work.cell_size);
        let windows = dirty.iter().map(|cells| cells.grown(ledges).overlap(work)).collect();
        let windows = merge_windows(windows);
        let replaced: usize = windows.iter().map(GridFrame::cells).sum();
        (MOST_REPLACED * replaced <= work.cells()).then_some(ChangedCells { dirty, windows })
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

    /// Puts windows in place of parts of the older grid.
    fn splice(
        &self,
        tiles: &TilePatches,
        windows: &[Window],
        replaced: Option<ReplacedGrid>,
    ) -> GridParts {
        let nodes = tiles.nodes();
        let splice = Splice::new(self.old, windows, NodeNumbers::new(&self.level.nodes, nodes));
        GridParts {
            areas: self.plan.areas.clone(),
            nodes: nodes.to_vec(),
            provenance: provenance(self.scene, self.settings),
            ..splice.build(replaced)
        }
    }

    /// Assembles the tiles over a window and as far around it as ledges inside depend on.
    fn window(&self, tiles: &TilePatches, inner: &GridFrame) -> Result<Window, BakeError> {
        let plan = self.plan;
        let ledges = ledge_reach(&plan.agents, plan.work.cell_size);
        let frame = inner.grown(ledges).overlap(&plan.work);
        let tiles = self.level.tiles.part(tiles, &frame);
        let columns = GridColumns::new(frame, &tiles)?;
        let (spans, found) = assemble_tiles(&columns, &tiles, plan);
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
        let change = GridChange { old: self.old, first: &parts.first, windows };
        let mut links = self.level.ground.links.clone();
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
        let change = GridChange { old: self.old, first, windows };
        let finish = |(agent, layer): (usize, &mut AgentLayer)| {
            let (lowest, agent) = (&self.level.ground.lowest[agent], AgentId(agent as u16));
            let [old, new] = [&self.old.links, &*links].map(|links| two_way_ends(links, agent));
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
