//! Provides [`WorldSize`]: how much memory the world of a scene takes, before it is made.

use crate::scene::{Mesh, Scene, Shape};

/// How much has to be cast against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WorldSize {
    /// Number of colliders.
    pub colliders: u64,
    /// Triangles of all of them; those of a mesh count for each collider that has it.
    pub triangles: u64,
    /// What the world and the index of its triangles take, by an estimate.
    pub bytes: u64,
}

/// Bytes of a collider, with its surfaces.
const BYTES_PER_COLLIDER: u64 = 240;
/// Bytes of what a box, and each point of a hull, add to that: they have triangles of their own.
const BYTES_PER_BOX: u64 = 600;
const BYTES_PER_HULL_POINT: u64 = 64;
/// Bytes of a placed triangle: the rectangle below it, and its entries in the two bins or so that it lies over.
const BYTES_PER_PLACED_TRIANGLE: u64 = 16 + 2 * 8;
/// Bytes of a mesh: corners and triangles as they are cast against, and the edges by which closed shells are
/// found.
const BYTES_PER_VERTEX: u64 = 12;
const BYTES_PER_TRIANGLE: u64 = 12 + 4 + 36;

impl WorldSize {
    /// Counts what is solid in a scene. O(colliders + meshes).
    pub fn of(scene: &Scene) -> Self {
        let meshes = scene.meshes.iter().map(bytes_of_mesh).sum::<u64>();
        let mut size = WorldSize { bytes: meshes, ..WorldSize::default() };
        for solid in &scene.solids {
            let (triangles, bytes) = match solid.shape {
                Shape::Mesh(mesh) => (scene.meshes[mesh].triangles.len() as u64, 0),
                Shape::Hull(mesh) => {
                    let points = scene.meshes[mesh].vertices.len() as u64;
                    (2 * points, BYTES_PER_HULL_POINT * points)
                }
                Shape::Cuboid { .. } => (12, BYTES_PER_BOX),
                Shape::Ball { .. } | Shape::Capsule { .. } | Shape::Cylinder { .. } => (0, 0),
            };
            size.colliders += 1;
            size.triangles += triangles;
            size.bytes += BYTES_PER_COLLIDER + bytes + BYTES_PER_PLACED_TRIANGLE * triangles;
        }
        size
    }
}

fn bytes_of_mesh(mesh: &Mesh) -> u64 {
    let Mesh { vertices, triangles, slots } = mesh;
    let of_triangles = BYTES_PER_TRIANGLE * triangles.len() as u64 + slots.len() as u64;
    BYTES_PER_VERTEX * vertices.len() as u64 + of_triangles
}
