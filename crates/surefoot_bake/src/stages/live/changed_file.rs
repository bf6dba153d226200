//! Provides [`update_grid`]: the grid of a scene that changed, from the grid before.
//!
//! The older grid has a record of the colliders that it was baked from. Those that are new or gone tell
//! which cells changed. There are no tiles of the level before, so that all cells around a change are cast
//! again whose ledges may differ, and those that they depend on.

use std::cmp::Ordering;
use std::fmt;

use rayon::prelude::*;
use surefoot::NavGrid;
use surefoot::grid::baker::lowest_spans;
use surefoot::grid::{ColliderRecord, GridParts, Provenance, SceneRecord};
use surefoot::observer::check_cancelled;
use surefoot_rapier::distance::GroundRect;

use super::tile_store::NodeNames;
use super::update::{LevelSolids, LevelUpdate, OldLevel};
use crate::casts::{CollisionError, CollisionWorld, NearWorld};
use crate::scene::Scene;
use crate::stages::check_memory::check_colliders;
use crate::stages::links::BlockLinks;
use crate::stages::observer::{BakeObserver, Stage};
use crate::stages::plan::BakePlan;
use crate::stages::provenance::{provenance, scene_record};
use crate::stages::settings::BakeSettings;
use crate::stages::{BakeError, Baked, bake_with, caster_of};

/// A grid that was made to follow its scene, and what that took.
#[derive(Clone, Debug, PartialEq)]
pub struct UpdatedGrid {
    /// The grid, and what its user should know about it: as baking the scene whole returns it.
    pub baked: Baked,
    /// How many cells were cast and judged again.
    pub cells_baked: usize,
    /// How many cells the grid has.
    pub cells: usize,
    /// How many colliders the older grid was not baked from. One that moved or has another name counts
    /// here and among those that were removed.
    pub colliders_added: usize,
    /// How many colliders of the older grid are gone.
    pub colliders_removed: usize,
    /// Why everything was baked, if it was.
    pub baked_whole: Option<WholeBakeReason>,
}

/// Why an update has to bake everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WholeBakeReason {
    /// The older grid was baked with other settings or marks.
    Settings,
    /// The settings have bounds.
    Bounds,
    /// The settings have small regions dropped, which may be small because of what is far away.
    SmallRegions,
    /// Areas or volumes are others than before, or another version of this program baked the older grid.
    Surroundings,
    /// The level has grown or shrunk.
    Extent,
    /// So much has changed that there is nothing to gain.
    MostChanged,
}

/// Why a grid cannot be updated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum UpdateError {
    /// The older grid has no record of its colliders: it was not baked, or by an older program.
    #[error("the older grid does not say which colliders it was baked from; bake it anew once")]
    NoRecord,
    /// The older grid is that of another scene.
    #[error(
        "the older grid is that of another scene: it was baked from {older:?}, and has {same} of the \
         {colliders} colliders of {scene:?}; bake this scene whole"
    )]
    OtherScene {
        /// The file that the older grid was baked from.
        older: String,
        /// The file of the scene.
        scene: String,
        /// How many colliders of the scene the older grid was baked from.
        same: usize,
        /// How many colliders the scene has.
        colliders: usize,
    },
    /// The scene cannot be baked.
    #[error(transparent)]
    Bake(#[from] BakeError),
}

impl fmt::Display for WholeBakeReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            WholeBakeReason::Settings => "the settings or marks are not those of the older grid",
            WholeBakeReason::Bounds => "only a part of the level is baked",
            WholeBakeReason::SmallRegions => "small regions are dropped",
            WholeBakeReason::Surroundings => {
                "areas or volumes changed, or another version of the program baked the older grid"
            }
            WholeBakeReason::Extent => "the level has grown or shrunk",
            WholeBakeReason::MostChanged => "most of the level changed",
        })
    }
}

/// Of a scene under another name fewer of the colliders than one in so many are the older grid's: then it
/// is another scene. It is compared with the smaller of the two, since levels grow and are cut into parts.
const LEAST_SAME: usize = 10;

/// Makes the grid of a scene from that of the scene before it changed: bakes the cells again that colliders
/// touch which were added, moved or removed, and copies what lies beyond. The grid is, byte for byte, that
/// of baking the scene whole. It has no prepared routes. Bakes everything where that is not possible, and
/// says why.
///
/// # Errors
/// The older grid has no record of its colliders, or is that of another scene: the scene's file has another
/// name, and hardly any collider is the same. Otherwise fails as [`bake`](crate::bake) does.
///
/// ```
/// use surefoot_bake::scene::{Placement, SceneBuilder};
/// use surefoot_bake::{BakeSettings, bake, update_grid};
/// let settings = BakeSettings::default();
/// let yard = |crate_at: f32| {
///     let mut builder = SceneBuilder::new("yard");
///     builder.cuboid("ground", [20.0, 0.5, 20.0], Placement::at([0.0, -0.5, 0.0]));
///     builder.cuboid("crate", [0.5, 0.5, 0.5], Placement::at([crate_at, 0.5, 2.0]));
///     builder.build()
/// };
/// let old = bake(&yard(2.0)?, &settings, &())?.grid;
///
/// let updated = update_grid(&old, &yard(3.0)?, &settings, &())?;
/// assert_eq!(updated.baked, bake(&yard(3.0)?, &settings, &())?);
/// assert!(updated.cells_baked < updated.cells);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn update_grid(
    old: &NavGrid,
    scene: &Scene,
    settings: &BakeSettings,
    observer: &dyn BakeObserver,
) -> Result<UpdatedGrid, UpdateError> {
    let record = old.provenance().record.as_ref().ok_or(UpdateError::NoRecord)?;
    check_colliders(scene, settings)?;
    observer.begin(Stage::Index);
    let world = CollisionWorld::new(scene).map_err(BakeError::from)?;
    check_cancelled(observer).map_err(BakeError::from)?;
    let now = scene_record(scene, &world);
    let changes = ColliderChanges::between(&record.colliders, &now.colliders);
    changes.check_scene(old, scene)?;
    let update = FileUpdate {
        old: old.parts(),
        scene,
        settings,
        observer,
        plan: BakePlan::new(world.bounds(), scene, settings)?,
        provenance: provenance(scene, settings, now),
        world: &world,
    };
    let updated = update.run(&changes.rects)?;
    let Changed { baked, cells_baked, baked_whole } = updated;
    Ok(UpdatedGrid {
        cells_baked,
        cells: baked.grid.frame().cells(),
        baked,
        colliders_added: changes.added,
        colliders_removed: changes.removed,
        baked_whole,
    })
}

/// How two lists of colliders differ.
#[derive(Debug, Default)]
struct ColliderChanges {
    /// Where colliders are that only one of the lists has.
    rects: Vec<GroundRect>,
    added: usize,
    removed: usize,
    same: usize,
}

impl ColliderChanges {
    /// Compares two lists that are sorted by hash.
    fn between(mut old: &[ColliderRecord], mut new: &[ColliderRecord]) -> Self {
        let mut changes = ColliderChanges::default();
        loop {
            let order = match (old.first(), new.first()) {
                (None, None) => return changes,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(before), Some(now)) => before.hash.cmp(&now.hash),
            };
            match order {
                Ordering::Less => {
                    changes.add_rect(&old[0]);
                    changes.removed += 1;
                    old = &old[1..];
                }
                Ordering::Greater => {
                    changes.add_rect(&new[0]);
                    changes.added += 1;
                    new = &new[1..];
                }
                Ordering::Equal => {
                    changes.same += 1;
                    (old, new) = (&old[1..], &new[1..]);
                }
            }
        }
    }

    fn add_rect(&mut self, collider: &ColliderRecord) {
        self.rects.push(GroundRect { min: collider.min, max: collider.max });
    }

    /// Refuses the grid of another scene.
    fn check_scene(&self, old: &NavGrid, scene: &Scene) -> Result<(), UpdateError> {
        let (older, file) = (&old.provenance().scene, &scene.report.file);
        let smaller = self.same + self.added.min(self.removed);
        if older == file || LEAST_SAME * self.same >= smaller {
            return Ok(());
        }
        Err(UpdateError::OtherScene {
            older: older.clone(),
            scene: file.clone(),
            same: self.same,
            colliders: self.same + self.added,
        })
    }
}

/// An update of a grid without anything else of the level before.
struct FileUpdate<'a> {
    old: &'a GridParts,
    scene: &'a Scene,
    settings: &'a BakeSettings,
    observer: &'a dyn BakeObserver,
    plan: BakePlan,
    provenance: Provenance,
    world: &'a CollisionWorld,
}

/// A grid after a change.
struct Changed {
    baked: Baked,
    cells_baked: usize,
    baked_whole: Option<WholeBakeReason>,
}

impl FileUpdate<'_> {
    /// Bakes what changed over some rectangles, or everything.
    fn run(&self, rects: &[GroundRect]) -> Result<Changed, BakeError> {
        let reason = match self.reason_for_all() {
            Some(reason) => reason,
            None => match self.bake_part(rects)? {
                Some(changed) => return Ok(changed),
                None => WholeBakeReason::MostChanged,
            },
        };
        let caster = caster_of(self.world);
        check_cancelled(self.observer)?;
        let baked = bake_with(self.scene, &caster, self.settings, self.observer)?;
        let cells_baked = baked.grid.frame().cells();
        Ok(Changed { baked, cells_baked, baked_whole: Some(reason) })
    }

    /// Returns why everything has to be baked whatever changed of the colliders, if it has.
    fn reason_for_all(&self) -> Option<WholeBakeReason> {
        let FileUpdate { old, settings, plan, provenance, .. } = self;
        let surroundings =
            |record: &Option<SceneRecord>| record.as_ref().map(|record| record.surroundings);
        let before = &old.provenance;
        if provenance.settings != before.settings
            || !old.layers.iter().map(|layer| &layer.agent).eq(&plan.agents)
        {
            Some(WholeBakeReason::Settings)
        } else if settings.bounds.is_some() {
            Some(WholeBakeReason::Bounds)
        } else if settings.min_region_area > 0.0 {
            Some(WholeBakeReason::SmallRegions)
        } else if surroundings(&provenance.record) != surroundings(&before.record)
            || old.areas != plan.areas
        {
            Some(WholeBakeReason::Surroundings)
        } else if old.frame != plan.frame {
            Some(WholeBakeReason::Extent)
        } else {
            None
        }
    }

    /// Bakes what changed; `None` if that is most of the cells.
    fn bake_part(&self, rects: &[GroundRect]) -> Result<Option<Changed>, BakeError> {
        let old = self.old;
        let lowest = old.layers.par_iter().map(|layer| lowest_spans(&old.first, layer));
        let lowest: Vec<_> = lowest.collect();
        let (links, nodes) = (BlockLinks::of_grid(old), NodeNames::from(&old.nodes[..]));
        let update = LevelUpdate {
            scene: self.scene,
            settings: self.settings,
            solids: self.world,
            old: OldLevel {
                grid: None,
                parts: old,
                tiles: None,
                links: &links,
                lowest: &lowest,
                nodes: &nodes,
            },
            plan: &self.plan,
            provenance: &self.provenance,
            observer: self.observer,
        };
        let updated = update.run(rects, None)?;
        Ok(updated.map(|updated| {
            let (baked, cells_baked) = (updated.baked, updated.cells_baked);
            Changed { baked, cells_baked, baked_whole: None }
        }))
    }
}

impl LevelSolids for CollisionWorld {
    fn nodes(&self) -> &[String] {
        CollisionWorld::nodes(self)
    }

    fn world_near(&self, rects: &[GroundRect]) -> Result<NearWorld, CollisionError> {
        Ok(self.near(rects))
    }
}
