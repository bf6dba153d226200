//! The nearest wall: how far a place is from where the agent may not stand.
//!
//! Walls are the borders between cells that no connection crosses, and what rooms leave out of their
//! cells. The search walks from cell to cell over connections, the nearest cell first, and only away
//! from the place: so it follows the straight lines from there, and never comes round to another storey.
//! It ends at the first cell that is farther away than the wall it has found.
//! Compare: `findDistanceToWall` of Detour.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use nalgebra::{Point3, Vector3};

use crate::grid::{CellOffset, Dir, RoomLimit, SpanAddress, SpanId, nearest_on_segment, plane};

use super::agent_view::View;
use super::cell_room::distance_squared;
use super::nav_point::NavPoint;
use super::view_ref::ViewRef;

/// The nearest place where an agent may not stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestWall {
    /// Where it is, at the height of the ground beside it [m].
    pub point: Point3<f32>,
    /// Horizontal and of length 1, from the wall towards the place. 0 if the agent may not stand on the
    /// place's span at all, as under an obstacle of an overlay.
    pub normal: Vector3<f32>,
    /// How far it is along the floor [m, >= 0]; 0 if the place itself is in or on it.
    pub distance: f32,
}

/// Finds nearest walls, again and again. It keeps its memory, so that after the first searches it
/// allocates nothing.
///
/// ```
/// use surefoot::view::{NavPoint, View, WallSearch};
/// use surefoot::{NavGrid, SpanId};
/// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 4\nmap\n...@\n", 1.0, &[])?;
/// let view = View::new(&grid, "human")?;
/// let place = NavPoint { span: SpanId(2), point: [2.7, 0.0, 0.5].into() };
/// let wall = WallSearch::default().nearest(&view, &place, 1.0).expect("a wall nearby");
/// assert!((wall.distance - 0.3).abs() < 1e-6 && wall.normal.x == -1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct WallSearch {
    /// Spans by the squared distance of their cells [cells²], as the bits of a number.
    open: BinaryHeap<Reverse<(u32, SpanAddress)>>,
}

impl View {
    /// The nearest place where the agent may not stand, within a distance of a place on the grid [m];
    /// `None` if there is none, or if the place is not one of this grid.
    ///
    /// Follows connections only: walls on other storeys do not count. It heeds rooms and overlays, and
    /// is exact to them. On the line between two centers, where a body may walk although it has no room,
    /// the distance is 0. [`WallSearch`] keeps memory from one search to the next.
    /// O(n log n) for n cells within the distance of the wall.
    pub fn nearest_wall(&self, from: &NavPoint, radius: f32) -> Option<NearestWall> {
        WallSearch::default().nearest(self, from, radius)
    }

    /// Whether an agent may stand at a place with more clearance than its body needs: no wall is nearer
    /// than a distance [m]. False where it may not stand, and for places that are not of this grid.
    pub fn has_clearance(&self, at: &NavPoint, clearance: f32) -> bool {
        WallSearch::default().has_clearance(self, at, clearance)
    }
}

impl WallSearch {
    /// As [`View::nearest_wall`].
    pub fn nearest(&mut self, view: &View, from: &NavPoint, radius: f32) -> Option<NearestWall> {
        let standing = view.standing(from.span)?;
        if !from.point.iter().all(|v| v.is_finite()) || radius.is_nan() || radius < 0.0 {
            return None;
        }
        if !standing.is_walkable() {
            let (point, normal) = (from.point, Vector3::zeros());
            return Some(NearestWall { point, normal, distance: 0.0 });
        }
        let view = view.parts();
        let column = view.column(from.span.0);
        let place = view.offset_in_cell(column, [from.point.x, from.point.z]);
        let mut ground = WallGround {
            view: &view,
            origin: view.cell_offset(from.span.0),
            place: place.map(|v| v.clamp(-0.5, 0.5)),
            nearest: None,
            farthest: square(radius / view.cell_size()),
        };
        self.open.clear();
        self.open.push(Reverse((0, view.address(from.span.0))));
        let mut last = None;
        while let Some(Reverse((near, at))) = self.open.pop() {
            if f32::from_bits(near) > ground.farthest {
                break;
            }
            // Two ways may lead to a cell; both are equally near, and come one after the other.
            if last.replace(at) != Some(at) {
                ground.look_at(at);
                ground.go_on(at, &mut self.open);
            }
        }
        ground.nearest.map(|wall| ground.in_world(wall))
    }

    /// As [`View::has_clearance`].
    pub fn has_clearance(&mut self, view: &View, at: &NavPoint, clearance: f32) -> bool {
        let is_sound = at.point.iter().all(|v| v.is_finite()) && !clearance.is_nan();
        let is_far = |wall: NearestWall| wall.distance >= clearance;
        is_sound
            && view.is_walkable(at.span)
            && self.nearest(view, at, clearance.max(0.0)).is_none_or(is_far)
    }
}

/// A piece of wall, from the center of a span's cell [cells].
#[derive(Clone, Copy)]
struct WallPlace {
    at: SpanAddress,
    /// Its point nearest to the place.
    point: [f32; 2],
    /// Towards where the agent may stand.
    inwards: [f32; 2],
    /// Square of the distance [cells²].
    off: f32,
}

/// The ground around a place.
struct WallGround<'a> {
    view: &'a ViewRef<'a>,
    /// The place's cell.
    origin: CellOffset,
    /// The place, from the center of its cell [cells].
    place: [f32; 2],
    nearest: Option<WallPlace>,
    /// What is farther away does not count [cells²].
    farthest: f32,
}

impl WallGround<'_> {
    /// The offset of a cell from that of the place, and the place as seen from the cell's center [cells].
    fn seen_from(&self, column: usize) -> ([i32; 2], [f32; 2]) {
        let cell = self.view.rows().cell_offset(column);
        let offset = [cell.x - self.origin.x, cell.z - self.origin.z];
        (offset, [0, 1].map(|axis| self.place[axis] - offset[axis] as f32))
    }

    /// Looks at the walls of a span's cell.
    fn look_at(&mut self, at: SpanAddress) {
        let (_, place) = self.seen_from(at.column as usize);
        let connections = self.view.connections();
        let wall = |point: [f32; 2], outwards: [f32; 2]| {
            let inwards = outwards.map(|v| -v);
            WallPlace { at, point, inwards, off: distance_squared(point, place) }
        };
        for dir in Dir::STRAIGHT {
            if !connections.has_connection(at.span, dir) {
                let CellOffset { x, z } = dir.offset();
                let [x, z] = [x as f32, z as f32];
                let ends =
                    [1.0, -1.0].map(|side: f32| [0.5 * (x - side * z), 0.5 * (z + side * x)]);
                self.offer(wall(nearest_on_segment(place, ends), [x, z]));
            }
        }
        if let Some(room) = self.view.cell_room(SpanId(at.span)) {
            for limit in room.room.limits() {
                if let Some(point) = nearest_beyond(&limit, place) {
                    self.offer(wall(point, limit.normal));
                }
            }
        }
    }

    /// Keeps a piece of wall if it is nearer than what is known.
    fn offer(&mut self, wall: WallPlace) {
        if wall.off < self.farthest || self.nearest.is_none() && wall.off == self.farthest {
            self.nearest = Some(wall);
            self.farthest = wall.off;
        }
    }

    /// Goes on to the cells beside one, away from the place.
    fn go_on(&self, at: SpanAddress, open: &mut BinaryHeap<Reverse<(u32, SpanAddress)>>) {
        let (offset, _) = self.seen_from(at.column as usize);
        let connections = self.view.connections();
        for dir in Dir::STRAIGHT {
            let CellOffset { x, z } = dir.offset();
            if x * offset[0] < 0 || z * offset[1] < 0 {
                continue;
            }
            let Some(span) = connections.known_target(at.column as usize, at.span, dir) else {
                continue;
            };
            let column = connections.neighbor_of(at.column as usize, dir);
            let (_, place) = self.seen_from(column);
            let near = distance_squared(place, place.map(|v| v.clamp(-0.5, 0.5)));
            if near <= self.farthest {
                // Numbers of at least 0 have the order of their bits.
                open.push(Reverse((near.to_bits(), SpanAddress { span, column: column as u32 })));
            }
        }
    }

    /// Returns a piece of wall as it is in the world.
    fn in_world(&self, wall: WallPlace) -> NearestWall {
        let (column, cell_size) = (wall.at.column as usize, self.view.cell_size());
        let (_, place) = self.seen_from(column);
        let frame = self.view.frame();
        let center = frame.center(frame.cell(column));
        let [x, z] = wall.point.map(|v| v * cell_size);
        let height = plane(&self.view.spans()[wall.at.span as usize], [x, z]);
        let off = [place[0] - wall.point[0], place[1] - wall.point[1]];
        let length = wall.off.sqrt();
        let [along_x, along_z] =
            if length > TOUCHING { off.map(|v| v / length) } else { wall.inwards };
        NearestWall {
            point: Point3::new(center[0] + x, height, center[1] + z),
            normal: Vector3::new(along_x, 0.0, along_z),
            distance: length * cell_size,
        }
    }
}

/// So near to a wall the difference of two places is no direction any more [cells].
const TOUCHING: f32 = 1e-5;

/// Returns the point of a cell on the far side of a limit that is nearest to a point, all relative to
/// the center [cells]; `None` if the limit does not cross the cell.
fn nearest_beyond(limit: &RoomLimit, to: [f32; 2]) -> Option<[f32; 2]> {
    const CORNERS: [[f32; 2]; 4] = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
    let beyond = |at: [f32; 2]| limit.normal[0] * at[0] + limit.normal[1] * at[1] - limit.distance;
    if to.iter().all(|v| v.abs() <= 0.5) && beyond(to) >= 0.0 {
        return Some(to);
    }
    let mut crossings = [[0.0; 2]; 2];
    let mut count = 0;
    let mut nearest: Option<[f32; 2]> = None;
    let mut offer = |segment| {
        let point = nearest_on_segment(to, segment);
        if nearest.is_none_or(|own| distance_squared(point, to) < distance_squared(own, to)) {
            nearest = Some(point);
        }
    };
    for corner in 0..CORNERS.len() {
        let [from, end] = [CORNERS[corner], CORNERS[(corner + 1) % CORNERS.len()]];
        let [first, last] = [beyond(from), beyond(end)];
        let part = first / (first - last);
        let crossing = [0, 1].map(|axis| from[axis] + (end[axis] - from[axis]) * part);
        match [first >= 0.0, last >= 0.0] {
            [true, true] => offer([from, end]),
            [true, false] => offer([from, crossing]),
            [false, true] => offer([crossing, end]),
            [false, false] => {}
        }
        if (first >= 0.0) != (last >= 0.0) && count < crossings.len() {
            crossings[count] = crossing;
            count += 1;
        }
    }
    if count == crossings.len() {
        offer(crossings);
    }
    nearest
}

fn square(v: f32) -> f32 {
    v * v
}
