//! The geometry near one rectangle of cells, indexed so that every query looks at little of it.

use parry3d::math::Vector;
use parry3d::shape::SharedShape;

use super::lattice::Lattice;
use super::scan_triangle::{ClippedLine, ScanTriangle};
use super::square_grid::SquareGrid;
use super::triangle_index::{TriangleIndex, TriangleRef};
use crate::casts::columns::Hit;
use crate::casts::facets::Facets;
use crate::casts::passage::{PassageQuery, PassageSearch, four_of};
use crate::casts::sections::{GroundLine, Section, convex_top_sections};
use crate::casts::solid::{SolidForm, WorldSolid};
use surefoot::grid::GridFrame;
use surefoot_rapier::Probe;
use surefoot_rapier::distance::{Bounds, ConvexObstacle, CoreShape, GroundRect, LANES, Plane};

/// Triangles and solids near a rectangle of cells. The obstacles that bodies can touch share one
/// index: the triangles first, then the solids with round faces.
pub(super) struct TileGeometry<'a> {
    solids: &'a [WorldSolid],
    pub triangles: Vec<[Vector; 3]>,
    /// For each triangle its form for vertical lines; `None` for a vertical one.
    pub scans: Vec<Option<ScanTriangle>>,
    /// Solids with round faces, which have no triangles, and their shapes.
    round: Vec<(&'a WorldSolid, &'a SharedShape)>,
    /// For each obstacle where it comes from; the triangle of a round solid is 0.
    sources: Vec<TriangleRef>,
    pub bounds: Vec<Bounds>,
    pub planes: Vec<Plane>,
    /// Solids with flat faces: a body may be inside one without touching its triangles.
    faceted: Vec<u32>,
    /// Their boxes.
    faceted_lattice: Lattice,
    /// The solid that all of this belongs to, if there is only one: whatever a body touches is it.
    pub only_solid: Option<u32>,
    lattice: Lattice,
}

/// Triangles over a square of the lattice, on average. With fewer, queries visit more squares; with
/// more, their lists are longer.
const TRIANGLES_PER_SQUARE: f32 = 32.0;
/// Least and greatest side of a square in cells.
const SQUARE_CELLS_RANGE: [f32; 2] = [1.0, 8.0];
/// Up to this many solids are faster asked one by one than found.
const FEW_SOLIDS: usize = 8;
/// Most squares along a side.
const MAX_LATTICE_SQUARES: u32 = 256;

/// More than rounding can add to a reach near the origin [m].
const REACH_MARGIN: f32 = 0.01;

/// Returns the squares of a lattice over a rectangle, as fine as the geometry is dense.
fn lattice_squares(rect: &GroundRect, cell_size: f32, triangles: usize) -> SquareGrid {
    let area = (rect.max[0] - rect.min[0]) * (rect.max[1] - rect.min[1]);
    let side = (area * TRIANGLES_PER_SQUARE / triangles.max(1) as f32).sqrt();
    let [finest, coarsest] = SQUARE_CELLS_RANGE.map(|cells| cells * cell_size);
    SquareGrid::over(rect, side.clamp(finest, coarsest), MAX_LATTICE_SQUARES)
}

impl<'a> TileGeometry<'a> {
    /// Collects what bodies can be near that stand over a rectangle of cells or step to the next.
    pub fn gather(
        solids: &'a [WorldSolid],
        index: &TriangleIndex,
        cells: &GridFrame,
        probes: &[Probe],
    ) -> Self {
        let (min, max) = cells.bounds();
        let step = cells.cell_size * std::f32::consts::SQRT_2;
        let reach = probes.iter().map(|probe| probe.reach(step)).fold(0.0, f32::max);
        let rect = GroundRect { min, max };
        let rect = rect.grown(reach + REACH_MARGIN + rect.rounding());
        let (mut triangles, mut sources) = (Vec::new(), Vec::new());
        index.for_each_near(solids, &rect, |source, corners| {
            sources.push(source);
            triangles.push(corners);
        });
        let mut bounds: Vec<_> = triangles.iter().map(Bounds::of_triangle).collect();
        let mut planes: Vec<_> = triangles.iter().map(Plane::of_triangle).collect();
        let (mut round, mut faceted) = (Vec::new(), Vec::new());
        for &number in index.bodies() {
            let solid = &solids[number as usize];
            if !Bounds::from(solid.bounds).ground_rect().intersects(&rect) {
                continue;
            }
            match &solid.form {
                SolidForm::Shell(_) => {}
                SolidForm::Faceted(..) => faceted.push(number),
                SolidForm::Round(shape) => {
                    round.push((solid, shape));
                    sources.push(TriangleRef { solid: number, triangle: 0 });
                    bounds.push(solid.bounds.into());
                    planes.push(Plane::NONE);
                }
            }
        }
        let mut near = sources.iter().map(|source| source.solid).chain(faceted.iter().copied());
        let only_solid = near.next().filter(|&first| near.all(|other| other == first));
        let squares = lattice_squares(&rect, cells.cell_size, triangles.len());
        let faceted_bounds: Vec<Bounds> =
            faceted.iter().map(|&solid| solids[solid as usize].bounds.into()).collect();
        TileGeometry {
            solids,
            scans: triangles.iter().map(ScanTriangle::new).collect(),
            triangles,
            round,
            sources,
            faceted_lattice: Lattice::new(squares.clone(), &faceted_bounds),
            lattice: Lattice::new(squares, &bounds),
            bounds,
            planes,
            faceted,
            only_solid,
        }
    }

    /// Calls back with each obstacle whose box is within a distance of a box, and the distance of
    /// the boxes.
    #[inline]
    pub fn for_each_near(&self, near: &Bounds, within: f32, mut call: impl FnMut(usize, f32)) {
        self.lattice.for_each_in(&near.grown(within), |index| {
            let square = self.bounds[index].distance_squared(near);
            if square <= within * within {
                call(index, square.sqrt());
            }
        });
    }

    /// Replaces `near` by the obstacles that may be beside an axis.
    pub fn find_beside(&self, query: &PassageQuery, axis: &CoreShape, near: &mut Vec<u32>) {
        near.clear();
        self.for_each_near(&axis.bounds(), query.within, |index, _| {
            if query.is_beside(axis, &self.bounds[index])
                && axis.distance_to_plane(&self.planes[index]) <= query.within
            {
                near.push(index as u32);
            }
        });
    }

    /// Returns a search among those obstacles.
    pub fn passage_search<'q>(
        &'q self,
        query: &'q PassageQuery,
        axis: CoreShape,
    ) -> PassageSearch<
        'q,
        impl Fn(u32) -> ConvexObstacle<'q> + use<'q, 'a>,
        impl Fn(u32) -> Bounds + use<'q, 'a>,
    > {
        let obstacle = |index| self.obstacle(index);
        let bounds = |index: u32| self.bounds[index as usize];
        PassageSearch { axis, obstacle, bounds, query }
    }

    /// Returns one to four obstacles by their indices; the last is repeated up to four.
    #[inline]
    pub fn block(&self, indices: &[u32]) -> [ConvexObstacle<'_>; LANES] {
        four_of(indices).map(|index| self.obstacle(index))
    }

    /// Returns an obstacle by its index.
    #[inline]
    pub fn obstacle(&self, index: u32) -> ConvexObstacle<'_> {
        match self.triangles.get(index as usize) {
            Some(corners) => ConvexObstacle::Triangle(corners),
            None => {
                let (solid, shape) = self.round[index as usize - self.triangles.len()];
                ConvexObstacle::Solid(&**shape, &solid.pose)
            }
        }
    }

    /// Returns the solid that an obstacle belongs to.
    pub fn solid(&self, index: u32) -> u32 {
        self.sources[index as usize].solid
    }

    /// Calls back with each section of a surface over a line on the ground.
    pub fn sections(&self, line: &GroundLine, mut call: impl FnMut(Section)) {
        let [low, high] = line.heights;
        let corners = |i: usize| line.ends.map(|end| end[i]);
        let over = |choose: fn(f32, f32) -> f32, y: f32| {
            let [[x0, x1], [z0, z1]] = [corners(0), corners(1)];
            Vector::new(choose(x0, x1), y, choose(z0, z1))
        };
        let over = Bounds { min: over(f32::min, low), max: over(f32::max, high) };
        self.lattice.for_each_in(&over, |index| {
            if self.bounds[index].distance_squared(&over) > 0.0 {
                return;
            }
            let TriangleRef { solid, triangle } = self.sources[index];
            match self.scans.get(index) {
                Some(scan) => {
                    if let Some(scan) = scan
                        && let Some(ClippedLine { along, y, edge }) = scan.clip(line)
                    {
                        call(Section { along, y, edge, up: scan.normal[1], solid, triangle });
                    }
                }
                None => {
                    let (round, shape) = self.round[index - self.triangles.len()];
                    let top = |at: [f32; 2]| round.top(shape, at);
                    convex_top_sections(line, top, |along, y| {
                        call(Section { along, y, edge: None, up: 1.0, solid, triangle });
                    });
                }
            }
        });
    }

    /// Replaces `hits` by all surfaces on the vertical line at (x, z), high to low.
    pub fn hits_at(&self, at: [f32; 2], hits: &mut Vec<Hit>) {
        hits.clear();
        let [min, max] = [f32::NEG_INFINITY, f32::INFINITY].map(|y| Vector::new(at[0], y, at[1]));
        self.lattice.for_each_in(&Bounds { min, max }, |index| match self.scans.get(index) {
            Some(Some(scan)) => {
                let [x, z] = at.map(f64::from);
                if scan.contains(x, z) {
                    hits.push(self.hit(index, scan, scan.height(x, z)));
                }
            }
            Some(None) => {}
            None => self.round_hits(index, at, |hit| hits.push(hit)),
        });
        Hit::sort(hits);
    }

    /// Returns the indices of the round solids.
    pub fn round(&self) -> std::ops::Range<usize> {
        self.triangles.len()..self.sources.len()
    }

    /// Calls back with the hits of a round solid on a vertical line.
    pub fn round_hits(&self, index: usize, at: [f32; 2], mut call: impl FnMut(Hit)) {
        let (solid, shape) = self.round[index - self.triangles.len()];
        let TriangleRef { solid: number, triangle } = self.sources[index];
        if solid.is_on_line(at) {
            solid.convex_hits(shape, at, |y, normal| {
                call(Hit { y, normal: normal.to_array(), solid: number, triangle });
            });
        }
    }

    /// Returns the hit of a line with a triangle at a height [m].
    pub fn hit(&self, index: usize, scan: &ScanTriangle, y: f32) -> Hit {
        let TriangleRef { solid, triangle } = self.sources[index];
        Hit { y, normal: scan.normal, solid, triangle }
    }

    /// Returns the flat-faced solid that a core shape is inside of, whether it touches its faces or
    /// not.
    pub fn solid_around(&self, core: &CoreShape) -> Option<u32> {
        let foot = core.lowest_point();
        let contains_foot = |index: u32| {
            let solid = &self.solids[index as usize];
            let SolidForm::Faceted(facets, shape) = &solid.form else { return false };
            if !solid.bounds.contains_local_point(foot) {
                false
            } else if Bounds::from(solid.bounds).is_large() {
                is_below_odd_number(solid, facets, foot)
            } else {
                shape.contains_point(&solid.pose, foot)
            }
        };
        if self.faceted.len() <= FEW_SOLIDS {
            return self.faceted.iter().copied().find(|&index| contains_foot(index));
        }
        // The first of several, as above.
        let mut first = None;
        self.faceted_lattice.for_each_in(&Bounds { min: foot, max: foot }, |at| {
            let index = self.faceted[at];
            if first.is_none_or(|first| index < first) && contains_foot(index) {
                first = Some(index);
            }
        });
        first
    }
}

/// Returns whether a point lies below an odd number of a solid's triangles, as the inside of a closed one
/// does. Right for a solid of any size, and as exact as its triangles are.
fn is_below_odd_number(solid: &WorldSolid, facets: &Facets, point: Vector) -> bool {
    let [x, z] = [point.x, point.z].map(f64::from);
    let is_above = |scan: &ScanTriangle| scan.contains(x, z) && scan.height(x, z) > point.y;
    let triangles = (0..facets.triangles.len() as u32).map(|at| solid.triangle(facets, at));
    let above = triangles.filter_map(|corners| ScanTriangle::new(&corners)).filter(is_above);
    above.count() % 2 == 1
}
