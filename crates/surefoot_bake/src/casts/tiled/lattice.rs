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
/// Most slabs of a few obstacles, and for how many obstacles there is one more.
const MAX_SLABS: usize = 16;
const OBSTACLES_PER_SLAB: usize = 32;
/// Most boxes, and most entries, of a lattice of a few obstacles, and how many more there may be
/// for each: large obstacles touch many boxes.
const MAX_ENTRIES: usize = 1 << 20;
const MAX_ENTRIES_PER_OBSTACLE: usize = 16;

impl Slabs {
    /// Covers some boxes, with a number of slabs at most.
    fn over(bounds: &[Bounds], max_count: usize) -> Self {
        let bottom = bounds.iter().map(|bounds| bounds.min.y).fold(f32::INFINITY, f32::min);
        let top = bounds.iter().map(|bounds| bounds.max.y).fold(bottom, f32::max);
        let height = MIN_SLAB_HEIGHT.max((top - bottom) / max_count as f32);
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
        let mut lattice = Lattice {
            squares,
            slabs: Slabs::over(bounds, MAX_SLABS.max(bounds.len() / OBSTACLES_PER_SLAB)),
            last_found_by: vec![Cell::new(0); bounds.len()],
            queries: Cell::new(0),
            first: Vec::new(),
            obstacles: Vec::new(),
        };
        lattice.coarsen(bounds);
        lattice.first = vec![0; lattice.squares.len() * lattice.slabs.count + 1];
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

    /// Makes squares wider and slabs thicker until there is room for all entries: needles across
    /// a whole tile touch many squares, tall walls many slabs.
    fn coarsen(&mut self, bounds: &[Bounds]) {
        let most = MAX_ENTRIES.max(MAX_ENTRIES_PER_OBSTACLE * bounds.len());
        let boxes = |range: LatticeRange| {
            let slabs = range.slabs[1] - range.slabs[0] + 1;
            (range.squares.count() as usize, slabs)
        };
        loop {
            let ranges = bounds.iter().map(|bounds| boxes(self.range(bounds)));
            let entries: usize = ranges.clone().map(|(squares, slabs)| squares * slabs).sum();
            if entries.max(self.squares.len() * self.slabs.count) <= most {
                return;
            }
            let columns: usize = ranges.map(|(squares, _)| squares).sum();
            // Whichever has more of the entries.
            let slabs_per_column = entries / columns.max(1);
            if self.slabs.count > MAX_SLABS && slabs_per_column * bounds.len() > columns {
                self.slabs = Slabs::over(bounds, self.slabs.count / 2);
            } else if self.squares.len() > 1 {
                self.squares = self.squares.coarser();
            } else {
                return;
            }
        }
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

    fn lattice_over(side: f32, obstacles: &[Bounds]) -> Lattice {
        let rect = GroundRect { min: [0.0; 2], max: [side; 2] };
        Lattice::new(SquareGrid::over(&rect, 0.25, 256), obstacles)
    }

    #[test]
    fn a_query_in_a_high_tower_finds_few_floors() {
        let floor =
            |y: f32| Bounds { min: Vector::new(0.0, y, 0.0), max: Vector::new(8.0, y, 8.0) };
        for storeys in [1_000, 20_000] {
            let floors: Vec<_> = (0..storeys).map(|storey| floor(3.0 * storey as f32)).collect();
            let lattice = lattice_over(8.0, &floors);
            let min = Vector::new(4.0, 1.5 * storeys as f32, 4.0);
            let mut found = 0;
            lattice.for_each_in(&Bounds { min, max: min + Vector::splat(2.0) }, |_| found += 1);
            assert!((1..200).contains(&found), "{found} of {storeys}");
            assert!(lattice.obstacles.len() <= MAX_ENTRIES, "{}", lattice.obstacles.len());
        }
    }

    #[test]
    fn needles_across_all_squares_do_not_fill_memory() {
        let needle = |i: usize| {
            let at = 16.0 * i as f32 / 100_000.0;
            Bounds { min: Vector::new(0.0, 0.0, 0.0), max: Vector::new(16.0, 0.1, at) }
        };
        let needles: Vec<_> = (0..100_000).map(needle).collect();
        let lattice = lattice_over(16.0, &needles);
        let most = MAX_ENTRIES_PER_OBSTACLE * needles.len();
        assert!(lattice.obstacles.len() <= most, "{}", lattice.obstacles.len());
    }
}
