//! Cracks: where a vertical line falls between surfaces that touch.
//!
//! Modules of a level that are placed side by side touch, but for the rounding of their positions.
//! Where such a crack runs under the center of a cell, a line there may hit neither. It is cast
//! beside the crack instead.

use super::columns::Hit;

/// How far rounding may move a vertex, as a fraction of its distance from the origin.
const POSITION_ROUNDING: f32 = 1.0 / (1 << 20) as f32;
/// Surfaces whose heights differ by no more are level with each other [m].
const LEVEL_TOLERANCE: f32 = 1e-3;

/// Returns how wide a crack between two surfaces that touch can be near (x, z) [m].
pub(super) fn crack_tolerance([x, z]: [f32; 2]) -> f32 {
    POSITION_ROUNDING * x.abs().max(z.abs()).max(1.0)
}

/// Returns the points one crack tolerance to either side of (x, z), in a direction along which
/// levels seldom have cracks.
pub(super) fn lines_beside(at: [f32; 2]) -> [[f32; 2]; 2] {
    let tolerance = crack_tolerance(at);
    [1.0, -1.0].map(|side| [at[0] + side * tolerance, at[1] + side * 0.4 * tolerance])
}

/// Returns whether a line falls into a crack: the lines on either side hit surfaces that are level
/// with each other and face the same way, and it does not.
pub(super) fn is_in_crack(line: &[Hit], [left, right]: [&[Hit]; 2]) -> bool {
    left.iter().any(|surface| has_level_hit(right, surface) && !has_level_hit(line, surface))
}

/// Returns whether a line hits what could be the same surface.
pub(super) fn has_level_hit(line: &[Hit], surface: &Hit) -> bool {
    line.iter().any(|hit| {
        hit.faces_up() == surface.faces_up() && (hit.y - surface.y).abs() <= LEVEL_TOLERANCE
    })
}
