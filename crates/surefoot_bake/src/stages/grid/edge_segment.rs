//! Straight segments of an edge, and the cells near them.

use crate::casts::GroundEdge;
use surefoot::grid::{CellOffset, Dir, GridFrame};

/// A straight segment of an edge, relative to the center of the cell that it was seen from [m].
pub(super) struct EdgeSegment {
    /// Where the floor ends.
    pub end: [f32; 2],
    /// The direction of the edge, of length 1.
    pub direction: [f32; 2],
    /// How far the edge is known to extend against its direction and along it [m, >= 0].
    pub reach: [f32; 2],
}

/// Edges are on one line if their directions differ by less [rad], and if one passes the other's
/// end by less [m].
const PARALLEL_TOLERANCE: f32 = 1e-3;

/// Segments this close to each other count as one [m]; far less than the tolerance of ledges.
const SAME_SEGMENT: f32 = 1e-4;

/// Returns a vector in a direction, `distance` long along x or z or both [m].
pub(super) fn offset_of(dir: Dir, distance: f32) -> [f32; 2] {
    let CellOffset { x, z } = dir.offset();
    [x as f32 * distance, z as f32 * distance]
}

impl EdgeSegment {
    /// Returns how far along its direction it meets the line of another edge through `end`; if the
    /// two are on one line, how far along `end` is; 0 if they never meet [m].
    pub fn distance_to(&self, end: [f32; 2], other: &GroundEdge) -> f32 {
        let cross = |a: [f32; 2], b: [f32; 2]| a[0] * b[1] - a[1] * b[0];
        let offset = [end[0] - self.end[0], end[1] - self.end[1]];
        let turn = cross(self.direction, other.direction);
        if turn.abs() >= PARALLEL_TOLERANCE {
            cross(offset, other.direction) / turn
        } else if cross(offset, self.direction).abs() < PARALLEL_TOLERANCE {
            offset[0] * self.direction[0] + offset[1] * self.direction[1]
        } else {
            0.0
        }
    }

    /// Returns whether another segment seen from the same cell covers it. If two cover each other,
    /// the first covers the second. On a straight edge most are covered and need no walk.
    pub fn is_covered(&self, at: usize, all: &[EdgeSegment]) -> bool {
        let covers = |(other, segment): (usize, &EdgeSegment)| {
            other != at && segment.covers(self) && (other < at || !self.covers(segment))
        };
        all.iter().enumerate().any(covers)
    }

    fn covers(&self, other: &EdgeSegment) -> bool {
        other.tips().iter().all(|tip| self.distance_squared(*tip) < SAME_SEGMENT * SAME_SEGMENT)
    }

    /// Returns its two ends.
    fn tips(&self) -> [[f32; 2]; 2] {
        let tip = |along: f32| [0, 1].map(|i| self.end[i] + along * self.direction[i]);
        [tip(-self.reach[0]), tip(self.reach[1])]
    }

    /// Returns the least and the greatest x, and the same for z.
    fn bounds(&self) -> [[f32; 2]; 2] {
        let [a, b] = self.tips();
        [0, 1].map(|i| [a[i].min(b[i]), a[i].max(b[i])])
    }

    #[inline]
    fn distance_squared(&self, [x, z]: [f32; 2]) -> f32 {
        let (x, z) = (x - self.end[0], z - self.end[1]);
        let along = x * self.direction[0] + z * self.direction[1];
        let nearest = along.clamp(-self.reach[0], self.reach[1]);
        let (x, z) = (x - nearest * self.direction[0], z - nearest * self.direction[1]);
        x * x + z * z
    }
}

/// The cells of a frame, counted from one of them.
#[derive(Clone, Copy)]
pub(super) struct LocalFrame {
    cell_size: f32,
    /// Least and greatest x, both included.
    x: [i32; 2],
    /// Least and greatest z, both included.
    z: [i32; 2],
}

impl LocalFrame {
    /// Counts the cells of a frame from the one of a column.
    pub fn around(frame: &GridFrame, column: usize) -> Self {
        let CellOffset { x, z } = frame.row_divider().cell_offset(column);
        let range = |at: i32, size: u32| [-at, size as i32 - 1 - at];
        let [x, z] = [range(x, frame.size_x), range(z, frame.size_z)];
        LocalFrame { cell_size: frame.cell_size, x, z }
    }
}

/// The cells whose centers lie near a segment, counted from the cell that it was seen from.
#[derive(Default)]
pub(super) struct NearCells {
    /// The first row.
    top: i32,
    /// One for each row, and an empty one on either side.
    rows: Vec<NearRow>,
}

/// The near cells of a row, without gaps: the region near a segment is convex.
#[derive(Clone, Copy)]
pub(super) struct NearRow {
    first: i32,
    last: i32,
}

impl NearRow {
    const EMPTY: NearRow = NearRow { first: i32::MAX, last: i32::MIN };

    #[inline]
    pub fn has(self, x: i32) -> bool {
        (self.first <= x) & (x <= self.last)
    }
}

impl NearCells {
    /// Finds the cells of a frame that are nearer than a margin [m].
    pub fn set(&mut self, segment: &EdgeSegment, margin: f32, frame: LocalFrame) {
        let cell_size = frame.cell_size;
        let [x, z] = segment.bounds().map(|[low, high]| {
            let low = ((low - margin) / cell_size).ceil() as i32;
            [low, ((high + margin) / cell_size).floor() as i32]
        });
        let clip = |a: [i32; 2], b: [i32; 2]| [a[0].max(b[0]), a[1].min(b[1])];
        let [west, east] = clip(x, frame.x);
        let [top, bottom] = clip(z, frame.z);
        self.top = top;
        self.rows.clear();
        self.rows.push(NearRow::EMPTY);
        for z in top..=bottom {
            let is_near = |x: &i32| {
                let center = [*x as f32 * cell_size, z as f32 * cell_size];
                segment.distance_squared(center) < margin * margin
            };
            let first = (west..=east).find(is_near).unwrap_or(east + 1);
            let last = (first..=east).rev().find(is_near).unwrap_or(first - 1);
            self.rows.push(NearRow { first, last });
        }
        self.rows.push(NearRow::EMPTY);
    }

    /// Returns a row, with those before and after it; empty ones far from all near cells.
    #[inline]
    pub fn rows_round(&self, z: i32) -> &[NearRow; 3] {
        let at = z.wrapping_sub(self.top) as usize;
        let rows = self.rows.get(at..).and_then(|rows| rows.first_chunk());
        rows.unwrap_or(&[NearRow::EMPTY; 3])
    }

    /// Returns whether a cell is near.
    pub fn has(&self, [x, z]: [i32; 2]) -> bool {
        let [_, row, _] = self.rows_round(z);
        row.has(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::grid::Cell;

    #[test]
    fn near_cells_are_those_within_the_margin_and_the_frame() {
        const SIZE: i32 = 12;
        let frame = GridFrame { cell_size: 0.3, min: Cell::new(-5, 7), size_x: 12, size_z: 12 };
        let mut cells = NearCells::default();
        let mut counted = [0; 2];
        for step in 0..200 {
            let turn = 0.37 * step as f32;
            let segment = EdgeSegment {
                end: [0.2 * turn.sin(), 0.3 * turn.cos()],
                direction: [turn.cos(), turn.sin()],
                reach: [0.01 * (step % 60) as f32, 0.02 * (step % 30) as f32],
            };
            // From less than a cell to far beyond the frame.
            let margin = [0.1, 0.45, 1.3, 1000.0][step % 4];
            let (x, z) = (step as i32 % SIZE, step as i32 / 3 % SIZE);
            cells.set(&segment, margin, LocalFrame::around(&frame, (z * SIZE + x) as usize));
            for at in (-20..20).flat_map(|z| (-20..20).map(move |x| [x, z])) {
                let inside = [x + at[0], z + at[1]].iter().all(|i| (0..SIZE).contains(i));
                let distance = segment.distance_squared(at.map(|i| i as f32 * 0.3)).sqrt();
                if !inside || (distance - margin).abs() > 1e-4 {
                    let expected = inside && distance < margin;
                    assert_eq!(cells.has(at), expected, "{at:?} is {distance} m off, {margin}");
                    counted[usize::from(expected)] += 1;
                }
            }
        }
        assert!(counted.iter().all(|&count| count > 1000), "{counted:?}");
    }
}
