//! Points on the plane, listed by cells: who is near whom.

use glam::{IVec2, Vec2};

/// A hash grid, filled anew as a whole.
pub struct Nearby {
    side: f32,
    /// For each bucket, where its points begin; then how many points there are.
    first: Vec<u32>,
    /// Bucket after bucket.
    points: Vec<Listed>,
}

#[derive(Clone, Copy, Default)]
struct Listed {
    cell: IVec2,
    point: Vec2,
    index: u32,
}

impl Nearby {
    /// Nothing yet; cells with such a side [m, > 0].
    pub fn new(side: f32) -> Nearby {
        Nearby { side, first: vec![0, 0], points: Vec::new() }
    }

    /// Lists these points, and no others.
    pub fn fill(&mut self, points: impl ExactSizeIterator<Item = Vec2> + Clone) {
        let buckets = (2 * points.len()).next_power_of_two();
        self.first.clear();
        self.first.resize(buckets + 1, 0);
        self.points.resize(points.len(), Listed::default());
        for point in points.clone() {
            let bucket = self.bucket(self.cell(point));
            self.first[bucket] += 1;
        }
        let mut sum = 0;
        for first in &mut self.first {
            sum += *first;
            *first = sum;
        }
        for (index, point) in points.enumerate() {
            let cell = self.cell(point);
            let bucket = self.bucket(cell);
            self.first[bucket] -= 1;
            let index = index as u32;
            self.points[self.first[bucket] as usize] = Listed { cell, point, index };
        }
    }

    /// Every point no further away than `reach`, with the square of its distance.
    pub fn visit(&self, center: Vec2, reach: f32, mut visit: impl FnMut(usize, f32)) {
        let (low, high) = (self.cell(center - reach), self.cell(center + reach));
        for (x, y) in (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| (x, y))) {
            let cell = IVec2::new(x, y);
            let bucket = self.bucket(cell);
            let listed = self.first[bucket] as usize..self.first[bucket + 1] as usize;
            for listed in self.points[listed].iter().filter(|listed| listed.cell == cell) {
                let distance = listed.point.distance_squared(center);
                if distance <= reach * reach {
                    visit(listed.index as usize, distance);
                }
            }
        }
    }

    fn cell(&self, point: Vec2) -> IVec2 {
        (point / self.side).floor().as_ivec2()
    }

    fn bucket(&self, cell: IVec2) -> usize {
        let hash = cell.x.wrapping_mul(73_856_093) ^ cell.y.wrapping_mul(19_349_663);
        hash as u32 as usize & (self.first.len() - 2)
    }
}
