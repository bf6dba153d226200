//! The box around a scene, and its number of triangles.

use nalgebra::{Isometry3, Point3, Vector3};

use super::{Scene, Shape, Solid};

impl Scene {
    /// Returns the least and the greatest corner of the box around all solids [m]; `None` without
    /// solids.
    ///
    /// Exact up to rounding, also for round primitives. O(vertices of all uses).
    pub fn bounds(&self) -> Option<(Point3<f32>, Point3<f32>)> {
        self.solids.iter().map(|solid| self.bounds_of(solid)).reduce(|a, b| {
            (Point3::from(a.0.coords.inf(&b.0.coords)), Point3::from(a.1.coords.sup(&b.1.coords)))
        })
    }

    /// Returns the least and the greatest corner of the box around one solid of this scene [m].
    pub fn bounds_of(&self, solid: &Solid) -> (Point3<f32>, Point3<f32>) {
        match solid.shape {
            Shape::Mesh(mesh) | Shape::Hull(mesh) => {
                around(&self.meshes[mesh].vertices, &solid.pose)
            }
            _ => {
                let half = half_extents(&solid.shape, &solid.pose);
                let center = Point3::from(solid.pose.translation.vector);
                (center - half, center + half)
            }
        }
    }

    /// Returns the number of triangles of all meshes; each use of a shared mesh counts.
    pub fn triangle_count(&self) -> usize {
        let of = |solid: &Solid| match solid.shape {
            Shape::Mesh(mesh) => self.meshes[mesh].triangles.len(),
            _ => 0,
        };
        self.solids.iter().map(of).sum()
    }
}

/// Returns the box around points moved by a pose.
fn around(vertices: &[Point3<f32>], pose: &Isometry3<f32>) -> (Point3<f32>, Point3<f32>) {
    let mut low = Vector3::repeat(f32::INFINITY);
    let mut high = Vector3::repeat(f32::NEG_INFINITY);
    for vertex in vertices {
        let point = (pose * vertex).coords;
        low = low.inf(&point);
        high = high.sup(&point);
    }
    (low.into(), high.into())
}

/// Returns the half extents of the world's axis-aligned box around a primitive.
fn half_extents(shape: &Shape, pose: &Isometry3<f32>) -> Vector3<f32> {
    let axes = pose.rotation.to_rotation_matrix();
    let up = axes.matrix().column(1).into_owned();
    match *shape {
        Shape::Cuboid { half_extents } => axes.matrix().abs() * half_extents,
        Shape::Ball { radius } => Vector3::repeat(radius),
        Shape::Capsule { half_height, radius } => up.abs() * half_height + Vector3::repeat(radius),
        Shape::Cylinder { half_height, radius } => {
            up.map(|a| a.abs() * half_height + radius * (1.0 - a * a).max(0.0).sqrt())
        }
        Shape::Mesh(_) | Shape::Hull(_) => Vector3::zeros(),
    }
}
