//! Provides [`SpanRoom`]: where in its cell an agent's body may stand and touch nothing.
//!
//! Verdicts hold at the centers of cells. Around a center the body may move as far as nothing is in its
//! way: up to straight limits, each a line across the cell. Along a wall the limit is the wall itself,
//! moved in by the radius; in a corner there are two. The room is convex and contains the center. It
//! takes 8 bytes, and most spans need none, because nothing is near: see [`Rooms`](super::Rooms).
//!
//! Lengths are in cells and relative to the center.

/// A line across a cell that the body must not cross.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoomLimit {
    /// The direction to the far side, along x and z, of length 1.
    pub normal: [f32; 2],
    /// From the center along the normal [cells, >= 0].
    pub distance: f32,
}

/// Where in its cell an agent's body may stand: the points within up to four limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanRoom {
    limits: [PackedLimit; MOST_LIMITS],
}

/// A limit in two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PackedLimit {
    /// Position on the border of a square of [`DIRECTION_SIDE`], through which the normal leads.
    direction: u8,
    /// In units of a cell's [`DISTANCE_UNITS`]th; [`NO_LIMIT`] if there is none.
    distance: u8,
}

/// Limits that a room has at most. Curved walls need the most: a pillar's side takes three or four.
const MOST_LIMITS: usize = 4;
/// Half the side of the square that directions are counted along: its border has 256 points.
const DIRECTION_SIDE: i32 = 32;
/// Fixed point of distances: the greatest is farther than the corner of a cell.
const DISTANCE_UNITS: f32 = 320.0;
const NO_LIMIT: u8 = u8::MAX;
/// From the center of a cell to its corner [cells].
const HALF_DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;
/// A normal between two directions is the sum of both, times at least this.
const BETWEEN_DIRECTIONS: f32 = 0.999;

impl PackedLimit {
    const NONE: PackedLimit = PackedLimit { direction: 0, distance: NO_LIMIT };

    fn new(direction: u8, distance: f32) -> Self {
        let units = (distance * DISTANCE_UNITS).clamp(0.0, f32::from(NO_LIMIT - 1));
        // Rounded down: against the agent.
        PackedLimit { direction, distance: units as u8 }
    }

    #[inline]
    fn unpack(self) -> RoomLimit {
        RoomLimit {
            normal: direction(self.direction),
            distance: f32::from(self.distance) / DISTANCE_UNITS,
        }
    }
}

/// Returns the point on the border of the square that a direction leads through.
#[inline]
fn border_point(code: u8) -> [f32; 2] {
    let along = (i32::from(code % 64) - DIRECTION_SIDE) as f32;
    let side = DIRECTION_SIDE as f32;
    match code / 64 {
        0 => [side, along],
        1 => [-along, side],
        2 => [-side, -along],
        _ => [along, -side],
    }
}

/// Returns the unit vector of a direction.
#[inline]
fn direction(code: u8) -> [f32; 2] {
    let through = border_point(code);
    let length = length(through);
    through.map(|v| v / length)
}

/// Returns where a unit vector leads through the border of the square [0..=256].
fn position([x, z]: [f32; 2]) -> f32 {
    let side = DIRECTION_SIDE as f32;
    let (quarter, slope) = match (x.abs() >= z.abs(), x > 0.0, z > 0.0) {
        (true, true, _) => (0.0, z / x),
        (true, false, _) => (2.0, z / x),
        (false, _, true) => (1.0, -x / z),
        (false, _, false) => (3.0, -x / z),
    };
    2.0 * side * quarter + side + side * slope
}

impl SpanRoom {
    /// The whole cell.
    pub const FULL: SpanRoom = SpanRoom { limits: [PackedLimit::NONE; MOST_LIMITS] };

    /// Returns a room within some limits; they are reordered. A limit that the room exceeds by no more
    /// than `tolerance` [cells] counts as kept. The result does not depend on the order of limits.
    pub fn within(limits: &mut [RoomLimit], tolerance: f32) -> Self {
        let key = |limit: &RoomLimit| [limit.distance, limit.normal[0], limit.normal[1]];
        limits.sort_unstable_by(|a, b| {
            let pairs = key(a).into_iter().zip(key(b));
            pairs.fold(std::cmp::Ordering::Equal, |order, (a, b)| order.then(a.total_cmp(&b)))
        });
        let mut room = SpanRoom::FULL;
        let mut polygon = CellPolygon::WHOLE;
        let mut count = 0;
        for limit in limits.iter() {
            if polygon.farthest(limit.normal) <= limit.distance + tolerance {
                continue;
            }
            for packed in pack(limit).into_iter().flatten() {
                if count == MOST_LIMITS {
                    // The first limit is the nearest.
                    return SpanRoom::around(limits[0].distance);
                }
                room.limits[count] = packed;
                count += 1;
                polygon.clip(&packed.unpack());
            }
        }
        room
    }

    /// Returns a square within a distance of the center [cells].
    fn around(distance: f32) -> Self {
        let limit = |quarter: u8| PackedLimit::new(64 * quarter + 32, distance * HALF_DIAGONAL);
        SpanRoom { limits: [0, 1, 2, 3].map(limit) }
    }

    /// Returns its limits.
    #[inline]
    pub fn limits(&self) -> impl Iterator<Item = RoomLimit> {
        let used = self.limits.into_iter().filter(|limit| limit.distance != NO_LIMIT);
        used.map(PackedLimit::unpack)
    }

    /// Whether it is the whole cell.
    pub fn is_full(&self) -> bool {
        *self == SpanRoom::FULL
    }

    /// Returns whether a point of the cell lies within all limits, or exceeds them by no more than a
    /// tolerance. Lengths are in cells, relative to the center.
    #[inline]
    pub fn contains(&self, at: [f32; 2], tolerance: f32) -> bool {
        self.contain([at], tolerance)[0]
    }

    /// As [`SpanRoom::contains`] for several points: each limit is unpacked once.
    #[inline]
    pub(crate) fn contain<const N: usize>(
        &self,
        places: [[f32; 2]; N],
        tolerance: f32,
    ) -> [bool; N] {
        let mut inside = [true; N];
        for limit in self.limits.iter().filter(|limit| limit.distance != NO_LIMIT) {
            // Compared without the two divisions of a unit vector: segments ask this cell by cell.
            let through = border_point(limit.direction);
            let most = (f32::from(limit.distance) / DISTANCE_UNITS + tolerance) * length(through);
            for (inside, &at) in inside.iter_mut().zip(&places) {
                *inside &= dot(through, at) <= most;
            }
        }
        inside
    }

    /// Returns the point of the room nearest to a point, both relative to the center [cells].
    pub fn nearest(&self, to: [f32; 2]) -> [f32; 2] {
        let clamped = to.map(|v| v.clamp(-0.5, 0.5));
        if self.contains(clamped, 0.0) {
            return clamped;
        }
        let mut polygon = CellPolygon::WHOLE;
        self.limits().for_each(|limit| polygon.clip(&limit));
        polygon.nearest(to)
    }

    /// The bytes that a file stores.
    pub(crate) fn to_bytes(self) -> [u8; ROOM_BYTES] {
        let [a, b, c, d] = self.limits.map(|limit| [limit.direction, limit.distance]);
        [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]
    }

    pub(crate) fn from_bytes(bytes: [u8; ROOM_BYTES]) -> Self {
        let limit =
            |at: usize| PackedLimit { direction: bytes[2 * at], distance: bytes[2 * at + 1] };
        SpanRoom { limits: [0, 1, 2, 3].map(limit) }
    }
}

/// Bytes of a room in a file.
pub(crate) const ROOM_BYTES: usize = 2 * MOST_LIMITS;

/// Packs a limit, rounded against the agent: one limit in the nearest direction, moved in so far that it
/// holds in the whole cell, or two in the directions on both sides if there is no space for that.
fn pack(limit: &RoomLimit) -> [Option<PackedLimit>; 2] {
    let position = position(limit.normal);
    let nearest = position.round() as i32 as u8;
    let normal = direction(nearest);
    let along = dot(normal, limit.normal);
    let across = (normal[0] * limit.normal[1] - normal[1] * limit.normal[0]).abs();
    let distance = (limit.distance - across * HALF_DIAGONAL) / along;
    if distance >= 0.0 || across < f32::EPSILON {
        return [Some(PackedLimit::new(nearest, distance)), None];
    }
    let [low, high] = [position.floor(), position.floor() + 1.0].map(|at| at as i32 as u8);
    let both = [low, high].map(|at| PackedLimit::new(at, limit.distance * BETWEEN_DIRECTIONS));
    both.map(Some)
}

/// A convex part of a cell that contains its center, by its corners in order [cells].
struct CellPolygon {
    corners: [[f32; 2]; MOST_CORNERS],
    count: usize,
}

/// Each limit adds at most one corner to a cell's four.
const MOST_CORNERS: usize = 4 + MOST_LIMITS;

impl CellPolygon {
    const WHOLE: CellPolygon = CellPolygon {
        corners: [
            [-0.5, -0.5],
            [0.5, -0.5],
            [0.5, 0.5],
            [-0.5, 0.5],
            [0.0; 2],
            [0.0; 2],
            [0.0; 2],
            [0.0; 2],
        ],
        count: 4,
    };

    fn corners(&self) -> &[[f32; 2]] {
        &self.corners[..self.count]
    }

    /// Returns the edges, from corner to corner.
    fn edges(&self) -> impl Iterator<Item = [[f32; 2]; 2]> {
        let corners = self.corners();
        (0..corners.len()).map(|at| [corners[at], corners[(at + 1) % corners.len()]])
    }

    /// Returns how far it extends in a direction.
    fn farthest(&self, normal: [f32; 2]) -> f32 {
        self.corners().iter().map(|&corner| dot(normal, corner)).fold(0.0, f32::max)
    }

    /// Cuts off what lies beyond a limit. The algorithm is that of Sutherland and Hodgman.
    fn clip(&mut self, limit: &RoomLimit) {
        let mut clipped = CellPolygon { corners: [[0.0; 2]; MOST_CORNERS], count: 0 };
        for [from, to] in self.edges() {
            let beyond = [from, to].map(|corner| dot(limit.normal, corner) - limit.distance);
            if beyond[0] <= 0.0 {
                clipped.push(from);
            }
            if (beyond[0] <= 0.0) != (beyond[1] <= 0.0) {
                let part = beyond[0] / (beyond[0] - beyond[1]);
                clipped.push([0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * part));
            }
        }
        if clipped.count == 0 {
            // Only the center was left, and rounding took it.
            clipped.push([0.0; 2]);
        }
        *self = clipped;
    }

    fn push(&mut self, corner: [f32; 2]) {
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = corner;
            self.count += 1;
        }
    }

    /// Returns the point on its border nearest to a point outside.
    fn nearest(&self, to: [f32; 2]) -> [f32; 2] {
        let mut nearest = [0.0; 2];
        let mut least = f32::INFINITY;
        for [from, end] in self.edges() {
            let on_edge = nearest_on_segment(to, [from, end]);
            let off = square([to[0] - on_edge[0], to[1] - on_edge[1]]);
            if off < least {
                (nearest, least) = (on_edge, off);
            }
        }
        nearest
    }
}

/// Returns the point of a segment nearest to a point.
pub(crate) fn nearest_on_segment(to: [f32; 2], [from, end]: [[f32; 2]; 2]) -> [f32; 2] {
    let along = [end[0] - from[0], end[1] - from[1]];
    let part = dot([to[0] - from[0], to[1] - from[1]], along) / square(along);
    let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
    [0, 1].map(|axis| from[axis] + along[axis] * part)
}

#[inline]
fn dot(a: [f32; 2], b: [f32; 2]) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

fn square(v: [f32; 2]) -> f32 {
    dot(v, v)
}

#[inline]
fn length(v: [f32; 2]) -> f32 {
    square(v).sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TOLERANCE: f32 = 0.004;

    fn limit(angle: f32, distance: f32) -> RoomLimit {
        RoomLimit { normal: [angle.cos(), angle.sin()], distance }
    }

    fn places() -> impl Iterator<Item = [f32; 2]> {
        let steps = || (-10..=10).map(|at| at as f32 / 20.0);
        steps().flat_map(move |x| steps().map(move |z| [x, z]))
    }

    #[test]
    fn every_direction_comes_back() {
        for code in 0..=u8::MAX {
            assert_eq!(position(direction(code)).round() as i32 as u8, code);
        }
    }

    #[test]
    fn a_wall_along_the_cells_is_kept_exactly() {
        for (normal, quarter) in [([1.0, 0.0], 0), ([0.0, 1.0], 1), ([-1.0, 0.0], 2)] {
            let room = SpanRoom::within(&mut [RoomLimit { normal, distance: 0.25 }], TOLERANCE);
            let limits: Vec<_> = room.limits().collect();
            assert_eq!(limits, [RoomLimit { normal, distance: 0.25 }], "{quarter}");
        }
        assert!(SpanRoom::within(&mut [], TOLERANCE).is_full());
        assert!(SpanRoom::within(&mut [limit(0.3, 0.75)], TOLERANCE).is_full());
    }

    proptest! {
        #[test]
        fn rooms_keep_all_limits_and_waste_little(
            given in prop::collection::vec((0.0f32..6.3, 0.0f32..0.8), 1..12)
        ) {
            let mut limits: Vec<_> = given.iter().map(|&(a, d)| limit(a, d)).collect();
            let room = SpanRoom::within(&mut limits, TOLERANCE);
            for at in places().filter(|&at| room.contains(at, 0.0)) {
                for limit in &limits {
                    prop_assert!(dot(limit.normal, at) <= limit.distance + 1.5 * TOLERANCE);
                }
            }
            limits.reverse();
            prop_assert_eq!(SpanRoom::within(&mut limits, TOLERANCE), room);
            prop_assert!(room.contains([0.0; 2], 0.0));
            prop_assert_eq!(SpanRoom::from_bytes(room.to_bytes()), room);
            if let [only] = limits[..] {
                for at in places().filter(|&at| dot(only.normal, at) <= only.distance - 0.03) {
                    prop_assert!(room.contains(at, 0.0));
                }
            }
        }

        #[test]
        fn the_nearest_point_is_inside_and_no_other_is_nearer(
            given in prop::collection::vec((0.0f32..6.3, 0.0f32..0.6), 0..5),
            to in [-1.5f32..1.5, -1.5f32..1.5]
        ) {
            let mut limits: Vec<_> = given.iter().map(|&(a, d)| limit(a, d)).collect();
            let room = SpanRoom::within(&mut limits, TOLERANCE);
            let nearest = room.nearest(to);
            prop_assert!(room.contains(nearest, 1e-5));
            prop_assert!(nearest.iter().all(|v| v.abs() <= 0.5 + 1e-6));
            let off = |at: [f32; 2]| square([to[0] - at[0], to[1] - at[1]]).sqrt();
            for at in places().filter(|&at| room.contains(at, 0.0)) {
                prop_assert!(off(nearest) <= off(at) + 1e-5);
            }
        }
    }
}
