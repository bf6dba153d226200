//! Every ray and shape cast.
//!
//! A [`World`] is a [`Scene`] ready to be asked: which surfaces does a vertical line cross, does a
//! body fit here, can it move straight from here to there. Two [`Caster`]s answer the same
//! questions: [`RapierCaster`] with plain calls to rapier and parry, one cast at a time, which is
//! slow and serves as the reference; [`TiledCaster`] with the geometry of a tile gathered once,
//! which is what a bake uses. This is the only room that names rapier3d or parry3d.

mod columns;
mod facets;
mod hull;
mod rapier;
mod seams;
mod sections;
mod solid;
mod tiled;

use nalgebra::Point3;
use parry3d::bounding_volume::BoundingVolume;
use rayon::prelude::*;

use crate::scene::{Scene, Surface};
use surefoot::grid::{GridFrame, NodeId};

pub use columns::{Columns, Hit};
pub use rapier::RapierCaster;
pub use sections::{GroundEdge, GroundLine, Section};
pub use surefoot_rapier::{Body, Probe, SKIN};
pub use tiled::TiledCaster;

use solid::WorldSolid;

/// The static geometry of a scene, ready for casts.
#[derive(Debug)]
pub struct World {
    solids: Vec<WorldSolid>,
    nodes: Vec<String>,
}

/// A solid that no physics shape can be made of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("node \"{node}\": {problem}")]
#[non_exhaustive]
pub struct WorldError {
    /// Name of the node it came from.
    pub node: String,
    /// What is wrong and what to do.
    pub problem: String,
}

/// Answers questions about the geometry, a rectangle of cells at a time.
pub trait Caster: Sync {
    /// What one thread asks, tile by tile.
    type Tile<'a>: TileCaster
    where
        Self: 'a;

    /// Prepares for questions over a rectangle of cells about bodies that stand there, and that
    /// move from one cell to the next.
    fn tile<'a>(&'a self, cells: &GridFrame, probes: &'a [Probe]) -> Self::Tile<'a>;
}

/// Answers questions about the geometry near one rectangle of cells.
pub trait TileCaster {
    /// All surfaces on the vertical line through the center of each cell, high to low. A line that falls
    /// between surfaces which touch, but for rounding, is cast a hair aside.
    fn columns(&mut self) -> Columns;

    /// All surfaces over a line on the ground, in no order, in place of what `sections` held. A caster
    /// may cut them at most at the line's ends and where they leave its heights; it may give more.
    fn sections(&mut self, line: &GroundLine, sections: &mut Vec<Section>);

    /// How much free room is round a body, one of the tile's probes, when it stands with its feet
    /// at `feet`; a caster may give any lower bound.
    fn room(&mut self, probe: usize, feet: Point3<f32>) -> Room;

    /// Whether a body, one of the tile's probes, can move in a straight line, its feet from one
    /// point to the other, touching nothing. The start is known to be free.
    fn can_move(&mut self, probe: usize, feet: [Point3<f32>; 2]) -> bool;
}

/// What is round a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Room {
    /// Nothing touches the body even if it moves this far in any direction [m, >= 0].
    Free(f32),
    /// It touches this solid, or the nearest of several; an index for [`World::node`].
    Blocked(u32),
}

impl World {
    /// Makes the solids of a scene ready for casts.
    ///
    /// # Errors
    /// A hull whose points lie in one plane, or cannot be made a hull for another reason.
    pub fn new(scene: &Scene) -> Result<Self, WorldError> {
        let nodes = node_names(scene);
        let facets = facets::of_meshes(scene);
        let solids = scene
            .solids
            .iter()
            .map(|solid| WorldSolid::new(solid, &facets, &nodes))
            .collect::<Result<_, _>>()?;
        Ok(World { solids, nodes })
    }

    /// Finds the closed shells of all meshes now, and not when a cast first asks for those of one:
    /// where the first cast shall take no longer than others.
    pub fn find_shells(&self) {
        self.solids.par_iter().filter_map(WorldSolid::facets).for_each(|facets| {
            facets.shells();
        });
    }

    /// Names of the nodes the solids came from, sorted; indexed by [`NodeId`].
    pub fn nodes(&self) -> &[String] {
        &self.nodes
    }

    /// The node a solid came from.
    pub fn node(&self, solid: u32) -> NodeId {
        self.solids[solid as usize].node
    }

    /// What a triangle of a solid, or a round one, counts as.
    pub fn surface(&self, solid: u32, triangle: u32) -> Surface {
        self.solids[solid as usize].surface(triangle)
    }

    /// The closed shell that a hit enters or leaves; `None` where the surface is open. Shells of
    /// different solids have different numbers.
    pub fn shell(&self, hit: &Hit) -> Option<(u32, u32)> {
        self.solids[hit.solid as usize].shell(hit.triangle).map(|shell| (hit.solid, shell))
    }

    /// The box round everything: least and greatest corner [m]; `None` for an empty world.
    pub fn bounds(&self) -> Option<(Point3<f32>, Point3<f32>)> {
        let all = self.solids.iter().map(|solid| solid.bounds).reduce(|a, b| a.merged(&b))?;
        Some((solid::point(all.mins), solid::point(all.maxs)))
    }
}

/// The names of a scene's nodes, sorted, each once.
fn node_names(scene: &Scene) -> Vec<String> {
    let mut names: Vec<String> = scene.solids.iter().map(|solid| solid.name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
