//! Pushes bodies out of each other, over the ground.
//!
//! Avoidance keeps bodies apart while they can choose; where they are wedged, or have to brake too
//! hard, they come to overlap. Each is pushed out of those it overlaps by half, again and again.

use super::evade::Plan;
use super::neighbors::Body;

/// How often bodies are pushed in a step.
pub(crate) const ROUNDS: usize = 3;
/// Overlaps smaller than this are left [m].
const SLACK: f32 = 1e-3;

/// By how much a body is to be pushed, by where all are now [m].
pub(crate) fn push(own: usize, plan: &Plan, (bodies, places): (&[Body], &[[f32; 2]])) -> [f32; 2] {
    let mut sum = [0.0; 2];
    let mut count = 0.0;
    for other in plan.near.slots() {
        let apart = [0, 1].map(|axis| places[own][axis] - places[other][axis]);
        let distance = apart[0].hypot(apart[1]);
        let depth = bodies[own].disc.radius + bodies[other].disc.radius - distance;
        if depth <= SLACK {
            continue;
        }
        // Of two in one place each goes another way.
        let first = bodies[own].index < bodies[other].index;
        let aside = if first { [1.0, 0.0] } else { [-1.0, 0.0] };
        let way = if distance > 1e-4 { apart.map(|v| v / distance) } else { aside };
        for axis in [0, 1] {
            sum[axis] += 0.5 * depth * way[axis];
        }
        count += 1.0;
    }
    if count > 1.0 { sum.map(|v| v * (EAGER / count).min(1.0)) } else { sum }
}

/// How much of the sum of pushes is taken where there are several: more is faster, too much and
/// bodies jump to and fro.
const EAGER: f32 = 1.5;
