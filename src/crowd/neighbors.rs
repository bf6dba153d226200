//! Who is near whom: bodies sorted by the square of ground they stand on.
//!
//! What comes in is a list of bodies; what goes out, for each, the nearest others that could meet
//! it: near enough, and on its storey, which is where their heights overlap. All bodies are sorted
//! into one flat array each step, by counting: row by row of squares, so that those on a piece of a
//! row lie side by side. There is a table of about as many squares as there are bodies, and the
//! ground beyond its sides goes on at the opposite ones: it is never larger, however far bodies are
//! from each other. Those of another piece of ground on the same square are too far off to count.
//! Based on: Teschner et al., "Optimized spatial hashing for collision detection of deformable
//! objects", 2003, with the remainders of a square's address in place of a hash.

use crate::crowd::avoidance::Disc;
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
    /// Sorted by square.
    bodies: Vec<Body>,
    /// Where they are: all that is needed of most.
    places: Vec<[f32; 2]>,
    /// Where each is, by its place in the list that came in; [`NOWHERE`] for nobody.
    slots: Vec<u32>,
    /// For each square of the table where its bodies begin; one more at the end.
    first: Vec<u32>,
    /// How many squares the table has along each side: a power of two.
    side: i32,
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

/// The place of nobody.
const NOWHERE: u32 = u32::MAX;
/// Side of a square [m]: half of how far bodies look by default.
const SQUARE: f64 = 1.8;
/// The table has at least so many squares along each side: what bodies look at by default.
const LEAST_SIDE: u32 = 8;
/// Squares are looked at so much farther away than bodies count, as a part: what rounding takes.
const ROUNDING: f64 = 1e-6;

impl Neighborhood {
    /// Takes the bodies of a step in place of those of the last. O(bodies).
    pub(crate) fn fill(&mut self, list: &[Option<Body>]) {
        let bodies = || list.iter().flatten();
        let count = bodies().count();
        let side = (count as f64).sqrt().ceil() as u32;
        self.side = side.next_power_of_two().max(LEAST_SIDE) as i32;
        self.first.clear();
        self.first.resize((self.side * self.side) as usize + 1, 0);
        for body in bodies() {
            let slot = self.table_at(body.disc.place.map(square));
            self.first[slot] += 1;
        }
        let mut sum = 0;
        for first in &mut self.first {
            sum += *first;
            *first = sum;
        }
        self.bodies.resize(count, NOBODY);
        self.places.resize(count, [0.0; 2]);
        self.slots.clear();
        self.slots.resize(list.len(), NOWHERE);
        self.largest_radius = 0.0;
        // Each square is filled from its end, which moves to its beginning.
        for body in bodies() {
            let slot = self.table_at(body.disc.place.map(square));
            self.first[slot] -= 1;
            let at = self.first[slot];
            self.slots[body.index as usize] = at;
            let at = at as usize;
            (self.bodies[at], self.places[at]) = (*body, body.disc.place);
            self.largest_radius = self.largest_radius.max(body.disc.radius);
        }
    }

    /// The place in the sorted list of one that came in at an index; `None` for nobody.
    pub(crate) fn slot_of(&self, index: usize) -> Option<usize> {
        self.slots.get(index).filter(|&&slot| slot != NOWHERE).map(|&slot| slot as usize)
    }

    /// The bodies in the order of their places.
    pub(crate) fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The nearest others whose rims are within a distance [m] and whose heights overlap.
    pub(crate) fn near(&self, own: &Body, range: f32) -> Near {
        let mut near = Near::default();
        let reach = range + own.disc.radius + self.largest_radius;
        let [x, z] = own.disc.place.map(f64::from);
        let rows = (f64::from(reach) / SQUARE).ceil() as i32;
        if rows > (self.side - 1) / 2 {
            // The table is so small that a row of it stands for several within reach.
            for row in 0..self.side {
                let all = [0, self.side - 1];
                self.each_on_row(row, all, |slot| self.consider(slot, (own, range), &mut near));
            }
            return near;
        }
        let middle = square(own.disc.place[1]);
        let outwards = (0..=rows).flat_map(|off| [off, -off]).skip(1);
        for row in outwards.map(|off| middle.wrapping_add(off)) {
            let low = f64::from(row) * SQUARE;
            let aside = (low - z).max(z - (low + SQUARE)).max(0.0);
            let most = near.most_off().unwrap_or(reach * reach);
            let along = f64::from(most) * (1.0 + ROUNDING) - aside * aside;
            if along >= 0.0 {
                let along = along.sqrt();
                let ends = [x - along, x + along].map(|v| (v / SQUARE).floor() as i32);
                self.each_on_row(row, ends, |slot| self.consider(slot, (own, range), &mut near));
            }
        }
        near
    }

    /// Calls for each body on the squares of a row, no square twice.
    fn each_on_row(&self, row: i32, [start, end]: [i32; 2], mut each: impl FnMut(u32)) {
        let squares = (i64::from(end) - i64::from(start) + 1).min(i64::from(self.side)) as i32;
        let begin = start & (self.side - 1);
        let to_side = squares.min(self.side - begin);
        // The part up to the side of the table, and the rest from its other side on.
        for (begin, squares) in [(begin, to_side), (0, squares - to_side)] {
            let low = self.table_at([begin, row]);
            (self.first[low]..self.first[low + squares as usize]).for_each(&mut each);
        }
    }

    #[inline]
    fn consider(&self, slot: u32, (own, range): (&Body, f32), near: &mut Near) {
        let place = self.places[slot as usize];
        let [x, z] = [0, 1].map(|axis| place[axis] - own.disc.place[axis]);
        let off = x * x + z * z;
        let reach = range + own.disc.radius + self.largest_radius;
        if off > near.most_off().unwrap_or(reach * reach) {
            return;
        }
        let other = &self.bodies[slot as usize];
        let most = range + own.disc.radius + other.disc.radius;
        let meet = own.heights[0] < other.heights[1] && other.heights[0] < own.heights[1];
        if off <= most * most && meet && other.index != own.index {
            near.add(off, slot, |slot| self.bodies[slot as usize].index);
        }
    }

    /// Where a square is in the table.
    #[inline]
    fn table_at(&self, [x, z]: [i32; 2]) -> usize {
        let last = self.side - 1;
        ((z & last) * self.side + (x & last)) as usize
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

    /// Who is farther off than this, squared, is not among the nearest; `None` while there is room.
    #[inline]
    fn most_off(&self) -> Option<f32> {
        self.is_full().then(|| self.found[self.count - 1].0)
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

/// Which square a coordinate lies in, along its axis.
#[inline]
fn square(place: f32) -> i32 {
    (f64::from(place) / SQUARE).floor() as i32
}
