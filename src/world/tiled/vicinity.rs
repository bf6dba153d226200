//! What is near a body, kept from one question to the next.
//!
//! Bodies stand close together, so what is near one is near the next. Where a first question comes
//! up, all that is near is listed once, nearest first, as seen from a core in the middle of a
//! square. From another core a thing is nearer by at most the way there, so a later question goes
//! down the list until nothing further on can matter. Boxes and planes of the things lie in list
//! order, relative to the middle, and are held against a body four at a time.

use parry3d::glamx::Vec4;
use parry3d::math::Vector;

use super::NEAR_MARGIN;
use super::bounds::{Bounds, Rect, Squares};
use super::core::Core;
use super::distance::LANES;
use super::gather::Gathered;
use crate::grid::GridFrame;
use crate::world::body::Body;

/// The vicinities of the bodies asked about over one rectangle of cells.
pub(super) struct Vicinities {
    squares: Squares,
    /// For each body those of each square.
    bodies: Vec<(Body, Vec<Vec<Vicinity>>)>,
    /// Room to work in: things, a bound on the distance in the upper half, the number in the lower.
    found: Vec<u64>,
}

/// What is near a core in the middle of a square, and so near those around it.
pub(super) struct Vicinity {
    /// The middle of the core.
    middle: Vector,
    /// Cores so far from there are served, with all that is within a distance of them [m].
    radius: f32,
    within: f32,
    /// Nearest first.
    things: Vec<FourThings>,
}

/// Four things, relative to the middle of their vicinity.
struct FourThings {
    /// A bound on the distances of these and all further things from the core in the middle.
    nearest: f32,
    least: [Vec4; 3],
    greatest: [Vec4; 3],
    normal: [Vec4; 3],
    /// How high the planes are over the middle, along their normals.
    height: Vec4,
    index: [u32; 4],
}

/// A question: a core on a straight way.
pub(super) struct Passage<'a> {
    pub core: &'a Core,
    pub way: Vector,
}

/// Side of a square in cells: with wider ones fewer lists serve, but worse.
const CELLS_A_SQUARE: f32 = 6.0;
/// Most squares along a side.
const MOST_SQUARES: u32 = 256;

impl Vicinities {
    pub fn over(cells: &GridFrame) -> Self {
        let (min, max) = cells.bounds();
        let side = CELLS_A_SQUARE * cells.cell_size;
        Vicinities {
            squares: Squares::over(&Rect { min, max }, side, MOST_SQUARES),
            bodies: Vec::new(),
            found: Vec::new(),
        }
    }

    /// A vicinity that holds all that comes within a distance of a body's core on its way.
    pub fn of(
        &mut self,
        gathered: &Gathered,
        (body, passage): (&Body, &Passage),
        within: f32,
    ) -> &Vicinity {
        let place = passage.middle();
        let square = self.squares.at([place.x, place.z]);
        let [x, z] = self.squares.middle(square);
        let known = self.bodies.iter().position(|(known, _)| known == body).unwrap_or_else(|| {
            let none = std::iter::repeat_with(Vec::new).take(self.squares.len()).collect();
            self.bodies.push((*body, none));
            self.bodies.len() - 1
        });
        let known = &mut self.bodies[known].1[self.squares.index(square)];
        let offset = |middle: Vector| (place - middle).length() + passage.half_length();
        let serves =
            |known: &Vicinity| offset(known.middle) <= known.radius && within <= known.within;
        let index = known.iter().position(serves).unwrap_or_else(|| {
            let middle = Vector::new(x, place.y, z);
            // All cores over the square that are near in height, and steps from there, are served.
            let half = 0.5 * self.squares.side();
            let farthest = Vector::new(half, HEIGHT * half, half).length();
            let radius = farthest.max(offset(middle));
            let core = passage.core.moved(middle - passage.core.center());
            known.push(Vicinity::new(gathered, &core, (radius, within), &mut self.found));
            known.len() - 1
        });
        &known[index]
    }
}

/// Height of what a vicinity serves, in parts of its width.
const HEIGHT: f32 = 0.5;

impl Passage<'_> {
    /// The core's center halfway.
    fn middle(&self) -> Vector {
        self.core.center() + 0.5 * self.way
    }

    fn half_length(&self) -> f32 {
        0.5 * self.way.length()
    }
}

impl Vicinity {
    /// Lists what matters to cores up to `radius` from a core that ask for what is `within` a
    /// distance. `found` is room to work in.
    fn new(
        gathered: &Gathered,
        core: &Core,
        (radius, within): (f32, f32),
        found: &mut Vec<u64>,
    ) -> Self {
        let mut reach = within + radius + NEAR_MARGIN;
        found.clear();
        gathered.around(&core.bounds(), reach, |index, distance| {
            let distance = distance.max(core.distance_to_plane(&gathered.planes[index]));
            if distance <= reach {
                // Of numbers that are not negative the bits are in the same order.
                found.push(u64::from(distance.to_bits()) << 32 | index as u64);
            }
        });
        let nearest = nearest_of(gathered, core, found);
        if gathered.is_one_solid && nearest + radius + NEAR_MARGIN < core.rounding {
            // No core has room here, and there is but one solid to name.
            found.truncate(LANES);
        }
        // Elsewhere the nearest is farther off by the way there at most, and others nearer by that.
        reach = reach.min(nearest + 2.0 * (radius + NEAR_MARGIN));
        found.retain(|thing| f32::from_bits((thing >> 32) as u32) <= reach);
        found.sort_unstable();
        let middle = core.center();
        let things = found.chunks(LANES).map(|four| FourThings::new(gathered, four, middle));
        Vicinity { middle, radius, within, things: things.collect() }
    }

    /// Calls back with the things that may be within a distance of a core on its way, up to four at
    /// a time; each call returns what distance counts from then on, a negative one to end it.
    #[inline]
    pub fn near(&self, passage: &Passage, mut within: f32, mut call: impl FnMut(&[u32]) -> f32) {
        let nearer = (passage.middle() - self.middle).length() + passage.half_length();
        let measured = Measured::new(passage, self.middle);
        let mut waiting = [0; 2 * LANES];
        let mut count = 0;
        for four in &self.things {
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

/// The distance of the nearest of those four things that seem the nearest, which are put first.
fn nearest_of(gathered: &Gathered, core: &Core, found: &mut [u64]) -> f32 {
    if found.len() > LANES {
        found.select_nth_unstable(LANES - 1);
    }
    let Some(last) = found.len().checked_sub(1) else { return f32::INFINITY };
    let four = [0, 1, 2, 3].map(|i: usize| gathered.obstacle(found[i.min(last)] as u32));
    core.distances(four).into_iter().fold(f32::INFINITY, f32::min)
}

/// A core on its way, as boxes and planes are compared with it; relative to a middle.
struct Measured {
    swept: Bounds,
    start: Vector,
    half: Vector,
    way: Vector,
}

impl Measured {
    fn new(passage: &Passage, middle: Vector) -> Self {
        let (start, half, way) = (passage.core.center() - middle, passage.core.half(), passage.way);
        let (min, max) = (start - half, start + half);
        let swept = Bounds { min: min.min(min + way), max: max.max(max + way) };
        Measured { swept, start, half, way }
    }
}

impl FourThings {
    /// One to four things, each with its distance in the upper half.
    fn new(gathered: &Gathered, things: &[u64], middle: Vector) -> Self {
        let mut four = FourThings {
            nearest: f32::from_bits((things[0] >> 32) as u32),
            // A lane that stays empty is far from everything.
            least: [Vec4::INFINITY; 3],
            greatest: [Vec4::INFINITY; 3],
            normal: [Vec4::ZERO; 3],
            height: Vec4::ZERO,
            index: [u32::MAX; LANES],
        };
        for (lane, &thing) in things.iter().enumerate() {
            let index = thing as u32;
            let (bounds, plane) =
                (&gathered.bounds[index as usize], &gathered.planes[index as usize]);
            let (min, max) = (bounds.min - middle, bounds.max - middle);
            for axis in 0..3 {
                four.least[axis][lane] = min[axis];
                four.greatest[axis][lane] = max[axis];
                four.normal[axis][lane] = plane.normal[axis];
            }
            four.height[lane] = -plane.height_of(middle);
            four.index[lane] = index;
        }
        four
    }

    /// Which of the things may be within a distance of a core on its way: a bit for each lane.
    #[inline]
    fn within(&self, distance: f32, core: &Measured) -> u32 {
        let mut square = Vec4::ZERO;
        for axis in 0..3 {
            let before = self.least[axis] - Vec4::splat(core.swept.max[axis]);
            let behind = Vec4::splat(core.swept.min[axis]) - self.greatest[axis];
            let gap = before.max(behind).max(Vec4::ZERO);
            square += gap * gap;
        }
        let boxes = square.cmple(Vec4::splat(distance * distance)).bitmask();
        if boxes == 0 {
            return 0;
        }
        let [x, y, z] = self.normal;
        let along = |v: Vector| x * Vec4::splat(v.x) + y * Vec4::splat(v.y) + z * Vec4::splat(v.z);
        let spread = [x, y, z].map(Vec4::abs);
        let half = spread[0] * core.half.x + spread[1] * core.half.y + spread[2] * core.half.z;
        let (start, change) = (along(core.start) - self.height, along(core.way));
        let over = start + change.min(Vec4::ZERO) - half;
        let under = -start - change.max(Vec4::ZERO) - half;
        boxes & over.max(under).cmple(Vec4::splat(distance)).bitmask()
    }
}
