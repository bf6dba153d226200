//! One solid of a world: its shape in parry's types, its facets, and what its surfaces count as.

use std::sync::Arc;

use nalgebra::{Isometry3, Point3};
use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vector};
use parry3d::query::Ray;
use parry3d::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, Cylinder, SharedShape, TriMesh};

use super::WorldError;
use super::facets::Facets;
use super::hull::{Polyhedron, convex_hull};
use crate::scene::{Shape, Solid, Surface};
use surefoot::grid::NodeId;

/// A static collider.
#[derive(Clone, Debug)]
pub(super) struct WorldSolid {
    pub form: Form,
    pub pose: Pose,
    pub node: NodeId,
    /// The box round it, in the world.
    pub bounds: Aabb,
    surfaces: Vec<Surface>,
}

/// What a solid is made of.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// A shell of triangles; hollow.
    Shell(Arc<Facets>),
    /// A convex body with flat faces; solid.
    Faceted(Arc<Facets>, SharedShape),
    /// A convex body with round faces; solid.
    Round(SharedShape),
}

impl WorldSolid {
    /// A solid of a scene, its mesh taken from `facets`, its node's index from the sorted `nodes`.
    pub fn new(
        solid: &Solid,
        facets: &[Arc<Facets>],
        nodes: &[String],
    ) -> Result<Self, WorldError> {
        let form = form(solid, facets)?;
        let pose = pose(&solid.pose);
        let node = nodes.binary_search(&solid.name).map_or(NodeId::NONE, |i| NodeId(i as u32));
        let bounds = form.bounds(&pose);
        Ok(WorldSolid { form, pose, node, bounds, surfaces: solid.surfaces.clone() })
    }

    /// What a triangle, or a round primitive, counts as.
    pub fn surface(&self, triangle: u32) -> Surface {
        let slot = self.facets().map_or(0, |facets| facets.slot(triangle));
        self.surfaces.get(slot).copied().unwrap_or_default()
    }

    /// The closed shell a triangle belongs to; a convex body is one.
    pub fn shell(&self, triangle: u32) -> Option<u32> {
        self.facets().map_or(Some(0), |facets| facets.shell(triangle))
    }

    /// The triangles, where it has any.
    pub fn facets(&self) -> Option<&Facets> {
        match &self.form {
            Form::Shell(facets) | Form::Faceted(facets, _) => Some(facets),
            Form::Round(_) => None,
        }
    }

    /// A triangle in the world.
    pub fn triangle(&self, facets: &Facets, triangle: u32) -> [Vector; 3] {
        facets.triangles[triangle as usize].map(|v| self.pose * facets.vertices[v as usize])
    }

    /// Its shape for rapier. Building one for a shell takes time and memory: O(triangles).
    pub fn shared_shape(&self) -> Result<SharedShape, String> {
        match &self.form {
            Form::Shell(facets) => TriMesh::new(facets.vertices.clone(), facets.triangles.clone())
                .map(|mesh| SharedShape(Arc::new(mesh)))
                .map_err(|error| error.to_string()),
            Form::Faceted(_, shape) | Form::Round(shape) => Ok(shape.clone()),
        }
    }
}

impl Form {
    fn bounds(&self, pose: &Pose) -> Aabb {
        match self {
            Form::Shell(facets) | Form::Faceted(facets, _) => {
                Aabb::from_points(facets.vertices.iter().map(|&v| *pose * v))
            }
            Form::Round(shape) => shape.compute_aabb(pose),
        }
    }
}

fn form(solid: &Solid, facets: &[Arc<Facets>]) -> Result<Form, WorldError> {
    let faceted = |facets, shape| Form::Faceted(Arc::new(facets), shape);
    Ok(match &solid.shape {
        Shape::Mesh(mesh) => Form::Shell(facets[*mesh].clone()),
        Shape::Hull(mesh) => {
            let (hull, shape) = hull(&solid.name, &facets[*mesh].vertices)?;
            faceted(Facets::of_hull(hull), SharedShape(Arc::new(shape)))
        }
        Shape::Cuboid { half_extents } => {
            let cuboid = Cuboid::new(vector(half_extents));
            faceted(Facets::of_hull(cuboid.to_trimesh()), SharedShape(Arc::new(cuboid)))
        }
        Shape::Ball { radius } => Form::Round(SharedShape(Arc::new(Ball::new(*radius)))),
        Shape::Capsule { half_height, radius } => {
            Form::Round(SharedShape(Arc::new(Capsule::new_y(*half_height, *radius))))
        }
        Shape::Cylinder { half_height, radius } => {
            Form::Round(SharedShape(Arc::new(Cylinder::new(*half_height, *radius))))
        }
    })
}

fn hull(node: &str, points: &[Vector]) -> Result<(Polyhedron, ConvexPolyhedron), WorldError> {
    let hull = convex_hull(points).and_then(|hull| {
        let shape = ConvexPolyhedron::from_convex_mesh(hull.0.clone(), &hull.1)?;
        Some((hull, shape))
    });
    hull.ok_or_else(|| WorldError {
        node: node.to_owned(),
        problem: "its convex hull has no volume; use a mesh collider or give it some thickness"
            .to_owned(),
    })
}

pub(super) fn vector(v: &nalgebra::Vector3<f32>) -> Vector {
    (*v).into()
}

pub(super) fn point(v: Vector) -> Point3<f32> {
    Point3::new(v.x, v.y, v.z)
}

fn pose(isometry: &Isometry3<f32>) -> Pose {
    Pose::from_parts(isometry.translation.vector.into(), isometry.rotation.into())
}

/// How far beyond a solid a ray starts [m]; it keeps the start off the surface.
const RAY_MARGIN: f32 = 1.0;

impl WorldSolid {
    /// Adds where the vertical line at (x, z) enters and leaves a convex solid, by casting a ray
    /// at it from above and from below.
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

    /// Where the vertical line at (x, z) comes down on a convex solid.
    pub fn top(&self, shape: &SharedShape, at: [f32; 2]) -> Option<f32> {
        let mut top = None;
        if self.is_under(at) {
            self.convex_hits(shape, at, |y, _| top = Some(top.map_or(y, |top: f32| top.max(y))));
        }
        top
    }

    /// Whether the vertical line at (x, z) passes through the box round the solid.
    pub fn is_under(&self, at: [f32; 2]) -> bool {
        let Aabb { mins, maxs } = self.bounds;
        (mins.x..=maxs.x).contains(&at[0]) && (mins.z..=maxs.z).contains(&at[1])
    }
}
