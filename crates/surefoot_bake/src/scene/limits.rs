//! The limits of places in a scene.

use nalgebra::Point3;

/// The greatest coordinate in a scene [m].
pub(super) const MAX_COORDINATE: f32 = 1e7;

/// Returns what is wrong with a point: a coordinate is not a number, or too large.
pub(super) fn check_point(point: &Point3<f32>) -> Result<(), String> {
    if point.iter().all(|value| value.abs() <= MAX_COORDINATE) {
        return Ok(());
    }
    Err(format!(
        "({}, {}, {}) is not a valid position; coordinates must be within {MAX_COORDINATE} m of the origin",
        point.x, point.y, point.z
    ))
}
