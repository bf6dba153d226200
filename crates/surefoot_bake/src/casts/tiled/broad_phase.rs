//! The broad phase: which obstacles are near a body, kept from one query to the next.
//!
//! Queries stand close together, so what is near one body is near the next. The first query in a
//! region builds a neighbor list for all bodies: everything near the hull of their core shapes at
//! the center of a square, nearest first. From another position an obstacle is nearer by at most
//! the distance to that center, so a query goes down the list until nothing further on can matter.
//! Boxes and planes of the obstacles are stored in list order and culled four at a time.
//! Based on: Verlet, "Computer 'experiments' on classical fluids", 1967 (neighbor lists that serve
//! until a particle has moved a given distance).

use std::collections::BTreeMap;

use parry3d::math::Vector;

use super::geometry::TileGeometry;
use super::simd_cull::{ObstacleBlock, SweptCore};
use super::square_grid::SquareGrid;
use surefoot::grid::GridFrame;
use surefoot_rapier::Probe;
use surefoot_rapier::distance::{CoreShape, GroundRect, LANES};

/// How much further than needed to search [m]; ten times the rounding of boxes and planes. Far from the
/// origin the rounding of places comes on top of it.
pub(super) const SEARCH_MARGIN: f32 = 1e-4;

/// The neighbor lists over one rectangle of cells.
pub(super) struct BroadPhase {
    squares: SquareGrid,
    /// One for each body.
    cores: Vec<ProbeCore>,
    /// The greatest of the bodies' reaches [m].
    max_reach: f32,
    /// The box around all core shapes.
    hull: CoreShape,
    /// Offset from a square's center up to which its neighbor lists serve [m].
    radius: f32,
    /// For each square its latest neighbor list, counted from 1; 0 if it has none.
    latest: Vec<u32>,
    /// The latest neighbor list by square and level, counted from 1.
    latest_on_level: BTreeMap<SquareLevel, u32>,
    lists: Vec<NeighborList>,
    /// For each neighbor list and body whether the body has no room anywhere in the list's region.
    blocked: Vec<bool>,
    /// Reused by every build: a lower bound on an obstacle's distance in the upper half, its index
    /// in the lower.
    found: Vec<u64>,
}

/// The core shape of a body, feet at the origin.
struct ProbeCore {
    core: CoreShape,
    /// How near an obstacle matters [m].
    reach: f32,
}

/// What is near the hull at a center, and so near the bodies around it.
struct NeighborList {
    /// Where the feet are at the center.
    center: Vector,
    /// Bodies up to this far from the center are served [m].
    radius: f32,
    /// Nearest first.
    blocks: Box<[ObstacleBlock]>,
    /// The list before it in the same square, counted from 1.
    previous: u32,
    /// The list before it on the same level of the square, counted from 1.
    previous_on_level: u32,
}

/// A part of the space over a square that is as high as neighbor lists reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SquareLevel {
    square: usize,
    level: i32,
}

/// A query: a body with its feet at a point, and its motion from there.
#[derive(Clone, Copy)]
pub(super) struct BodyMotion {
    pub body: usize,
    pub feet: Vector,
    pub motion: Vector,
    /// The feet may be off by as much along each axis [m, >= 0].
    pub spread: Vector,
}

/// A query with the neighbor list that serves it.
#[derive(Clone, Copy)]
pub(super) struct ListedMotion<'m> {
    query: &'m BodyMotion,
    list: usize,
}

/// This many of the latest lists of a square are tried before its levels are searched: most levels
/// have fewer storeys.
const LATEST_TRIED: usize = 8;
/// Side of a square in cells. With wider squares fewer lists are built, but each is longer.
const SQUARE_CELLS: f32 = 10.0;
/// Least side of a square as a fraction of the greatest reach: neighbor lists of smaller squares
/// overlap too much.
const MIN_SQUARE_SIDE: f32 = 0.5;
/// Most squares along a side.
const MAX_SQUARES: u32 = 256;
/// Height of the region that a neighbor list serves, as a fraction of its width.
const REGION_HEIGHT: f32 = 0.5;

impl BroadPhase {
    pub fn new(cells: &GridFrame, probes: &[Probe]) -> Self {
        let core = |probe: &Probe| {
            let core = CoreShape::new(&probe.body, Vector::ZERO);
            ProbeCore { core, reach: core.radius + probe.max_room + SEARCH_MARGIN }
        };
        let cores: Vec<_> = probes.iter().map(core).collect();
        let max_reach = cores.iter().map(|core| core.reach).fold(0.0, f32::max);
        let side = (SQUARE_CELLS * cells.cell_size).max(MIN_SQUARE_SIDE * max_reach);
        let (min, max) = cells.bounds();
        let squares = SquareGrid::over(&GroundRect { min, max }, side, MAX_SQUARES);
        let half = 0.5 * squares.side();
        BroadPhase {
            // Serves all bodies over the square at nearly one height, and steps from there.
            radius: Vector::new(half, REGION_HEIGHT * half, half).length() + 0.5 * cells.cell_size,
            latest: vec![0; squares.len()],
            squares,
            hull: CoreShape::enclosing(cores.iter().map(|probe| probe.core.bounds())),
            cores,
            max_reach,
            latest_on_level: BTreeMap::new(),
            lists: Vec::new(),
            blocked: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Returns the core shape of a body, feet at the origin.
    pub fn core(&self, body: usize) -> &CoreShape {
        &self.cores[body].core
    }

    /// Finds the neighbor list that holds everything that can matter to a query, or builds it.
    pub fn find<'m>(&mut self, geometry: &TileGeometry, query: &'m BodyMotion) -> ListedMotion<'m> {
        let halfway = query.halfway();
        let square = self.squares.square_at([halfway.x, halfway.z]);
        let index = self.squares.index(square);
        let level = (halfway.y / self.radius).floor() as i32;
        if let Some(list) = self.known_list(query, SquareLevel { square: index, level }) {
            return ListedMotion { query, list };
        }
        let [x, z] = self.squares.center(square);
        let center = Vector::new(x, halfway.y, z);
        // A long motion gets a list of its own that reaches as far.
        let radius = self.radius.max(query.max_distance_to(center));
        let blocks = self.build(geometry, center, radius);
        let previous = self.latest[index];
        let number = self.lists.len() as u32 + 1;
        let before = self.latest_on_level.insert(SquareLevel { square: index, level }, number);
        let previous_on_level = before.unwrap_or(0);
        self.lists.push(NeighborList { center, radius, blocks, previous, previous_on_level });
        self.latest[index] = number;
        ListedMotion { query, list: self.lists.len() - 1 }
    }

    /// Returns a list that serves a query on a level of a square, if one is known.
    fn known_list(&self, query: &BodyMotion, at: SquareLevel) -> Option<usize> {
        let serves = |list: &NeighborList| query.max_distance_to(list.center) <= list.radius;
        let mut known = self.latest[at.square];
        for _ in 0..LATEST_TRIED {
            let list = known.checked_sub(1)? as usize;
            if serves(&self.lists[list]) {
                return Some(list);
            }
            known = self.lists[list].previous;
        }
        // A list reaches no further up and down than a level is high.
        let levels = [at.level, at.level.saturating_sub(1), at.level.saturating_add(1)];
        levels.into_iter().find_map(|level| {
            let mut known = self.latest_on_level.get(&SquareLevel { level, ..at }).copied()?;
            while let Some(list) = known.checked_sub(1) {
                if serves(&self.lists[list as usize]) {
                    return Some(list as usize);
                }
                known = self.lists[list as usize].previous_on_level;
            }
            None
        })
    }

    /// Collects what matters to bodies up to `radius` from a center.
    fn build(
        &mut self,
        geometry: &TileGeometry,
        center: Vector,
        radius: f32,
    ) -> Box<[ObstacleBlock]> {
        let hull = self.hull.moved(center);
        let margin = SEARCH_MARGIN + hull.rounding();
        let mut reach = self.max_reach + radius + margin;
        let found = &mut self.found;
        found.clear();
        geometry.for_each_near(&hull.bounds(), reach, |index, distance| {
            let distance = distance.max(hull.distance_to_plane(&geometry.planes[index]));
            if distance <= reach {
                // The bits of floats that are not negative sort like the floats.
                found.push(u64::from(distance.to_bits()) << 32 | index as u64);
            }
        });
        let mut needed = 0.0f32;
        // Measuring at the center pays only if a body can be near enough to learn from it.
        let pays = self.cores.iter().any(|probe| radius < probe.reach);
        let likely = if pays { nearest_block(found) } else { None };
        for ProbeCore { core, reach } in &self.cores {
            let separations = likely
                .map(|obstacles| core.moved(center).separations_from(&geometry.block(&obstacles)));
            let distances = separations.map(|separations| separations.lengths());
            let nearest = distances.into_iter().flatten().fold(f32::INFINITY, f32::min);
            // Anywhere in the region the nearest obstacle is at most `radius` farther, and any
            // other at most `radius` nearer: those beyond both are never the nearest.
            needed = needed.max((reach + radius).min(nearest + 2.0 * radius));
            self.blocked.push(nearest + radius + margin < core.radius);
        }
        reach = reach.min(needed + 2.0 * margin);
        found.retain(|obstacle| f32::from_bits((obstacle >> 32) as u32) <= reach);
        found.sort_unstable();
        found.chunks(LANES).map(|block| ObstacleBlock::new(geometry, block, center)).collect()
    }

    /// Returns whether the body of a query has no room anywhere in the region of its neighbor list.
    pub fn is_blocked(&self, at: ListedMotion<'_>) -> bool {
        self.blocked[at.list * self.cores.len() + at.query.body]
    }

    /// Returns whether some obstacle may be within a distance of a body in motion, or of any other that
    /// the query stands for.
    pub fn any_near(&self, at: ListedMotion<'_>, within: f32) -> bool {
        let mut found = false;
        self.for_each_near(at, within, |_| {
            found = true;
            f32::NEG_INFINITY
        });
        found
    }

    /// Calls back with the obstacles that may be within a distance of a body in motion, up to four
    /// at a time. Each call returns the distance that counts from then on; a negative one ends it.
    #[inline]
    pub fn for_each_near(
        &self,
        at: ListedMotion<'_>,
        mut within: f32,
        mut call: impl FnMut(&[u32]) -> f32,
    ) {
        let NeighborList { center, blocks, .. } = &self.lists[at.list];
        let query = at.query;
        let core = self.core(query.body).moved(query.feet);
        let nearer = query.max_distance_to(*center) + core.rounding();
        let core = SweptCore::new(&core.spread(query.spread), query.motion, *center);
        // Narrow-phase calls are worth most when all four lanes are in use.
        let mut waiting = [0; 2 * LANES];
        let mut count = 0;
        for block in blocks {
            if block.min_distance - nearer > within {
                break;
            }
            let mut near = block.lanes_within(within, &core);
            while near != 0 {
                waiting[count] = block.indices[near.trailing_zeros() as usize];
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

/// Returns four obstacles that seem the nearest; repeats the last if there are fewer.
fn nearest_block(found: &mut [u64]) -> Option<[u32; LANES]> {
    if found.len() > LANES {
        found.select_nth_unstable(LANES - 1);
    }
    let last = found.len().checked_sub(1)?;
    Some([0, 1, 2, 3].map(|i: usize| found[i.min(last)] as u32))
}

impl BodyMotion {
    /// A body that moves from a known place.
    pub fn of(body: usize, feet: Vector, motion: Vector) -> Self {
        BodyMotion { body, feet, motion, spread: Vector::ZERO }
    }

    /// Returns where the feet are halfway.
    fn halfway(&self) -> Vector {
        self.feet + 0.5 * self.motion
    }

    /// Returns an upper bound on the distance of the feet from a point during the motion [m].
    fn max_distance_to(&self, point: Vector) -> f32 {
        (self.halfway() - point).length() + 0.5 * self.motion.length() + self.spread.length()
    }
}
