//! Pushes bodies out of each other, over the ground.
//!
//! Avoidance keeps bodies apart while they can choose; where they are wedged, or have to brake too
//! hard, they come to overlap. Each is pushed out of those it overlaps by half, again and again.

use super::neighbors::Body;

/// How often bodies are pushed in a step.
pub(crate) const ROUNDS: usize = 10;
/// Overlaps smaller than this are left [m].
const SLACK: f32 = 1e-3;

/// By how much the first of two bodies is to be pushed, and the second the other way, by where all
/// are now [m]; `None` where they do not overlap.
pub(crate) fn push(
    [own, other]: [usize; 2],
    (bodies, places): (&[Body], &[[f32; 2]]),
) -> Option<[f32; 2]> {
    let apart = [0, 1].map(|axis| places[own][axis] - places[other][axis]);
    let radius = bodies[own].disc.radius + bodies[other].disc.radius;
    let square = apart[0] * apart[0] + apart[1] * apart[1];
    if square >= (radius - SLACK) * (radius - SLACK) {
        return None;
    }
    let distance = square.sqrt();
    // Of two in one place each goes another way.
    let aside = if bodies[own].index < bodies[other].index { [1.0, 0.0] } else { [-1.0, 0.0] };
    let way = if distance > 1e-4 { apart.map(|v| v / distance) } else { aside };
    Some(way.map(|v| 0.5 * v * (radius - distance)))
}
