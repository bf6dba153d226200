//! The caster a bake uses: the geometry of a tile is gathered once and kept for everything.
//!
//! Vertical lines are scanned triangle by triangle over the cells below; bodies are held against
//! what is listed in the vicinity they stand in. Every answer is a function of the geometry and the
//! question alone, never of the tile it is asked in.

mod fours;
mod gather;
mod index;
mod lists;
mod scan;
mod squares;
mod vicinity;

use nalgebra::Point3;
use parry3d::math::Vector;

use super::columns::{CellHit, Columns};
use super::seams::{beside, falls_through, hair, meets};
use super::sections::{GroundLine, Section};
use super::solid::WorldSolid;
use super::{Caster, Room, TileCaster, World};
use gather::Gathered;
use index::TriangleIndex;
use scan::Scan;
use surefoot::grid::{Cell, GridFrame};
use surefoot_rapier::Probe;
use vicinity::{Passage, Vicinities};

/// Answers from the geometry of a whole tile at once.
#[derive(Debug)]
pub struct TiledCaster<'w> {
    solids: &'w [WorldSolid],
    index: TriangleIndex,
}

impl<'w> TiledCaster<'w> {
    /// Sorts the world's triangles by place. O(triangles).
    pub fn new(world: &'w World) -> Self {
        TiledCaster { solids: &world.solids, index: TriangleIndex::new(&world.solids) }
    }
}

impl Caster for TiledCaster<'_> {
    type Tile<'a>
        = Tile<'a>
    where
        Self: 'a;

    fn tile<'a>(&'a self, cells: &GridFrame, probes: &'a [Probe]) -> Tile<'a> {
        Tile {
            cells: *cells,
            gathered: Gathered::new(self, cells, probes),
            vicinities: Vicinities::over(cells, probes),
            probes,
        }
    }
}

/// The geometry near a rectangle of cells.
pub struct Tile<'a> {
    cells: GridFrame,
    gathered: Gathered<'a>,
    vicinities: Vicinities,
    probes: &'a [Probe],
}

impl TileCaster for Tile<'_> {
    fn columns(&mut self) -> Columns {
        let (mut found, mut missed) = (Vec::with_capacity(self.cells.cells()), Vec::new());
        let centers = Centers::of(&self.cells);
        for (index, scan) in self.gathered.scans.iter().enumerate() {
            let Some(scan) = scan else { continue };
            centers.under(scan, |cell, y, is_hit| {
                let list = if is_hit { &mut found } else { &mut missed };
                list.push((cell, self.gathered.hit(index, scan, y)));
            });
        }
        for index in self.gathered.round() {
            for cell in 0..self.cells.cells() {
                let at = self.cells.center(self.cells.cell(cell));
                self.gathered.round_hits(index, at, |hit| found.push((cell as u32, hit)));
            }
        }
        let columns = Columns::from_hits(self.cells.cells(), &found);
        missed.retain(|(cell, hit)| !meets(columns.column(*cell as usize), hit));
        if missed.is_empty() { columns } else { self.close_seams(columns, (found, &missed)) }
    }

    fn sections(&mut self, line: &GroundLine, sections: &mut Vec<Section>) {
        sections.clear();
        self.gathered.sections(line, |section| sections.push(section));
    }

    fn room(&mut self, probe: usize, feet: Point3<f32>) -> Room {
        let passage = Passage { body: probe, feet: feet.into(), way: Vector::ZERO };
        let core = self.vicinities.core(probe).moved(passage.feet);
        let gathered = &self.gathered;
        if let Some(solid) = gathered.swallowing(&core) {
            return Room::Blocked(solid);
        }
        let vicinity = self.vicinities.find(gathered, &passage);
        if let (Some(solid), true) =
            (gathered.only_solid, self.vicinities.is_blocked(vicinity, probe))
        {
            return Room::Blocked(solid);
        }
        let (mut least, mut nearest) = (core.rounding + self.probes[probe].enough, u32::MAX);
        self.vicinities.near((vicinity, &passage), least + NEAR_MARGIN, |things| {
            let distances = core.ways_from(&gathered.four(things)).lengths();
            for (&index, distance) in things.iter().zip(distances) {
                let solid = gathered.solid(index);
                if distance < least || (distance == least && solid < nearest) {
                    (least, nearest) = (distance, solid);
                }
            }
            if least < core.rounding && gathered.only_solid.is_some() {
                // It is blocked, and by what is known: nothing nearer needs to be looked for.
                return f32::NEG_INFINITY;
            }
            // Rounding must not keep an equally near solid from being looked at.
            least + NEAR_MARGIN
        });
        let room = least - core.rounding;
        if room >= 0.0 { Room::Free(room) } else { Room::Blocked(nearest) }
    }

    fn can_move(&mut self, probe: usize, [from, to]: [Point3<f32>; 2]) -> bool {
        let passage = Passage { body: probe, feet: from.into(), way: (to - from).into() };
        let core = self.vicinities.core(probe).moved(passage.feet);
        let gathered = &self.gathered;
        let vicinity = self.vicinities.find(gathered, &passage);
        let within = core.rounding + NEAR_MARGIN;
        let mut free = true;
        self.vicinities.near((vicinity, &passage), within, |things| {
            let four = gathered.four(things);
            let gaps = core.ways_from(&four);
            let clears = |lane: usize| core.clears_from(gaps.lane(lane), &four[lane], passage.way);
            free = (0..things.len()).all(clears);
            if free { within } else { f32::NEG_INFINITY }
        });
        free
    }
}

impl Tile<'_> {
    /// The columns, given all hits, where those lines that fall through a seam are cast a hair aside. They
    /// are among those that missed a surface by a hair.
    fn close_seams(
        &self,
        columns: Columns,
        (mut found, missed): (Vec<CellHit>, &[CellHit]),
    ) -> Columns {
        let mut cells: Vec<u32> = missed.iter().map(|&(cell, _)| cell).collect();
        cells.sort_unstable();
        cells.dedup();
        let (mut aside, mut lines) = (Vec::new(), [const { Vec::new() }; 2]);
        cells.retain(|&cell| {
            let center = self.cells.center(self.cells.cell(cell as usize));
            for (at, hits) in beside(center).into_iter().zip(&mut lines) {
                self.gathered.hits_at(at, hits);
            }
            let [left, right] = &lines;
            let falls = falls_through(columns.column(cell as usize), [left, right]);
            if falls {
                aside.extend(left.iter().map(|&hit| (cell, hit)));
            }
            falls
        });
        if cells.is_empty() {
            return columns;
        }
        found.retain(|(cell, _)| cells.binary_search(cell).is_err());
        found.append(&mut aside);
        Columns::from_hits(self.cells.cells(), &found)
    }
}

/// How much further than needed is looked [m]; rounding in boxes and planes is a tenth of it.
const NEAR_MARGIN: f32 = 1e-4;

/// The centers of a rectangle's cells along x and along z.
struct Centers {
    x: Line,
    z: Line,
}

/// Places in a row, one cell size apart.
struct Line {
    places: Vec<f64>,
    /// Cells a metre.
    scale: f64,
}

/// How well a place is known from its position in a line, in parts of a cell.
const ROUNDING: f64 = 1e-3;

impl Line {
    fn new(size: u32, center: impl Fn(i32) -> f32, cell_size: f32) -> Self {
        let places = (0..size as i32).map(|i| f64::from(center(i))).collect();
        Line { places, scale: 1.0 / f64::from(cell_size) }
    }

    /// The places from one value to another, and at most one more on each side.
    fn between(&self, low: f64, high: f64) -> std::ops::Range<usize> {
        let Some(first) = self.places.first() else { return 0..0 };
        // A cast from float rounds down and saturates, which is what values far outside want.
        let start = ((low - first) * self.scale - ROUNDING) as usize;
        let end = ((high - first) * self.scale + 2.0) as usize;
        start..end.min(self.places.len())
    }
}

impl Centers {
    fn of(cells: &GridFrame) -> Self {
        let cell = |x, z| Cell::new(cells.min.x + x, cells.min.z + z);
        Centers {
            x: Line::new(cells.size_x, |i| cells.center(cell(i, 0))[0], cells.cell_size),
            z: Line::new(cells.size_z, |i| cells.center(cell(0, i))[1], cells.cell_size),
        }
    }

    /// Calls back with each cell whose center is over or under a triangle, the height there, and true;
    /// for those that only just are not, with false.
    fn under(&self, scan: &Scan, mut call: impl FnMut(u32, f32, bool)) {
        let (columns, rows) = (&self.x.places, &self.z.places);
        for row in self.z.between(scan.rows[0], scan.rows[1]) {
            let z = rows[row];
            let [enters, leaves] = scan.span_of_row(z);
            let mut call = |column: usize, is_hit| {
                let cell = (row * columns.len() + column) as u32;
                call(cell, scan.height(columns[column], z), is_hit);
            };
            let mut pass_by = |column: usize| {
                let x = columns[column];
                if scan.nearly_has(x, z, f64::from(hair([x as f32, z as f32]))) {
                    call(column, false);
                }
            };
            let mut inside = self.x.between(enters, leaves);
            while !inside.is_empty() && !scan.has(columns[inside.start], z) {
                pass_by(inside.start);
                inside.start += 1;
            }
            while !inside.is_empty() && !scan.has(columns[inside.end - 1], z) {
                inside.end -= 1;
                pass_by(inside.end);
            }
            inside.for_each(|column| call(column, true));
        }
    }
}
