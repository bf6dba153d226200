//! Floors: from the surfaces on a vertical line to the spans someone could stand on.
//!
//! Upper sides are floors; whatever lies next above one is its ceiling. Floors closer than a
//! centimetre are one; of those that lie in one plane the strictest mark counts. A floor inside a
//! closed solid is kept and marked, so that a user can ask why nobody stands there.

use std::ops::Range;

use nalgebra::{Point3, Vector3};

use crate::casts::{Columns, Hit, World};
use crate::scene::Surface;
use surefoot::grid::{Area, AreaId, Cell, GridFrame, Span};

/// Hits closer than this are one [m].
pub(super) const MERGE: f32 = 0.01;
/// Hits closer than this lie in one plane [m].
const COPLANAR: f32 = 1e-3;

/// A floor under construction: the span it becomes, and what standing on it depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floor {
    pub span: Span,
    /// Upward part of the unit normal, not rounded as the span's.
    pub up: f32,
    /// Rise per metre along x and along z.
    pub gradient: [f32; 2],
    /// Nobody may stand on it, by a mark of the author.
    pub forbidden: bool,
    /// It lies inside a closed solid.
    pub inside: bool,
}

/// The floors of a rectangle of cells, each column low to high.
pub(super) struct Floors {
    /// For each cell the index of its first floor; one more entry closes the list.
    pub first: Vec<u32>,
    pub floors: Vec<Floor>,
}

impl Floors {
    /// Finds the floors in columns of hits.
    pub fn find(world: &World, columns: &Columns, cells: usize, areas: &[Area]) -> Self {
        let mut first = Vec::with_capacity(cells + 1);
        let mut floors = Vec::with_capacity(cells);
        let ground = Ground { world, areas };
        let mut solids = Entered::default();
        first.push(0);
        for cell in 0..cells {
            let hits = columns.column(cell);
            let lowest = hits.iter().rposition(|hit| ground.is_floor(hit));
            match &hits[..lowest.map_or(0, |lowest| lowest + 1)] {
                [] => {}
                // Most columns: nothing is above the floor, and it lies in nothing.
                [hit] => floors.push(ground.floor(hit)),
                hits => {
                    let start = floors.len();
                    ground.find_in_column(hits, &mut solids, |floor| floors.push(floor));
                    floors[start..].reverse();
                }
            }
            first.push(floors.len() as u32);
        }
        Floors { first, floors }
    }

    /// For each floor the point over the middle of its cell.
    pub fn feet(&self, frame: &GridFrame) -> Vec<Point3<f32>> {
        let mut feet = Vec::with_capacity(self.floors.len());
        let rows = 0..frame.size_z as i32;
        let cells = rows.flat_map(|z| (0..frame.size_x as i32).map(move |x| (x, z)));
        for (index, (x, z)) in cells.enumerate() {
            let [x, z] = frame.center(Cell::new(frame.min.x + x, frame.min.z + z));
            feet.extend(self.column(index).map(|i| Point3::new(x, self.floors[i].span.floor, z)));
        }
        feet
    }

    /// The indices of the floors of each cell in a row.
    pub fn columns(&self, cells: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let first = &self.first[cells.start..=cells.end];
        first.windows(2).map(|ends| ends[0] as usize..ends[1] as usize)
    }

    /// The indices of a cell's floors.
    pub fn column(&self, cell: usize) -> Range<usize> {
        self.first[cell] as usize..self.first[cell + 1] as usize
    }
}

/// What surfaces are and belong to.
struct Ground<'a> {
    world: &'a World,
    /// Kinds of ground.
    areas: &'a [Area],
}

impl Ground<'_> {
    /// Whether a surface is the upper side of something, or counts as one.
    #[inline]
    fn is_floor(&self, hit: &Hit) -> bool {
        let is_two_sided = || self.world.surface(hit.solid, hit.triangle).two_sided;
        hit.faces_up() || (hit.normal[1] < 0.0 && is_two_sided())
    }

    /// The floor that a surface is, under open sky.
    #[inline]
    fn floor(&self, hit: &Hit) -> Floor {
        let surface = self.world.surface(hit.solid, hit.triangle);
        let normal = Vector3::from(hit.normal) * hit.normal[1].signum();
        let up = normal.y.max(f32::MIN_POSITIVE);
        let span = Span::new(hit.y, f32::INFINITY, normal);
        Floor {
            span: span.on(surface.area, self.world.node(hit.solid)),
            up: normal.y,
            gradient: [-normal.x / up, -normal.z / up],
            forbidden: surface.obstacle || self.area(&surface).forbidden,
            inside: false,
        }
    }

    /// Of the floors in one plane at the beginning of a row of hits, the one whose mark is the strictest:
    /// where nobody may stand, then the dearest ground, then any that is not plain. Of equals the first.
    fn strictest<'h>(&self, hits: &'h [Hit]) -> &'h Hit {
        let level = hits.iter().take_while(|hit| hits[0].y - hit.y < COPLANAR);
        let strictness = |hit: &Hit| {
            let surface = self.world.surface(hit.solid, hit.triangle);
            let area = self.area(&surface);
            (surface.obstacle || area.forbidden, area.cost, surface.area > AreaId::default())
        };
        let stricter = |one: &'h Hit, other: &'h Hit| {
            if strictness(other) > strictness(one) { other } else { one }
        };
        level.filter(|hit| self.is_floor(hit)).reduce(stricter).unwrap_or(&hits[0])
    }

    fn area(&self, surface: &Surface) -> &Area {
        &self.areas[usize::from(surface.area.0)]
    }

    /// Calls back with the floors of one column, high to low. The last surface is one.
    fn find_in_column(&self, hits: &[Hit], solids: &mut Entered, mut call: impl FnMut(Floor)) {
        solids.start();
        let mut last_floor = f32::INFINITY;
        for (index, hit) in hits.iter().enumerate() {
            if last_floor - hit.y >= MERGE && self.is_floor(hit) {
                last_floor = hit.y;
                let mut floor = self.floor(self.strictest(&hits[index..]));
                floor.span.floor = hit.y;
                floor.span.ceiling = ceiling_over(hit.y, &hits[..index]);
                floor.inside = solids.contain(hit.y);
                call(floor);
            }
            if let Some(shell) = self.world.shell(hit) {
                solids.cross(shell, hit);
            }
        }
    }
}

/// Height of the lowest surface over a floor, given the hits above it, high to low.
fn ceiling_over(floor: f32, above: &[Hit]) -> f32 {
    above.iter().rev().map(|hit| hit.y).find(|y| y - floor >= MERGE).unwrap_or(f32::INFINITY)
}

/// The closed solids that a line on its way down is inside of.
#[derive(Default)]
struct Entered {
    shells: Vec<Shell>,
    /// Where the line was last seen to leave the last of them.
    left: f32,
}

/// A closed shell that the line has met.
struct Shell {
    /// Solid and shell.
    name: (u32, u32),
    /// How often it was entered and not left; negative in what is seen from inside.
    depth: i32,
    /// Seen from inside and met in the open: a room of its own, not a hollow in its solid.
    is_room: bool,
}

impl Entered {
    fn start(&mut self) {
        self.shells.clear();
        self.left = f32::INFINITY;
    }

    /// Whether a height is inside, or so close under a solid that nothing is between.
    fn contain(&self, y: f32) -> bool {
        self.is_inside() || self.left - y < MERGE
    }

    fn is_inside(&self) -> bool {
        self.shells.iter().any(|shell| shell.depth > 0 && self.depth_in(shell.name.0) > 0)
    }

    /// How deep the line is in a solid, hollows taken off.
    fn depth_in(&self, solid: u32) -> i32 {
        let counts = |shell: &&Shell| shell.name.0 == solid && !shell.is_room;
        self.shells.iter().filter(counts).map(|shell| shell.depth).sum()
    }

    fn cross(&mut self, name: (u32, u32), hit: &Hit) {
        let was_inside = self.is_inside();
        let change = if hit.faces_up() { 1 } else { -1 };
        let in_the_open = self.depth_in(name.0) <= 0;
        let at = self.shells.iter().position(|shell| shell.name == name);
        let at = at.unwrap_or_else(|| {
            self.shells.push(Shell { name, depth: 0, is_room: false });
            self.shells.len() - 1
        });
        let shell = &mut self.shells[at];
        if shell.depth == 0 {
            shell.is_room = change < 0 && in_the_open;
        }
        shell.depth += change;
        if was_inside && !self.is_inside() {
            self.left = hit.y;
        }
    }
}
