//! Gaps: what keeps a body from moving, as slabs between it and the obstacles near it.

use nalgebra::{Point3, Vector3};
use parry3d::math::Vector;

use surefoot_rapier::distance::{ConvexObstacle, CoreShape};

/// What is near a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// The body, one of the tile's probes.
    pub probe: usize,
    /// Where its feet are.
    pub feet: Point3<f32>,
    /// How far around it [m, >= 0].
    pub within: f32,
}

/// The gap between a body and something convex: a slab with the body on one side and the other thing
/// beyond it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// The direction from the body across the gap, of length 1.
    pub direction: Vector3<f32>,
    /// How far the body can move in that direction [m].
    pub width: f32,
}

impl Gap {
    /// Returns the gap of a body of some radius [m], given the shortest vector from an obstacle to its
    /// core shape; `None` if they overlap.
    fn new(separation: Vector, radius: f32) -> Option<Self> {
        let distance = separation.length();
        let direction = -separation / distance;
        let direction = Vector3::new(direction.x, direction.y, direction.z);
        (distance > 0.0).then_some(Gap { direction, width: distance - radius })
    }

    /// How gaps are ordered: nearest first, and in the same order whatever they were found in.
    fn order(&self, other: &Gap) -> std::cmp::Ordering {
        let key = |gap: &Gap| [gap.width, gap.direction.x, gap.direction.y, gap.direction.z];
        let pairs = key(self).into_iter().zip(key(other));
        pairs.fold(std::cmp::Ordering::Equal, |order, (a, b)| order.then(a.total_cmp(&b)))
    }
}

/// How far an obstacle may reach into a nearer gap and still count as beyond it [m]: unevenness of a wall
/// of several pieces.
const BEYOND_TOLERANCE: f32 = 1e-3;
/// An obstacle is held against this many of the nearest gaps: more walls than these do not meet in a cell.
const MOST_COMPARED: usize = 8;

/// The gaps found around a body, before those are left out that lie beyond others.
#[derive(Debug, Default)]
pub(super) struct FoundGaps(Vec<FoundGap>);

#[derive(Clone, Copy, Debug)]
struct FoundGap {
    gap: Gap,
    /// Index of the obstacle.
    obstacle: u32,
}

impl FoundGaps {
    /// Adds the gap to an obstacle, given the shortest vector from it to a core shape.
    pub fn add(&mut self, core: &CoreShape, obstacle: u32, separation: Vector) {
        let gap = Gap::new(separation, core.radius);
        self.0.extend(gap.map(|gap| FoundGap { gap, obstacle }));
    }

    /// Replaces `gaps` by what was found around a core shape, nearest first, and forgets it.
    ///
    /// An obstacle that lies wholly beyond a nearer gap is left out: a body that does not cross the gap
    /// does not reach it. At a seam of two pieces of one wall, the gap to the farther piece leads to its
    /// edge, and so across the way along the wall.
    pub fn move_to<'a>(
        &mut self,
        gaps: &mut Vec<Gap>,
        core: &CoreShape,
        obstacle: impl Fn(u32) -> ConvexObstacle<'a>,
    ) {
        gaps.clear();
        self.0.sort_unstable_by(|a, b| a.gap.order(&b.gap));
        for found in self.0.drain(..) {
            let obstacle = obstacle(found.obstacle);
            let is_beyond = |nearer: &Gap| {
                let [x, y, z] = nearer.direction.into();
                let far_side = core.radius + nearer.width - BEYOND_TOLERANCE;
                core.height_of(&obstacle, Vector::new(x, y, z)) >= far_side
            };
            if !gaps.iter().take(MOST_COMPARED).any(is_beyond) {
                gaps.push(found.gap);
            }
        }
    }
}
