//! Provides [`CellRoom`]: where over one cell the body may be, between the centers of cells.
//!
//! That is the room around the cell's center, and the lines from the center to the neighbors that a
//! connection leads to: the bake has moved the body along them. So a body gets wherever connections
//! lead, however little room there is.

use crate::grid::{CellOffset, Dir, SpanRoom, Standing, nearest_on_segment};

/// Where over a cell with limited room the body may be. Lengths are in cells, relative to the center.
#[derive(Clone, Copy)]
pub(crate) struct CellRoom<'a> {
    pub room: &'a SpanRoom,
    /// The connections of the span as they are now.
    pub standing: &'a Standing,
}

/// A point this near to the room is inside, and one this near to a line is on it [cells]: more than
/// coordinates are rounded, also far from the origin.
const ROUNDING: f32 = 2.0 / 1024.0;

/// The four lines through the center that lead to neighbors, by the direction of one end.
const LINES: [Dir; 4] = [Dir::ALL[0], Dir::ALL[1], Dir::ALL[2], Dir::ALL[3]];

impl CellRoom<'_> {
    /// Returns whether the body may be at a point of the cell.
    #[inline]
    pub fn allows(&self, at: [f32; 2]) -> bool {
        self.room.contains(at, ROUNDING) || LINES.into_iter().any(|line| self.is_on(line, at))
    }

    /// Returns whether the body may go straight from one point of the cell to another.
    #[inline]
    pub fn allows_segment(&self, ends: [[f32; 2]; 2]) -> bool {
        let inside = self.room.contain(ends, ROUNDING);
        if inside == [true; 2] {
            return true;
        }
        let is_along = |line: Dir| {
            let near = |at: [f32; 2]| off_line(line, at) <= ROUNDING;
            ends.into_iter()
                .zip(inside)
                .all(|(end, is_inside)| if is_inside { near(end) } else { self.is_on(line, end) })
        };
        LINES.into_iter().any(is_along)
    }

    /// Returns the nearest point where the body may be.
    pub fn nearest(&self, to: [f32; 2]) -> [f32; 2] {
        let mut nearest = self.room.nearest(to);
        for dir in Dir::ALL.into_iter().filter(|&dir| self.standing.has_connection(dir)) {
            let on_line = nearest_on_segment(to, [[0.0; 2], line_end(dir)]);
            if distance_squared(to, on_line) < distance_squared(to, nearest) {
                nearest = on_line;
            }
        }
        nearest
    }

    /// Returns which connection the body goes along at a point outside the room; `None` if it is inside, or
    /// on no line.
    pub fn connection_at(&self, at: [f32; 2]) -> Option<Dir> {
        if self.room.contains(at, ROUNDING) {
            return None;
        }
        let line = LINES.into_iter().find(|&line| self.is_on(line, at))?;
        Some(toward(line, at))
    }

    /// Whether a point lies on the part of a line that connections lead along.
    fn is_on(&self, line: Dir, at: [f32; 2]) -> bool {
        off_line(line, at) <= ROUNDING && self.standing.has_connection(toward(line, at))
    }
}

/// The direction of a line in which a point lies.
fn toward(line: Dir, at: [f32; 2]) -> Dir {
    let [x, z] = line_end(line);
    if at[0] * x + at[1] * z >= 0.0 { line } else { line.opposite() }
}

/// Where the line to a neighbor leaves the cell.
fn line_end(dir: Dir) -> [f32; 2] {
    let CellOffset { x, z } = dir.offset();
    [0.5 * x as f32, 0.5 * z as f32]
}

/// The distance of a point from the line through the center in a direction.
fn off_line(dir: Dir, at: [f32; 2]) -> f32 {
    let CellOffset { x, z } = dir.offset();
    (at[0] * z as f32 - at[1] * x as f32).abs() / dir.length()
}

pub(crate) fn distance_squared(a: [f32; 2], b: [f32; 2]) -> f32 {
    let [x, z] = [a[0] - b[0], a[1] - b[1]];
    x * x + z * z
}
