//! Finds the neighbors of each body by a spatial hash over squares of ground.
//!
//! What comes in is a list of bodies; what goes out, for each, are the nearest others that could meet it:
//! near enough, and on its storey, which means that their heights overlap. Each step sorts all bodies
//! into one flat array by counting, row by row of squares, so that those on a piece of a row lie side by
//! side. The table has about as many squares as there are bodies, and the ground beyond its sides
//! continues at the opposite ones: however far bodies are from each other, it is never larger. Bodies of
//! another piece of ground on the same square are too far off to count.
//! Based on: Teschner et al., "Optimized spatial hashing for collision detection of deformable
//! objects", 2003, with the remainders of a square's address in place of a hash.

use crate::crowd::avoidance::{Disc, MOST_NEIGHBORS};
use crate::crowd::duty::Role;
use crate::crowd::turn::PassageAhead;
use crate::follow::{dot, norm};
use crate::grid::AgentId;

/// A body of a crowd, as the others see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CrowdBody {
    pub disc: Disc,
    /// Heights of its feet and its top [m].
    pub heights: [f32; 2],
    /// Its desired velocity, along x and z [m/s].
    pub desired: [f32; 2],
    /// Its index in the list of all bodies: the slot of its member.
    pub index: u32,
    pub agent: AgentId,
    /// Others make way for a higher one. It counts before the priority.
    pub role: Role,
    /// It keeps farther away from others who do so too, by this [sums of both radii].
    pub spread: f32,
    /// Others make way for a higher one.
    pub priority: u8,
    /// How long it has not come nearer to its goal [s].
    pub held_up: f32,
    /// It has come to rest.
    pub is_at_rest: bool,
    /// Nobody can push it: it is on a link, and stands for the ground where its member lands.
    pub is_fixed: bool,
    /// It stands in the line of a link, and makes way for all that do not.
    pub is_in_link_line: bool,
    /// The narrow passage that it goes through.
    pub passage: Option<PassageAhead>,
}

impl CrowdBody {
    /// From its center to that of another, along x and z [m].
    pub(crate) fn offset_to(&self, other: &CrowdBody) -> [f32; 2] {
        [0, 1].map(|axis| other.disc.center[axis] - self.disc.center[axis])
    }

    /// Whether both go the same way through a narrow passage, and this one is ahead: it cannot turn aside
    /// there, and does not look back.
    pub(crate) fn goes_before(&self, other: &CrowdBody) -> bool {
        let Some((own, others)) = self.passage.zip(other.passage) else { return false };
        let is_ahead = (own.left, self.index) < (others.left, other.index);
        let speeds = norm(self.desired) * norm(other.desired);
        let is_oncoming = dot(self.desired, other.desired) < ONCOMING * speeds;
        is_ahead && (!is_oncoming || self.goes_in_with(other))
    }

    /// Whether both go into the same mouth of a passage: from both sides of it they come towards each other,
    /// and yet neither goes where the other comes from.
    pub(crate) fn goes_in_with(&self, other: &CrowdBody) -> bool {
        let both = self.passage.zip(other.passage);
        both.is_some_and(|(own, others)| own.begins_with(&others, self.disc.radius))
    }

    /// Whether another stands in the line of a link, or waits for its turn in front of a passage that this
    /// one goes through, and makes way: this one goes on as if it were alone. If it only took no share in
    /// avoiding the other, it could not turn towards it.
    pub(crate) fn is_let_by(&self, other: &CrowdBody) -> bool {
        other.is_in_link_line && !self.is_in_link_line
            || self.passage.is_some() && other.role < Role::None
    }
}

/// Two bodies go towards each other if the cosine between their desired velocities is below this.
const ONCOMING: f32 = -0.3;

/// The nearest neighbors of a body, nearest first. Ties go to the lower index.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NearestNeighbors {
    count: usize,
    found: [FoundNeighbor; MOST_NEIGHBORS],
}

#[derive(Clone, Copy, Debug, Default)]
struct FoundNeighbor {
    /// [m²]
    distance_squared: f32,
    /// In the sorted bodies.
    slot: u32,
}

/// All bodies of a crowd, sorted by the square they are on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighborhood {
    bodies: Vec<CrowdBody>,
    /// The centers of the sorted bodies: most bodies are ruled out by them alone.
    centers: Vec<[f32; 2]>,
    /// The slot of each body, by its index; [`NO_SLOT`] if there is none.
    slots: Vec<u32>,
    /// For each square of the table, the slot of its first body; and one more at the end.
    starts: Vec<u32>,
    /// Squares along each side of the table: a power of two.
    side: i32,
    largest_radius: f32,
}

const EMPTY_BODY: CrowdBody = CrowdBody {
    disc: Disc { center: [0.0; 2], velocity: [0.0; 2], radius: 0.0 },
    heights: [0.0; 2],
    desired: [0.0; 2],
    index: 0,
    agent: AgentId(0),
    role: Role::None,
    spread: 0.0,
    priority: 0,
    held_up: 0.0,
    is_at_rest: false,
    is_fixed: false,
    is_in_link_line: false,
    passage: None,
};

/// The slot of an index without a body.
const NO_SLOT: u32 = u32::MAX;
/// Side of a square [m]: half of how far bodies look by default.
const SQUARE_SIZE: f64 = 1.8;
/// The table has at least this many squares along each side: as many as bodies look at by default.
const LEAST_SIDE: u32 = 8;
/// Squares are searched this much farther than bodies count, as a part: more than rounding takes away.
const REACH_TOLERANCE: f64 = 1e-6;

impl Neighborhood {
    /// Replaces the bodies by those of another step. O(bodies).
    pub(crate) fn fill(&mut self, list: &[Option<CrowdBody>]) {
        let bodies = || list.iter().flatten();
        let count = bodies().count();
        let side = (count as f64).sqrt().ceil() as u32;
        self.side = side.next_power_of_two().max(LEAST_SIDE) as i32;
        self.starts.clear();
        self.starts.resize((self.side * self.side) as usize + 1, 0);
        for body in bodies() {
            let square = self.table_index(body.disc.center.map(square_at));
            self.starts[square] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.bodies.resize(count, EMPTY_BODY);
        self.centers.resize(count, [0.0; 2]);
        self.slots.clear();
        self.slots.resize(list.len(), NO_SLOT);
        self.largest_radius = 0.0;
        // Each square is filled from its end, which moves to its start.
        for body in bodies() {
            let square = self.table_index(body.disc.center.map(square_at));
            self.starts[square] -= 1;
            let slot = self.starts[square];
            self.slots[body.index as usize] = slot;
            let slot = slot as usize;
            (self.bodies[slot], self.centers[slot]) = (*body, body.disc.center);
            self.largest_radius = self.largest_radius.max(body.disc.radius);
        }
    }

    /// Returns the slot of the body with an index; `None` if there is none.
    pub(crate) fn slot_of(&self, index: usize) -> Option<usize> {
        self.slots.get(index).filter(|&&slot| slot != NO_SLOT).map(|&slot| slot as usize)
    }

    /// Returns the bodies in the order of their slots.
    pub(crate) fn bodies(&self) -> &[CrowdBody] {
        &self.bodies
    }

    /// Returns the nearest others at most `range` from a body [m], from edge to edge, whose heights
    /// overlap with its own.
    pub(crate) fn nearest(&self, own: &CrowdBody, range: f32) -> NearestNeighbors {
        let nearest = NearestNeighbors::default();
        NeighborSearch { neighborhood: self, own, range, nearest }.run()
    }

    /// Returns the index of a square in the table.
    #[inline]
    fn table_index(&self, [x, z]: [i32; 2]) -> usize {
        let last = self.side - 1;
        ((z & last) * self.side + (x & last)) as usize
    }
}

/// A search for the nearest neighbors of one body.
struct NeighborSearch<'a> {
    neighborhood: &'a Neighborhood,
    own: &'a CrowdBody,
    range: f32,
    nearest: NearestNeighbors,
}

impl NeighborSearch<'_> {
    fn run(mut self) -> NearestNeighbors {
        let side = self.neighborhood.side;
        let reach = self.reach();
        let [x, z] = self.own.disc.center.map(f64::from);
        let rows = (f64::from(reach) / SQUARE_SIZE).ceil() as i32;
        if rows > (side - 1) / 2 {
            // The table is so small that one of its rows stands for several rows within reach.
            for row in 0..side {
                self.search_row(row, [0, side - 1]);
            }
            return self.nearest;
        }
        // From the middle outwards, so that later rows need only beat what was found.
        let middle = square_at(self.own.disc.center[1]);
        let outwards = (0..=rows).flat_map(|off| [off, -off]).skip(1);
        for row in outwards.map(|off| middle.wrapping_add(off)) {
            let low = f64::from(row) * SQUARE_SIZE;
            let aside = (low - z).max(z - (low + SQUARE_SIZE)).max(0.0);
            let most = self.nearest.farthest_squared().unwrap_or(reach * reach);
            let along = f64::from(most) * (1.0 + REACH_TOLERANCE) - aside * aside;
            if along >= 0.0 {
                let along = along.sqrt();
                self.search_row(
                    row,
                    [x - along, x + along].map(|v| (v / SQUARE_SIZE).floor() as i32),
                );
            }
        }
        self.nearest
    }

    /// Returns the distance between the centers at which the largest body counts [m].
    #[inline]
    fn reach(&self) -> f32 {
        self.range + self.own.disc.radius + self.neighborhood.largest_radius
    }

    /// Looks at each body on the squares of a row, at no square twice.
    #[inline]
    fn search_row(&mut self, row: i32, [start, end]: [i32; 2]) {
        let neighborhood = self.neighborhood;
        let side = neighborhood.side;
        let squares = (i64::from(end) - i64::from(start) + 1).min(i64::from(side)) as i32;
        let begin = start & (side - 1);
        let to_side = squares.min(side - begin);
        // The part up to the side of the table, and the rest from its other side on.
        for (begin, squares) in [(begin, to_side), (0, squares - to_side)] {
            let first = neighborhood.table_index([begin, row]);
            let slots = neighborhood.starts[first]..neighborhood.starts[first + squares as usize];
            slots.for_each(|slot| self.consider(slot));
        }
    }

    #[inline]
    fn consider(&mut self, slot: u32) {
        let (neighborhood, own) = (self.neighborhood, self.own);
        let center = neighborhood.centers[slot as usize];
        let [x, z] = [0, 1].map(|axis| center[axis] - own.disc.center[axis]);
        let distance_squared = x * x + z * z;
        let reach = self.reach();
        if distance_squared > self.nearest.farthest_squared().unwrap_or(reach * reach) {
            return;
        }
        let other = &neighborhood.bodies[slot as usize];
        let most = self.range + own.disc.radius + other.disc.radius;
        let overlap = own.heights[0] < other.heights[1] && other.heights[0] < own.heights[1];
        if distance_squared <= most * most && overlap && other.index != own.index {
            let index = |slot: u32| neighborhood.bodies[slot as usize].index;
            self.nearest.add(FoundNeighbor { distance_squared, slot }, index);
        }
    }
}

impl NearestNeighbors {
    /// Returns the slots of the neighbors, nearest first.
    pub(crate) fn slots(&self) -> impl Iterator<Item = usize> {
        self.found[..self.count].iter().map(|found| found.slot as usize)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn is_full(&self) -> bool {
        self.count == MOST_NEIGHBORS
    }

    /// Returns the squared distance beyond which a body is not among the nearest; `None` while there is
    /// room.
    #[inline]
    fn farthest_squared(&self) -> Option<f32> {
        self.is_full().then(|| self.found[self.count - 1].distance_squared)
    }

    /// Adds a neighbor where it belongs. Ties go to the lower index.
    #[inline]
    fn add(&mut self, new: FoundNeighbor, index: impl Fn(u32) -> u32) {
        let is_before = |other: FoundNeighbor| {
            new.distance_squared < other.distance_squared
                || new.distance_squared == other.distance_squared
                    && index(new.slot) < index(other.slot)
        };
        if self.is_full() {
            if !is_before(self.found[self.count - 1]) {
                return;
            }
        } else {
            self.count += 1;
        }
        let mut at = self.count - 1;
        while at > 0 && is_before(self.found[at - 1]) {
            self.found[at] = self.found[at - 1];
            at -= 1;
        }
        self.found[at] = new;
    }
}

/// Returns the square that a coordinate lies in, along its axis.
#[inline]
fn square_at(coordinate: f32) -> i32 {
    (f64::from(coordinate) / SQUARE_SIZE).floor() as i32
}
