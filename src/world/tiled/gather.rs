//! The geometry near one rectangle of cells, sorted so that every question looks at little of it.
//!
//! Each square of a few cells has a list of all triangles within reach of it, highest first. A
//! question about a place looks through the list of one square, and stops at the first triangle
//! that is all below: over open ground that is the first one.

use parry3d::math::Vector;
use parry3d::shape::SharedShape;

use super::TiledCaster;
use super::bounds::{Bounds, Rect, Squares};
use super::core::{Core, Obstacle};
use super::index::TriangleRef;
use super::scan::Scan;
use crate::grid::GridFrame;
use crate::world::columns::Hit;
use crate::world::solid::{Form, WorldSolid};

/// Triangles and solids near a rectangle of cells.
pub(super) struct Gathered<'a> {
    pub solids: &'a [WorldSolid],
    /// From the highest to the lowest, by their highest corners.
    pub triangles: Vec<[Vector; 3]>,
    pub names: Vec<TriangleRef>,
    bounds: Vec<Bounds>,
    /// Solids with round faces, which have no triangles.
    pub round: Vec<u32>,
    /// Solids with flat faces: their triangles are here, but a body may be inside.
    faceted: Vec<u32>,
    squares: Squares,
    /// For each square where its list begins; one more entry closes the last.
    first: Vec<u32>,
    listed: Vec<u32>,
}

/// Side of a square in cells: smaller, and making the lists takes longer; larger, and they do.
const CELLS_A_SQUARE: f32 = 4.0;
/// Most squares along a side.
const MOST_SQUARES: u32 = 256;

impl<'a> Gathered<'a> {
    /// Gathers what is within `reach` of a rectangle of cells [m].
    pub fn new(caster: &'a TiledCaster<'_>, cells: &GridFrame, reach: f32) -> Self {
        let (min, max) = cells.bounds();
        let inner = Rect { min, max };
        let rect = inner.grown(reach);
        let mut found = Vec::new();
        caster.index.near(caster.solids, &rect, |name, corners| {
            found.push((Bounds::of_triangle(&corners).max.y, name, corners));
        });
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let near = |solid: &WorldSolid| Bounds::from(solid.bounds).under().meets(&rect);
        let solids = || (0u32..).zip(caster.solids).filter(|(_, solid)| near(solid));
        let triangles: Vec<_> = found.iter().map(|entry| entry.2).collect();
        let bounds: Vec<_> = triangles.iter().map(Bounds::of_triangle).collect();
        let squares = Squares::over(&inner, CELLS_A_SQUARE * cells.cell_size, MOST_SQUARES);
        let (first, listed) = list_by_square(&squares, &bounds, reach);
        Gathered {
            solids: caster.solids,
            names: found.iter().map(|entry| entry.1).collect(),
            round: solids()
                .filter(|(_, s)| matches!(s.form, Form::Round(_)))
                .map(|(i, _)| i)
                .collect(),
            faceted: solids()
                .filter(|(_, s)| matches!(s.form, Form::Faceted(..)))
                .map(|(i, _)| i)
                .collect(),
            triangles,
            bounds,
            squares,
            first,
            listed,
        }
    }

    /// Calls back with each thing whose box is near a core, and its solid. `within` is the square
    /// of the distance that counts as near; each call returns what it is from then on.
    pub fn near(&self, core: &Core, mut within: f32, mut call: impl FnMut(&Obstacle, u32) -> f32) {
        let bounds = core.bounds();
        let foot = core.foot();
        let lowest = bounds.min.y - within.sqrt();
        for &index in self.list_at([foot.x, foot.z]) {
            let index = index as usize;
            if self.bounds[index].max.y < lowest {
                break;
            }
            if self.bounds[index].square_distance(&bounds) <= within {
                let obstacle = Obstacle::Triangle(&self.triangles[index]);
                within = call(&obstacle, self.names[index].solid);
            }
        }
        for (index, solid, shape) in self.round() {
            if Bounds::from(solid.bounds).square_distance(&bounds) <= within {
                within = call(&Obstacle::Solid(&**shape, &solid.pose), index);
            }
        }
    }

    /// Calls back with each hit of the vertical line at (x, z), in no order.
    pub fn hits_at(&self, at: [f32; 2], mut call: impl FnMut(Hit)) {
        let point = Rect { min: at, max: at };
        let (x, z) = (f64::from(at[0]), f64::from(at[1]));
        for &index in self.list_at(at) {
            let index = index as usize;
            if !self.bounds[index].under().meets(&point) {
                continue;
            }
            if let Some(scan) = Scan::new(&self.triangles[index])
                && scan.has(x, z)
            {
                call(self.hit(index, &scan, scan.height(x, z)));
            }
        }
        self.round_hits(at, call);
    }

    /// Calls back with the hits of the round solids on a vertical line.
    pub fn round_hits(&self, at: [f32; 2], mut call: impl FnMut(Hit)) {
        for (index, solid, shape) in self.round() {
            if solid.is_under(at) {
                solid.convex_hits(shape, at, |y, normal| {
                    call(Hit { y, normal: normal.to_array(), solid: index, triangle: 0 });
                });
            }
        }
    }

    /// The hit of a line with a triangle.
    pub fn hit(&self, index: usize, scan: &Scan, y: f32) -> Hit {
        let TriangleRef { solid, triangle } = self.names[index];
        Hit { y, normal: scan.normal, solid, triangle }
    }

    /// The flat-faced solid that a core is inside of without touching its faces.
    pub fn swallowing(&self, core: &Core) -> Option<u32> {
        let foot = core.foot();
        self.faceted.iter().copied().find(|&index| {
            let solid = &self.solids[index as usize];
            let Form::Faceted(_, shape) = &solid.form else { return false };
            solid.bounds.contains_local_point(foot) && shape.contains_point(&solid.pose, foot)
        })
    }

    fn round(&self) -> impl Iterator<Item = (u32, &WorldSolid, &SharedShape)> {
        self.round.iter().filter_map(|&index| {
            let solid = &self.solids[index as usize];
            let Form::Round(shape) = &solid.form else { return None };
            Some((index, solid, shape))
        })
    }

    /// The triangles within reach of the square a point is in, highest first.
    fn list_at(&self, point: [f32; 2]) -> &[u32] {
        let square = self.squares.at(point);
        &self.listed[self.first[square] as usize..self.first[square + 1] as usize]
    }
}

/// For each square the triangles within reach of it, in their order.
fn list_by_square(squares: &Squares, bounds: &[Bounds], reach: f32) -> (Vec<u32>, Vec<u32>) {
    let touched: Vec<_> =
        bounds.iter().map(|bounds| squares.touched(&bounds.under().grown(reach))).collect();
    let mut first = vec![0u32; squares.len() + 1];
    for range in &touched {
        squares.each(range, |square| first[square + 1] += 1);
    }
    for square in 0..squares.len() {
        first[square + 1] += first[square];
    }
    let mut next = first.clone();
    let mut listed = vec![0; first[squares.len()] as usize];
    for (index, range) in touched.iter().enumerate() {
        squares.each(range, |square| {
            listed[next[square] as usize] = index as u32;
            next[square] += 1;
        });
    }
    (first, listed)
}
