//! The geometry near one rectangle of cells, sorted so that every question looks at little of it.

use parry3d::math::Vector;
use parry3d::shape::SharedShape;

use super::TiledCaster;
use super::bounds::{Bounds, Plane, Rect, Squares};
use super::core::{Core, Obstacle};
use super::index::TriangleRef;
use super::lists::Lists;
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
    planes: Vec<Plane>,
    /// Solids with round faces, which have no triangles.
    pub round: Vec<u32>,
    /// Solids with flat faces: their triangles are here, but a body may be inside.
    faceted: Vec<u32>,
    /// Whether all of this is one solid: then whatever a body touches, it is known what.
    pub is_one_solid: bool,
    lists: Lists,
}

/// Triangles over a square, on average: fewer, and more squares are visited; more, and lists are
/// longer.
const TRIANGLES_A_SQUARE: f32 = 16.0;
/// Least and greatest side of a square in cells.
const CELLS_A_SQUARE: [f32; 2] = [1.0, 4.0];
/// Most squares along a side.
const MOST_SQUARES: u32 = 256;

/// Squares over a rectangle, as fine as the geometry is dense.
fn squares_over(rect: &Rect, cell_size: f32, triangles: usize) -> Squares {
    let area = (rect.max[0] - rect.min[0]) * (rect.max[1] - rect.min[1]);
    let side = (area * TRIANGLES_A_SQUARE / triangles.max(1) as f32).sqrt();
    let [finest, coarsest] = CELLS_A_SQUARE.map(|cells| cells * cell_size);
    Squares::over(rect, side.clamp(finest, coarsest), MOST_SQUARES)
}

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
        let squares = squares_over(&rect, cells.cell_size, triangles.len());
        Gathered {
            is_one_solid: solids().count() == 1,
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
            planes: triangles.iter().map(Plane::of_triangle).collect(),
            lists: Lists::new(squares, &bounds),
            triangles,
            bounds,
        }
    }

    /// Calls back with each thing that may be near a core on a straight way, and its solid.
    /// `within` is the distance that counts as near; each call returns what it is from then on.
    pub fn near(
        &self,
        (core, way): (&Core, Vector),
        mut within: f32,
        mut call: impl FnMut(&Obstacle, u32) -> f32,
    ) {
        let bounds = core.swept_bounds(way);
        self.lists.near(&bounds, within, |index| {
            if core.distance_to_plane(&self.planes[index], way) <= within {
                let obstacle = Obstacle::Triangle(&self.triangles[index]);
                within = call(&obstacle, self.names[index].solid);
            }
            within
        });
        for (index, solid, shape) in self.round() {
            if Bounds::from(solid.bounds).is_within(within, &bounds) {
                within = call(&Obstacle::Solid(&**shape, &solid.pose), index);
            }
        }
    }

    /// Calls back with each hit of the vertical line at (x, z) between two heights, in no order.
    pub fn hits_at(&self, at: [f32; 2], [low, high]: [f32; 2], mut call: impl FnMut(Hit)) {
        let point = Rect { min: at, max: at };
        let (x, z) = (f64::from(at[0]), f64::from(at[1]));
        let mut keep = |hit: Hit| {
            if (low..=high).contains(&hit.y) {
                call(hit);
            }
        };
        for index in self.lists.at(at) {
            let bounds = &self.bounds[index];
            if bounds.max.y < low {
                break;
            }
            if bounds.min.y > high || !bounds.under().meets(&point) {
                continue;
            }
            if let Some(scan) = Scan::new(&self.triangles[index])
                && scan.has(x, z)
            {
                keep(self.hit(index, &scan, scan.height(x, z)));
            }
        }
        self.round_hits(at, keep);
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
}
