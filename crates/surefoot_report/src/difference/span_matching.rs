//! Provides [`SpanMatching`]: which floor of one grid is which of another.

use std::ops::Range;

use surefoot::grid::SpanId;
use surefoot::{NavGrid, Span};

/// A floor that moved up or down by at most this is the same floor, moved [m].
pub const SAME_FLOOR: f32 = 0.5;

/// Stands for no span.
const NONE: u32 = u32::MAX;

/// Which span of one grid is which span of another: over the same cell of the world, the floors that
/// are nearest to each other in height, in order, and at most [`SAME_FLOOR`] apart.
///
/// It does not matter which of the two grids is the older one.
#[derive(Clone, Debug)]
pub struct SpanMatching {
    /// For each span of the old grid its counterpart.
    new_of_old: Vec<u32>,
    /// For each span of the new grid its counterpart.
    old_of_new: Vec<u32>,
}

impl SpanMatching {
    /// Matches the spans of two grids with cells of one size. O(spans + cells).
    pub fn new(old: &NavGrid, new: &NavGrid) -> Self {
        let mut matching = SpanMatching {
            new_of_old: vec![NONE; old.spans().len()],
            old_of_new: vec![NONE; new.spans().len()],
        };
        let shared = old.frame().overlap(new.frame());
        let rows = if shared.cells() > 0 { shared.size_z as usize } else { 0 };
        for row in 0..rows {
            let cell = shared.cell(row * shared.size_x as usize);
            let starts = [old, new].map(|grid| grid.frame().index(cell));
            let [Some(old_start), Some(new_start)] = starts else { continue };
            for at in 0..shared.size_x as usize {
                let columns = [column(old, old_start + at), column(new, new_start + at)];
                matching.match_columns([old.spans(), new.spans()], columns);
            }
        }
        matching
    }

    /// The counterpart of a span of the old grid.
    #[inline]
    pub fn new_of(&self, old: SpanId) -> Option<SpanId> {
        self.new_of_old.get(old.index()).filter(|&&span| span != NONE).map(|&span| SpanId(span))
    }

    /// The counterpart of a span of the new grid.
    #[inline]
    pub fn old_of(&self, new: SpanId) -> Option<SpanId> {
        self.old_of_new.get(new.index()).filter(|&&span| span != NONE).map(|&span| SpanId(span))
    }

    /// Goes up both columns at once. What is skipped and what is matched are the same with the grids
    /// exchanged, since floors of a column rise.
    #[inline]
    fn match_columns(&mut self, spans: [&[Span]; 2], [old, new]: [Range<u32>; 2]) {
        let floor = |grid: usize, span: u32| spans[grid][span as usize].floor;
        let (mut a, mut b) = (old.start, new.start);
        while a < old.end && b < new.end {
            let (low, high) = (floor(0, a), floor(1, b));
            let off = (low - high).abs();
            let is_nearer = |grid: usize, next: u32, end: u32, to: f32| {
                next < end && (floor(grid, next) - to).abs() < off
            };
            let skips = [is_nearer(0, a + 1, old.end, high), is_nearer(1, b + 1, new.end, low)];
            if off <= SAME_FLOOR && skips == [false; 2] {
                self.new_of_old[a as usize] = b;
                self.old_of_new[b as usize] = a;
                (a, b) = (a + 1, b + 1);
            } else if low < high {
                a += 1;
            } else {
                b += 1;
            }
        }
    }
}

/// The spans of the column at a row-major position.
fn column(grid: &NavGrid, at: usize) -> Range<u32> {
    let first = &grid.parts().first;
    first[at]..first[at + 1]
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;
    use surefoot::grid::{Cell, GridFrame};

    use super::*;

    /// Which floor of a column is matched with which of another, by their numbers.
    fn matched(old: &[f32], new: &[f32]) -> Vec<[usize; 2]> {
        let spans = |floors: &[f32]| -> Vec<Span> {
            floors.iter().map(|&y| Span::new(y, y + 9.0, Vector3::y())).collect()
        };
        let (old, new) = (spans(old), spans(new));
        let mut matching =
            SpanMatching { new_of_old: vec![NONE; old.len()], old_of_new: vec![NONE; new.len()] };
        matching.match_columns([&old, &new], [0..old.len() as u32, 0..new.len() as u32]);
        let pairs = (0..old.len()).filter_map(|at| {
            let to = matching.new_of(SpanId(at as u32))?;
            assert_eq!(matching.old_of(to), Some(SpanId(at as u32)));
            Some([at, to.index()])
        });
        pairs.collect()
    }

    #[test]
    fn floors_are_matched_in_order_with_the_nearest() {
        struct Case<'a>(&'a [f32], &'a [f32], &'a [[usize; 2]]);
        let cases = [
            Case(&[0.0, 3.0], &[0.0, 3.0], &[[0, 0], [1, 1]]),
            Case(&[0.0], &[0.0, 0.4], &[[0, 0]]),
            Case(&[0.0], &[-0.4, -0.2, 0.0], &[[0, 2]]),
            Case(&[0.0, 0.3], &[0.3, 0.6], &[[1, 0]]),
            Case(&[0.0, 3.0], &[0.25, 3.25], &[[0, 0], [1, 1]]),
            Case(&[0.0], &[0.75], &[]),
            Case(&[], &[1.0], &[]),
        ];
        for Case(old, new, expected) in cases {
            assert_eq!(matched(old, new), expected, "{old:?} to {new:?}");
            let back: Vec<[usize; 2]> = expected.iter().map(|&[a, b]| [b, a]).collect();
            assert_eq!(matched(new, old), back, "{new:?} to {old:?}");
        }
    }

    #[test]
    fn cells_are_those_of_the_world() {
        let grid = |x: i32, size_x: u32| {
            let frame = GridFrame { cell_size: 0.5, min: Cell::new(x, 3), size_x, size_z: 1 };
            NavGrid::from_heights(frame, &vec![0.0; size_x as usize], &[]).expect("a grid")
        };
        let matching = SpanMatching::new(&grid(-2, 4), &grid(0, 3));
        let new = |old: u32| matching.new_of(SpanId(old)).map(|span| span.0);
        assert_eq!([0, 1, 2, 3, 4].map(new), [None, None, Some(0), Some(1), None]);
        let far = SpanMatching::new(&grid(0, 2), &grid(900, 2));
        assert_eq!(far.new_of(SpanId(0)), None);
    }
}
