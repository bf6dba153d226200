//! What is near bodies, kept from one question to the next.
//!
//! Bodies stand close together, so what is near one is near the next. Where a first question comes
//! up, all that is near is listed once for all bodies, nearest first, as seen from the hull of
//! their cores in the middle of a square. From another core a thing is nearer by at most the way
//! there, so a question goes down the list until nothing further on can matter. Boxes and planes
//! of the things lie in list order, relative to the middle, and are held against a core four at a
//! time.

use parry3d::math::Vector;

use super::NEAR_MARGIN;
use super::fours::{FourThings, Measured};
use super::gather::Gathered;
use super::squares::Squares;
use surefoot::grid::GridFrame;
use surefoot_rapier::Probe;
use surefoot_rapier::measure::Core;
use surefoot_rapier::measure::LANES;
use surefoot_rapier::measure::Rect;

/// The vicinities over one rectangle of cells.
pub(super) struct Vicinities {
    squares: Squares,
    /// The cores of the bodies, feet at the origin, and how near to each a thing matters [m].
    cores: Vec<(Core, f32)>,
    /// How near a thing matters at most [m].
    widest: f32,
    /// Round all cores.
    hull: Core,
    /// Offset from a square's middle up to which its vicinities serve [m].
    radius: f32,
    /// For each square its latest vicinity, counted from 1; 0 where there is none.
    latest: Vec<u32>,
    vicinities: Vec<Vicinity>,
    /// For each vicinity and body whether the body has no room anywhere there.
    blocked: Vec<bool>,
    /// Room to work in: things, a bound on the distance in the upper half, the number in the lower.
    found: Vec<u64>,
}

/// What is near the hull in the middle of a square, and so near bodies around.
struct Vicinity {
    /// Where the feet are in the middle.
    middle: Vector,
    /// Bodies so far from there are served [m].
    radius: f32,
    /// Nearest first.
    things: Box<[FourThings]>,
    /// The one before it in the same square, counted from 1.
    before: u32,
}

/// A question: a body with its feet at a place, and its way from there.
#[derive(Clone, Copy)]
pub(super) struct Passage {
    pub body: usize,
    pub feet: Vector,
    pub way: Vector,
}

/// Side of a square in cells: with wider ones fewer lists serve, but worse.
const CELLS_A_SQUARE: f32 = 6.0;
/// Least side of a square, in parts of how far is looked: what is listed for a smaller one is
/// listed too often.
const LEAST_SIDE: f32 = 0.5;
/// Most squares along a side.
const MOST_SQUARES: u32 = 256;
/// Height of what a vicinity serves, in parts of its width.
const HEIGHT: f32 = 0.5;

impl Vicinities {
    pub fn over(cells: &GridFrame, probes: &[Probe]) -> Self {
        let core = |probe: &Probe| {
            let core = Core::new(&probe.body, Vector::ZERO);
            (core, core.rounding + probe.enough + NEAR_MARGIN)
        };
        let cores: Vec<_> = probes.iter().map(core).collect();
        let widest = cores.iter().map(|(_, within)| *within).fold(0.0, f32::max);
        let side = (CELLS_A_SQUARE * cells.cell_size).max(LEAST_SIDE * widest);
        let (min, max) = cells.bounds();
        let squares = Squares::over(&Rect { min, max }, side, MOST_SQUARES);
        let half = 0.5 * squares.side();
        Vicinities {
            // All bodies over the square that are near in height, and steps from there, are served.
            radius: Vector::new(half, HEIGHT * half, half).length() + 0.5 * cells.cell_size,
            latest: vec![0; squares.len()],
            squares,
            hull: Core::hull(cores.iter().map(|(core, _)| core.bounds())),
            cores,
            widest,
            vicinities: Vec::new(),
            blocked: Vec::new(),
            found: Vec::new(),
        }
    }

    /// The core of a body, feet at the origin.
    pub fn core(&self, body: usize) -> &Core {
        &self.cores[body].0
    }

    /// The vicinity that holds all that matters to bodies on a way.
    pub fn find(&mut self, gathered: &Gathered, passage: &Passage) -> usize {
        let place = passage.halfway();
        let square = self.squares.at([place.x, place.z]);
        let index = self.squares.index(square);
        let mut known = self.latest[index];
        while let Some(number) = known.checked_sub(1) {
            let vicinity = &self.vicinities[number as usize];
            if passage.offset(vicinity.middle) <= vicinity.radius {
                return number as usize;
            }
            known = vicinity.before;
        }
        let [x, z] = self.squares.middle(square);
        let middle = Vector::new(x, place.y, z);
        let radius = self.radius.max(passage.offset(middle));
        let things = self.list(gathered, middle, radius);
        let before = self.latest[index];
        self.vicinities.push(Vicinity { middle, radius, things, before });
        self.latest[index] = self.vicinities.len() as u32;
        self.vicinities.len() - 1
    }

    /// Lists what matters to bodies up to `radius` from a place.
    fn list(&mut self, gathered: &Gathered, middle: Vector, radius: f32) -> Box<[FourThings]> {
        let hull = self.hull.moved(middle);
        let mut reach = self.widest + radius + NEAR_MARGIN;
        let found = &mut self.found;
        found.clear();
        gathered.around(&hull.bounds(), reach, |index, distance| {
            let distance = distance.max(hull.distance_to_plane(&gathered.planes[index]));
            if distance <= reach {
                // Of numbers that are not negative the bits are in the same order.
                found.push(u64::from(distance.to_bits()) << 32 | index as u64);
            }
        });
        let mut matters = 0.0f32;
        // Of bodies elsewhere, a distance here tells only what the way there leaves of it.
        let tells = self.cores.iter().any(|(_, within)| radius < *within);
        let likely = if tells { nearest_four(found) } else { None };
        for (core, within) in &self.cores {
            let gaps = likely.map(|things| core.moved(middle).ways_from(&gathered.four(&things)));
            let distances = gaps.map(|gaps| gaps.lengths());
            let nearest = distances.into_iter().flatten().fold(f32::INFINITY, f32::min);
            // Elsewhere it is farther off by the way there at most, and others nearer by that.
            matters = matters.max((within + radius).min(nearest + 2.0 * radius));
            self.blocked.push(nearest + radius + NEAR_MARGIN < core.rounding);
        }
        reach = reach.min(matters + 2.0 * NEAR_MARGIN);
        found.retain(|thing| f32::from_bits((thing >> 32) as u32) <= reach);
        found.sort_unstable();
        found.chunks(LANES).map(|four| FourThings::new(gathered, four, middle)).collect()
    }

    /// Whether a body has no room anywhere in a vicinity.
    pub fn is_blocked(&self, vicinity: usize, body: usize) -> bool {
        self.blocked[vicinity * self.cores.len() + body]
    }

    /// Calls back with the things that may be within a distance of a body on its way, up to four
    /// at a time; each call returns what distance counts from then on, a negative one to end it.
    #[inline]
    pub fn near(
        &self,
        (vicinity, passage): (usize, &Passage),
        mut within: f32,
        mut call: impl FnMut(&[u32]) -> f32,
    ) {
        let Vicinity { middle, things, .. } = &self.vicinities[vicinity];
        let nearer = passage.offset(*middle);
        let measured =
            Measured::new(&self.core(passage.body).moved(passage.feet), passage.way, *middle);
        let mut waiting = [0; 2 * LANES];
        let mut count = 0;
        for four in things {
            if four.nearest - nearer > within {
                break;
            }
            let mut near = four.within(within, &measured);
            while near != 0 {
                waiting[count] = four.index[near.trailing_zeros() as usize];
                count += 1;
                near &= near - 1;
            }
            if count >= LANES {
                within = call(&waiting[..LANES]);
                if within < 0.0 {
                    return;
                }
                waiting.copy_within(LANES.., 0);
                count -= LANES;
            }
        }
        if count > 0 {
            call(&waiting[..count]);
        }
    }
}

/// Four things that seem the nearest; where there are fewer, one fills up the four.
fn nearest_four(found: &mut [u64]) -> Option<[u32; LANES]> {
    if found.len() > LANES {
        found.select_nth_unstable(LANES - 1);
    }
    let last = found.len().checked_sub(1)?;
    Some([0, 1, 2, 3].map(|i: usize| found[i.min(last)] as u32))
}

impl Passage {
    /// Where the feet are halfway.
    fn halfway(&self) -> Vector {
        self.feet + 0.5 * self.way
    }

    /// How far from a place the feet get at most.
    fn offset(&self, place: Vector) -> f32 {
        (self.halfway() - place).length() + 0.5 * self.way.length()
    }
}
