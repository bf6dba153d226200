//! A lattice of boxes over a tile: squares on the ground, each in horizontal slabs. It lists the
//! obstacles in each box.

use std::cell::Cell;

use super::square_grid::{SquareGrid, SquareRange};
use surefoot_rapier::distance::Bounds;

/// Obstacles by the boxes of a lattice.
#[derive(Debug)]
pub(super) struct Lattice {
    squares: SquareGrid,
    slabs: Slabs,
    /// For each obstacle the last query that found it: each query finds it once.
    last_found_by: Vec<Cell<u32>>,
    /// Number of queries so far.
    queries: Cell<u32>,
    /// For each box the index of its first entry, the slabs of a square one after the other; one
    /// more closes the last.
    first: Vec<u32>,
    /// For each entry its obstacle.
    obstacles: Vec<u32>,
}

/// Slabs of equal height. Whatever lies outside counts as in the outermost ones.
#[derive(Clone, Copy, Debug)]
struct Slabs {
    bottom: f32,
    height: f32,
    count: usize,
}

/// The boxes that something touches.
struct LatticeRange {
    squares: SquareRange,
    /// The lowest and the highest slab, both included.
    slabs: [usize; 2],
}

/// Least height of a slab [m]: about that of a body.
const MIN_SLAB_HEIGHT: f32 = 2.0;
/// Most slabs.
const MAX_SLABS: f32 = 16.0;

impl Slabs {
    fn over(bounds: &[Bounds]) -> Self {
        let bottom = bounds.iter().map(|bounds| bounds.min.y).fold(f32::INFINITY, f32::min);
        let top = bounds.iter().map(|bounds| bounds.max.y).fold(bottom, f32::max);
        let height = MIN_SLAB_HEIGHT.max((top - bottom) / MAX_SLABS);
        Slabs { bottom, height, count: 1 + ((top - bottom) / height) as usize }
    }

    /// Returns the slabs that two heights are in.
    fn range(&self, low: f32, high: f32) -> [usize; 2] {
        // A cast from float saturates, which is right for the outermost slabs.
        [low, high].map(|y| (((y - self.bottom) / self.height) as usize).min(self.count - 1))
    }
}

impl Lattice {
    /// Lists obstacles, given the boxes around them.
    pub fn new(squares: SquareGrid, bounds: &[Bounds]) -> Self {
        let slabs = Slabs::over(bounds);
        let mut lattice = Lattice {
            first: vec![0; squares.len() * slabs.count + 1],
            squares,
            slabs,
            last_found_by: vec![Cell::new(0); bounds.len()],
            queries: Cell::new(0),
            obstacles: Vec::new(),
        };
        let ranges: Vec<_> = bounds.iter().map(|bounds| lattice.range(bounds)).collect();
        let mut next = vec![0u32; lattice.first.len()];
        for range in &ranges {
            lattice.for_each_box(range, |index| next[index + 1] += 1);
        }
        for index in 1..next.len() {
            next[index] += next[index - 1];
        }
        lattice.first.copy_from_slice(&next);
        let mut obstacles = vec![0; next.last().map_or(0, |&count| count as usize)];
        for (obstacle, range) in (0u32..).zip(&ranges) {
            lattice.for_each_box(range, |index| {
                obstacles[next[index] as usize] = obstacle;
                next[index] += 1;
            });
        }
        lattice.obstacles = obstacles;
        lattice
    }

    /// Calls back once with each obstacle in the lattice boxes that a box touches.
    #[inline]
    pub fn for_each_in(&self, bounds: &Bounds, mut call: impl FnMut(usize)) {
        let query = self.queries.get() + 1;
        self.queries.set(query);
        let LatticeRange { squares, slabs: [low, high] } = self.range(bounds);
        self.squares.for_each(squares, |square| {
            let column = square * self.slabs.count;
            let entries = self.first[column + low] as usize..self.first[column + high + 1] as usize;
            for &obstacle in &self.obstacles[entries] {
                if self.last_found_by[obstacle as usize].replace(query) != query {
                    call(obstacle as usize);
                }
            }
        });
    }

    fn range(&self, bounds: &Bounds) -> LatticeRange {
        let slabs = self.slabs.range(bounds.min.y, bounds.max.y);
        LatticeRange { squares: self.squares.range(&bounds.ground_rect()), slabs }
    }

    fn for_each_box(&self, range: &LatticeRange, mut call: impl FnMut(usize)) {
        let [low, high] = range.slabs;
        self.squares.for_each(range.squares, |square| {
            let column = square * self.slabs.count;
            (column + low..=column + high).for_each(&mut call);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parry3d::math::Vector;
    use surefoot_rapier::distance::GroundRect;

    #[test]
    fn a_box_finds_all_it_touches_once() {
        let mut seed = 1u32;
        let mut random = |most: f32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 24) as f32 * most
        };
        let mut random_box = |size: f32| {
            let min = Vector::new(random(10.0), random(30.0) - 5.0, random(10.0));
            Bounds { min, max: min + Vector::new(random(size), random(9.0), random(size)) }
        };
        for _ in 0..200 {
            let obstacles: Vec<Bounds> = (0..60).map(|i| random_box((i % 9) as f32)).collect();
            let rect = GroundRect { min: [1.0, 0.0], max: [9.0, 9.0] };
            let lattice = Lattice::new(SquareGrid::over(&rect, 1.0, 16), &obstacles);
            let query = random_box(2.0);
            let mut found = Vec::new();
            lattice.for_each_in(&query, |obstacle| found.push(obstacle));
            found.sort_unstable();
            let all = found.len();
            found.dedup();
            assert_eq!(found.len(), all);
            for (obstacle, bounds) in obstacles.iter().enumerate() {
                assert!(bounds.distance_squared(&query) > 0.0 || found.contains(&obstacle));
            }
        }
    }
}
