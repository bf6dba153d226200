//! One solid of a world: its shape in parry's types, its facets and its surfaces.

use std::sync::Arc;

use nalgebra::{Isometry3, Point3};
use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vector};
use parry3d::query::Ray;
use parry3d::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, Cylinder, SharedShape, TriMesh};

use super::CollisionError;
use super::facets::Facets;
use super::hull::{Polyhedron, convex_hull};
use crate::scene::{Shape, Solid, Surface};
use surefoot::grid::NodeId;
use surefoot_rapier::distance::{Bounds, GroundRect};

/// A static collider.
#[derive(Clone, Debug)]
pub(super) struct WorldSolid {
    pub form: SolidForm,
    pub pose: Pose,
    pub node: NodeId,
    /// The box around it, in the world.
    pub bounds: Aabb,
    surfaces: Vec<Surface>,
}

/// What a solid is made of.
#[derive(Clone, Debug)]
pub(super) enum SolidForm {
    /// A shell of triangles; hollow.
    Shell(Arc<Facets>),
    /// A convex body with flat faces; solid.
    Faceted(Arc<Facets>, SharedShape),
    /// A convex body with round faces; solid.
    Round(SharedShape),
}

impl WorldSolid {
    /// Converts a solid of a scene, given the facets of the scene's meshes and its sorted node
    /// names.
    pub fn new(
        solid: &Solid,
        facets: &[Arc<Facets>],
        nodes: &[String],
    ) -> Result<Self, CollisionError> {
        let form = SolidForm::new(solid, facets)?;
        let pose = to_pose(&solid.pose);
        let node = nodes.binary_search(&solid.name).map_or(NodeId::NONE, |i| NodeId(i as u32));
        let bounds = form.bounds(&pose);
        Ok(WorldSolid { form, pose, node, bounds, surfaces: solid.surfaces.clone() })
    }

    /// Returns the same solid, as part of a node.
    pub fn with_node(&self, node: NodeId) -> Self {
        WorldSolid { node, ..self.clone() }
    }

    /// Returns the rectangle below it.
    pub fn ground_rect(&self) -> GroundRect {
        Bounds::from(self.bounds).ground_rect()
    }

    /// Returns the surface of a triangle, or of a round primitive.
    pub fn surface(&self, triangle: u32) -> Surface {
        let slot = self.facets().map_or(0, |facets| facets.slot(triangle));
        self.surfaces.get(slot).copied().unwrap_or_default()
    }

    /// Returns the closed shell that a triangle belongs to; a convex body is one.
    pub fn shell(&self, triangle: u32) -> Option<u32> {
        self.facets().map_or(Some(0), |facets| facets.shell(triangle))
    }

    /// Returns how many surfaces a vertical line crosses at most: its triangles, or where the line enters
    /// and leaves a round primitive.
    pub fn surface_count(&self) -> u64 {
        self.facets().map_or(2, |facets| facets.triangles.len() as u64)
    }

    /// Returns its triangles, if it has any.
    pub fn facets(&self) -> Option<&Facets> {
        match &self.form {
            SolidForm::Shell(facets) | SolidForm::Faceted(facets, _) => Some(facets),
            SolidForm::Round(_) => None,
        }
    }

    /// Returns the corners of a triangle in the world [m].
    pub fn triangle(&self, facets: &Facets, triangle: u32) -> [Vector; 3] {
        facets.triangles[triangle as usize].map(|v| self.pose * facets.vertices[v as usize])
    }

    /// Returns its shape for rapier. Takes O(triangles) time and memory for a shell.
    pub fn shared_shape(&self) -> Result<SharedShape, String> {
        match &self.form {
            SolidForm::Shell(facets) => {
                TriMesh::new(facets.vertices.clone(), facets.triangles.clone())
                    .map(|mesh| SharedShape(Arc::new(mesh)))
                    .map_err(|error| error.to_string())
            }
            SolidForm::Faceted(_, shape) | SolidForm::Round(shape) => Ok(shape.clone()),
        }
    }
}

impl SolidForm {
    fn new(solid: &Solid, facets: &[Arc<Facets>]) -> Result<Self, CollisionError> {
        Ok(match &solid.shape {
            Shape::Mesh(mesh) => SolidForm::Shell(facets[*mesh].clone()),
            Shape::Hull(mesh) => hull(&solid.name, &facets[*mesh].vertices)?,
            Shape::Cuboid { half_extents } => {
                let cuboid = Cuboid::new(Vector::from(*half_extents));
                let (vertices, triangles) = cuboid.to_trimesh();
                faceted(Polyhedron { vertices, triangles }, cuboid)
            }
            Shape::Ball { radius } => round(Ball::new(*radius)),
            Shape::Capsule { half_height, radius } => round(Capsule::new_y(*half_height, *radius)),
            Shape::Cylinder { half_height, radius } => round(Cylinder::new(*half_height, *radius)),
        })
    }

    fn bounds(&self, pose: &Pose) -> Aabb {
        match self {
            SolidForm::Shell(facets) | SolidForm::Faceted(facets, _) => {
                Aabb::from_points(facets.vertices.iter().map(|&v| *pose * v))
            }
            SolidForm::Round(shape) => shape.compute_aabb(pose),
        }
    }
}

fn round(shape: impl parry3d::shape::Shape) -> SolidForm {
    SolidForm::Round(SharedShape(Arc::new(shape)))
}

fn faceted(surface: Polyhedron, shape: impl parry3d::shape::Shape) -> SolidForm {
    SolidForm::Faceted(Arc::new(Facets::of_convex(surface)), SharedShape(Arc::new(shape)))
}

fn hull(node: &str, points: &[Vector]) -> Result<SolidForm, CollisionError> {
    let hull = convex_hull(points).and_then(|hull| {
        let shape = ConvexPolyhedron::from_convex_mesh(hull.vertices.clone(), &hull.triangles)?;
        Some(faceted(hull, shape))
    });
    hull.ok_or_else(|| CollisionError {
        node: node.to_owned(),
        problem: "its convex hull has no volume; use a mesh collider or give it some thickness"
            .to_owned(),
    })
}

pub(super) fn to_point(v: Vector) -> Point3<f32> {
    Point3::new(v.x, v.y, v.z)
}

fn to_pose(isometry: &Isometry3<f32>) -> Pose {
    Pose::from_parts(isometry.translation.vector.into(), isometry.rotation.into())
}

/// How far beyond a solid a ray starts [m]: a start on the surface would be a hit.
const RAY_MARGIN: f32 = 1.0;

impl WorldSolid {
    /// Calls back with the height and normal where the vertical line at (x, z) enters and leaves a
    /// convex solid: casts rays from above and from below.
    pub fn convex_hits(&self, shape: &SharedShape, at: [f32; 2], mut add: impl FnMut(f32, Vector)) {
        let (low, high) = (self.bounds.mins.y - RAY_MARGIN, self.bounds.maxs.y + RAY_MARGIN);
        let length = high - low;
        for (start, direction) in [(high, -1.0), (low, 1.0)] {
            let ray = Ray::new(Vector::new(at[0], start, at[1]), Vector::new(0.0, direction, 0.0));
            if let Some(hit) = shape.cast_ray_and_get_normal(&self.pose, &ray, length, true) {
                add(start + direction * hit.time_of_impact, hit.normal);
            }
        }
    }

    /// Returns the height at which the vertical line at (x, z) comes down on a convex solid [m].
    pub fn top(&self, shape: &SharedShape, at: [f32; 2]) -> Option<f32> {
        let mut top = None;
        if self.is_on_line(at) {
            self.convex_hits(shape, at, |y, _| top = Some(top.map_or(y, |top: f32| top.max(y))));
        }
        top
    }

    /// Returns whether the vertical line at (x, z) passes through the box around the solid.
    pub fn is_on_line(&self, at: [f32; 2]) -> bool {
        let Aabb { mins, maxs } = self.bounds;
        (mins.x..=maxs.x).contains(&at[0]) && (mins.z..=maxs.z).contains(&at[1])
    }
}
