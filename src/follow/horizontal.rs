//! Vectors along x and z: the ground seen from above.

use crate::portable;
use nalgebra::Point3;

/// Places are on one storey if their heights differ by no more than this [m].
pub(crate) const SAME_STOREY: f32 = 1.5;

pub(crate) fn dot(a: [f32; 2], b: [f32; 2]) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

/// Returns the length of a vector. A square root is the same on every machine; `hypot` is not.
pub(crate) fn norm(v: [f32; 2]) -> f32 {
    dot(v, v).sqrt()
}

/// Rotates a vector from x towards z by an angle [rad].
pub(crate) fn rotate(v: [f32; 2], angle: f32) -> [f32; 2] {
    let (sine, cosine) = portable::sin_cos(angle);
    [v[0] * cosine - v[1] * sine, v[0] * sine + v[1] * cosine]
}

/// Returns the distance between two points seen from above [m].
pub(crate) fn horizontal_distance(a: &Point3<f32>, b: &Point3<f32>) -> f32 {
    norm([a.x - b.x, a.z - b.z])
}
