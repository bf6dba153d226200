//! Passages: the narrowest line between what is on one side of a body and what is on the other.

use nalgebra::Point3;
use parry3d::math::Vector;

use surefoot::agent::BodyShape;
use surefoot::grid::{CellOffset, Dir};
use surefoot_rapier::Body;
use surefoot_rapier::distance::{Bounds, ConvexObstacle, CoreShape, LANES, Vec3x4};

/// What is beside a body that does not fit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Beside {
    /// The passage that it is too wide for, or would be if it stood a little aside: the ends of the shortest
    /// line from the nearest thing beside it to something across from that, along x and z from its feet [m].
    pub passage: Option<[[f32; 2]; 2]>,
    /// By the index of the direction, of those that were asked for: whether something is between its middle and
    /// the next center.
    pub walls: [bool; 8],
}

/// Where to look for a passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassageQuery {
    /// The body, one of the tile's probes.
    pub probe: usize,
    /// Where its feet are.
    pub feet: Point3<f32>,
    /// How far around it [m, >= 0].
    pub within: f32,
    /// How far from it the middle of the passage may be [m, >= 0].
    pub most_aside: f32,
    /// How far it is to the next center along x and z [m, > 0].
    pub step: f32,
    /// The directions in which to look for walls, by index.
    pub wall_dirs: [bool; 8],
    /// How far above its feet things count at most, where that is less than the body's height [m].
    pub headroom: f32,
}

impl PassageQuery {
    /// Returns the vertical line through the middle of a body, all along its height; `None` if it has none
    /// below the headroom.
    pub(super) fn axis(&self, body: &Body) -> Option<CoreShape> {
        let top = body.top.min(self.headroom);
        let line = Body { shape: BodyShape::Capsule, radius: LINE_RADIUS, top, ..*body };
        (top > body.bottom).then(|| CoreShape::new(&line, self.feet.into()))
    }

    /// Returns whether something in a box may be beside an axis: floors and ceilings are not.
    pub(super) fn is_beside(&self, axis: &CoreShape, bounds: &Bounds) -> bool {
        let own = axis.bounds();
        let most = MOST_RISE * self.within;
        bounds.min.y <= own.max.y + most && bounds.max.y >= own.min.y - most
    }
}

/// Something on the other side is at least so far around from the nearest thing, as a cosine: in a corner
/// of a room two walls meet at a right angle.
const OTHER_SIDE: f32 = -0.2;
/// Something above or below the body is no side of a passage: it rises more than so much for each metre.
const MOST_RISE: f32 = 0.2;
/// The ends of the line go from side to side at most so often; twice is usual.
const MOST_ROUNDS: usize = 16;
/// The line is the shortest if its ends move by less [m].
const STILL: f32 = 5e-4;
/// Makes up for the rounding of squares.
const ROUNDED_UP: f32 = 1.00001;
/// Sides that come nearer to each other meet [m].
const LEAST_WIDTH: f32 = 1e-2;

/// How thick the line through the middle of a body is [m].
const LINE_RADIUS: f32 = 1e-3;

/// Finds a passage among obstacles near a body.
pub(super) struct PassageSearch<'a, F, B> {
    /// A vertical line through the body.
    pub axis: CoreShape,
    /// An obstacle by its index.
    pub obstacle: F,
    /// A box around an obstacle.
    pub bounds: B,
    /// Where it is looked for.
    pub query: &'a PassageQuery,
}

/// Along x and z, from the axis [m].
type Flat = [f32; 2];

impl<'o, F: Fn(u32) -> ConvexObstacle<'o>, B: Fn(u32) -> Bounds> PassageSearch<'_, F, B> {
    /// Returns what some obstacles leave of a body's surroundings. `ways` is memory to use.
    pub fn find(&self, near: &mut Vec<u32>, ways: &mut Vec<Way>) -> Beside {
        let walls = self.keep_within_reach(near, ways);
        Beside { passage: self.passage(near, ways), walls }
    }

    /// Returns whether something is between the axis and the next centers, by the index of the direction.
    pub fn walls(&self, near: &mut Vec<u32>, ways: &mut Vec<Way>) -> [bool; 8] {
        self.keep_within_reach(near, ways)
    }

    /// Returns the shortest line between the nearest obstacle and what is across from it, by its ends
    /// relative to the axis along x and z [m]; `None` without such.
    ///
    /// From the nearest point on one side to the one nearest to it on the other, and back, until both stay:
    /// alternating projections, Cheney and Goldstein, "Proximity maps for convex sets", 1959. Sides that meet,
    /// or go on closing in beyond the middle's reach, are no passage there.
    fn passage(&self, near: &[u32], ways: &[Way]) -> Option<[Flat; 2]> {
        let own = Way::shortest(ways.iter().copied()).filter(|own| own.length > 0.0)?;
        // Mostly there is one wall: no need to go from side to side.
        let is_across = |way: &Way| dot(way.to, own.to) < OTHER_SIDE * way.length * own.length;
        let across = Way::shortest(ways.iter().copied().filter(is_across))?;
        let [mut first, mut second] =
            [own, across].map(|way| SidePoint { at: way.to, obstacle: way.obstacle });
        for _ in 0..MOST_ROUNDS {
            let middle = [0, 1].map(|i| 0.5 * (first.at[i] + second.at[i]));
            if norm(middle) > self.query.most_aside {
                return None;
            }
            // What reaches across the middle belongs to the other side.
            let toward = minus(first.at, second.at);
            let side = |at: Flat| dot(minus(at, middle), toward);
            second = self.nearest(near, [first, second], |at| side(at) < 0.0)?;
            let next = self.nearest(near, [second, first], |at| side(at) > 0.0)?;
            let moved = norm(minus(next.at, first.at));
            first = next;
            if moved < STILL {
                break;
            }
        }
        let ends = [first.at, second.at];
        (norm(minus(ends[0], ends[1])) >= LEAST_WIDTH).then_some(ends)
    }

    /// Keeps the obstacles that are within the query's reach: others are not known everywhere. Collects the
    /// ways to those that are beside the axis. Returns whether something is between it and the next centers.
    fn keep_within_reach(&self, near: &mut Vec<u32>, ways: &mut Vec<Way>) -> [bool; 8] {
        let mut walls = [false; 8];
        let mut kept = 0;
        ways.clear();
        for start in (0..near.len()).step_by(LANES) {
            let indices = four_of(&near[start..]);
            let separations = self.separations(&self.axis, indices);
            for (lane, &index) in indices.iter().enumerate().take(near.len() - start) {
                let separation = separations.lane(lane);
                if separation.length() <= self.query.within {
                    near[kept] = index;
                    kept += 1;
                    ways.extend(Way::along(-separation, index));
                    self.find_walls(index, separation, &mut walls);
                }
            }
        }
        near.truncate(kept);
        walls
    }

    /// Marks the directions in which an obstacle is between the axis and the next center, given the shortest
    /// vector from it.
    fn find_walls(&self, index: u32, separation: Vector, walls: &mut [bool; 8]) {
        let asked = Dir::ALL.into_iter().zip(self.query.wall_dirs).zip(walls);
        for ((dir, _), is_wall) in asked.filter(|((_, is_asked), is_wall)| *is_asked && !**is_wall)
        {
            let CellOffset { x, z } = dir.offset();
            let motion = Vector::new(x as f32, 0.0, z as f32) * self.query.step;
            // All of a convex obstacle is beyond the plane through its nearest point.
            let is_in_reach = -separation.dot(motion) * ROUNDED_UP >= separation.length_squared();
            *is_wall = is_in_reach
                && !self.axis.sweep_is_clear_from(separation, &(self.obstacle)(index), motion);
        }
    }

    /// Returns the point nearest to another, of the nearest points of obstacles that count, given where it was
    /// last: that is probably on the same obstacle.
    fn nearest(
        &self,
        near: &[u32],
        [from, last]: [SidePoint; 2],
        counts: impl Fn(Flat) -> bool,
    ) -> Option<SidePoint> {
        let (from, likely) = (from.at, last.obstacle);
        let axis = self.axis.moved(Vector::new(from[0], 0.0, from[1]));
        let bounds = axis.bounds();
        let point = |way: &Way| [from[0] + way.to[0], from[1] + way.to[1]];
        let first = Way::along(-self.separations(&axis, [likely; LANES]).lane(0), likely);
        let mut best = first.filter(|way| counts(point(way)));
        let mut left = near.iter().copied();
        loop {
            // What is farther than the best by its box alone need not be measured.
            let most = best.map_or(f32::INFINITY, |best| best.length * best.length * ROUNDED_UP);
            let is_near = |index: &u32| (self.bounds)(*index).distance_squared(&bounds) <= most;
            let mut block = [0; LANES];
            let mut count = 0;
            for index in left.by_ref().filter(is_near).take(LANES) {
                block[count] = index;
                count += 1;
            }
            if count == 0 {
                break;
            }
            let separations = self.separations(&axis, four_of(&block[..count]));
            let way = |lane: usize| Way::along(-separations.lane(lane), block[lane]);
            let ways = (0..count).filter_map(way);
            let ways = ways.filter(|way| counts(point(way)));
            best = Way::shortest(best.into_iter().chain(ways));
        }
        let best = best.filter(|way| way.length > 0.0)?;
        Some(SidePoint { at: point(&best), obstacle: best.obstacle })
    }

    #[inline]
    fn separations(&self, axis: &CoreShape, indices: [u32; LANES]) -> Vec3x4 {
        let [a, b, c, d] = indices;
        let obstacle = &self.obstacle;
        axis.separations_from(&[obstacle(a), obstacle(b), obstacle(c), obstacle(d)])
    }
}

/// A point on one side of a passage, and the obstacle that it is on.
#[derive(Clone, Copy)]
struct SidePoint {
    at: Flat,
    obstacle: u32,
}

/// The shortest way from an axis to an obstacle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    to: Flat,
    /// [m]
    length: f32,
    obstacle: u32,
}

impl Way {
    /// Returns the way along a vector; `None` if it leads up or down: what is above or below is no side.
    #[inline]
    fn along(vector: Vector, obstacle: u32) -> Option<Self> {
        let to = [vector.x, vector.z];
        let length = vector.length();
        (vector.y.abs() <= MOST_RISE * norm(to)).then_some(Way { to, length, obstacle })
    }

    /// Returns the shortest way; of equally short ones always the same, in whatever order they come.
    #[inline]
    fn shortest(ways: impl Iterator<Item = Way>) -> Option<Way> {
        ways.reduce(|least, way| {
            let is_less =
                way.length < least.length || (way.length == least.length && way.to < least.to);
            if is_less { way } else { least }
        })
    }
}

/// Returns the first four of one or more indices; repeats the last up to four.
#[inline]
pub(super) fn four_of(indices: &[u32]) -> [u32; LANES] {
    [0, 1, 2, 3].map(|i: usize| indices[i.min(indices.len() - 1)])
}

fn dot(a: Flat, b: Flat) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

fn minus(a: Flat, b: Flat) -> Flat {
    [a[0] - b[0], a[1] - b[1]]
}

fn norm(v: Flat) -> f32 {
    dot(v, v).sqrt()
}
