//! The triangles over each square of a tile, highest first.
//!
//! Looking through lists is most of the work of holding bodies against the world. A question
//! starts with the square it stands in and goes on to those around that can still hold something
//! nearer; in each it stops at the first triangle that is all below. The boxes of the triangles
//! lie in list order, coordinate by coordinate, and are held against a body's box four at a time.

use std::cell::Cell;

use parry3d::glamx::Vec4;

use super::bounds::{Bounds, Squares};

/// Triangles by square.
#[derive(Debug)]
pub(super) struct Lists {
    squares: Squares,
    /// For each triangle the last question that looked at it, and the number of questions.
    looked_at: Vec<Cell<u32>>,
    questions: Cell<u32>,
    /// For each square the index of its first entry; one more closes the last.
    first: Vec<u32>,
    /// For each entry its triangle; [`NONE`] fills up a list to whole lanes.
    triangles: Vec<u32>,
    /// The boxes of each four entries.
    boxes: Vec<FourBoxes>,
}

/// Four boxes: for each axis the least and the greatest coordinate of each.
#[derive(Clone, Copy, Debug)]
struct FourBoxes {
    least: [Vec4; 3],
    greatest: [Vec4; 3],
}

/// Boxes compared at a time.
const LANES: usize = 4;
/// The triangle of an entry that only fills up a list.
const NONE: u32 = u32::MAX;

impl Lists {
    /// Lists triangles, given their boxes from the highest to the lowest, for each square.
    pub fn new(squares: Squares, bounds: &[Bounds]) -> Self {
        let over: Vec<_> = bounds.iter().map(|bounds| squares.touched(&bounds.under())).collect();
        let mut first = vec![0u32; squares.len() + 1];
        for range in &over {
            squares.each(range, |square| first[square + 1] += 1);
        }
        for square in 0..squares.len() {
            first[square + 1] = first[square] + first[square + 1].next_multiple_of(LANES as u32);
        }
        let mut next = first.clone();
        let entries = first[squares.len()] as usize;
        let mut triangles = vec![NONE; entries];
        let mut boxes = vec![FourBoxes::NOWHERE; entries / LANES];
        for (index, range) in over.iter().enumerate() {
            squares.each(range, |square| {
                let entry = next[square] as usize;
                next[square] += 1;
                triangles[entry] = index as u32;
                boxes[entry / LANES].set(entry % LANES, &bounds[index]);
            });
        }
        let looked_at = vec![Cell::new(0); bounds.len()];
        Lists { squares, looked_at, questions: Cell::new(0), first, triangles, boxes }
    }

    /// The triangles over the square a point (x, z) is in.
    pub fn at(&self, point: [f32; 2]) -> impl Iterator<Item = usize> {
        let square = self.squares.at(point);
        let listed = &self.triangles[self.range(self.squares.index(square))];
        listed.iter().filter(|&&triangle| triangle != NONE).map(|&triangle| triangle as usize)
    }

    /// Calls back once with each triangle whose box is within a distance of another box; each call
    /// returns what distance counts from then on.
    pub fn near(&self, bounds: &Bounds, mut within: f32, mut call: impl FnMut(usize) -> f32) {
        let under = bounds.under();
        let home = self.squares.at(under.middle());
        self.questions.set(self.questions.get() + 1);
        self.near_in(home, (bounds, &mut within), &mut call);
        let [least, greatest] = self.squares.touched(&under.grown(within));
        for z in least[1]..=greatest[1] {
            for x in least[0]..=greatest[0] {
                if [x, z] != home && self.squares.is_within([x, z], within, &under) {
                    self.near_in([x, z], (bounds, &mut within), &mut call);
                }
            }
        }
    }

    /// Calls back with each triangle over one square whose box is within a distance of another box,
    /// but for those that this question has looked at.
    #[inline]
    fn near_in(
        &self,
        square: [u32; 2],
        (bounds, within): (&Bounds, &mut f32),
        call: &mut impl FnMut(usize) -> f32,
    ) {
        let range = self.range(self.squares.index(square));
        let lowest = bounds.min.y - *within;
        for (group, boxes) in
            (range.start / LANES..).zip(&self.boxes[range.start / LANES..range.end / LANES])
        {
            if boxes.greatest[1].x < lowest {
                break;
            }
            let mut near = boxes.within(*within, bounds);
            while near != 0 {
                let lane = near.trailing_zeros() as usize;
                near &= near - 1;
                let triangle = self.triangles[group * LANES + lane] as usize;
                let question = self.questions.get();
                if self.looked_at[triangle].replace(question) != question {
                    *within = call(triangle);
                }
            }
        }
    }

    fn range(&self, square: usize) -> std::ops::Range<usize> {
        self.first[square] as usize..self.first[square + 1] as usize
    }
}

impl FourBoxes {
    /// Low, so that lists stay sorted, and far from everything.
    const NOWHERE: FourBoxes = FourBoxes {
        least: [Vec4::INFINITY; 3],
        greatest: [Vec4::INFINITY, Vec4::NEG_INFINITY, Vec4::INFINITY],
    };

    fn set(&mut self, lane: usize, bounds: &Bounds) {
        for axis in 0..3 {
            self.least[axis][lane] = bounds.min[axis];
            self.greatest[axis][lane] = bounds.max[axis];
        }
    }

    /// Which of the boxes are within a distance of another box: a bit for each lane.
    #[inline]
    fn within(&self, distance: f32, other: &Bounds) -> u32 {
        let mut square = Vec4::ZERO;
        for axis in 0..3 {
            let before = self.least[axis] - Vec4::splat(other.max[axis]);
            let behind = Vec4::splat(other.min[axis]) - self.greatest[axis];
            let gap = before.max(behind).max(Vec4::ZERO);
            square += gap * gap;
        }
        square.cmple(Vec4::splat(distance * distance)).bitmask()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::tiled::bounds::Rect;
    use parry3d::math::Vector;

    #[test]
    fn lists_hold_what_is_near_and_nothing_twice() {
        let box_at = |x: f32, y: f32| Bounds {
            min: Vector::new(x, y, 0.0),
            max: Vector::new(x + 0.5, y + 0.5, 0.5),
        };
        let bounds: Vec<Bounds> = (0..40).map(|i| box_at((i % 10) as f32, -(i as f32))).collect();
        let squares = Squares::over(&Rect { min: [0.0, 0.0], max: [10.0, 1.0] }, 2.0, 8);
        let lists = Lists::new(squares, &bounds);
        let body = box_at(3.0, -13.0);
        let mut found = Vec::new();
        lists.near(&body, 0.75, |triangle| {
            found.push(triangle);
            0.75
        });
        found.sort_unstable();
        let expected: Vec<usize> = (0..40).filter(|&i| bounds[i].is_within(0.75, &body)).collect();
        assert_eq!(found, expected);
        assert_eq!(expected, [12, 13, 14]);
    }

    #[test]
    fn the_nearest_is_found_however_the_distance_shrinks() {
        let mut seed = 1u32;
        let mut random = |most: f32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 24) as f32 * most
        };
        let mut random_box = |size: f32| {
            let min = Vector::new(random(10.0), random(4.0), random(10.0));
            Bounds { min, max: min + Vector::new(random(size), random(1.0), random(size)) }
        };
        for _ in 0..200 {
            let mut bounds: Vec<Bounds> = (0..60).map(|i| random_box((i % 9) as f32)).collect();
            bounds.sort_by(|a, b| b.max.y.total_cmp(&a.max.y));
            let squares = Squares::over(&Rect { min: [0.0, 0.0], max: [10.0, 10.0] }, 1.0, 16);
            let lists = Lists::new(squares, &bounds);
            let body = random_box(0.5);
            let gap = |bounds: &Bounds| {
                let gap = (bounds.min - body.max).max(body.min - bounds.max).max(Vector::ZERO);
                gap.length()
            };
            let mut least = 3.0f32;
            lists.near(&body, least, |triangle| {
                least = least.min(gap(&bounds[triangle]));
                least
            });
            assert_eq!(least, bounds.iter().map(gap).fold(3.0, f32::min));
        }
    }
}
