//! Provides [`LiveBake`]: a level that changes while its grid follows.

use nalgebra::Isometry3;

use super::check_memory::check_memory;
use super::grid::GridColumns;
use super::observer::{BakeObserver, Stage};
use super::plan::{BakeContext, BakePlan};
use super::settings::BakeSettings;
use super::split_tiles::split_tiles;
use super::tile::TileResult;
use super::{Assembly, BakeError, Baked, LinkProblem, bake_tiles};
use crate::casts::{TiledCaster, World};
use crate::scene::{Mesh, Scene, SceneBuilder, SceneError, Solid};
use surefoot::NavGrid;
use surefoot::grid::{GridFrame, NodeId, Standing, Verdict};

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
    /// Everything but the solids, which `colliders` holds. Meshes that nothing uses any more are empty.
    scene: Scene,
    settings: BakeSettings,
    /// By their ids; `None` for those that were removed.
    colliders: Vec<Option<Solid>>,
    /// As they were baked last.
    level: BakedLevel,
    baked: Baked,
    /// Where colliders were or are that changed since, seen from above: x0, z0, x1, z1 [m].
    changed: Vec<[f32; 4]>,
    /// Whether links were added since.
    is_stale: bool,
}

/// A collider of a [`LiveBake`]. It is never used again for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColliderId(u32);

/// What an update did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveUpdate {
    /// How many tiles were baked again.
    pub tiles_baked: usize,
    /// How many tiles the level has.
    pub tiles: usize,
}

/// Why a level cannot be changed so.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// There is no such collider, or it was removed.
    #[error("there is no collider {0}; it may have been removed")]
    UnknownCollider(u32),
    /// The builder knows other areas than the level.
    #[error("the parts were built for other areas; begin with LiveBake::builder")]
    OtherAreas,
    /// The colliders are not sound.
    #[error(transparent)]
    Scene(#[from] SceneError),
}

/// The tiles of a level.
#[derive(Debug)]
struct BakedLevel {
    work: GridFrame,
    /// Names of the nodes, sorted.
    nodes: Vec<String>,
    frames: Vec<GridFrame>,
    tiles: Vec<TileResult>,
}

impl LiveBake {
    /// Bakes a scene whole, and keeps what later updates need: the scene, and the tiles before they are
    /// assembled, about as much memory as the grid.
    ///
    /// # Errors
    /// Fails as [`bake`](super::bake) does.
    pub fn new(
        mut scene: Scene,
        settings: &BakeSettings,
        observer: &dyn BakeObserver,
    ) -> Result<Self, BakeError> {
        let (level, baked, _) = BakedLevel::bake(&scene, settings, None, observer)?;
        let colliders = std::mem::take(&mut scene.solids).into_iter().map(Some);
        Ok(LiveBake {
            scene,
            settings: settings.clone(),
            colliders: colliders.collect(),
            level,
            baked,
            changed: Vec::new(),
            is_stale: false,
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
        let is_named =
            move |solid: &Option<Solid>| solid.as_ref().is_some_and(|solid| solid.name == name);
        let named = (0..).zip(&self.colliders).filter(move |(_, solid)| is_named(solid));
        named.map(|(id, _)| ColliderId(id))
    }

    /// Where a collider is; `None` if there is no such collider.
    pub fn pose(&self, collider: ColliderId) -> Option<&Isometry3<f32>> {
        Some(&self.colliders.get(collider.0 as usize)?.as_ref()?.pose)
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
        let parts = parts.build()?;
        if !parts.areas.starts_with(&self.scene.areas) {
            return Err(LiveError::OtherAreas);
        }
        self.scene.areas = parts.areas;
        self.is_stale |= !parts.links.is_empty();
        self.scene.links.extend(parts.links);
        if !parts.volumes.is_empty() {
            // Anything may lie inside.
            self.changed.push(EVERYWHERE);
            self.scene.volumes.extend(parts.volumes);
        }
        let meshes = self.scene.meshes.len();
        self.scene.meshes.extend(parts.meshes);
        let first = self.colliders.len() as u32;
        for mut solid in parts.solids {
            solid.shape = solid.shape.with_mesh_offset(meshes);
            self.changed.extend(self.ground_rect(&solid));
            self.colliders.push(Some(solid));
        }
        Ok((first..self.colliders.len() as u32).map(ColliderId).collect())
    }

    /// Moves a collider. The grid follows with the next update.
    ///
    /// # Errors
    /// There is no such collider, or the pose has numbers that are NaN, infinite or out of range: it stays
    /// where it is.
    pub fn move_to(&mut self, collider: ColliderId, pose: Isometry3<f32>) -> Result<(), LiveError> {
        let old = self.solid(collider)?.clone();
        SceneBuilder::check_pose(&old.name, &pose)?;
        let moved = Solid { pose, ..old.clone() };
        let rects = [&old, &moved].map(|solid| self.ground_rect(solid));
        self.changed.extend(rects.into_iter().flatten());
        self.colliders[collider.0 as usize] = Some(moved);
        Ok(())
    }

    /// Removes a collider. The grid follows with the next update.
    ///
    /// # Errors
    /// There is no such collider.
    pub fn remove(&mut self, collider: ColliderId) -> Result<(), LiveError> {
        let old = self.solid(collider)?.clone();
        self.changed.extend(self.ground_rect(&old));
        self.colliders[collider.0 as usize] = None;
        let is_used = |mesh| self.colliders.iter().flatten().any(|own| own.shape.mesh() == mesh);
        if let Some(mesh) = old.shape.mesh().filter(|&mesh| !is_used(Some(mesh))) {
            self.scene.meshes[mesh] = Mesh::default();
        }
        Ok(())
    }

    /// Bakes again what changed since the last update. O(triangles + spans), and the cost of baking the
    /// tiles around what changed; all of them if the level has grown or shrunk.
    ///
    /// # Errors
    /// Fails as [`bake`](super::bake) does. The grid stays as it was, and the next update tries again.
    pub fn update(&mut self, observer: &dyn BakeObserver) -> Result<LiveUpdate, BakeError> {
        let tiles = self.level.tiles.len();
        if self.changed.is_empty() && !self.is_stale {
            return Ok(LiveUpdate { tiles_baked: 0, tiles });
        }
        let scene = self.scene()?;
        let known = Some((&self.level, &self.changed[..]));
        let (level, baked, tiles_baked) =
            BakedLevel::bake(&scene, &self.settings, known, observer)?;
        let tiles = level.tiles.len();
        (self.level, self.baked) = (level, baked);
        self.changed.clear();
        self.is_stale = false;
        Ok(LiveUpdate { tiles_baked, tiles })
    }

    /// The scene as it is now, in canonical order: what a whole bake would bake.
    ///
    /// # Errors
    /// Never for colliders that were added or moved here.
    pub fn scene(&self) -> Result<Scene, BakeError> {
        let solids = self.colliders.iter().flatten().cloned().collect();
        let mut scene = Scene { solids, ..self.scene.clone() };
        scene.canonicalize()?;
        Ok(scene)
    }

    fn solid(&self, collider: ColliderId) -> Result<&Solid, LiveError> {
        let known = self.colliders.get(collider.0 as usize).and_then(Option::as_ref);
        known.ok_or(LiveError::UnknownCollider(collider.0))
    }

    /// The rectangle that a solid lies over: x0, z0, x1, z1 [m]; `None` if it has no shape.
    fn ground_rect(&self, solid: &Solid) -> Option<[f32; 4]> {
        let alone = Scene {
            meshes: solid
                .shape
                .mesh()
                .map(|mesh| self.scene.meshes[mesh].clone())
                .into_iter()
                .collect(),
            solids: vec![Solid { shape: solid.shape.with_only_mesh(), ..solid.clone() }],
            ..Scene::default()
        };
        let (min, max) = World::new(&alone).ok()?.bounds()?;
        Some([min.x, min.z, max.x, max.z])
    }
}

impl BakedLevel {
    /// Bakes a scene, but for the tiles that are known and that nothing has changed near; takes those.
    /// Returns the number of tiles that were baked as well.
    fn bake(
        scene: &Scene,
        settings: &BakeSettings,
        known: Option<(&BakedLevel, &[[f32; 4]])>,
        observer: &dyn BakeObserver,
    ) -> Result<(Self, Baked, usize), BakeError> {
        observer.begin(Stage::Index);
        let world = World::new(scene)?;
        let (caster, ()) = rayon::join(|| TiledCaster::new(&world), || world.find_shells());
        let plan = BakePlan::new(&world, scene, settings)?;
        if let Some(bytes) = check_memory(&caster, &plan, settings.memory_limit)? {
            observer.memory_estimated(bytes);
        }
        let context = BakeContext { caster: &caster, plan: &plan, observer };
        let known = known.filter(|(level, _)| level.work == plan.work);
        let (level, baked) = match known {
            None => {
                let threads = rayon::current_num_threads();
                let frames = split_tiles(&plan.work, plan.tile_size, threads);
                let tiles = bake_tiles(&context, &frames)?;
                let baked = tiles.len();
                (BakedLevel::new(&plan, &world, frames, tiles), baked)
            }
            Some((level, changed)) => {
                let touched = touched(&plan, &level.frames, changed);
                let frames: Vec<GridFrame> =
                    touched.iter().map(|&tile| level.frames[tile]).collect();
                let fresh = bake_tiles(&context, &frames)?;
                let mut tiles = level.tiles.clone();
                renumber_nodes(&mut tiles, &level.nodes, world.nodes());
                let baked = fresh.len();
                touched.into_iter().zip(fresh).for_each(|(tile, fresh)| tiles[tile] = fresh);
                (BakedLevel::new(&plan, &world, level.frames.clone(), tiles), baked)
            }
        };
        let assembly = Assembly { scene, caster: &caster, plan: &plan, settings, observer };
        let columns = GridColumns::new(plan.work, &level.tiles)?;
        let whole = assembly.assemble(columns, (&level.tiles[..]).into())?;
        Ok((level, whole, baked))
    }

    fn new(plan: &BakePlan, world: &World, frames: Vec<GridFrame>, tiles: Vec<TileResult>) -> Self {
        BakedLevel { work: plan.work, nodes: world.nodes().to_vec(), frames, tiles }
    }
}

/// Returns the tiles that something changed near enough to matter to.
fn touched(plan: &BakePlan, frames: &[GridFrame], changed: &[[f32; 4]]) -> Vec<usize> {
    let step = std::f32::consts::SQRT_2 * plan.work.cell_size;
    let reach = plan.probes.iter().map(|probe| probe.reach(step)).fold(0.0, f32::max);
    // A ring of cells, and one more for what is cast beside the lines through their centers.
    let reach = reach + 3.0 * plan.work.cell_size + REACH_MARGIN;
    let is_near = |frame: &GridFrame| {
        let (min, max) = frame.bounds();
        changed.iter().any(|&[x0, z0, x1, z1]| {
            x0 <= max[0] + reach
                && x1 >= min[0] - reach
                && z0 <= max[1] + reach
                && z1 >= min[1] - reach
        })
    };
    (0..frames.len()).filter(|&tile| is_near(&frames[tile])).collect()
}

/// A rectangle over everything.
const EVERYWHERE: [f32; 4] = [f32::NEG_INFINITY, f32::NEG_INFINITY, f32::INFINITY, f32::INFINITY];
/// More than rounding can add to a reach [m].
const REACH_MARGIN: f32 = 0.05;

/// Gives the nodes that tiles refer to their numbers among other names.
fn renumber_nodes(tiles: &mut [TileResult], old: &[String], new: &[String]) {
    if old == new {
        return;
    }
    // What refers to a node that is gone is baked again.
    let number = |name| new.binary_search(name).unwrap_or(0) as u32;
    let numbers: Vec<u32> = old.iter().map(number).collect();
    let renumbered = |node: NodeId| NodeId(numbers.get(node.0 as usize).copied().unwrap_or(node.0));
    for tile in tiles {
        for span in &mut tile.spans {
            *span = span.on(span.area(), renumbered(span.node()));
        }
        for standing in tile.agents.iter_mut().flat_map(|agent| &mut agent.standings) {
            if let Verdict::Obstacle(node) = standing.verdict() {
                let connections = standing.forward_connections();
                *standing = Standing::new(Verdict::Obstacle(renumbered(node)))
                    .with_forward_connections(connections);
            }
        }
    }
}
