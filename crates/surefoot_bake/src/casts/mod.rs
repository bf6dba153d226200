//! Ray and shape casts against the static geometry of a scene.
//!
//! A [`CollisionWorld`] is a [`Scene`] that is ready for queries: which surfaces does a vertical line cross,
//! does a body fit here, can it move straight from here to there. Two [`Caster`]s answer the same
//! queries. [`RapierCaster`] makes plain calls to rapier and parry, one cast at a time: it is slow
//! and serves as the reference. [`TiledCaster`] gathers the geometry of a tile once: a bake uses
//! it. Only this module uses rapier3d and parry3d.

mod columns;
mod cracks;
mod facets;
mod gaps;
mod headroom;
mod hull;
mod outer_surface;
mod passage;
mod rapier;
mod sections;
mod solid;
mod solid_store;
mod tiled;
mod world_size;

use nalgebra::Point3;
use parry3d::bounding_volume::BoundingVolume;
use rayon::prelude::*;

use crate::scene::{Scene, Surface};
use surefoot::grid::{GridFrame, NodeId};

pub use columns::{Columns, Hit};
pub use gaps::{Gap, Surroundings};
pub use headroom::HeadroomQuery;
pub use outer_surface::OuterSurface;
pub use passage::{Beside, PassageQuery};
pub use rapier::RapierCaster;
pub use sections::{GroundEdge, GroundLine, Section};
pub(crate) use solid_store::{NamedSolid, NearWorld, SolidStore};
use surefoot_rapier::distance::GroundRect;
pub use surefoot_rapier::{Body, Probe, SKIN};
pub use tiled::TiledCaster;
pub(crate) use world_size::WorldSize;

use solid::WorldSolid;

/// The static geometry of a scene, ready for casts.
#[derive(Clone, Debug, Default)]
pub struct CollisionWorld {
    solids: Vec<WorldSolid>,
    nodes: Vec<String>,
}

/// A solid that cannot be converted to a physics shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("node \"{node}\": {problem}")]
#[non_exhaustive]
pub struct CollisionError {
    /// Name of the node it came from.
    pub node: String,
    /// What is wrong and what to do.
    pub problem: String,
}

/// Answers queries about the geometry of a world, a rectangle of cells at a time.
pub trait Caster: Sync {
    /// Answers queries over one rectangle of cells, for one thread.
    type Tile<'a>: TileCaster
    where
        Self: 'a;

    /// Returns the world that it casts against.
    fn world(&self) -> &CollisionWorld;

    /// Prepares for queries over a rectangle of cells about bodies that stand there and that step
    /// to the next cell.
    fn tile<'a>(&'a self, cells: &GridFrame, probes: &'a [Probe]) -> Self::Tile<'a>;
}

/// Answers queries about the geometry near one rectangle of cells.
pub trait TileCaster {
    /// Returns all surfaces on the vertical line through the center of each cell, high to low. A
    /// line that falls into a crack between surfaces is cast beside it. Any number of surfaces may lie
    /// over a cell: `goes_on` is often called with how many were found so far, and after it has returned
    /// `false`, what is returned means nothing.
    fn columns(&mut self, goes_on: &dyn Fn(usize) -> bool) -> Columns;

    /// Replaces `sections` by all surfaces over a line on the ground, in no order. A section is
    /// clipped to the line; it may extend beyond the line's heights, and others beyond them may be
    /// included.
    fn sections(&mut self, line: &GroundLine, sections: &mut Vec<Section>);

    /// Returns the free room around a body, one of the tile's probes, with its feet at a point. Any
    /// lower bound is allowed.
    fn room(&mut self, probe: usize, feet: Point3<f32>) -> Room;

    /// Returns whether a body, one of the tile's probes, has so much free room [m] wherever in a box its
    /// feet are, given by its least and its greatest corner. May return `false` where that is hard to
    /// tell.
    fn has_room_throughout(&mut self, probe: usize, feet: [Point3<f32>; 2], room: f32) -> bool;

    /// Replaces `gaps` by those between a body and everything in its surroundings, nearest first, but for
    /// what lies beyond a nearer gap: a wall of many pieces is one gap. Others may be included.
    fn gaps(&mut self, around: &Surroundings, gaps: &mut Vec<Gap>);

    /// Returns what is beside a body, one of the tile's probes, that does not fit with its feet at a point.
    fn beside(&mut self, query: &PassageQuery) -> Beside;

    /// Returns only which walls there are, as [`beside`](TileCaster::beside) does.
    fn walls(&mut self, query: &PassageQuery) -> [bool; 8];

    /// Returns how high a body may be that touches nothing [m]; `None` if none is low enough.
    fn headroom(&mut self, query: &HeadroomQuery) -> Option<f32>;

    /// Returns whether a body, one of the tile's probes, touches nothing while its feet move in a
    /// straight line from one point to another. The start must be free.
    fn can_move(&mut self, probe: usize, feet: [Point3<f32>; 2]) -> bool;
}

/// What is around a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Room {
    /// Nothing touches the body, even if it moves this far in any direction [m, >= 0].
    Free(f32),
    /// The body touches this solid, or the nearest of several; an index for [`CollisionWorld::node`].
    Blocked(u32),
}

impl CollisionWorld {
    /// Prepares the solids of a scene for casts. O(triangles).
    ///
    /// # Errors
    /// Fails for a convex hull without volume.
    pub fn new(scene: &Scene) -> Result<Self, CollisionError> {
        let nodes = node_names(scene);
        let facets = facets::of_meshes(scene);
        let solids = scene
            .solids
            .iter()
            .map(|solid| WorldSolid::new(solid, &facets, &nodes))
            .collect::<Result<_, _>>()?;
        Ok(CollisionWorld { solids, nodes })
    }

    /// Finds the closed shells of all meshes. Otherwise the first query of each mesh does so, which
    /// makes it slower than the others.
    pub fn find_shells(&self) {
        self.solids.par_iter().filter_map(WorldSolid::facets).for_each(|facets| {
            facets.shells();
        });
    }

    /// Returns the names of the nodes that the solids came from, sorted; indexed by [`NodeId`].
    pub fn nodes(&self) -> &[String] {
        &self.nodes
    }

    /// Returns a number of surfaces that no vertical line crosses more of.
    pub(crate) fn surfaces(&self) -> u64 {
        self.solids.iter().map(WorldSolid::surface_count).sum()
    }

    /// Returns the node that a solid came from.
    pub fn node(&self, solid: u32) -> NodeId {
        self.solids[solid as usize].node
    }

    /// Returns the surface of a triangle of a solid; 0 for a round solid.
    pub fn surface(&self, solid: u32, triangle: u32) -> Surface {
        self.solids[solid as usize].surface(triangle)
    }

    /// Returns the closed shell of its solid that a hit enters or leaves; `None` if the surface is
    /// open.
    pub(crate) fn shell(&self, hit: &Hit) -> Option<u32> {
        self.solids[hit.solid as usize].shell(hit.triangle)
    }

    /// Returns the rectangle below each solid.
    pub(crate) fn ground_rects(&self) -> impl Iterator<Item = GroundRect> {
        self.solids.iter().map(WorldSolid::ground_rect)
    }

    /// Returns the box around everything: least and greatest corner [m]; `None` for an empty world.
    pub fn bounds(&self) -> Option<(Point3<f32>, Point3<f32>)> {
        let all = self.solids.iter().map(|solid| solid.bounds).reduce(|a, b| a.merged(&b))?;
        Some((solid::to_point(all.mins), solid::to_point(all.maxs)))
    }
}

/// Returns the names of a scene's nodes, sorted, each once.
fn node_names(scene: &Scene) -> Vec<String> {
    let mut names: Vec<String> = scene.solids.iter().map(|solid| solid.name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
