//! Moves a nav point over the ground: never off a span the agent can stand on, along what is in its
//! way.
//!
//! What comes in is a nav point and a displacement; what goes out is a nav point that connections lead
//! to. The bake has applied the clearance, so the body is a point here: where no connection crosses a
//! border between cells, the border is a wall, and the rest of the movement slides along it. Where the
//! body has less room than its cell, the point ends where it touches nothing: within the room of a center,
//! or on the line to a neighbor.
//! Compare: `moveAlongSurface` of Detour.

use crate::grid::{Dir, SpanId};
use crate::view::{NavPoint, PlanarNavPoint, RoomMove, View, ViewRef};

/// A point keeps this part of a cell from a border it cannot cross: very little, but more than
/// rounding to `f32` takes away.
const BORDER_INSET: f64 = 1.0 / 1024.0;
/// A movement over more borders than this is refused.
const MOST_BORDERS: f64 = 1e6;

/// Moves a nav point over the ground by a distance along x and z [m], as far as connections lead, and
/// slides along borders that no connection crosses. The result lies on a span that was reached by
/// connections. A movement that is not finite returns `from`; so does a `from` that is not finite, or
/// whose span the grid does not have. O(cells crossed).
///
/// ```
/// use surefoot::{NavGrid, SpanId, View};
/// use surefoot::follow::slide;
/// use surefoot::view::NavPoint;
/// let map = "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n";
/// let grid = NavGrid::from_map(map, 1.0, &[])?;
/// let view = View::new(&grid, "human")?;
/// let from = NavPoint { span: SpanId(0), point: [0.5, 0.0, 0.5].into() };
/// let to = slide(&view, from, [2.0, 0.25]);
/// assert!(to.point.x < 2.0 && to.point.x > 1.99);
/// assert_eq!(to.point.z, 0.75);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn slide(view: &View, from: NavPoint, by: [f32; 2]) -> NavPoint {
    let is_known = from.span.index() < view.grid().spans().len();
    let is_finite = from.point.iter().all(|value| value.is_finite());
    if is_known && is_finite { slide_on(&view.parts(), from, by) } else { from }
}

/// As [`slide`], on the parts of a view.
pub(crate) fn slide_on(view: &ViewRef, from: NavPoint, by: [f32; 2]) -> NavPoint {
    slide_planar(view, PlanarNavPoint::from(from), by).on_ground(view).unwrap_or(from)
}

/// As [`slide`], without the height of the result: looking that up takes as long as all the rest.
pub(crate) fn slide_planar(view: &ViewRef, from: PlanarNavPoint, by: [f32; 2]) -> PlanarNavPoint {
    let mut slide = SlideState::new(view, from, by);
    // Each border is crossed, or takes one direction out of the movement.
    let cells = by.map(|v| (f64::from(v.abs()) / f64::from(view.cell_size())).ceil());
    let most = cells[0] + cells[1] + 3.0;
    if !(0.0..MOST_BORDERS).contains(&most) {
        return from;
    }
    for _ in 0..most as u32 {
        if !slide.advance() {
            break;
        }
    }
    let along = slide.free_part(by);
    slide.finish().in_room(view, RoomMove { from: from.position, along })
}

/// A slide under way. It counts in `f64`, so that crossing many cells loses nothing.
struct SlideState<'a> {
    view: &'a ViewRef<'a>,
    span: u32,
    column: usize,
    position: [f64; 2],
    /// What is left of the movement.
    remaining: [f64; 2],
    /// The borders of its cell.
    low: [f64; 2],
    high: [f64; 2],
    /// For each axis, whether it met a border that it cannot cross.
    is_blocked: [bool; 2],
}

/// For each axis, the directions down and up.
const AXIS_DIRS: [[Dir; 2]; 2] = [[Dir::ALL[4], Dir::ALL[0]], [Dir::ALL[6], Dir::ALL[2]]];

impl<'a> SlideState<'a> {
    fn new(view: &'a ViewRef<'a>, from: PlanarNavPoint, by: [f32; 2]) -> Self {
        let column = view.column(from.span.0);
        let [low, high] = view.frame().borders(view.frame().cell(column));
        SlideState {
            view,
            span: from.span.0,
            column,
            position: from.position.map(f64::from),
            remaining: by.map(f64::from),
            low,
            high,
            is_blocked: [false; 2],
        }
    }

    /// Moves to the next border, and over it where a connection leads. Returns false if nothing of the
    /// movement remains.
    fn advance(&mut self) -> bool {
        let to_border = [0, 1].map(|axis| {
            let border = if self.remaining[axis] > 0.0 { self.high[axis] } else { self.low[axis] };
            let part = (border - self.position[axis]) / self.remaining[axis];
            if self.remaining[axis] == 0.0 { f64::INFINITY } else { part.max(0.0) }
        });
        let axis = usize::from(to_border[1] < to_border[0]);
        let part = to_border[axis].min(1.0);
        for along in [0, 1] {
            self.position[along] += self.remaining[along] * part;
        }
        if to_border[axis] >= 1.0 {
            return false;
        }
        self.remaining = self.remaining.map(|remaining| remaining * (1.0 - part));
        self.cross(axis);
        self.remaining != [0.0; 2]
    }

    fn cross(&mut self, axis: usize) {
        let up = self.remaining[axis] > 0.0;
        let dir = AXIS_DIRS[axis][usize::from(up)];
        let connections = self.view.connections();
        match connections.known_target(self.column, self.span, dir) {
            Some(next) => {
                self.position[axis] = if up { self.high[axis] } else { self.low[axis] };
                self.span = next;
                self.column = connections.neighbor_of(self.column, dir);
                let frame = self.view.frame();
                [self.low, self.high] = frame.borders(frame.cell(self.column));
            }
            None => {
                self.remaining[axis] = 0.0;
                self.is_blocked[axis] = true;
            }
        }
    }

    /// Returns the part of a movement that no border has taken out.
    fn free_part(&self, by: [f32; 2]) -> [f32; 2] {
        [0, 1].map(|axis| if self.is_blocked[axis] { 0.0 } else { by[axis] })
    }

    fn finish(self) -> PlanarNavPoint {
        let frame = self.view.frame();
        let cell = frame.cell(self.column);
        let position = [0, 1].map(|axis| {
            let inset = if self.is_blocked[axis] { BORDER_INSET } else { 0.0 };
            let inset = inset * (self.high[axis] - self.low[axis]);
            self.position[axis].clamp(self.low[axis] + inset, self.high[axis] - inset) as f32
        });
        PlanarNavPoint { span: SpanId(self.span), position: frame.rounded_into(cell, position) }
    }
}
