//! Scenes: what a level is made of, before any physics.
//!
//! A [`Scene`] is a list of static [`Solid`]s (a shape somewhere, with the kinds of ground on it),
//! the [`Area`]s they name, and the links an author marked. It knows no physics and no cells.
//! [`Scene::load`] makes one from a glTF file; [`SceneBuilder`] from code. Either way the scene is
//! put in one canonical order, so that the order of nodes and triangles in a file never matters.

mod bounds;
mod builder;
mod canonical;
mod error;
mod gltf;
mod marks;

use nalgebra::{Isometry3, Point3, Vector3};
use serde::Serialize;

use surefoot::grid::{Area, AreaId, LinkKind};

pub use builder::{Placement, SceneBuilder};
pub use error::SceneError;
pub use marks::{AreaMark, SceneMarks};

/// A level: static solids, kinds of ground, link markers, and the report of how it was loaded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The shapes that several solids may share, in their own local space.
    pub meshes: Vec<Mesh>,
    /// Everything that blocks or carries, in canonical order.
    pub solids: Vec<Solid>,
    /// The kinds of ground; the first is plain walkable ground.
    pub areas: Vec<Area>,
    /// Off-mesh connections the author marked, in canonical order.
    pub links: Vec<LinkMarker>,
    /// What was used, what was skipped, and why.
    pub report: SceneReport,
}

/// One static collider: a shape, where it stands, and what it counts as.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// Name of the node it came from.
    pub name: String,
    /// Its form.
    pub shape: Shape,
    /// From the shape's local space to the world; lengths are kept.
    pub pose: Isometry3<f32>,
    /// What its surfaces count as: one for each slot of the mesh, one for a primitive.
    pub surfaces: Vec<Surface>,
}

/// The form of a solid. Primitives are solid, meshes are shells. Lengths in metres, all > 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Index into [`Scene::meshes`].
    Mesh(usize),
    /// A box round the origin.
    Cuboid {
        /// Along local x, y and z.
        half_extents: Vector3<f32>,
    },
    /// A ball round the origin.
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

/// Triangles in local space. No triangle is degenerate, no number is NaN or infinite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Corner positions [m].
    pub vertices: Vec<Point3<f32>>,
    /// Corners of each triangle, counter-clockwise seen from outside; a hull may have none.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle the index into [`Solid::surfaces`]; empty when all are 0.
    pub slots: Vec<u8>,
}

/// What a surface counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Surface {
    /// The kind of ground; index into [`Scene::areas`].
    pub area: AreaId,
    /// Blocks, and nobody stands on it.
    pub obstacle: bool,
    /// Both sides can be floor.
    pub two_sided: bool,
}

/// An off-mesh connection an author marked in the scene; ends are snapped at the bake.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkMarker {
    /// Name of the node that marks it.
    pub name: String,
    /// Where it starts [m].
    pub from: Point3<f32>,
    /// Where it ends [m].
    pub to: Point3<f32>,
    /// Whether it can be taken back.
    pub two_way: bool,
    /// Metres-equivalent; `None` means its length.
    pub cost: Option<f32>,
    /// What kind of movement it takes.
    pub kind: LinkKind,
}

/// What became of a file: what was used, what was skipped and why.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SceneReport {
    /// Name of the file, without its folder.
    pub file: String,
    /// Hash of the scene's content, whatever the order in the file.
    pub hash: String,
    /// What was asked to make of which nodes.
    pub marks: SceneMarks,
    /// Triangles in use, each use of a shared mesh counted.
    pub triangles: usize,
    /// Colliders in use.
    pub colliders: usize,
    /// Nodes and primitives that were left out.
    pub skipped: Vec<Skipped>,
    /// Things that look like mistakes of the author, but were used.
    pub warnings: Vec<Warning>,
}

/// A node, or a part of it, that was left out of the scene.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    /// Name of the node.
    pub node: String,
    /// Why it was left out.
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
