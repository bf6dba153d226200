//! A uniform grid of squares over a rectangle, that geometry is binned by.

use surefoot_rapier::distance::GroundRect;

/// Squares over a rectangle, in rows along x. Whatever lies outside counts as in the outermost
/// ones.
#[derive(Clone, Debug)]
pub(super) struct SquareGrid {
    origin: [f32; 2],
    side: f32,
    counts: [u32; 2],
}

/// A range of squares: least and greatest along x and z, both included.
#[derive(Clone, Copy, Debug)]
pub(super) struct SquareRange {
    pub min: [u32; 2],
    pub max: [u32; 2],
}

impl SquareGrid {
    /// Covers a rectangle with squares of at least a side length [m], at most `max_count` along
    /// each side.
    pub fn over(rect: &GroundRect, side: f32, max_count: u32) -> Self {
        let lengths = [rect.max[0] - rect.min[0], rect.max[1] - rect.min[1]];
        let longest = lengths[0].max(lengths[1]).max(f32::MIN_POSITIVE);
        let side = side.max(longest / max_count as f32);
        let counts = lengths.map(|length| ((length / side).ceil() as u32).clamp(1, max_count));
        SquareGrid { origin: rect.min, side, counts }
    }

    /// Returns squares of twice the side over the same rectangle.
    pub fn coarser(&self) -> Self {
        let counts = self.counts.map(|count| count.div_ceil(2));
        SquareGrid { side: 2.0 * self.side, counts, ..*self }
    }

    /// Returns the number of squares.
    pub fn len(&self) -> usize {
        self.counts[0] as usize * self.counts[1] as usize
    }

    /// Returns the squares that a rectangle touches.
    pub fn range(&self, rect: &GroundRect) -> SquareRange {
        SquareRange { min: self.square_at(rect.min), max: self.square_at(rect.max) }
    }

    /// Returns the square that a point (x, z) is in: along x and z.
    pub fn square_at(&self, point: [f32; 2]) -> [u32; 2] {
        let square = |i: usize| {
            // A cast from float saturates, which is right for the outermost squares.
            (((point[i] - self.origin[i]) / self.side) as u32).min(self.counts[i] - 1)
        };
        [square(0), square(1)]
    }

    /// Returns the side of a square [m].
    pub fn side(&self) -> f32 {
        self.side
    }

    /// Returns the center of a square, (x, z) [m].
    pub fn center(&self, [x, z]: [u32; 2]) -> [f32; 2] {
        let center = |i: usize, square: u32| self.origin[i] + (square as f32 + 0.5) * self.side;
        [center(0, x), center(1, z)]
    }

    /// Returns the index of a square in row-major order.
    pub fn index(&self, [x, z]: [u32; 2]) -> usize {
        z as usize * self.counts[0] as usize + x as usize
    }

    /// Calls back with the index of each square of a range.
    #[inline]
    pub fn for_each(&self, range: SquareRange, mut call: impl FnMut(usize)) {
        let SquareRange { min, max } = range;
        for z in min[1]..=max[1] {
            for x in min[0]..=max[0] {
                call(self.index([x, z]));
            }
        }
    }
}

impl SquareRange {
    /// Returns the number of squares; saturates.
    pub fn count(&self) -> u32 {
        let [x, z] = [0, 1].map(|i| self.max[i] - self.min[i] + 1);
        x.saturating_mul(z)
    }
}
