//! Squares over a rectangle, that geometry is listed by.

use surefoot_rapier::measure::Rect;

/// Squares over a rectangle, in rows along x; what lies outside counts as in the outermost ones.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    origin: [f32; 2],
    side: f32,
    counts: [u32; 2],
}

/// A range of squares: least and greatest along x and z, inclusive.
pub(super) type SquareRange = [[u32; 2]; 2];

impl Squares {
    /// Squares of at least a side length over a rectangle, at most `most` along each side.
    pub fn over(rect: &Rect, side: f32, most: u32) -> Self {
        let lengths = [rect.max[0] - rect.min[0], rect.max[1] - rect.min[1]];
        let longest = lengths[0].max(lengths[1]).max(f32::MIN_POSITIVE);
        let side = side.max(longest / most as f32);
        let counts = lengths.map(|length| ((length / side).ceil() as u32).clamp(1, most));
        Squares { origin: rect.min, side, counts }
    }

    /// Number of squares.
    pub fn len(&self) -> usize {
        self.counts[0] as usize * self.counts[1] as usize
    }

    /// The squares a rectangle touches.
    pub fn touched(&self, rect: &Rect) -> SquareRange {
        let place = |value: f32, i: usize| {
            // A cast from float saturates, which is what the outermost squares want.
            (((value - self.origin[i]) / self.side) as u32).min(self.counts[i] - 1)
        };
        [rect.min, rect.max].map(|corner| [place(corner[0], 0), place(corner[1], 1)])
    }

    /// Side of a square [m].
    pub fn side(&self) -> f32 {
        self.side
    }

    /// The middle of a square.
    pub fn middle(&self, [x, z]: [u32; 2]) -> [f32; 2] {
        let place = |i: usize, square: u32| self.origin[i] + (square as f32 + 0.5) * self.side;
        [place(0, x), place(1, z)]
    }

    /// The square a point (x, z) is in: along x and z.
    pub fn at(&self, point: [f32; 2]) -> [u32; 2] {
        self.touched(&Rect { min: point, max: point })[0]
    }

    /// Position of a square in row-major order.
    pub fn index(&self, [x, z]: [u32; 2]) -> usize {
        z as usize * self.counts[0] as usize + x as usize
    }

    /// Calls back with the position of each square of a range.
    #[inline]
    pub fn each(&self, [min, max]: &SquareRange, mut call: impl FnMut(usize)) {
        for z in min[1]..=max[1] {
            for x in min[0]..=max[0] {
                call(self.index([x, z]));
            }
        }
    }
}
