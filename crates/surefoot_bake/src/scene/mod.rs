//! Scenes: the static geometry of a level, before any physics.
//!
//! A [`Scene`] is a list of static [`Solid`]s (a shape with a pose and kinds of ground), the
//! [`Area`]s that they refer to, and the links and [`Volume`]s that an author marked. It knows no physics and no
//! cells. [`Scene::load`] loads one from a glTF file; [`SceneBuilder`] builds one in code. Either
//! way the scene is in canonical order: the order of nodes and triangles in a file never matters.

mod bounds;
mod builder;
pub(crate) mod canonical;
mod error;
mod gltf;
mod limits;
mod link_marker;
mod marks;
mod outline;
mod scaled;
mod volume;

use nalgebra::{Isometry3, Point3, Vector3};
use serde::Serialize;

use surefoot::Cancelled;
use surefoot::grid::{Area, AreaId};

pub use builder::{Placement, SceneBuilder, Triangles};
pub use error::SceneError;
pub use gltf::{NamedNode, SceneSlice};
pub use link_marker::LinkMarker;
pub use marks::{AreaMark, NodeMarks, SceneMarks, VolumeMark};
pub use volume::{Volume, VolumeEffect, VolumeShape};

/// A level: static solids, kinds of ground, link markers, and a report on how it was loaded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Meshes in their own local space; several solids may share one.
    pub meshes: Vec<Mesh>,
    /// Everything that is solid, in canonical order.
    pub solids: Vec<Solid>,
    /// The kinds of ground; the first is plain walkable ground.
    pub areas: Vec<Area>,
    /// Off-mesh connections that the author marked, in canonical order.
    pub links: Vec<LinkMarker>,
    /// What the ground in parts of space is, in canonical order.
    pub volumes: Vec<Volume>,
    /// What was used, what was skipped, and why.
    pub report: SceneReport,
}

/// A static collider: a shape, its pose and its surfaces.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// Name of the node it came from.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// From the shape's local space to the world; lengths are kept.
    pub pose: Isometry3<f32>,
    /// Its surfaces: one for each slot of the mesh, one for a primitive.
    pub surfaces: Vec<Surface>,
}

/// The shape of a solid. Primitives are solid, meshes are shells. Lengths in metres, all > 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Index into [`Scene::meshes`].
    Mesh(usize),
    /// A box around the origin.
    Cuboid {
        /// Along local x, y and z.
        half_extents: Vector3<f32>,
    },
    /// A ball around the origin.
    Ball {
        /// From the center to the surface.
        radius: f32,
    },
    /// A cylinder with round ends, along local y.
    Capsule {
        /// Half the length of the straight part.
        half_height: f32,
        /// Of the straight part and of both ends.
        radius: f32,
    },
    /// A cylinder along local y.
    Cylinder {
        /// Half the length.
        half_height: f32,
        /// From the axis to the surface.
        radius: f32,
    },
    /// The convex hull of the vertices of a mesh; index into [`Scene::meshes`].
    Hull(usize),
}

impl Shape {
    /// The mesh that it is made of, if it is.
    pub(crate) fn mesh(&self) -> Option<usize> {
        match *self {
            Shape::Mesh(mesh) | Shape::Hull(mesh) => Some(mesh),
            _ => None,
        }
    }

    /// The same shape where so many other meshes come first.
    pub(crate) fn with_mesh_offset(self, meshes: usize) -> Self {
        match self {
            Shape::Mesh(mesh) => Shape::Mesh(mesh + meshes),
            Shape::Hull(mesh) => Shape::Hull(mesh + meshes),
            other => other,
        }
    }
}

impl Scene {
    /// Puts it in canonical order after a change of its solids.
    pub(crate) fn canonicalize(&mut self) -> Result<(), Cancelled> {
        canonical::canonicalize(self, &())
    }
}

/// Triangles in local space. No triangle is degenerate, no number is NaN or infinite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Corner positions [m].
    pub vertices: Vec<Point3<f32>>,
    /// Corners of each triangle, counter-clockwise seen from outside; a hull may have none.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle the index into [`Solid::surfaces`]; empty if all are 0.
    pub slots: Vec<u8>,
}

/// What a surface is to agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Surface {
    /// The kind of ground; index into [`Scene::areas`].
    pub area: AreaId,
    /// Whether it blocks, and no agent stands on it.
    pub obstacle: bool,
    /// Whether both sides can be floor.
    pub two_sided: bool,
}

/// What was used of a file, what was skipped, and why.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SceneReport {
    /// Name of the file, without its folder.
    pub file: String,
    /// Hash of the scene's content, whatever the order in the file.
    pub hash: String,
    /// The marks that were given for the nodes.
    pub marks: SceneMarks,
    /// Number of triangles in use; each use of a shared mesh counts.
    pub triangles: usize,
    /// Number of colliders in use.
    pub colliders: usize,
    /// Nodes and primitives that were skipped.
    pub skipped: Vec<Skipped>,
    /// Things that were used but look like mistakes.
    pub warnings: Vec<Warning>,
}

/// A node, or a part of it, that was skipped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    /// Name of the node.
    pub node: String,
    /// Why it was skipped.
    pub reason: String,
}

/// Something that was used but looks like a mistake.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Warning {
    /// Name of the node.
    pub node: String,
    /// What looks wrong, and what to do.
    pub message: String,
}
