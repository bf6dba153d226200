//! The geometry near one rectangle of cells, sorted so that every question looks at little of it.

use parry3d::math::Vector;
use parry3d::shape::SharedShape;

use super::TiledCaster;
use super::index::TriangleRef;
use super::lists::Lists;
use super::scan::Scan;
use super::squares::Squares;
use crate::casts::columns::Hit;
use crate::casts::sections::{GroundLine, Section, round_sections};
use crate::casts::solid::{Form, WorldSolid};
use surefoot::grid::GridFrame;
use surefoot_rapier::Probe;
use surefoot_rapier::measure::LANES;
use surefoot_rapier::measure::{Bounds, Plane, Rect};
use surefoot_rapier::measure::{Core, Obstacle};

/// Triangles and solids near a rectangle of cells. What bodies touch is numbered: triangles, then
/// solids with round faces.
pub(super) struct Gathered<'a> {
    solids: &'a [WorldSolid],
    pub triangles: Vec<[Vector; 3]>,
    /// Triangles as vertical lines see them; those that stand upright have none.
    pub scans: Vec<Option<Scan>>,
    /// Solids with round faces, which have no triangles: where they are, and their shapes.
    round: Vec<(&'a WorldSolid, &'a SharedShape)>,
    /// Of each thing, what it is; of a round solid the triangle is 0.
    names: Vec<TriangleRef>,
    pub bounds: Vec<Bounds>,
    pub planes: Vec<Plane>,
    /// Solids with flat faces: their triangles are here, but a body may be inside.
    faceted: Vec<u32>,
    /// The solid, if all of this is one: then whatever a body touches, it is known what.
    pub only_solid: Option<u32>,
    lists: Lists,
}

/// Triangles over a square, on average: fewer, and more squares are visited; more, and lists are
/// longer.
const TRIANGLES_A_SQUARE: f32 = 32.0;
/// Least and greatest side of a square in cells.
const CELLS_A_SQUARE: [f32; 2] = [1.0, 8.0];
/// Most squares along a side.
const MOST_SQUARES: u32 = 256;

/// What rounding may add to a reach, with room to spare [m].
const REACH_MARGIN: f32 = 0.01;

/// Squares over a rectangle, as fine as the geometry is dense.
fn squares_over(rect: &Rect, cell_size: f32, triangles: usize) -> Squares {
    let area = (rect.max[0] - rect.min[0]) * (rect.max[1] - rect.min[1]);
    let side = (area * TRIANGLES_A_SQUARE / triangles.max(1) as f32).sqrt();
    let [finest, coarsest] = CELLS_A_SQUARE.map(|cells| cells * cell_size);
    Squares::over(rect, side.clamp(finest, coarsest), MOST_SQUARES)
}

impl<'a> Gathered<'a> {
    /// Gathers what bodies over a rectangle of cells, and on their way to the next, can be near.
    pub fn new(caster: &'a TiledCaster<'_>, cells: &GridFrame, probes: &[Probe]) -> Self {
        let (min, max) = cells.bounds();
        let step = cells.cell_size * std::f32::consts::SQRT_2;
        let reach = probes.iter().map(|probe| probe.reach(step)).fold(0.0, f32::max);
        let rect = Rect { min, max }.grown(reach + REACH_MARGIN);
        let (mut triangles, mut names) = (Vec::new(), Vec::new());
        caster.index.near(caster.solids, &rect, |name, corners| {
            names.push(name);
            triangles.push(corners);
        });
        let mut bounds: Vec<_> = triangles.iter().map(Bounds::of_triangle).collect();
        let mut planes: Vec<_> = triangles.iter().map(Plane::of_triangle).collect();
        let (mut round, mut faceted, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for (number, solid) in (0u32..).zip(caster.solids) {
            if !Bounds::from(solid.bounds).under().meets(&rect) {
                continue;
            }
            numbers.push(number);
            match &solid.form {
                Form::Shell(_) => {}
                Form::Faceted(..) => faceted.push(number),
                Form::Round(shape) => {
                    round.push((solid, shape));
                    names.push(TriangleRef { solid: number, triangle: 0 });
                    bounds.push(solid.bounds.into());
                    planes.push(Plane::NONE);
                }
            }
        }
        let scans = triangles.iter().map(Scan::new).collect();
        let lists = Lists::new(squares_over(&rect, cells.cell_size, triangles.len()), &bounds);
        let only_solid = if let [only] = numbers[..] { Some(only) } else { None };
        let solids = caster.solids;
        Gathered {
            solids,
            triangles,
            scans,
            round,
            names,
            bounds,
            planes,
            faceted,
            only_solid,
            lists,
        }
    }

    /// Calls back with each thing whose box is within a distance of a box, and that of the boxes.
    #[inline]
    pub fn around(&self, near: &Bounds, within: f32, mut call: impl FnMut(usize, f32)) {
        self.lists.each_in(&near.grown(within), |index| {
            let square = self.bounds[index].distance_squared(near);
            if square <= within * within {
                call(index, square.sqrt());
            }
        });
    }

    /// One to four things by their numbers; the last fills up the four.
    #[inline]
    pub fn four(&self, things: &[u32]) -> [Obstacle<'_>; LANES] {
        [0, 1, 2, 3].map(|i: usize| self.obstacle(things[i.min(things.len() - 1)]))
    }

    /// A thing by its number.
    #[inline]
    pub fn obstacle(&self, index: u32) -> Obstacle<'_> {
        match self.triangles.get(index as usize) {
            Some(corners) => Obstacle::Triangle(corners),
            None => {
                let (solid, shape) = self.round[index as usize - self.triangles.len()];
                Obstacle::Solid(&**shape, &solid.pose)
            }
        }
    }

    /// The solid a thing belongs to.
    pub fn solid(&self, index: u32) -> u32 {
        self.names[index as usize].solid
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
        self.lists.each_in(&over, |index| {
            if self.bounds[index].distance_squared(&over) > 0.0 {
                return;
            }
            let TriangleRef { solid, triangle } = self.names[index];
            match self.scans.get(index) {
                Some(scan) => {
                    if let Some(scan) = scan
                        && let Some((along, y, edge)) = scan.under(line)
                    {
                        call(Section { along, y, edge, up: scan.normal[1], solid, triangle });
                    }
                }
                None => {
                    let (round, shape) = self.round[index - self.triangles.len()];
                    let top = |at: [f32; 2]| round.top(shape, at);
                    round_sections(line, top, |along, y| {
                        call(Section { along, y, edge: None, up: 1.0, solid, triangle });
                    });
                }
            }
        });
    }

    /// All surfaces on the vertical line at (x, z), high to low, in place of what `hits` held.
    pub fn hits_at(&self, at: [f32; 2], hits: &mut Vec<Hit>) {
        hits.clear();
        let [min, max] = [f32::NEG_INFINITY, f32::INFINITY].map(|y| Vector::new(at[0], y, at[1]));
        self.lists.each_in(&Bounds { min, max }, |index| match self.scans.get(index) {
            Some(Some(scan)) => {
                let [x, z] = at.map(f64::from);
                if scan.has(x, z) {
                    hits.push(self.hit(index, scan, scan.height(x, z)));
                }
            }
            Some(None) => {}
            None => self.round_hits(index, at, |hit| hits.push(hit)),
        });
        Hit::sort(hits);
    }

    /// The numbers of the round solids.
    pub fn round(&self) -> std::ops::Range<usize> {
        self.triangles.len()..self.names.len()
    }

    /// Calls back with the hits of a round solid on a vertical line.
    pub fn round_hits(&self, index: usize, at: [f32; 2], mut call: impl FnMut(Hit)) {
        let (solid, shape) = self.round[index - self.triangles.len()];
        let TriangleRef { solid: number, triangle } = self.names[index];
        if solid.is_under(at) {
            solid.convex_hits(shape, at, |y, normal| {
                call(Hit { y, normal: normal.to_array(), solid: number, triangle });
            });
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
}
