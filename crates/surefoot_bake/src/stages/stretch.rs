//! Stretches: straight parts of an edge, and the cells near them.

use crate::casts::GroundEdge;
use surefoot::grid::{Dir, GridFrame};

/// A straight stretch of an edge, relative to the center of where a walk starts [m].
pub(super) struct Stretch {
    /// Where the floor ends.
    pub end: [f32; 2],
    /// Of length 1.
    pub direction: [f32; 2],
    /// How far the edge is known against its direction and along it.
    pub reach: [f32; 2],
}

/// Edges count as one line where their directions differ by less [rad], and where one passes the
/// other's end by less [m].
const PARALLEL: f32 = 1e-3;

/// Stretches so near to each other are one [m]; far less than rims are known to.
const SAME: f32 = 1e-4;

/// A way in a direction, `distance` along x or z or both [m].
pub(super) fn offset_of(dir: Dir, distance: f32) -> [f32; 2] {
    let (x, z) = dir.offset();
    [x as f32 * distance, z as f32 * distance]
}

impl Stretch {
    /// How far along its direction it meets the line of another edge, or, where the two are one
    /// line, the other's `end` [m]; 0 where they never meet.
    pub fn meets(&self, end: [f32; 2], other: &GroundEdge) -> f32 {
        let cross = |a: [f32; 2], b: [f32; 2]| a[0] * b[1] - a[1] * b[0];
        let way = [end[0] - self.end[0], end[1] - self.end[1]];
        let turn = cross(self.direction, other.direction);
        if turn.abs() >= PARALLEL {
            cross(way, other.direction) / turn
        } else if cross(way, self.direction).abs() < PARALLEL {
            way[0] * self.direction[0] + way[1] * self.direction[1]
        } else {
            0.0
        }
    }

    /// Whether another stretch from the same place covers it; of two that are alike the first does.
    /// On a straight edge that is so of most: what lies near them lies near the other.
    pub fn is_part_of_another(&self, at: usize, all: &[Stretch]) -> bool {
        let covers = |(other, stretch): (usize, &Stretch)| {
            other != at && stretch.covers(self) && (other < at || !self.covers(stretch))
        };
        all.iter().enumerate().any(covers)
    }

    fn covers(&self, other: &Stretch) -> bool {
        other.tips().iter().all(|tip| self.distance_squared(*tip) < SAME * SAME)
    }

    /// Its two ends.
    fn tips(&self) -> [[f32; 2]; 2] {
        let tip = |along: f32| [0, 1].map(|i| self.end[i] + along * self.direction[i]);
        [tip(-self.reach[0]), tip(self.reach[1])]
    }

    /// The least and the greatest x, and the same of z.
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

/// The cells whose centers lie near a stretch, counted from where a walk starts.
#[derive(Default)]
pub(super) struct NearCells {
    /// The first row.
    top: i32,
    /// The first and the last near cell of each row: what is near a stretch is convex.
    rows: Vec<[i32; 2]>,
}

impl NearCells {
    /// Those nearer than a margin, of the cells in a frame, where the walk starts in a column.
    pub fn set(&mut self, stretch: &Stretch, margin: f32, (frame, start): (&GridFrame, usize)) {
        let cell_size = frame.cell_size;
        let [x, z] = stretch.bounds().map(|[low, high]| {
            let low = ((low - margin) / cell_size).ceil() as i32;
            [low, ((high + margin) / cell_size).floor() as i32]
        });
        let at = frame.row_divider().cell_offset(start);
        let clip = |[low, high]: [i32; 2], at: i32, size: u32| {
            [low.max(-at), high.min(size as i32 - 1 - at)]
        };
        let [west, east] = clip(x, at.0, frame.size_x);
        let [top, bottom] = clip(z, at.1, frame.size_z);
        self.top = top;
        self.rows.clear();
        for z in top..=bottom {
            let is_near = |x: &i32| {
                let place = [*x as f32 * cell_size, z as f32 * cell_size];
                stretch.distance_squared(place) < margin * margin
            };
            let first = (west..=east).find(is_near).unwrap_or(east + 1);
            let last = (first..=east).rev().find(is_near).unwrap_or(first - 1);
            self.rows.push([first, last]);
        }
    }

    #[inline]
    pub fn has(&self, [x, z]: [i32; 2]) -> bool {
        let row = self.rows.get(z.wrapping_sub(self.top) as usize);
        row.is_some_and(|&[first, last]| first <= x && x <= last)
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
            let stretch = Stretch {
                end: [0.2 * turn.sin(), 0.3 * turn.cos()],
                direction: [turn.cos(), turn.sin()],
                reach: [0.01 * (step % 60) as f32, 0.02 * (step % 30) as f32],
            };
            // From less than a cell to far beyond the frame.
            let margin = [0.1, 0.45, 1.3, 1000.0][step % 4];
            let (x, z) = (step as i32 % SIZE, step as i32 / 3 % SIZE);
            cells.set(&stretch, margin, (&frame, (z * SIZE + x) as usize));
            for at in (-20..20).flat_map(|z| (-20..20).map(move |x| [x, z])) {
                let inside = [x + at[0], z + at[1]].iter().all(|i| (0..SIZE).contains(i));
                let distance = stretch.distance_squared(at.map(|i| i as f32 * 0.3)).sqrt();
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
