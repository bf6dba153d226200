//! Optimal reciprocal collision avoidance (ORCA): the velocity nearest to the desired one at which a
//! body meets none of its neighbors soon.
//!
//! What comes in are discs that move; what goes out is a velocity. Each neighbor forbids the velocities
//! that lead to a collision within the time horizon (its velocity obstacle). Both sides assume that the
//! other does its share, so what is left for each is a half-plane. A linear program finds the nearest
//! velocity in all half-planes, one at a time. If there is none, walls are kept and the neighbors'
//! half-planes are broken by as little as possible.
//! Based on: van den Berg, Guy, Lin and Manocha, "Reciprocal n-body collision avoidance", 2011;
//! Seidel, "Small-dimensional linear programming and convex hulls made easy", 1991. RVO2 calls the
//! programs here `linearProgram1` to `linearProgram3`.

use crate::follow::{dot, norm};

/// A disc that moves: a body seen from above.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Disc {
    /// Along x and z [m].
    pub center: [f32; 2],
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

/// The times that collision avoidance looks at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OrcaParameters {
    /// Collisions within this time are avoided [s, > 0].
    pub time_horizon: f32,
    /// How long a step is [s, > 0].
    pub dt: f32,
}

/// The half-planes of one body: walls first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Avoidance {
    own: Disc,
    parameters: OrcaParameters,
    planes: HalfPlanes,
    /// How many of them are walls.
    walls: usize,
}

/// A few half-planes, without memory of their own.
#[derive(Clone, Copy, Debug, Default)]
struct HalfPlanes {
    list: [HalfPlane; MOST_PLANES],
    count: usize,
}

/// The most neighbors that a body takes into account.
pub(crate) const MOST_NEIGHBORS: usize = 10;
/// A wall for each side, and the neighbors.
const MOST_PLANES: usize = 4 + MOST_NEIGHBORS;
/// Discs that overlap are moved apart within this time [s]; in less they would jump.
const SEPARATION_TIME: f32 = 0.2;
/// The crossing of two directions this near to parallel is not computed: it would be far off and
/// inexact.
const PARALLEL: f32 = 1e-5;

impl Avoidance {
    /// No half-planes yet.
    pub(crate) fn new(own: Disc, parameters: OrcaParameters) -> Self {
        Avoidance { own, parameters, ..Avoidance::default() }
    }

    /// Adds a half-plane that must not be broken. Walls come before neighbors.
    pub(crate) fn add_wall(&mut self, plane: HalfPlane) {
        debug_assert_eq!(self.walls, self.planes.count, "walls come first");
        self.planes.push(plane);
        self.walls += 1;
    }

    /// Adds the ORCA half-plane of a neighbor. This body does a share [0..=1] of the change that avoids
    /// the collision.
    pub(crate) fn add_neighbor(&mut self, other: &Disc, share: f32) {
        let VelocityChange { change, normal } = avoiding_change(&self.own, other, self.parameters);
        // A body that the other makes way for may use all the room left between them: with none of it, it could
        // not even brake.
        let has_room = dot(change, normal) < 0.0;
        let part = if has_room && share == 0.0 { 1.0 } else { share };
        let point = [0, 1].map(|axis| self.own.velocity[axis] + part * change[axis]);
        self.planes.push(HalfPlane { point, normal });
    }

    /// Returns all half-planes, walls first.
    #[cfg(test)]
    pub(crate) fn planes(&self) -> &[HalfPlane] {
        self.planes.all()
    }

    /// Returns the velocity nearest to the desired one that all half-planes allow and that is no faster
    /// than `max_speed` [m/s]; if there is none, the one that breaks them least.
    pub(crate) fn velocity(&self, desired: [f32; 2], max_speed: f32) -> [f32; 2] {
        let objective = Objective::Nearest(desired);
        let program = LinearProgram { planes: self.planes.all(), max_speed, objective };
        program.solve().unwrap_or_else(|infeasible| self.least_violation(infeasible, max_speed))
    }

    /// Returns the velocity that keeps all walls and breaks the other half-planes by the least
    /// distance (`linearProgram3`). It starts from the first half-plane that could not be kept.
    fn least_violation(&self, start: Infeasible, max_speed: f32) -> [f32; 2] {
        let mut velocity = start.best;
        let mut distance = 0.0;
        let planes = self.planes.all();
        for (at, plane) in planes.iter().enumerate().skip(start.plane) {
            if -plane.depth(velocity) <= distance {
                continue;
            }
            let mut bisectors = HalfPlanes::default();
            planes[..self.walls].iter().for_each(|wall| bisectors.push(*wall));
            let others = planes[self.walls.min(at)..at].iter();
            others.filter_map(|other| bisector(plane, other)).for_each(|own| bisectors.push(own));
            let objective = Objective::Farthest(plane.normal);
            let program = LinearProgram { planes: bisectors.all(), max_speed, objective };
            // Without a solution, by rounding, the velocity so far is kept.
            if let Ok(found) = program.solve() {
                velocity = found;
            }
            distance = -plane.depth(velocity);
        }
        velocity
    }
}

/// What a linear program optimizes.
#[derive(Clone, Copy)]
enum Objective {
    /// The point nearest to this one.
    Nearest([f32; 2]),
    /// The point farthest in this direction, of length 1.
    Farthest([f32; 2]),
}

/// A linear program in the plane: the best velocity in a disc around the origin and in all half-planes.
struct LinearProgram<'a> {
    planes: &'a [HalfPlane],
    /// The radius of the disc [m/s].
    max_speed: f32,
    objective: Objective,
}

/// A linear program has no solution.
#[derive(Clone, Copy, Debug)]
struct Infeasible {
    /// The first half-plane that has no velocity in common with those before it.
    plane: usize,
    /// The best velocity in those before it.
    best: [f32; 2],
}

impl LinearProgram<'_> {
    /// Returns the best velocity (`linearProgram2`). O(half-planes²) at worst.
    fn solve(&self) -> Result<[f32; 2], Infeasible> {
        let mut best = match self.objective {
            Objective::Farthest(direction) => direction.map(|v| v * self.max_speed),
            Objective::Nearest(point) => {
                let length = norm(point);
                let is_too_fast = length > self.max_speed;
                if is_too_fast { point.map(|v| v * (self.max_speed / length)) } else { point }
            }
        };
        for (at, plane) in self.planes.iter().enumerate() {
            if plane.depth(best) >= 0.0 {
                continue;
            }
            // The best velocity of the planes so far is not in this one, so the new best is on its
            // border.
            match self.best_on_border(at) {
                Some(point) => best = point,
                None => return Err(Infeasible { plane: at, best }),
            }
        }
        Ok(best)
    }

    /// Returns the best velocity on the border of a half-plane that those before it allow; `None` if
    /// they allow none (`linearProgram1`).
    fn best_on_border(&self, at: usize) -> Option<[f32; 2]> {
        let plane = &self.planes[at];
        let along = [plane.normal[1], -plane.normal[0]];
        let middle = dot(plane.point, along);
        let inside =
            middle * middle + self.max_speed * self.max_speed - dot(plane.point, plane.point);
        if inside < 0.0 {
            return None;
        }
        let half = inside.sqrt();
        let (mut low, mut high) = (-middle - half, -middle + half);
        if low.is_nan() || high.is_nan() {
            // The squares of such speeds are more than can be counted.
            return None;
        }
        for other in &self.planes[..at] {
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
        let at = match self.objective {
            Objective::Nearest(point) => {
                let off = [point[0] - plane.point[0], point[1] - plane.point[1]];
                dot(along, off).clamp(low, high)
            }
            Objective::Farthest(direction) if dot(along, direction) > 0.0 => high,
            Objective::Farthest(_) => low,
        };
        Some([0, 1].map(|axis| plane.point[axis] + at * along[axis]))
    }
}

/// Returns the half-plane in which one half-plane is broken by no more than another; `None` if that is
/// everywhere.
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
    let between = [0, 1].map(|axis| other.normal[axis] - plane.normal[axis]);
    let length = norm(between);
    (length > 0.0).then(|| HalfPlane { point, normal: between.map(|v| v / length) })
}

/// A change of a relative velocity that avoids a collision: `u` and `n` of the paper.
struct VelocityChange {
    /// [m/s]
    change: [f32; 2],
    /// The direction in which more of it helps, of length 1.
    normal: [f32; 2],
}

/// Returns the least change of the relative velocity of two discs that keeps them apart for the time
/// horizon: it leads to the nearest point on the border of the truncated cone of velocities that
/// collide.
fn avoiding_change(own: &Disc, other: &Disc, parameters: OrcaParameters) -> VelocityChange {
    let OrcaParameters { time_horizon, dt } = parameters;
    let offset = [0, 1].map(|axis| other.center[axis] - own.center[axis]);
    let relative = [0, 1].map(|axis| own.velocity[axis] - other.velocity[axis]);
    let radius = own.radius + other.radius;
    let distance_squared = dot(offset, offset);
    let radius_squared = radius * radius;
    // Discs that overlap have to separate soon, whatever the horizon.
    let time =
        if distance_squared > radius_squared { time_horizon } else { dt.max(SEPARATION_TIME) };
    let from_cap = [0, 1].map(|axis| relative[axis] - offset[axis] / time);
    let along = dot(from_cap, offset);
    let length = norm(from_cap);
    let is_nearest_to_cap = along < 0.0 && along * along > radius_squared * length * length;
    if distance_squared <= radius_squared || is_nearest_to_cap {
        let normal = if length > 0.0 { from_cap.map(|v| v / length) } else { [1.0, 0.0] };
        return VelocityChange { change: normal.map(|v| v * (radius / time - length)), normal };
    }
    let tangent_length = (distance_squared - radius_squared).sqrt();
    // The nearer of the two legs of the cone.
    let side = if offset[0] * from_cap[1] - offset[1] * from_cap[0] > 0.0 { 1.0 } else { -1.0 };
    let tangent = [
        side * (offset[0] * tangent_length - side * offset[1] * radius) / distance_squared,
        side * (side * offset[0] * radius + offset[1] * tangent_length) / distance_squared,
    ];
    let normal = [-tangent[1], tangent[0]];
    let depth = dot(relative, normal);
    VelocityChange { change: normal.map(|v| -v * depth), normal }
}

impl HalfPlanes {
    fn all(&self) -> &[HalfPlane] {
        &self.list[..self.count]
    }

    /// Adds one, if there is room.
    fn push(&mut self, plane: HalfPlane) {
        if let Some(entry) = self.list.get_mut(self.count) {
            *entry = plane;
            self.count += 1;
        }
    }
}

impl HalfPlane {
    /// Returns how deep a velocity lies inside; negative outside.
    fn depth(&self, velocity: [f32; 2]) -> f32 {
        (velocity[0] - self.point[0]) * self.normal[0]
            + (velocity[1] - self.point[1]) * self.normal[1]
    }
}
