//! The velocity nearest to the wanted one at which a body meets none of its neighbors soon.
//!
//! Each neighbor forbids the velocities that lead to a collision within the horizon; both sides
//! assume that the other does its share, so what is left for each is a half of the plane. The
//! nearest velocity in all halves is found one half-plane at a time. Where there is none, walls
//! count first and the rest is missed by as little as possible.
//! Based on: van den Berg, Guy, Lin and Manocha, "Reciprocal n-body collision avoidance", 2011;
//! Seidel, "Small-dimensional linear programming and convex hulls made easy", 1991.

use crate::crowd::neighbors::MOST_NEIGHBORS;
use crate::follow::{dot, norm};

/// A disc that moves: a body seen from above.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Disc {
    /// Middle, along x and z [m].
    pub place: [f32; 2],
    /// [m/s]
    pub velocity: [f32; 2],
    /// [m]
    pub radius: f32,
}

/// The velocities v with (v - point) · normal >= 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct HalfPlane {
    pub point: [f32; 2],
    /// Of length 1; points to what is allowed.
    pub normal: [f32; 2],
}

/// The half-planes of one body: walls first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Avoidance {
    planes: Planes,
    /// How many of them are walls.
    walls: usize,
}

/// A few half-planes, where they need no memory of their own.
#[derive(Clone, Copy, Debug, Default)]
struct Planes {
    list: [HalfPlane; MOST_PLANES],
    count: usize,
}

/// A wall for each side, and the neighbors.
const MOST_PLANES: usize = 4 + MOST_NEIGHBORS;
/// Discs that overlap are to be apart after so long [s]: sooner, and they would jump.
const TO_PART: f32 = 0.2;
/// Directions this near to parallel have no crossing to count on.
const PARALLEL: f32 = 1e-5;

impl Avoidance {
    /// Adds what may not be broken. Walls come before neighbors.
    pub(crate) fn add_wall(&mut self, plane: HalfPlane) {
        debug_assert_eq!(self.walls, self.planes.count, "walls come first");
        self.planes.push(plane);
        self.walls += 1;
    }

    /// Adds what a neighbor forbids, this body doing a share [0..=1] of what has to be done.
    pub(crate) fn add_neighbor(
        &mut self,
        (own, other): (&Disc, &Disc),
        share: f32,
        (horizon, dt): (f32, f32),
    ) {
        let (change, normal) = way_out(own, other, (horizon, dt));
        let point = [0, 1].map(|axis| own.velocity[axis] + share * change[axis]);
        self.planes.push(HalfPlane { point, normal });
    }

    /// All half-planes, walls first.
    #[cfg(test)]
    pub(crate) fn planes(&self) -> &[HalfPlane] {
        self.planes.all()
    }

    /// The velocity nearest to the wanted one that all half-planes allow and that is no faster than
    /// `most` [m/s]; where there is none, the one that breaks them least.
    pub(crate) fn velocity(&self, wanted: [f32; 2], most: f32) -> [f32; 2] {
        let goal = Goal::Near(wanted);
        match solve(self.planes.all(), most, goal) {
            Ok(velocity) => velocity,
            Err((failed, velocity)) => self.least_breach((failed, velocity), most),
        }
    }

    /// From the first half-plane that could not be kept on: the velocity that keeps all walls and
    /// breaks the others by the least distance.
    fn least_breach(&self, (failed, start): (usize, [f32; 2]), most: f32) -> [f32; 2] {
        let mut velocity = start;
        let mut distance = 0.0;
        let planes = self.planes.all();
        for (at, plane) in planes.iter().enumerate().skip(failed) {
            if -plane.depth(velocity) <= distance {
                continue;
            }
            let mut bisectors = Planes::default();
            planes[..self.walls].iter().for_each(|wall| bisectors.push(*wall));
            let others = planes[self.walls.min(at)..at].iter();
            others.filter_map(|other| bisector(plane, other)).for_each(|own| bisectors.push(own));
            if let Ok(found) = solve(bisectors.all(), most, Goal::Along(plane.normal)) {
                velocity = found;
            }
            distance = -plane.depth(velocity);
        }
        velocity
    }
}

/// What a linear program is to find.
#[derive(Clone, Copy)]
enum Goal {
    /// The point nearest to this one.
    Near([f32; 2]),
    /// The point farthest in this direction, of length 1.
    Along([f32; 2]),
}

/// The best point of a disc round the origin in all half-planes.
///
/// # Errors
/// The first half-plane that has no point in common with those before it, and the best point of
/// those.
fn solve(planes: &[HalfPlane], most: f32, goal: Goal) -> Result<[f32; 2], (usize, [f32; 2])> {
    let mut best = match goal {
        Goal::Along(direction) => direction.map(|v| v * most),
        Goal::Near(point) => {
            let length = norm(point);
            if length > most { point.map(|v| v * (most / length)) } else { point }
        }
    };
    for (at, plane) in planes.iter().enumerate() {
        if plane.depth(best) >= 0.0 {
            continue;
        }
        match on_border(plane, (&planes[..at], most), goal) {
            Some(point) => best = point,
            None => return Err((at, best)),
        }
    }
    Ok(best)
}

/// The best point on the border of a half-plane that others allow; `None` where they allow none.
fn on_border(plane: &HalfPlane, others: (&[HalfPlane], f32), goal: Goal) -> Option<[f32; 2]> {
    let (others, most) = others;
    let along = [plane.normal[1], -plane.normal[0]];
    let middle = dot(plane.point, along);
    let inside = middle * middle + most * most - dot(plane.point, plane.point);
    if inside < 0.0 {
        return None;
    }
    let half = inside.sqrt();
    let (mut low, mut high) = (-middle - half, -middle + half);
    for other in others {
        let (slope, depth) = (dot(along, other.normal), other.depth(plane.point));
        if slope.abs() <= PARALLEL {
            if depth < 0.0 {
                return None;
            }
        } else if slope > 0.0 {
            low = low.max(-depth / slope);
        } else {
            high = high.min(-depth / slope);
        }
        if low > high {
            return None;
        }
    }
    let at = match goal {
        Goal::Near(point) => {
            let off = [point[0] - plane.point[0], point[1] - plane.point[1]];
            dot(along, off).clamp(low, high)
        }
        Goal::Along(direction) if dot(along, direction) > 0.0 => high,
        Goal::Along(_) => low,
    };
    Some([0, 1].map(|axis| plane.point[axis] + at * along[axis]))
}

/// Where one half-plane is broken no more than another; `None` where that is everywhere.
fn bisector(plane: &HalfPlane, other: &HalfPlane) -> Option<HalfPlane> {
    let along = [plane.normal[1], -plane.normal[0]];
    let slope = dot(along, other.normal);
    let point = if slope.abs() <= PARALLEL {
        if dot(plane.normal, other.normal) > 0.0 {
            return None;
        }
        [0, 1].map(|axis| (plane.point[axis] + other.point[axis]) / 2.0)
    } else {
        let at = -other.depth(plane.point) / slope;
        [0, 1].map(|axis| plane.point[axis] + at * along[axis])
    };
    let apart = [0, 1].map(|axis| other.normal[axis] - plane.normal[axis]);
    let length = norm(apart);
    (length > 0.0).then(|| HalfPlane { point, normal: apart.map(|v| v / length) })
}

/// The least change of the relative velocity of two discs that keeps them apart for the horizon,
/// and in which direction more of it helps.
fn way_out(own: &Disc, other: &Disc, (horizon, dt): (f32, f32)) -> ([f32; 2], [f32; 2]) {
    let apart = [0, 1].map(|axis| other.place[axis] - own.place[axis]);
    let relative = [0, 1].map(|axis| own.velocity[axis] - other.velocity[axis]);
    let radius = own.radius + other.radius;
    let square = dot(apart, apart);
    let touch = radius * radius;
    // Discs that overlap are to part soon.
    let time = if square > touch { horizon } else { dt.max(TO_PART) };
    let from_end = [0, 1].map(|axis| relative[axis] - apart[axis] / time);
    let along = dot(from_end, apart);
    let length = norm(from_end);
    let by_end = along < 0.0 && along * along > touch * length * length;
    if square <= touch || by_end {
        let normal = if length > 0.0 { from_end.map(|v| v / length) } else { [1.0, 0.0] };
        return (normal.map(|v| v * (radius / time - length)), normal);
    }
    let segment = (square - touch).sqrt();
    // The side of the cone that is nearer.
    let side = if apart[0] * from_end[1] - apart[1] * from_end[0] > 0.0 { 1.0 } else { -1.0 };
    let tangent = [
        side * (apart[0] * segment - side * apart[1] * radius) / square,
        side * (side * apart[0] * radius + apart[1] * segment) / square,
    ];
    let normal = [-tangent[1], tangent[0]];
    let depth = dot(relative, normal);
    (normal.map(|v| -v * depth), normal)
}

impl Planes {
    fn all(&self) -> &[HalfPlane] {
        &self.list[..self.count]
    }

    /// Adds one, if there is room.
    fn push(&mut self, plane: HalfPlane) {
        if let Some(slot) = self.list.get_mut(self.count) {
            *slot = plane;
            self.count += 1;
        }
    }
}

impl HalfPlane {
    /// How deep a velocity lies inside; negative outside.
    fn depth(&self, velocity: [f32; 2]) -> f32 {
        (velocity[0] - self.point[0]) * self.normal[0]
            + (velocity[1] - self.point[1]) * self.normal[1]
    }
}
