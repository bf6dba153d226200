//! Provides [`Colliders`]: the solids of a level that changes, by ids that last.

use std::collections::BTreeMap;

use nalgebra::{Isometry3, Point3};

use super::error::LiveError;
use super::update::LevelSolids;
use crate::casts::{CollisionError, NamedSolid, NearWorld, SolidStore};
use crate::scene::canonical::{MeshDigest, SolidKey, digest, hash, surroundings_hash};
use crate::scene::{Mesh, Scene, SceneBuilder, Solid};
use crate::stages::provenance::collider_record;
use surefoot::grid::{ContentHash, SceneRecord};
use surefoot_rapier::distance::GroundRect;

/// A collider of a [`LiveBake`](super::LiveBake). It is never used again for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColliderId(pub(super) u32);

/// The solids of a level by their ids, and what is worth keeping of each.
#[derive(Debug)]
pub(super) struct Colliders {
    /// Those that nothing uses any more are empty.
    meshes: Vec<Mesh>,
    digests: Vec<MeshDigest>,
    /// How many colliders each mesh has.
    uses: Vec<u32>,
    /// By their ids; `None` for those that were removed.
    solids: Vec<Option<KeyedSolid>>,
    /// Ids in canonical order.
    order: Vec<u32>,
    store: SolidStore,
    /// What is wrong with those that cannot be converted.
    faults: BTreeMap<u32, CollisionError>,
    /// Names of the nodes, sorted.
    nodes: Vec<String>,
}

#[derive(Debug)]
struct KeyedSolid {
    key: SolidKey,
    hash: ContentHash,
    solid: Solid,
}

impl Colliders {
    /// Takes the meshes and solids of a scene. Ids are in their order.
    pub fn of(scene: &mut Scene) -> Self {
        let mut colliders = Colliders {
            store: SolidStore::from(&*scene),
            meshes: std::mem::take(&mut scene.meshes),
            digests: Vec::new(),
            uses: Vec::new(),
            solids: Vec::new(),
            order: Vec::new(),
            faults: BTreeMap::new(),
            nodes: Vec::new(),
        };
        colliders.digests = colliders.meshes.iter().map(digest).collect();
        colliders.uses = vec![0; colliders.meshes.len()];
        let solids = std::mem::take(&mut scene.solids);
        // They are in canonical order.
        colliders.order = (0..solids.len() as u32).collect();
        for solid in solids {
            colliders.solids.push(None);
            colliders.put(colliders.solids.len() as u32 - 1, solid);
        }
        colliders.name_nodes();
        colliders
    }

    /// Adds the solids of a scene, and returns their ids.
    pub fn add(&mut self, parts: Scene) -> Vec<ColliderId> {
        let (meshes, first) = (self.meshes.len(), self.solids.len() as u32);
        for mesh in parts.meshes {
            self.store.add_mesh(&mesh);
            self.digests.push(digest(&mesh));
            self.uses.push(0);
            self.meshes.push(mesh);
        }
        for mut solid in parts.solids {
            solid.shape = solid.shape.with_mesh_offset(meshes);
            self.solids.push(None);
            let id = self.solids.len() as u32 - 1;
            self.put(id, solid);
            self.insert(id);
        }
        self.name_nodes();
        (first..self.solids.len() as u32).map(ColliderId).collect()
    }

    /// Moves a collider.
    ///
    /// # Errors
    /// There is no such collider, or the pose is not sound.
    pub fn move_to(&mut self, id: ColliderId, pose: Isometry3<f32>) -> Result<(), LiveError> {
        let old = self.get(id).ok_or(LiveError::UnknownCollider(id.0))?;
        SceneBuilder::check_pose(&old.name, &pose)?;
        let moved = Solid { pose, ..old.clone() };
        self.take(id);
        self.put(id.0, moved);
        self.insert(id.0);
        Ok(())
    }

    /// Removes a collider.
    ///
    /// # Errors
    /// There is no such collider.
    pub fn remove(&mut self, id: ColliderId) -> Result<(), LiveError> {
        self.get(id).ok_or(LiveError::UnknownCollider(id.0))?;
        if let Some(KeyedSolid { solid, .. }) = self.take(id)
            && let Some(mesh) = solid.shape.mesh()
            && self.uses[mesh] == 0
        {
            self.meshes[mesh] = Mesh::default();
            self.store.forget_mesh(mesh);
        }
        self.name_nodes();
        Ok(())
    }

    /// Returns a collider that was not removed.
    pub fn get(&self, id: ColliderId) -> Option<&Solid> {
        self.solids.get(id.0 as usize)?.as_ref().map(|keyed| &keyed.solid)
    }

    /// Returns all colliders in the order of ids.
    pub fn iter(&self) -> impl Iterator<Item = (ColliderId, &Solid)> {
        let present =
            |(id, keyed): (u32, &'_ Option<KeyedSolid>)| keyed.as_ref().map(|_| ColliderId(id));
        let ids: Vec<ColliderId> = (0..).zip(&self.solids).filter_map(present).collect();
        ids.into_iter().filter_map(|id| Some((id, self.get(id)?)))
    }

    /// Returns the rectangle that a collider lies over; `None` if it has no shape.
    pub fn ground_rect(&self, id: ColliderId) -> Option<GroundRect> {
        self.store.ground_rect(id.0 as usize)
    }

    /// Returns the box around everything: least and greatest corner [m].
    pub fn bounds(&self) -> Option<(Point3<f32>, Point3<f32>)> {
        self.store.bounds()
    }

    /// Returns the hash of a scene with these colliders. Links and volumes are in canonical order.
    pub fn hash(&self, scene: &Scene) -> String {
        hash(self.keyed().map(|(_, keyed)| &keyed.key), scene)
    }

    /// Returns the record of a scene with these colliders.
    pub fn record(&self, scene: &Scene) -> SceneRecord {
        let colliders = self.keyed().filter_map(|(id, keyed)| {
            let rect = self.store.ground_rect(id as usize)?;
            Some(collider_record(keyed.hash, &rect))
        });
        SceneRecord::new(surroundings_hash(scene), colliders.collect())
    }

    /// Returns a scene with these colliders, not in canonical order.
    pub fn scene(&self, rest: &Scene) -> Scene {
        let solids = self.keyed().map(|(_, keyed)| keyed.solid.clone()).collect();
        Scene { solids, meshes: self.meshes.clone(), ..rest.clone() }
    }

    /// Returns the colliders in canonical order.
    fn keyed(&self) -> impl Iterator<Item = (u32, &KeyedSolid)> {
        self.order.iter().filter_map(|&id| Some((id, self.solids[id as usize].as_ref()?)))
    }

    /// Fills the place of an id that has none.
    fn put(&mut self, id: u32, solid: Solid) {
        if let Err(fault) = self.store.set(id as usize, &solid) {
            self.faults.insert(id, fault);
        }
        if let Some(mesh) = solid.shape.mesh() {
            self.uses[mesh] += 1;
        }
        let key = SolidKey::new(&solid, &self.digests);
        let hash = key.hash();
        self.solids[id as usize] = Some(KeyedSolid { key, hash, solid });
    }

    /// Inserts an id into the canonical order.
    fn insert(&mut self, id: u32) {
        let key = |id: u32| self.solids[id as usize].as_ref().map(|keyed| &keyed.key);
        let at = self.order.partition_point(|&other| key(other) < key(id));
        self.order.insert(at, id);
    }

    /// Empties the place of an id.
    fn take(&mut self, id: ColliderId) -> Option<KeyedSolid> {
        let ColliderId(id) = id;
        let key = |id: u32| self.solids[id as usize].as_ref().map(|keyed| &keyed.key);
        let from = self.order.partition_point(|&other| key(other) < key(id));
        // Equal ones may come in any order.
        let at = self.order[from..].iter().position(|&other| other == id);
        at.map(|at| self.order.remove(from + at));
        self.store.remove(id as usize);
        self.faults.remove(&id);
        let taken = self.solids[id as usize].take()?;
        if let Some(mesh) = taken.solid.shape.mesh() {
            self.uses[mesh] -= 1;
        }
        Some(taken)
    }

    /// Lists the names of nodes again, if they changed.
    fn name_nodes(&mut self) {
        let names = self.keyed().map(|(_, keyed)| keyed.solid.name.as_str());
        let mut last = None;
        let names = names.filter(|&name| last.replace(name) != Some(name));
        let names: Vec<&str> = names.collect();
        if !self.nodes.iter().eq(names.iter()) {
            self.nodes = names.into_iter().map(str::to_owned).collect();
        }
    }
}

impl LevelSolids for Colliders {
    fn nodes(&self) -> &[String] {
        &self.nodes
    }

    fn world_near(&self, rects: &[GroundRect]) -> Result<NearWorld, CollisionError> {
        if let Some(fault) = self.faults.values().next() {
            return Err(fault.clone());
        }
        let solids = self.keyed().map(|(id, keyed)| {
            let number = id as usize;
            NamedSolid { number, name: &keyed.solid.name }
        });
        Ok(self.store.world_near(solids, rects, &self.nodes))
    }
}
