//! What is in each box of a lattice over a tile.

use std::cell::Cell;

use super::squares::{SquareRange, Squares};
use surefoot_rapier::measure::Bounds;

/// Numbered things by the boxes of a lattice: squares on the ground, in slabs one over the other.
#[derive(Debug)]
pub(super) struct Lists {
    squares: Squares,
    slabs: Slabs,
    /// For each thing the last question that looked at it, and the number of questions.
    looked_at: Vec<Cell<u32>>,
    questions: Cell<u32>,
    /// For each box, slabs of a square one after the other, the index of its first entry; one more
    /// closes the last.
    first: Vec<u32>,
    /// For each entry its thing.
    things: Vec<u32>,
}

/// Slabs of equal height; what lies outside counts as in the outermost ones.
#[derive(Clone, Copy, Debug)]
struct Slabs {
    bottom: f32,
    height: f32,
    count: usize,
}

/// Least height of a slab [m]: about that of a body.
const LEAST_HEIGHT: f32 = 2.0;
/// Most slabs.
const MOST_SLABS: f32 = 16.0;

impl Slabs {
    fn over(bounds: &[Bounds]) -> Self {
        let bottom = bounds.iter().map(|bounds| bounds.min.y).fold(f32::INFINITY, f32::min);
        let top = bounds.iter().map(|bounds| bounds.max.y).fold(bottom, f32::max);
        let height = LEAST_HEIGHT.max((top - bottom) / MOST_SLABS);
        Slabs { bottom, height, count: 1 + ((top - bottom) / height) as usize }
    }

    /// The least and the greatest slab between two heights.
    fn touched(&self, low: f32, high: f32) -> [usize; 2] {
        // A cast from float saturates, which is what the outermost slabs want.
        [low, high].map(|y| (((y - self.bottom) / self.height) as usize).min(self.count - 1))
    }
}

impl Lists {
    /// Lists things, given the boxes round them, numbered by their order.
    pub fn new(squares: Squares, bounds: &[Bounds]) -> Self {
        let slabs = Slabs::over(bounds);
        let mut lists = Lists {
            first: vec![0; squares.len() * slabs.count + 1],
            squares,
            slabs,
            looked_at: vec![Cell::new(0); bounds.len()],
            questions: Cell::new(0),
            things: Vec::new(),
        };
        let over: Vec<_> = bounds.iter().map(|bounds| lists.touched(bounds)).collect();
        let mut next = vec![0u32; lists.first.len()];
        for touched in &over {
            lists.each_box(touched, |index| next[index + 1] += 1);
        }
        for index in 1..next.len() {
            next[index] += next[index - 1];
        }
        lists.first.copy_from_slice(&next);
        let mut things = vec![0; next.last().map_or(0, |&count| count as usize)];
        for (thing, touched) in (0u32..).zip(&over) {
            lists.each_box(touched, |index| {
                things[next[index] as usize] = thing;
                next[index] += 1;
            });
        }
        lists.things = things;
        lists
    }

    /// Calls back once with each thing in the lattice boxes that a box touches.
    #[inline]
    pub fn each_in(&self, bounds: &Bounds, mut call: impl FnMut(usize)) {
        let question = self.questions.get() + 1;
        self.questions.set(question);
        let (squares, [low, high]) = self.touched(bounds);
        self.squares.each(&squares, |square| {
            let column = square * self.slabs.count;
            let entries = self.first[column + low] as usize..self.first[column + high + 1] as usize;
            for &thing in &self.things[entries] {
                if self.looked_at[thing as usize].replace(question) != question {
                    call(thing as usize);
                }
            }
        });
    }

    fn touched(&self, bounds: &Bounds) -> (SquareRange, [usize; 2]) {
        let slabs = self.slabs.touched(bounds.min.y, bounds.max.y);
        (self.squares.touched(&bounds.under()), slabs)
    }

    fn each_box(
        &self,
        (squares, [low, high]): &(SquareRange, [usize; 2]),
        mut call: impl FnMut(usize),
    ) {
        self.squares.each(squares, |square| {
            let column = square * self.slabs.count;
            (column + low..=column + high).for_each(&mut call);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parry3d::math::Vector;
    use surefoot_rapier::measure::Rect;

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
            let things: Vec<Bounds> = (0..60).map(|i| random_box((i % 9) as f32)).collect();
            let squares = Squares::over(&Rect { min: [1.0, 0.0], max: [9.0, 9.0] }, 1.0, 16);
            let lists = Lists::new(squares, &things);
            let asked = random_box(2.0);
            let mut found = Vec::new();
            lists.each_in(&asked, |thing| found.push(thing));
            found.sort_unstable();
            let all = found.len();
            found.dedup();
            assert_eq!(found.len(), all);
            for (thing, bounds) in things.iter().enumerate() {
                assert!(bounds.distance_squared(&asked) > 0.0 || found.contains(&thing));
            }
        }
    }
}
