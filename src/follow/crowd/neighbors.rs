//! Who is near whom: bodies hashed by the square of ground they stand on.
//!
//! What comes in is a list of bodies; what goes out, for each, the nearest others that could meet
//! it: near enough, and on its storey, which is where their heights overlap. All bodies are sorted
//! into one flat array each step, by counting, so that bodies of one square lie side by side.
//! Based on: Teschner et al., "Optimized spatial hashing for collision detection of deformable
//! objects", 2003.

use super::avoid::Disc;
use crate::grid::AgentId;

/// A body among others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    pub disc: Disc,
    /// Sole and top [m].
    pub heights: [f32; 2],
    /// The velocity it would have alone [m/s].
    pub wanted: [f32; 2],
    /// Its place in the list that came in.
    pub index: u32,
    /// Whose body it is.
    pub agent: AgentId,
    /// Others make way for a higher one.
    pub priority: u8,
    /// How long it has not come nearer to its goal [s].
    pub held_up: f32,
    /// It has come to rest.
    pub is_at_rest: bool,
}

/// The most neighbors that count.
pub(crate) const MOST_NEIGHBORS: usize = 10;

/// The nearest of a body's neighbors, nearest first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Near {
    count: usize,
    /// How far they are off, squared, and their places in the sorted list.
    found: [(f32, u32); MOST_NEIGHBORS],
}

/// All bodies of a crowd, by place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighborhood {
    /// Sorted by bucket.
    bodies: Vec<Body>,
    squares: Vec<[i32; 2]>,
    /// For each bucket where its bodies begin; one more at the end.
    first: Vec<u32>,
    largest_radius: f32,
}

const NOBODY: Body = Body {
    disc: Disc { place: [0.0; 2], velocity: [0.0; 2], radius: 0.0 },
    heights: [0.0; 2],
    wanted: [0.0; 2],
    index: 0,
    agent: AgentId(0),
    priority: 0,
    held_up: 0.0,
    is_at_rest: false,
};

/// Side of a square [m]: half of how far bodies look by default, so that 25 squares are enough.
const SQUARE: f32 = 1.8;

impl Neighborhood {
    /// Takes the bodies of a step in place of those of the last. O(bodies).
    pub(crate) fn fill(&mut self, bodies: impl Iterator<Item = Body> + Clone) {
        let count = bodies.clone().count();
        let buckets = (2 * count).next_power_of_two();
        self.first.clear();
        self.first.resize(buckets + 1, 0);
        for body in bodies.clone() {
            self.first[bucket(square(body.disc.place), buckets)] += 1;
        }
        let mut sum = 0;
        for first in &mut self.first {
            sum += *first;
            *first = sum;
        }
        self.bodies.resize(count, NOBODY);
        self.squares.resize(count, [0; 2]);
        self.largest_radius = 0.0;
        // Each bucket is filled from its end, which moves to its beginning.
        for body in bodies {
            let square = square(body.disc.place);
            let slot = &mut self.first[bucket(square, buckets)];
            *slot -= 1;
            self.bodies[*slot as usize] = body;
            self.squares[*slot as usize] = square;
            self.largest_radius = self.largest_radius.max(body.disc.radius);
        }
    }

    /// The bodies in the order of their places.
    pub(crate) fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The nearest others whose rims are within a distance [m] and whose heights overlap.
    pub(crate) fn near(&self, own: &Body, range: f32) -> Near {
        let mut near = Near::default();
        if self.bodies.is_empty() {
            return near;
        }
        let reach = range + own.disc.radius + self.largest_radius;
        let rings = (reach / SQUARE).ceil() as i32;
        let middle = square(own.disc.place);
        for ring in 0..=rings {
            // What lies in this ring and beyond is at least so far off.
            let least = (ring - 1).max(0) as f32 * SQUARE;
            if near.is_full() && near.farthest() <= least * least {
                break;
            }
            around(middle, ring, |square| {
                let most = if near.is_full() { near.farthest() } else { reach * reach };
                if off_square(own.disc.place, square) <= most {
                    self.visit(square, (own, range), &mut near);
                }
            });
        }
        near
    }

    #[inline]
    fn visit(&self, square: [i32; 2], (own, range): (&Body, f32), near: &mut Near) {
        let bucket = bucket(square, self.first.len() - 1);
        for slot in self.first[bucket]..self.first[bucket + 1] {
            if self.squares[slot as usize] != square {
                continue;
            }
            let other = &self.bodies[slot as usize];
            let [x, z] = [0, 1].map(|axis| other.disc.place[axis] - own.disc.place[axis]);
            let off = x * x + z * z;
            let most = range + own.disc.radius + other.disc.radius;
            let meet = own.heights[0] < other.heights[1] && other.heights[0] < own.heights[1];
            if off <= most * most && meet && other.index != own.index {
                near.add(off, slot, |slot| self.bodies[slot as usize].index);
            }
        }
    }
}

impl Near {
    /// Places in the sorted list, nearest first.
    pub(crate) fn slots(&self) -> impl Iterator<Item = usize> {
        self.found[..self.count].iter().map(|&(_, slot)| slot as usize)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn is_full(&self) -> bool {
        self.count == MOST_NEIGHBORS
    }

    fn farthest(&self) -> f32 {
        self.found[self.count - 1].0
    }

    /// Adds one where it belongs; of equally near ones the lower index comes first.
    #[inline]
    fn add(&mut self, off: f32, slot: u32, index: impl Fn(u32) -> u32) {
        let before =
            |other: (f32, u32)| off < other.0 || off == other.0 && index(slot) < index(other.1);
        if self.is_full() {
            if !before(self.found[self.count - 1]) {
                return;
            }
        } else {
            self.count += 1;
        }
        let mut at = self.count - 1;
        while at > 0 && before(self.found[at - 1]) {
            self.found[at] = self.found[at - 1];
            at -= 1;
        }
        self.found[at] = (off, slot);
    }
}

fn square(place: [f32; 2]) -> [i32; 2] {
    place.map(|v| (v / SQUARE).floor() as i32)
}

/// How far a place is from the nearest of a square, squared.
#[inline]
fn off_square(place: [f32; 2], square: [i32; 2]) -> f32 {
    let off = [0, 1].map(|axis| {
        let low = square[axis] as f32 * SQUARE;
        (low - place[axis]).max(place[axis] - (low + SQUARE)).max(0.0)
    });
    off[0] * off[0] + off[1] * off[1]
}

#[inline]
fn bucket(square: [i32; 2], buckets: usize) -> usize {
    let mixed =
        (square[0] as u32).wrapping_mul(73_856_093) ^ (square[1] as u32).wrapping_mul(19_349_663);
    // The low bits of products by odd numbers are those of the factors: neighbors differ.
    mixed as usize & (buckets - 1)
}

/// Calls for each square of a ring round one.
#[inline]
fn around(middle: [i32; 2], ring: i32, mut each: impl FnMut([i32; 2])) {
    let [x, z] = middle;
    if ring == 0 {
        return each(middle);
    }
    for off in -ring..=ring {
        each([x.saturating_add(off), z.saturating_sub(ring)]);
        each([x.saturating_add(off), z.saturating_add(ring)]);
    }
    for off in 1 - ring..ring {
        each([x.saturating_sub(ring), z.saturating_add(off)]);
        each([x.saturating_add(ring), z.saturating_add(off)]);
    }
}
