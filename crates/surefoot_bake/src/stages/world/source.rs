//! Provides [`WorldSource`]: a level that is read where it is needed.

use nalgebra::Point3;

use super::error::WorldBakeError;
use crate::casts::CollisionWorld;
use crate::scene::canonical::solid_hashes;
use crate::scene::{Scene, SceneError};
use crate::stages::BakeError;
use crate::stages::provenance::collider_record;
use surefoot::grid::ColliderRecord;
use surefoot_rapier::distance::GroundRect;

/// A level that may be too large to be in memory at once: the solids over a rectangle are read when they
/// are needed, by several threads at once. Equal content gives equal answers.
pub trait WorldSource: Send + Sync {
    /// What is known of the whole level: a scene without meshes and solids, with all areas, links and
    /// volumes, and with a report that has the name, the marks and the hash of all content.
    fn outline(&self) -> &Scene;

    /// Returns the box around all solids: least and greatest corner [m]; `None` if there are none.
    fn bounds(&self) -> Option<(Point3<f32>, Point3<f32>)>;

    /// Returns the records of the solids that lie over a rectangle, in any order. The hash of a record
    /// changes with anything that counts of its solid.
    ///
    /// # Errors
    /// A file cannot be read, or holds what cannot be used.
    fn records_over(&self, rect: &GroundRect) -> Result<Vec<ColliderRecord>, SceneError>;

    /// Returns the solids that lie over a rectangle, in canonical order, with the areas of the outline. More
    /// solids than those are allowed.
    ///
    /// # Errors
    /// A file cannot be read, or holds what cannot be used.
    fn scene_over(&self, rect: &GroundRect) -> Result<Scene, SceneError>;

    /// Returns the same solids, ready for casts.
    ///
    /// # Errors
    /// As [`WorldSource::scene_over`], and a solid that cannot be converted.
    fn world_over(&self, rect: &GroundRect) -> Result<CollisionWorld, WorldBakeError> {
        let scene = self.scene_over(rect)?;
        Ok(CollisionWorld::new(&scene).map_err(BakeError::from)?)
    }
}

/// A scene in memory, as a source of a world that is baked tile by tile.
#[derive(Debug)]
pub struct SceneSource {
    scene: Scene,
    outline: Scene,
    world: CollisionWorld,
    /// In the order of solids.
    records: Vec<ColliderRecord>,
}

impl SceneSource {
    /// Prepares a scene. O(triangles).
    ///
    /// # Errors
    /// A solid that cannot be converted for casts.
    pub fn new(scene: Scene) -> Result<Self, WorldBakeError> {
        let world = CollisionWorld::new(&scene).map_err(BakeError::from)?;
        world.find_shells();
        let hashes = solid_hashes(&scene).into_iter();
        let records = hashes.zip(world.ground_rects());
        let records = records.map(|(hash, rect)| collider_record(hash, &rect)).collect();
        let outline = Scene {
            areas: scene.areas.clone(),
            links: scene.links.clone(),
            volumes: scene.volumes.clone(),
            report: scene.report.clone(),
            ..Scene::default()
        };
        Ok(SceneSource { scene, outline, world, records })
    }

    /// The records of its solids, in the order of the scene.
    pub fn records(&self) -> &[ColliderRecord] {
        &self.records
    }
}

impl WorldSource for SceneSource {
    fn outline(&self) -> &Scene {
        &self.outline
    }

    fn bounds(&self) -> Option<(Point3<f32>, Point3<f32>)> {
        self.world.bounds()
    }

    fn records_over(&self, rect: &GroundRect) -> Result<Vec<ColliderRecord>, SceneError> {
        let over = self
            .records
            .iter()
            .filter(|record| GroundRect { min: record.min, max: record.max }.intersects(rect));
        Ok(over.copied().collect())
    }

    fn scene_over(&self, rect: &GroundRect) -> Result<Scene, SceneError> {
        let over = self.scene.solids.iter().zip(self.world.ground_rects());
        let over = over.filter(|(_, own)| own.intersects(rect)).map(|(solid, _)| solid.clone());
        let (meshes, solids) = (self.scene.meshes.clone(), over.collect());
        Ok(Scene { meshes, solids, ..self.outline.clone() })
    }

    fn world_over(&self, rect: &GroundRect) -> Result<CollisionWorld, WorldBakeError> {
        Ok(self.world.over(rect))
    }
}
