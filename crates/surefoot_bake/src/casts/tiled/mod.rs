//! The caster that a bake uses: the geometry of a tile is gathered once and reused by every query.
//!
//! Vertical lines are scan converted, triangle by triangle. Bodies are held against the obstacles
//! in the neighbor list of the region they stand in. Every answer is a function of the geometry and
//! the query alone, never of the tile.

mod broad_phase;
mod geometry;
mod lattice;
mod scan_triangle;
mod simd_cull;
mod square_grid;
mod triangle_index;

use nalgebra::Point3;
use parry3d::math::Vector;

use super::columns::{CellHit, Columns};
use super::cracks::{crack_tolerance, has_all_level_hits, is_in_crack, lines_beside};
use super::gaps::{FoundGaps, Gap, Surroundings};
use super::headroom::{HeadroomQuery, HeadroomSearch};
use super::passage::{Beside, PassageQuery, Way, four_of};
use super::sections::{GroundLine, Section};
use super::{Caster, CollisionWorld, Room, TileCaster};
use broad_phase::{BodyMotion, BroadPhase, SEARCH_MARGIN};
use geometry::TileGeometry;
use scan_triangle::ScanTriangle;
use surefoot::grid::{Cell, GridFrame};
use surefoot_rapier::Probe;
use surefoot_rapier::distance::LANES;
use triangle_index::TriangleIndex;
pub(super) use triangle_index::{IndexPart, PlacedPart};

/// Answers queries from the geometry of a whole tile at once.
#[derive(Debug)]
pub struct TiledCaster<'w> {
    world: &'w CollisionWorld,
    index: TriangleIndex,
}

impl<'w> TiledCaster<'w> {
    /// Indexes the world's triangles. O(triangles).
    pub fn new(world: &'w CollisionWorld) -> Self {
        Self::with_parts(world, Vec::new())
    }

    /// Indexes the world's triangles but for those of solids that are indexed already.
    pub(super) fn with_parts(world: &'w CollisionWorld, known: Vec<PlacedPart>) -> Self {
        TiledCaster { world, index: TriangleIndex::new(&world.solids, known) }
    }
}

impl Caster for TiledCaster<'_> {
    type Tile<'a>
        = TiledTile<'a>
    where
        Self: 'a;

    fn world(&self) -> &CollisionWorld {
        self.world
    }

    fn tile<'a>(&'a self, cells: &GridFrame, probes: &'a [Probe]) -> TiledTile<'a> {
        TiledTile {
            cells: *cells,
            geometry: TileGeometry::gather(&self.world.solids, &self.index, cells, probes),
            broad_phase: BroadPhase::new(cells, probes),
            probes,
            near: Vec::new(),
            ways: Vec::new(),
            found_gaps: FoundGaps::default(),
            in_the_way: None,
            beside_lowest: None,
        }
    }
}

/// The tiled caster over one rectangle of cells.
pub struct TiledTile<'a> {
    cells: GridFrame,
    geometry: TileGeometry<'a>,
    broad_phase: BroadPhase,
    probes: &'a [Probe],
    /// Reused by every search for gaps.
    near: Vec<u32>,
    /// Reused by every search for passages.
    ways: Vec<Way>,
    /// Reused likewise.
    found_gaps: FoundGaps,
    /// Up to four obstacles among which one was in the way of the last body, if it was not free. Mostly it
    /// is in the way of the next one too.
    in_the_way: Option<[u32; LANES]>,
    /// The same for the lowest body that may stand somewhere.
    beside_lowest: Option<u32>,
}

impl TileCaster for TiledTile<'_> {
    fn columns(&mut self, goes_on: &dyn Fn(usize) -> bool) -> Columns {
        let cells = self.cells.cells();
        let Some(FoundHits { mut hits, near_misses }) = self.hits(goes_on) else {
            return Columns::from_hits(cells, &[]);
        };
        let columns = Columns::from_hits(cells, &hits);
        if near_misses.is_empty() {
            return columns;
        }
        let near_misses = Columns::from_hits(cells, &near_misses);
        // Nearly all near misses are of an edge whose other triangle is hit.
        let is_suspect =
            |&cell: &usize| !has_all_level_hits(columns.column(cell), near_misses.column(cell));
        let mut lines = [const { Vec::new() }; 2];
        let is_in_crack = |&cell: &usize| {
            for (at, hits) in lines_beside(self.center(cell)).into_iter().zip(&mut lines) {
                self.geometry.hits_at(at, hits);
            }
            let [left, right] = &lines;
            is_in_crack(columns.column(cell), [left, right])
        };
        let suspects = (0..cells).filter(is_suspect).take_while(|_| goes_on(hits.len()));
        let cracks: Vec<usize> = suspects.filter(is_in_crack).collect();
        if cracks.is_empty() {
            return columns;
        }
        drop((columns, near_misses));
        self.cast_beside(&cracks, &mut hits);
        Columns::from_hits(cells, &hits)
    }

    fn sections(&mut self, line: &GroundLine, sections: &mut Vec<Section>) {
        sections.clear();
        self.geometry.sections(line, |section| sections.push(section));
    }

    fn room(&mut self, probe: usize, feet: Point3<f32>) -> Room {
        let query = BodyMotion::of(probe, feet.into(), Vector::ZERO);
        let core = self.broad_phase.core(probe).moved(query.feet);
        let geometry = &self.geometry;
        let touches = |obstacles: [u32; LANES]| {
            let distances = core.separations_from(&geometry.block(&obstacles)).lengths();
            distances.iter().any(|&distance| distance < core.radius)
        };
        // Whatever the body touches belongs to the only solid: no need to search for the nearest.
        if let (Some(solid), Some(obstacles)) = (geometry.only_solid, self.in_the_way) {
            if touches(obstacles) {
                return Room::Blocked(solid);
            }
            self.in_the_way = None;
        }
        if let Some(solid) = geometry.solid_around(&core) {
            return Room::Blocked(solid);
        }
        let listed = self.broad_phase.find(geometry, &query);
        if let (Some(solid), true) = (geometry.only_solid, self.broad_phase.is_blocked(listed)) {
            return Room::Blocked(solid);
        }
        let (mut least, mut nearest) = (core.radius + self.probes[probe].max_room, u32::MAX);
        let margin = SEARCH_MARGIN + core.rounding();
        self.broad_phase.for_each_near(listed, least + margin, |obstacles| {
            let distances = core.separations_from(&geometry.block(obstacles)).lengths();
            for (&index, distance) in obstacles.iter().zip(distances) {
                let solid = geometry.solid(index);
                // Ties go to the lowest solid, whatever the order of obstacles.
                if distance < least || (distance == least && solid < nearest) {
                    (least, nearest) = (distance, solid);
                }
            }
            if least < core.radius && geometry.only_solid.is_some() {
                // The body is blocked by the only solid: a nearer obstacle would change nothing.
                self.in_the_way = Some(four_of(obstacles));
                return f32::NEG_INFINITY;
            }
            // Rounding must not keep an equally near solid from being compared.
            least + margin
        });
        let room = least - core.radius;
        // Bodies around this one are not quite where they would be without rounding.
        let certain = (room - core.rounding()).max(0.0);
        if room >= 0.0 { Room::Free(certain) } else { Room::Blocked(nearest) }
    }

    fn has_room_throughout(
        &mut self,
        probe: usize,
        [min, max]: [Point3<f32>; 2],
        room: f32,
    ) -> bool {
        let (min, max) = (Vector::from(min), Vector::from(max));
        let (feet, spread) = (0.5 * (min + max), 0.5 * (max - min));
        let query = BodyMotion { body: probe, feet, motion: Vector::ZERO, spread };
        let core = self.broad_phase.core(probe).moved(feet);
        // What nothing comes near is inside of a solid as a whole, or not at all.
        if self.geometry.solid_around(&core).is_some() {
            return false;
        }
        let listed = self.broad_phase.find(&self.geometry, &query);
        let within = core.radius + room + SEARCH_MARGIN + core.rounding();
        !self.broad_phase.any_near(listed, within)
    }

    fn gaps(&mut self, around: &Surroundings, gaps: &mut Vec<Gap>) {
        let Surroundings { probe, feet, within } = *around;
        let core = self.broad_phase.core(probe).moved(feet.into());
        let reach = core.radius + within + SEARCH_MARGIN + core.rounding();
        let TiledTile { geometry, near, found_gaps, .. } = self;
        near.clear();
        geometry.for_each_near(&core.bounds(), reach, |index, _| {
            if core.distance_to_plane(&geometry.planes[index]) <= reach {
                near.push(index as u32);
            }
        });
        for obstacles in near.chunks(LANES) {
            let separations = core.separations_from(&geometry.block(obstacles));
            for (lane, &obstacle) in obstacles.iter().enumerate() {
                found_gaps.add(&core, obstacle, separations.lane(lane));
            }
        }
        found_gaps.move_to(gaps, &core, |index| geometry.obstacle(index));
    }

    fn beside(&mut self, query: &PassageQuery) -> Beside {
        let Some(axis) = query.axis(&self.probes[query.probe].body) else {
            return Beside::default();
        };
        let TiledTile { geometry, near, ways, .. } = self;
        geometry.find_beside(query, &axis, near);
        let Beside { passage, walls } = geometry.passage_search(query, axis).find(near, ways);
        // Whoever is inside of something is between its sides.
        let passage = passage.filter(|_| geometry.solid_around(&axis).is_none());
        Beside { passage, walls }
    }

    fn walls(&mut self, query: &PassageQuery) -> [bool; 8] {
        let Some(axis) = query.axis(&self.probes[query.probe].body) else { return [false; 8] };
        let TiledTile { geometry, near, ways, .. } = self;
        geometry.find_beside(query, &axis, near);
        geometry.passage_search(query, axis).walls(near, ways)
    }

    fn headroom(&mut self, query: &HeadroomQuery) -> Option<f32> {
        let TiledTile { geometry, near, probes, beside_lowest, .. } = self;
        let body = &probes[query.probe].body;
        let search = HeadroomSearch::new(body, *query, |index| geometry.obstacle(index));
        let lowest = search.lowest();
        if beside_lowest.is_some_and(|index| search.is_in_the_way(index))
            || geometry.solid_around(&lowest).is_some()
        {
            return None;
        }
        near.clear();
        let reach = lowest.radius + SEARCH_MARGIN + lowest.rounding();
        geometry.for_each_near(&query.bounds(body), reach, |index, _| near.push(index as u32));
        let found = search.find(near);
        if found.is_none() {
            *beside_lowest = near.iter().copied().find(|&index| search.is_in_the_way(index));
        }
        found
    }

    fn can_move(&mut self, probe: usize, [from, to]: [Point3<f32>; 2]) -> bool {
        let query = BodyMotion::of(probe, from.into(), (to - from).into());
        let core = self.broad_phase.core(probe).moved(query.feet);
        let geometry = &self.geometry;
        let listed = self.broad_phase.find(geometry, &query);
        let rounding = core.rounding().max(core.moved(query.motion).rounding());
        let within = core.radius + SEARCH_MARGIN + rounding;
        let mut free = true;
        self.broad_phase.for_each_near(listed, within, |obstacles| {
            let block = geometry.block(obstacles);
            let separations = core.separations_from(&block);
            let is_clear = |lane: usize| {
                core.sweep_is_clear_from(separations.lane(lane), &block[lane], query.motion)
            };
            free = (0..obstacles.len()).all(is_clear);
            if free { within } else { f32::NEG_INFINITY }
        });
        free
    }
}

/// What the vertical lines through the centers of a tile's cells hit and nearly hit.
struct FoundHits {
    hits: Vec<CellHit>,
    near_misses: Vec<CellHit>,
}

/// Whoever waits for columns is asked whether to go on once for so many triangles.
const TRIANGLES_PER_LOOK: usize = 16;

impl TiledTile<'_> {
    /// Returns what vertical lines hit; `None` if that was not to go on.
    fn hits(&self, goes_on: &dyn Fn(usize) -> bool) -> Option<FoundHits> {
        let (mut hits, mut near_misses) = (Vec::with_capacity(self.cells.cells()), Vec::new());
        let centers = CellCenters::new(&self.cells);
        for (index, scan) in self.geometry.scans.iter().enumerate() {
            if index % TRIANGLES_PER_LOOK == 0 && !goes_on(hits.len() + near_misses.len()) {
                return None;
            }
            let Some(scan) = scan else { continue };
            centers.scan_convert(scan, |cell, y, is_hit| {
                let list = if is_hit { &mut hits } else { &mut near_misses };
                list.push(CellHit { cell, hit: self.geometry.hit(index, scan, y) });
            });
        }
        for index in self.geometry.round() {
            if !goes_on(hits.len() + near_misses.len()) {
                return None;
            }
            for cell in 0..self.cells.cells() {
                let (at, cell) = (self.center(cell), cell as u32);
                self.geometry.round_hits(index, at, |hit| hits.push(CellHit { cell, hit }));
            }
        }
        Some(FoundHits { hits, near_misses })
    }

    /// Casts the lines through some cells, in order, again beside the cracks that they fall into.
    fn cast_beside(&self, cracks: &[usize], hits: &mut Vec<CellHit>) {
        hits.retain(|hit| cracks.binary_search(&(hit.cell as usize)).is_err());
        let mut beside = Vec::new();
        for &cell in cracks {
            let [left, _] = lines_beside(self.center(cell));
            self.geometry.hits_at(left, &mut beside);
            hits.extend(beside.iter().map(|&hit| CellHit { cell: cell as u32, hit }));
        }
    }

    /// Returns the center of a cell.
    fn center(&self, cell: usize) -> [f32; 2] {
        self.cells.center(self.cells.cell(cell))
    }
}

/// The centers of a rectangle's cells along x and along z.
struct CellCenters {
    x: CenterRow,
    z: CenterRow,
}

/// Centers in a row, one cell size apart.
struct CenterRow {
    centers: Vec<f64>,
    /// Cells per metre.
    scale: f64,
}

/// Rounding of a position in a row [cells].
const CELL_ROUNDING: f64 = 1e-3;

impl CenterRow {
    fn new(size: u32, center: impl Fn(i32) -> f32, cell_size: f32) -> Self {
        let centers = (0..size as i32).map(|i| f64::from(center(i))).collect();
        CenterRow { centers, scale: 1.0 / f64::from(cell_size) }
    }

    /// Returns the indices of the centers between two values, and of at most one more on each side.
    fn between(&self, low: f64, high: f64) -> std::ops::Range<usize> {
        let Some(first) = self.centers.first() else { return 0..0 };
        // A cast from float rounds down and saturates, which is right for values far outside.
        let start = ((low - first) * self.scale - CELL_ROUNDING) as usize;
        let end = ((high - first) * self.scale + 2.0) as usize;
        start..end.min(self.centers.len())
    }
}

impl CellCenters {
    fn new(cells: &GridFrame) -> Self {
        let cell = |x, z| Cell::new(cells.min.x + x, cells.min.z + z);
        CellCenters {
            x: CenterRow::new(cells.size_x, |i| cells.center(cell(i, 0))[0], cells.cell_size),
            z: CenterRow::new(cells.size_z, |i| cells.center(cell(0, i))[1], cells.cell_size),
        }
    }

    /// Calls back with each cell whose center is over or under a triangle, the height there, and
    /// `true`; for centers that miss it by at most the crack tolerance, with `false`.
    fn scan_convert(&self, scan: &ScanTriangle, mut call: impl FnMut(u32, f32, bool)) {
        let (columns, rows) = (&self.x.centers, &self.z.centers);
        for row in self.z.between(scan.extent_z[0], scan.extent_z[1]) {
            let z = rows[row];
            let [enters, leaves] = scan.row_extent(z);
            let mut call = |column: usize, is_hit| {
                let cell = (row * columns.len() + column) as u32;
                call(cell, scan.height(columns[column], z), is_hit);
            };
            let mut miss = |column: usize| {
                let x = columns[column];
                let tolerance = f64::from(crack_tolerance([x as f32, z as f32]));
                if scan.nearly_contains(x, z, tolerance) {
                    call(column, false);
                }
            };
            // The extent is rounded: the edge functions decide at both ends.
            let mut inside = self.x.between(enters, leaves);
            while !inside.is_empty() && !scan.contains(columns[inside.start], z) {
                miss(inside.start);
                inside.start += 1;
            }
            while !inside.is_empty() && !scan.contains(columns[inside.end - 1], z) {
                inside.end -= 1;
                miss(inside.end);
            }
            inside.for_each(|column| call(column, true));
        }
    }
}
