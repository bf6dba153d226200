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
        let (known, parts) = (is_known(from) && is_known(to), &view.parts());
        known && follow(parts, from, to.place(), |_| true).reaches(to.span)
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

/// How following a line ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LineEnd {
    /// It is clear, and leads to a span.
    Reached { span: u32 },
    /// The agent does not get along it.
    Blocked(LineBlock),
    /// Who followed it had enough.
    Left,
    /// It does not begin over its span, or ends beside the grid.
    Nowhere,
}

/// Where a line is blocked: over a cell whose room it leaves, or at a border that no connection crosses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineBlock {
    /// The span that it had come to, and its column.
    pub span: u32,
    pub column: usize,
    /// The parts of the line before that cell, and up to where it leaves it [0..=1].
    pub over: [f32; 2],
    /// The border that is not crossed; `None` if the cell's room is in the way.
    pub border: Option<Dir>,
}

impl LineEnd {
    /// Whether the line is clear and leads to a span.
    pub(crate) fn reaches(self, span: SpanId) -> bool {
        matches!(self, LineEnd::Reached { span: reached } if reached == span.0)
    }
}

/// Follows a line to a place (x, z) from span to span and calls at each border, until `each` returns false.
#[inline]
pub(crate) fn follow(
    view: &ViewRef,
    from: &NavPoint,
    to: [f32; 2],
    mut each: impl FnMut(BorderCrossing) -> bool,
) -> LineEnd {
    let Some(mut line) = GridLine::from(view, from, to) else { return LineEnd::Nowhere };
    let steps = view.connections();
    let mut cursor = steps.cursor_at(view.column(from.span.0), from.span.0);
    let mut rooms = RoomCheck::new(view, from, to);
    let block = |cursor: &Cursor, over, border| {
        LineEnd::Blocked(LineBlock { span: cursor.span, column: cursor.column, over, border })
    };
    while let Some((dir, at)) = line.next_border() {
        let entered = rooms.entered;
        if !rooms.leaves(&cursor, at) {
            return block(&cursor, [entered, at], None);
        }
        if !steps.advance(&mut cursor, dir) {
            return block(&cursor, [entered, at], Some(dir));
        }
        if !each(BorderCrossing { span: cursor.span, dir, at }) {
            return LineEnd::Left;
        }
    }
    if rooms.ends(&cursor) {
        LineEnd::Reached { span: cursor.span }
    } else {
        block(&cursor, [rooms.entered, 1.0], None)
    }
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
    fn new(view: &'a ViewRef, from: &NavPoint, to: [f32; 2]) -> Self {
        let from = from.place();
        let whole = [0, 1].map(|axis| to[axis] - from[axis]);
        RoomCheck { view, from, whole, entered: 0.0, is_first: true }
    }

    /// Whether the body may go on to where the line leaves a cell, after a part of the line [0..=1].
    #[inline]
    fn leaves(&mut self, over: &Cursor, at: f32) -> bool {
        let is_clear = match self.view.cell_room(SpanId(over.span)) {
            None => true,
            Some(room) => self.is_clear_over(room, over, at),
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

    /// Not inlined: most cells have no limits.
    #[inline(never)]
    fn is_clear_over(&self, room: CellRoom, over: &Cursor, leaves: f32) -> bool {
        self.line_over(room, over, leaves).is_clear()
    }

    #[inline]
    fn line_over<'r>(&self, room: CellRoom<'r>, over: &Cursor, leaves: f32) -> LineOverCell<'r> {
        let ([x, z], [along_x, along_z]) = (self.from, self.whole);
        let place = |part: f32| [x + along_x * part, z + along_z * part];
        let places = [place(self.entered), place(leaves)];
        let places = self.view.offsets_in_cell(over.column, places);
        LineOverCell { room, places, is_line_end: [self.is_first, false] }
    }
}

impl LineOverCell<'_> {
    #[inline]
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
    /// The line between two nav points; `None` if one of them does not lie over its span's cell.
    pub(crate) fn between(view: &ViewRef, from: &NavPoint, to: &NavPoint) -> Option<Self> {
        let line = GridLine::from(view, from, to.place())?;
        GridLine::from(view, to, from.place()).map(|_| line)
    }

    /// The line from a nav point to a place (x, z); `None` if the point does not lie over its span's cell,
    /// or the place over none.
    #[inline]
    pub(crate) fn from(view: &ViewRef, from: &NavPoint, to: [f32; 2]) -> Option<Self> {
        let (frame, column, from) = (view.frame(), view.column(from.span.0), from.place());
        let (start, end) = (frame.subcells(from[0], from[1]), frame.subcells(to[0], to[1]));
        // Numbers of cells outside the frame may be too large to count with.
        let column_of = |[x, z]: [i64; 2]| {
            let (x, z) = (x.div_euclid(SUBCELLS), z.div_euclid(SUBCELLS));
            let (size_x, size_z) = (i64::from(frame.size_x), i64::from(frame.size_z));
            let is_inside = (0..size_x).contains(&x) && (0..size_z).contains(&z);
            is_inside.then_some(z * size_x + x)
        };
        if column_of(start)? != column as i64 || column_of(end).is_none() {
            return None;
        }
        let length = [(end[0] - start[0]).abs(), (end[1] - start[1]).abs()];
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
