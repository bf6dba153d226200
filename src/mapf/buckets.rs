//! Provides [`Buckets`]: finds the places near a point.

use nalgebra::Point3;

use crate::follow::{SAME_STOREY, norm};
use crate::mapf::local_ground::LocalGround;

/// Points, sorted into squares.
#[derive(Debug)]
pub(crate) struct Buckets {
    low: [f32; 2],
    /// Side of a square [m].
    side: f32,
    size: [usize; 2],
    /// By z, then by x: the points of each square, with their numbers.
    squares: Vec<Vec<(usize, Point3<f32>)>>,
}

/// There are at most so many squares for each span, however small the bodies are.
const MOST_SQUARES: usize = 4;

impl Buckets {
    /// Squares of a side [m], or larger ones, over some ground, without points.
    pub(crate) fn over(ground: &LocalGround, side: f32) -> Self {
        let mut low = [f32::INFINITY; 2];
        let mut high = [f32::NEG_INFINITY; 2];
        for at in &ground.points {
            for (axis, value) in [at.point.x, at.point.z].into_iter().enumerate() {
                low[axis] = low[axis].min(value);
                high[axis] = high[axis].max(value);
            }
        }
        let most = MOST_SQUARES * ground.len();
        let size = |side: f32| [0, 1].map(|axis| ((high[axis] - low[axis]) / side) as usize + 1);
        let mut side = side;
        while size(side)[0].saturating_mul(size(side)[1]) > most {
            side *= 2.0;
        }
        let size = size(side);
        Buckets { low, side, size, squares: vec![Vec::new(); size[0] * size[1]] }
    }

    pub(crate) fn add(&mut self, number: usize, point: Point3<f32>) {
        let [x, z] = self.square(point);
        self.squares[z * self.size[0] + x].push((number, point));
    }

    /// Visits all points within a side of a point, and some beyond.
    pub(crate) fn near(&self, point: Point3<f32>, mut visit: impl FnMut(usize, Point3<f32>)) {
        let [x, z] = self.square(point);
        for z in z.saturating_sub(1)..=(z + 1).min(self.size[1] - 1) {
            for x in x.saturating_sub(1)..=(x + 1).min(self.size[0] - 1) {
                for &(number, other) in &self.squares[z * self.size[0] + x] {
                    visit(number, other);
                }
            }
        }
    }

    fn square(&self, point: Point3<f32>) -> [usize; 2] {
        let at = [point.x - self.low[0], point.z - self.low[1]];
        [0, 1].map(|axis| ((at[axis] / self.side).max(0.0) as usize).min(self.size[axis] - 1))
    }
}

/// The distance seen from above [m]; infinite if one is on another storey.
pub(crate) fn distance(one: Point3<f32>, other: Point3<f32>) -> f32 {
    let offset = other - one;
    if offset.y.abs() > SAME_STOREY { f32::INFINITY } else { norm([offset.x, offset.z]) }
}
