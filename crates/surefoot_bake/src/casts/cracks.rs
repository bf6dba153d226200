//! Seams: where a vertical line falls between surfaces that touch.
//!
//! Pieces of a level that are put side by side touch but for the rounding of their places, and where
//! the seam runs under the center of a cell, a line there may meet neither. Such a line is cast a hair
//! aside instead.

use super::columns::Hit;

/// How far a place may be moved by rounding, in parts of its distance from the origin.
const ROUNDING: f32 = 1.0 / (1 << 20) as f32;
/// Surfaces no further apart are level with each other [m].
const LEVEL: f32 = 1e-3;

/// How far from each other the edges of two surfaces that touch can be, near a place (x, z) [m].
pub(super) fn hair([x, z]: [f32; 2]) -> f32 {
    ROUNDING * x.abs().max(z.abs()).max(1.0)
}

/// The places a hair to either side of a place, in a direction in which levels seldom have seams.
pub(super) fn beside(at: [f32; 2]) -> [[f32; 2]; 2] {
    let hair = hair(at);
    [1.0, -1.0].map(|side| [at[0] + side * hair, at[1] + side * 0.4 * hair])
}

/// Whether a line falls through a seam: the lines on either side meet surfaces that are level with
/// each other and face the same way, and it does not.
pub(super) fn falls_through(line: &[Hit], [left, right]: [&[Hit]; 2]) -> bool {
    left.iter().any(|surface| meets(right, surface) && !meets(line, surface))
}

/// Whether a line meets what could be the same surface.
pub(super) fn meets(line: &[Hit], surface: &Hit) -> bool {
    line.iter()
        .any(|hit| hit.faces_up() == surface.faces_up() && (hit.y - surface.y).abs() <= LEVEL)
}
