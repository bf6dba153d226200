//! Provides [`LiveBake`]: a level that changes while its grid follows.

mod background;
mod changed_file;
mod colliders;
mod error;
mod level;
mod splice;
mod tile_store;
mod update;

use std::collections::BTreeSet;

use nalgebra::Isometry3;

use super::observer::{BakeObserver, Stage};
use super::plan::BakePlan;
use super::provenance::provenance;
use super::settings::BakeSettings;
use super::{BakeError, Baked, LinkProblem};
use crate::scene::canonical::sort_markers;
use crate::scene::{Scene, SceneBuilder};
use surefoot::NavGrid;
use surefoot::grid::ColliderRecord;
use surefoot_rapier::distance::GroundRect;

pub use background::BackgroundBake;
pub use changed_file::{UpdateError, UpdatedGrid, WholeBakeReason, update_grid};
pub use colliders::ColliderId;
pub use error::LiveError;
pub(in crate::stages) use tile_store::NodeNumbers;

use colliders::Colliders;
use level::BakedLevel;
use splice::ReplacedGrid;
use update::{LevelUpdate, OldLevel, Updated};

/// A baked level that changes: colliders are added, moved and removed, and an update bakes again what
/// they touched. The grid is then, byte for byte, that of baking the changed scene whole.
///
/// ```
/// use surefoot_bake::scene::{Placement, SceneBuilder};
/// use surefoot_bake::{BakeSettings, LiveBake};
/// let mut builder = SceneBuilder::new("yard");
/// builder.cuboid("ground", [8.0, 0.5, 8.0], Placement::at([0.0, -0.5, 0.0]));
/// let mut live = LiveBake::new(builder.build()?, &BakeSettings::default(), &())?;
/// let before = live.grid().clone();
///
/// let mut parts = live.builder();
/// parts.cuboid("crate", [0.5, 0.5, 0.5], Placement::at([2.0, 0.5, 2.0]).obstacle());
/// let crates = live.add(parts)?;
/// live.update(&())?;
/// assert_ne!(*live.grid(), before);
///
/// live.remove(crates[0])?;
/// live.update(&())?;
/// assert_eq!(live.grid().to_bytes()?, before.to_bytes()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LiveBake {
    /// Everything but meshes and solids, which `colliders` holds; in canonical order.
    scene: Scene,
    settings: BakeSettings,
    colliders: Colliders,
    level: BakedLevel,
    baked: Baked,
    /// The grid before the last update: the next one is built in its memory unless someone still uses it.
    replaced: Option<ReplacedGrid>,
    changes: Changes,
}

/// What changed since the last update.
#[derive(Debug, Default)]
struct Changes {
    /// Where colliders were or are, seen from above.
    rects: Vec<GroundRect>,
    /// Whether anything may have changed anywhere.
    is_everywhere: bool,
    /// Whether links or areas were added.
    has_markers: bool,
}

/// What an update did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveUpdate {
    /// How many cells were cast and judged again.
    pub cells_baked: usize,
    /// How many cells the level has.
    pub cells: usize,
}

impl LiveBake {
    /// Bakes a scene whole, and keeps what later updates need: the scene, and the tiles before they are
    /// assembled, about as much memory as the grid; and from the first update on the grid before, too.
    ///
    /// # Errors
    /// Fails as [`bake`](super::bake) does.
    pub fn new(
        mut scene: Scene,
        settings: &BakeSettings,
        observer: &dyn BakeObserver,
    ) -> Result<Self, BakeError> {
        let (level, baked) = BakedLevel::bake(&scene, settings, observer)?;
        Ok(LiveBake {
            colliders: Colliders::of(&mut scene),
            scene,
            settings: settings.clone(),
            level,
            baked,
            replaced: None,
            changes: Changes::default(),
        })
    }

    /// The grid of the last update. Cloning it is cheap, so that it answers while the next update runs
    /// on another thread.
    pub fn grid(&self) -> &NavGrid {
        &self.baked.grid
    }

    /// Links that some agent cannot take.
    pub fn link_problems(&self) -> &[LinkProblem] {
        &self.baked.link_problems
    }

    /// The colliders that came from nodes of a name.
    pub fn colliders(&self, name: &str) -> impl Iterator<Item = ColliderId> {
        let named = self.colliders.iter().filter(move |(_, solid)| solid.name == name);
        named.map(|(id, _)| id)
    }

    /// Where a collider is; `None` if there is no such collider.
    pub fn pose(&self, collider: ColliderId) -> Option<&Isometry3<f32>> {
        Some(&self.colliders.get(collider)?.pose)
    }

    /// A builder of parts for [`LiveBake::add`], which knows the areas of the level.
    pub fn builder(&self) -> SceneBuilder {
        SceneBuilder::with_areas(self.scene.areas.clone())
    }

    /// Adds the parts, areas, links and volumes of a builder that [`LiveBake::builder`] began. Returns one id for
    /// each part, in their order by name. The grid follows with the next update.
    ///
    /// # Errors
    /// A part is not sound, or the builder was begun for a level with other areas: nothing is added.
    pub fn add(&mut self, parts: SceneBuilder) -> Result<Vec<ColliderId>, LiveError> {
        let mut parts = parts.build()?;
        if !parts.areas.starts_with(&self.scene.areas) {
            return Err(LiveError::OtherAreas);
        }
        self.changes.has_markers |=
            !parts.links.is_empty() || parts.areas.len() > self.scene.areas.len();
        self.scene.areas = std::mem::take(&mut parts.areas);
        self.scene.links.append(&mut parts.links);
        // Anything may lie inside a volume.
        self.changes.is_everywhere |= !parts.volumes.is_empty();
        self.scene.volumes.append(&mut parts.volumes);
        sort_markers(&mut self.scene);
        let ids = self.colliders.add(parts);
        ids.iter().for_each(|&id| self.note_change(id));
        Ok(ids)
    }

    /// Moves a collider. The grid follows with the next update.
    ///
    /// # Errors
    /// There is no such collider, or the pose has numbers that are NaN, infinite or out of range: it stays
    /// where it is.
    pub fn move_to(&mut self, collider: ColliderId, pose: Isometry3<f32>) -> Result<(), LiveError> {
        let before = self.colliders.ground_rect(collider);
        self.colliders.move_to(collider, pose)?;
        self.changes.rects.extend(before);
        self.note_change(collider);
        Ok(())
    }

    /// Removes a collider.
    ///
    /// # Errors
    /// There is no such collider.
    pub fn remove(&mut self, collider: ColliderId) -> Result<(), LiveError> {
        let before = self.colliders.ground_rect(collider);
        self.colliders.remove(collider)?;
        self.changes.rects.extend(before);
        Ok(())
    }

    /// Bakes again what changed since the last update: casts the cells around it, and looks for links,
    /// clearance and regions as far as they can have changed. What lies beyond is copied. Bakes the level
    /// whole if it has grown or shrunk, or if a volume was added.
    ///
    /// # Errors
    /// Fails as [`bake`](super::bake) does. The grid stays as it was, and the next update tries again.
    pub fn update(&mut self, observer: &dyn BakeObserver) -> Result<LiveUpdate, BakeError> {
        let cells = self.level.work.cells();
        let Changes { rects, is_everywhere, has_markers } = &self.changes;
        if rects.is_empty() && !is_everywhere && !has_markers {
            return Ok(LiveUpdate { cells_baked: 0, cells });
        }
        let partly = if *is_everywhere { None } else { self.update_partly(observer)? };
        let update = match partly {
            Some(Updated { tiles, ground, nodes, baked, cells_baked, rows, is_local }) => {
                if let Some(tiles) = tiles {
                    self.level.tiles.store(tiles);
                }
                (self.level.ground, self.level.nodes) = (ground, nodes);
                let grid = std::mem::replace(&mut self.baked, baked).grid;
                // What small regions were dropped from is not what the next update begins with.
                let keeps = self.level.ground.whole.is_none();
                self.replaced = keeps.then_some(ReplacedGrid { grid, rows, is_local });
                LiveUpdate { cells_baked, cells }
            }
            None => {
                self.replaced = None;
                let scene = self.scene()?;
                (self.level, self.baked) = BakedLevel::bake(&scene, &self.settings, observer)?;
                let cells = self.level.work.cells();
                LiveUpdate { cells_baked: cells, cells }
            }
        };
        self.changes = Changes::default();
        Ok(update)
    }

    /// The scene as it is now, in canonical order: what a whole bake would bake.
    ///
    /// # Errors
    /// Never for colliders that were added or moved here.
    pub fn scene(&self) -> Result<Scene, BakeError> {
        let mut scene = self.colliders.scene(&self.scene);
        scene.canonicalize()?;
        Ok(scene)
    }

    /// The records of its colliders, in any order.
    pub(in crate::stages) fn records(&self) -> Vec<ColliderRecord> {
        self.colliders.record(&self.scene).colliders
    }

    /// The names of the nodes of its colliders over a rectangle, sorted.
    pub(in crate::stages) fn names_over(&self, rect: &GroundRect) -> Vec<String> {
        let is_over =
            |id: ColliderId| self.colliders.ground_rect(id).is_some_and(|own| own.intersects(rect));
        let over = self.colliders.iter().filter(|(id, _)| is_over(*id));
        let names: BTreeSet<&String> = over.map(|(_, solid)| &solid.name).collect();
        names.into_iter().cloned().collect()
    }

    fn note_change(&mut self, collider: ColliderId) {
        self.changes.rects.extend(self.colliders.ground_rect(collider));
    }

    /// Bakes what changed; `None` if everything has to be baked.
    fn update_partly(&mut self, observer: &dyn BakeObserver) -> Result<Option<Updated>, BakeError> {
        observer.begin(Stage::Index);
        let plan = BakePlan::new(self.colliders.bounds(), &self.scene, &self.settings)?;
        let old = self.level.ground.whole.as_ref().unwrap_or(self.baked.grid.parts());
        if plan.work != self.level.work || plan.frame != old.frame {
            return Ok(None);
        }
        self.scene.report.hash = self.colliders.hash(&self.scene);
        let record = self.colliders.record(&self.scene);
        let BakedLevel { tiles, ground, nodes, .. } = &self.level;
        let (links, lowest) = (&ground.links, &ground.lowest[..]);
        let update = LevelUpdate {
            scene: &self.scene,
            settings: &self.settings,
            solids: &self.colliders,
            old: OldLevel {
                grid: Some(&self.baked.grid),
                parts: old,
                tiles: Some(tiles),
                links,
                lowest,
                nodes,
            },
            plan: &plan,
            provenance: &provenance(&self.scene, &self.settings, record),
            observer,
        };
        update.run(&self.changes.rects, self.replaced.take())
    }
}
