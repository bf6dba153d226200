//! Numbers between Bevy's math types and nalgebra's, which the crates below speak. Both are `f32` and in
//! metres, so nothing is rounded.

use bevy_math::Vec3;
use nalgebra::{Point3, Vector3};

pub(crate) fn point(at: Vec3) -> Point3<f32> {
    Point3::new(at.x, at.y, at.z)
}

pub(crate) fn vector(along: Vec3) -> Vector3<f32> {
    Vector3::new(along.x, along.y, along.z)
}

pub(crate) fn vec3_at(at: Point3<f32>) -> Vec3 {
    Vec3::new(at.x, at.y, at.z)
}

pub(crate) fn vec3_along(along: Vector3<f32>) -> Vec3 {
    Vec3::new(along.x, along.y, along.z)
}
