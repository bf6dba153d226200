//! Moves a place over the ground: never off a span the agent can stand on, along what is in its
//! way.
//!
//! What comes in is a place and how far it is to go; what goes out is a place that steps lead to.
//! Clearance was settled by the bake, so the body is a point here: where no step crosses a border
//! between cells, the border is a wall, and what is left of the movement goes on along it.

use nalgebra::Point3;

use crate::grid::{Dir, SpanId};
use crate::view::{NavPoint, View, ViewRef};

/// Parts of a cell that a place keeps from a border it cannot cross: next to nothing, but more than
/// rounding takes.
const INSET: f64 = 1.0 / 1024.0;
/// A place next to a border is moved into its cell by so many of the smallest steps at most.
const MOST_NUDGES: usize = 4;

/// Moves a place over the ground by a distance along x and z [m], as far as steps lead, sliding
/// along borders that no step crosses. The result always is a place on a span that was reached by
/// steps. O(cells crossed).
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
pub fn slide(view: &View, from: NavPoint, by: [f32; 2]) -> NavPoint {
    slide_on(&view.parts(), from, by)
}

/// As [`slide`], on the parts of a view.
pub(crate) fn slide_on(view: &ViewRef, from: NavPoint, by: [f32; 2]) -> NavPoint {
    slide_level(view, Spot::from(from), by).on_ground(view).unwrap_or(from)
}

/// A place on a span, seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub span: SpanId,
    /// Along x and z [m].
    pub place: [f32; 2],
}

impl From<NavPoint> for Spot {
    fn from(nav_point: NavPoint) -> Self {
        Spot { span: nav_point.span, place: [nav_point.point.x, nav_point.point.z] }
    }
}

impl Spot {
    /// The place at the height of the ground.
    pub(crate) fn on_ground(self, view: &ViewRef) -> Option<NavPoint> {
        let [x, z] = self.place;
        let height = view.grid().ground_height(x, z, self.span)?;
        Some(NavPoint { span: self.span, point: Point3::new(x, height, z) })
    }
}

/// As [`slide`], for who does not need the height: that takes as long as all the rest.
pub(crate) fn slide_level(view: &ViewRef, from: Spot, by: [f32; 2]) -> Spot {
    let mut glide = Glide::new(view, from, by);
    // Each border is crossed or takes one direction out of the movement.
    let cells = by.map(|v| (f64::from(v.abs()) / f64::from(view.cell_size())).ceil());
    let most = cells[0] + cells[1] + 3.0;
    if !(0.0..MOST_BORDERS).contains(&most) {
        return from;
    }
    for _ in 0..most as u32 {
        if !glide.go_on() {
            break;
        }
    }
    glide.end()
}

/// Movements over more borders are not meant.
const MOST_BORDERS: f64 = 1e6;

/// A movement under way.
struct Glide<'a> {
    view: &'a ViewRef<'a>,
    span: u32,
    column: usize,
    at: [f64; 2],
    /// What is left of the movement.
    left: [f64; 2],
    low: [f64; 2],
    high: [f64; 2],
    /// Whether it met a border that it cannot cross.
    is_blocked: [bool; 2],
}

/// The way to the neighbor along an axis, down and up.
const WAYS: [[Dir; 2]; 2] = [[Dir::ALL[4], Dir::ALL[0]], [Dir::ALL[6], Dir::ALL[2]]];

impl<'a> Glide<'a> {
    fn new(view: &'a ViewRef<'a>, from: Spot, by: [f32; 2]) -> Self {
        let column = view.column(from.span.0);
        let [low, high] = view.frame().borders(view.frame().cell(column));
        Glide {
            view,
            span: from.span.0,
            column,
            at: from.place.map(f64::from),
            left: by.map(f64::from),
            low,
            high,
            is_blocked: [false; 2],
        }
    }

    /// Goes as far as the next border, and over it where a step leads. False where nothing is left
    /// to go.
    fn go_on(&mut self) -> bool {
        let to_border = [0, 1].map(|axis| {
            let border = if self.left[axis] > 0.0 { self.high[axis] } else { self.low[axis] };
            let part = (border - self.at[axis]) / self.left[axis];
            if self.left[axis] == 0.0 { f64::INFINITY } else { part.max(0.0) }
        });
        let axis = usize::from(to_border[1] < to_border[0]);
        let part = to_border[axis].min(1.0);
        for along in [0, 1] {
            self.at[along] += self.left[along] * part;
        }
        if to_border[axis] >= 1.0 {
            return false;
        }
        self.left = self.left.map(|left| left * (1.0 - part));
        self.cross(axis);
        self.left != [0.0; 2]
    }

    fn cross(&mut self, axis: usize) {
        let up = self.left[axis] > 0.0;
        let dir = WAYS[axis][usize::from(up)];
        let steps = self.view.connections();
        match steps.known_target(self.column, self.span, dir) {
            Some(next) => {
                self.at[axis] = if up { self.high[axis] } else { self.low[axis] };
                self.span = next;
                self.column = steps.neighbor_of(self.column, dir);
                let frame = self.view.frame();
                [self.low, self.high] = frame.borders(frame.cell(self.column));
            }
            None => {
                self.left[axis] = 0.0;
                self.is_blocked[axis] = true;
            }
        }
    }

    fn end(self) -> Spot {
        let frame = self.view.frame();
        let cell = frame.cell(self.column);
        let mut place = [0, 1].map(|axis| {
            let inset = if self.is_blocked[axis] { INSET } else { 0.0 };
            let inset = inset * (self.high[axis] - self.low[axis]);
            self.at[axis].clamp(self.low[axis] + inset, self.high[axis] - inset) as f32
        });
        // A border belongs to one of its cells, and rounding may lead over it.
        let center = frame.center(cell);
        for _ in 0..MOST_NUDGES {
            if frame.cell_at(place[0], place[1]) == cell {
                break;
            }
            place = [0, 1].map(|axis| {
                let inwards = f64::from(center[axis]) > self.at[axis];
                if inwards { place[axis].next_up() } else { place[axis].next_down() }
            });
        }
        Spot { span: SpanId(self.span), place }
    }
}
