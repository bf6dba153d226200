//! Lines of sight over the grid, exact in whole numbers.
//!
//! A line passes from cell to cell; the agent can go along it when each border it crosses is
//! crossed by a step, the first from the span it starts on and the last onto the span it ends on.
//! If the line passes exactly through a corner the step is a diagonal one, and those never cut
//! corners. In each cell the line keeps to the room of the body, or leads along a connection. That the
//! floor is the same storey's is settled by the steps.
//!
//! Ends are rounded to 1/1024 of a cell. From there on all is whole numbers, so that a line
//! crosses the same cells in both directions: sight is symmetric.
//! Based on: Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing", 1987, with
//! the comparisons multiplied out.

use crate::grid::{Cursor, Dir, SUBCELLS, SpanId};

use crate::view::{CellRoom, NavPoint, View, ViewRef};

/// Returns whether an agent can go straight from one place to another.
///
/// The straightening of a path asks it for every segment that the grid allows, so that a physics engine
/// may have the last word: a capsule cast sees what moves, and what has changed since the bake.
pub trait Sight {
    /// Whether the agent gets along the straight line between two places.
    fn is_clear(&self, view: &View, from: &NavPoint, to: &NavPoint) -> bool;
}

/// What the grid alone knows. O(cells crossed), a few nanoseconds each.
#[derive(Clone, Copy, Debug, Default)]
pub struct GridSight;

impl Sight for GridSight {
    fn is_clear(&self, view: &View, from: &NavPoint, to: &NavPoint) -> bool {
        let is_known = |end: &NavPoint| end.span.index() < view.grid().spans().len();
        is_known(from) && is_known(to) && follow(&view.parts(), from, to, |_| true)
    }
}

/// A border between cells that a line crosses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BorderCrossing {
    /// The span beyond it.
    pub span: u32,
    /// In which direction it is crossed.
    pub dir: Dir,
    /// Where: the part of the line before it [0..=1].
    pub at: f32,
}

/// Follows a line from span to span and calls at each border. False if it is blocked, does not
/// end on the span it should, or `each` had enough.
#[inline]
pub(crate) fn follow(
    view: &ViewRef,
    from: &NavPoint,
    to: &NavPoint,
    mut each: impl FnMut(BorderCrossing) -> bool,
) -> bool {
    let Some(mut line) = GridLine::between(view, from, to) else { return false };
    let steps = view.connections();
    let mut cursor = steps.cursor_at(view.column(from.span.0), from.span.0);
    let mut rooms = RoomCheck::new(view, from, to);
    while let Some((dir, at)) = line.next_border() {
        if !rooms.leaves(&cursor, at)
            || !steps.advance(&mut cursor, dir)
            || !each(BorderCrossing { span: cursor.span, dir, at })
        {
            return false;
        }
    }
    cursor.span == to.span.0 && rooms.ends(&cursor)
}

/// Checks that a body on a line touches nothing, cell by cell.
///
/// An end where the body touches something, because something pushed it there, does not count: from there
/// it may go anywhere into the room of the cell.
struct RoomCheck<'a> {
    view: &'a ViewRef<'a>,
    from: [f32; 2],
    whole: [f32; 2],
    /// The part of the line before the cell it is over now [0..=1].
    entered: f32,
    is_first: bool,
}

/// The part of a line over a cell with limited room.
struct LineOverCell<'a> {
    room: CellRoom<'a>,
    /// Its ends, from the center of the cell [cells].
    places: [[f32; 2]; 2],
    /// Which of them are ends of the line.
    is_line_end: [bool; 2],
}

impl<'a> RoomCheck<'a> {
    #[inline]
    fn new(view: &'a ViewRef, from: &NavPoint, to: &NavPoint) -> Self {
        let whole = [to.point.x - from.point.x, to.point.z - from.point.z];
        let from = [from.point.x, from.point.z];
        RoomCheck { view, from, whole, entered: 0.0, is_first: true }
    }

    /// Whether the body may go on to where the line leaves a cell, after a part of the line [0..=1].
    #[inline]
    fn leaves(&mut self, over: &Cursor, at: f32) -> bool {
        let is_clear = match self.view.cell_room(SpanId(over.span)) {
            None => true,
            Some(room) => self.line_over(room, over, at).is_clear(),
        };
        (self.entered, self.is_first) = (at, false);
        is_clear
    }

    /// Whether the body may go on to the end of the line, which lies over a cell.
    #[inline]
    fn ends(&self, over: &Cursor) -> bool {
        let Some(room) = self.view.cell_room(SpanId(over.span)) else { return true };
        let line = self.line_over(room, over, 1.0);
        LineOverCell { is_line_end: [self.is_first, true], ..line }.is_clear()
    }

    fn line_over(&self, room: CellRoom<'a>, over: &Cursor, leaves: f32) -> LineOverCell<'a> {
        let places = [self.entered, leaves].map(|part| {
            let place = [0, 1].map(|axis| self.from[axis] + self.whole[axis] * part);
            self.view.offset_in_cell(over.column, place)
        });
        LineOverCell { room, places, is_line_end: [self.is_first, false] }
    }
}

impl LineOverCell<'_> {
    fn is_clear(&self) -> bool {
        if self.room.allows_segment(self.places) {
            return true;
        }
        let allowed = self.places.map(|place| self.room.allows(place));
        // From where it was pushed to, the body may go into the room.
        let counts = [0, 1].map(|end| allowed[end] || !self.is_line_end[end]);
        counts != [true; 2] && allowed[0] == counts[0] && allowed[1] == counts[1]
    }
}

/// The borders a line has still to cross.
#[derive(Clone)]
pub(crate) struct GridLine {
    x: GridLineAxis,
    z: GridLineAxis,
    /// Directions in which a border is crossed: along x, along z, through a corner.
    dirs: [Dir; 3],
}

/// The borders along one axis.
#[derive(Clone)]
struct GridLineAxis {
    /// How many are left.
    left: u64,
    /// From the line's start to the next one [subcells].
    distance: i64,
    /// Where the next one is on the line, as a number that can be compared with the other axis's:
    /// the distance times the length along the other axis. The largest number where none is left.
    order: i64,
    /// From one border's order to the next.
    stride: i64,
    /// One over the length along this axis [1 / subcells].
    per_length: f32,
}

impl GridLine {
    /// `None` if an end does not lie over its span's cell.
    #[inline]
    pub(crate) fn between(view: &ViewRef, from: &NavPoint, to: &NavPoint) -> Option<Self> {
        let frame = view.frame();
        let [start, end] = [from, to].map(|nav_point| {
            let [x, z] = frame.subcells(nav_point.point.x, nav_point.point.z);
            let column =
                (z.div_euclid(SUBCELLS)) * i64::from(frame.size_x) + x.div_euclid(SUBCELLS);
            (column == view.column(nav_point.span.0) as i64).then_some([x, z])
        });
        let (start, end) = (start?, end?);
        let length = [0, 1].map(|axis| (end[axis] - start[axis]).abs());
        let x = GridLineAxis::new(start[0], end[0], length[1]);
        let z = GridLineAxis::new(start[1], end[1], length[0]);
        let along_x = if end[0] < start[0] { 4 } else { 0 };
        let along_z = if end[1] < start[1] { 6 } else { 2 };
        let corner = match (along_x, along_z) {
            (0, 2) => 1,
            (4, 2) => 3,
            (4, _) => 5,
            _ => 7,
        };
        let dirs = [Dir::ALL[along_x], Dir::ALL[along_z], Dir::ALL[corner]];
        Some(GridLine { x, z, dirs })
    }

    /// The next border: in which direction it is crossed, and where on the line.
    #[inline]
    pub(crate) fn next_border(&mut self) -> Option<(Dir, f32)> {
        let (x, z) = (self.x.order, self.z.order);
        if x == i64::MAX && z == i64::MAX {
            return None;
        }
        if x < z {
            Some((self.dirs[0], self.x.cross()))
        } else if z < x {
            Some((self.dirs[1], self.z.cross()))
        } else {
            self.x.cross();
            Some((self.dirs[2], self.z.cross()))
        }
    }
}

impl GridLineAxis {
    #[inline]
    fn new(start: i64, end: i64, other_length: i64) -> Self {
        let left = (end.div_euclid(SUBCELLS) - start.div_euclid(SUBCELLS)).unsigned_abs();
        let inside = start.rem_euclid(SUBCELLS);
        let distance = if end < start { inside } else { SUBCELLS - inside };
        let order = if left == 0 { i64::MAX } else { distance * other_length };
        let stride = SUBCELLS * other_length;
        let per_length = 1.0 / (end - start).abs().max(1) as f32;
        GridLineAxis { left, distance, order, stride, per_length }
    }

    /// Crosses the next border, and tells which part of the line lies before it.
    #[inline]
    fn cross(&mut self) -> f32 {
        let at = self.distance as f32 * self.per_length;
        self.left -= 1;
        self.distance += SUBCELLS;
        self.order = if self.left == 0 { i64::MAX } else { self.order + self.stride };
        at
    }
}
