//! Provides [`SolidStore`]: the solids of a level that changes.
//!
//! What is worth keeping of each solid is computed once: its form, its bounds, and the bins of a large
//! mesh. A world of the solids near some rectangles is then made in no time.

use std::sync::Arc;

use nalgebra::Point3;
use parry3d::bounding_volume::BoundingVolume;

use super::facets::Facets;
use super::solid::{WorldSolid, to_point};
use super::tiled::{IndexPart, PlacedPart};
use super::{CollisionError, CollisionWorld, TiledCaster};
use crate::scene::{Mesh, Scene, Solid};
use surefoot::grid::NodeId;
use surefoot_rapier::distance::GroundRect;

/// A solid with more triangles is indexed by itself.
const LARGE_MESH: usize = 512;

/// Solids by their numbers, ready for casts.
#[derive(Debug, Default)]
pub(crate) struct SolidStore {
    /// In the order of meshes.
    facets: Vec<Arc<Facets>>,
    solids: Vec<Option<StoredSolid>>,
}

#[derive(Debug)]
struct StoredSolid {
    solid: WorldSolid,
    /// Its triangles, if they are many.
    part: Option<Arc<IndexPart>>,
}

/// Some solids of a store, as a world of their own.
#[derive(Debug)]
pub(crate) struct NearWorld {
    world: CollisionWorld,
    parts: Vec<PlacedPart>,
}

/// A solid of a store: its number, and the name of its node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedSolid<'a> {
    pub number: usize,
    pub name: &'a str,
}

impl SolidStore {
    /// Appends a mesh.
    pub fn add_mesh(&mut self, mesh: &Mesh) {
        self.facets.push(Arc::new(Facets::of_mesh(mesh)));
    }

    /// Frees a mesh that no solid uses any more.
    pub fn forget_mesh(&mut self, mesh: usize) {
        self.facets[mesh] = Arc::default();
    }

    /// Replaces the solid of a number, or adds it. O(triangles) for a large mesh, and for one that is
    /// seen the first time.
    ///
    /// # Errors
    /// Fails for a convex hull without volume; then there is no solid of that number.
    pub fn set(&mut self, number: usize, solid: &Solid) -> Result<(), CollisionError> {
        self.remove(number);
        if self.solids.len() <= number {
            self.solids.resize_with(number + 1, || None);
        }
        let solid = WorldSolid::new(solid, &self.facets, &[])?;
        let triangles = solid.facets().map_or(0, |facets| facets.triangles.len());
        let part = (triangles > LARGE_MESH).then(|| Arc::new(IndexPart::new(&[&solid])));
        self.solids[number] = Some(StoredSolid { solid, part });
        Ok(())
    }

    /// Removes the solid of a number, if there is one.
    pub fn remove(&mut self, number: usize) {
        if let Some(stored) = self.solids.get_mut(number) {
            *stored = None;
        }
    }

    /// Returns the rectangle below a solid.
    pub fn ground_rect(&self, number: usize) -> Option<GroundRect> {
        let stored = self.solids.get(number)?.as_ref()?;
        Some(stored.solid.ground_rect())
    }

    /// Returns the box around everything: least and greatest corner [m]; `None` if there is nothing.
    pub fn bounds(&self) -> Option<(Point3<f32>, Point3<f32>)> {
        let boxes = self.solids.iter().flatten().map(|stored| stored.solid.bounds);
        let all = boxes.reduce(|a, b| a.merged(&b))?;
        Some((to_point(all.mins), to_point(all.maxs)))
    }

    /// Returns the world of the solids over some rectangles, in the order given. `nodes` are the names of
    /// all nodes, sorted.
    pub fn world_near<'a>(
        &self,
        solids: impl Iterator<Item = NamedSolid<'a>>,
        rects: &[GroundRect],
        nodes: &[String],
    ) -> NearWorld {
        let mut near = NearWorld {
            world: CollisionWorld { solids: Vec::new(), nodes: nodes.to_vec() },
            parts: Vec::new(),
        };
        for NamedSolid { number, name } in solids {
            let Some(StoredSolid { solid, part }) = &self.solids[number] else { continue };
            if !is_over(solid, rects) {
                continue;
            }
            let at = near.world.solids.len() as u32;
            let placed = |part: &Arc<_>| PlacedPart { solids: vec![at], part: Arc::clone(part) };
            near.parts.extend(part.as_ref().map(placed));
            let find = |name: &str| nodes.binary_search_by(|node| node.as_str().cmp(name));
            let node = find(name).map_or(NodeId::NONE, |at| NodeId(at as u32));
            near.world.solids.push(solid.with_node(node));
        }
        near
    }
}

/// Returns whether a solid lies over one of some rectangles.
fn is_over(solid: &WorldSolid, rects: &[GroundRect]) -> bool {
    let below = solid.ground_rect();
    rects.iter().any(|rect| below.intersects(rect))
}

impl CollisionWorld {
    /// Returns the world of the solids over some rectangles.
    pub(crate) fn near(&self, rects: &[GroundRect]) -> NearWorld {
        let near = self.solids.iter().filter(|solid| is_over(solid, rects));
        let world = CollisionWorld { solids: near.cloned().collect(), nodes: self.nodes.clone() };
        NearWorld { world, parts: Vec::new() }
    }

    /// Returns the world of the solids over a rectangle, which knows their nodes alone.
    pub(crate) fn over(&self, rect: &GroundRect) -> CollisionWorld {
        let over = || self.solids.iter().filter(|solid| solid.ground_rect().intersects(rect));
        let mut known: Vec<NodeId> = over().map(|solid| solid.node).collect();
        known.sort_unstable();
        known.dedup();
        let number =
            |node: NodeId| known.binary_search(&node).map_or(NodeId::NONE, |at| NodeId(at as u32));
        let name = |node: &NodeId| self.nodes.get(node.0 as usize).cloned();
        CollisionWorld {
            solids: over().map(|solid| solid.with_node(number(solid.node))).collect(),
            nodes: known.iter().filter_map(name).collect(),
        }
    }
}

impl From<&Scene> for SolidStore {
    /// A store of all meshes of a scene, as yet without solids.
    fn from(scene: &Scene) -> Self {
        SolidStore { facets: super::facets::of_meshes(scene), solids: Vec::new() }
    }
}

impl NearWorld {
    /// Returns a caster against these solids.
    pub fn caster(&self) -> TiledCaster<'_> {
        TiledCaster::with_parts(&self.world, self.parts.clone())
    }
}
