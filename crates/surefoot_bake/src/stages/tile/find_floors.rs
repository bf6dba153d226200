//! Finds floors: turns the surfaces on vertical lines into spans.
//!
//! Upper sides are floors, and the next surface above one is its ceiling. Floors closer than a
//! centimetre are merged; among coplanar surfaces the strictest mark counts. A floor inside a
//! closed solid is kept and marked, so that users can query why it is not walkable.

use std::ops::Range;

use nalgebra::{Point3, Vector3};

use crate::casts::{Columns, Hit, World};
use crate::scene::Surface;
use surefoot::grid::{Area, AreaId, Cell, GridFrame, Span};

/// Hits closer than this are merged [m].
const MERGE_HEIGHT: f32 = 0.01;
/// Hits closer than this are coplanar [m].
const COPLANAR_TOLERANCE: f32 = 1e-3;

/// A floor: the span that it becomes, and what standing on it depends on.
#[derive(Clone, Copy, Debug)]
pub(in crate::stages) struct Floor {
    pub span: Span,
    /// The y of the unit normal, not rounded like the span's.
    pub up: f32,
    /// Rise per metre along x and along z.
    pub gradient: [f32; 2],
    /// Marked by the author: no agent may stand on it.
    pub forbidden: bool,
    /// It lies inside a closed solid.
    pub inside: bool,
}

impl Floor {
    /// Returns how far a body moves at most from the center of a cell to a corner, on the floor's slope
    /// [m].
    pub fn way_to_corner(&self, cell_size: f32) -> f32 {
        let [along_x, along_z] = self.gradient;
        let slope = along_x * along_x + along_z * along_z;
        cell_size * (0.5 * (1.0 + slope)).sqrt()
    }
}

/// The floors of a rectangle of cells, each column low to high.
pub(in crate::stages) struct Floors {
    /// For each cell the index of its first floor; one more entry closes the last.
    pub first: Vec<u32>,
    pub floors: Vec<Floor>,
}

impl Floors {
    /// Finds the floors in columns of hits.
    pub fn find(world: &World, columns: &Columns, cells: usize, areas: &[Area]) -> Self {
        let mut first = Vec::with_capacity(cells + 1);
        let mut floors = Vec::with_capacity(cells);
        let rules = SurfaceRules { world, areas };
        let mut entered = EnteredShells::default();
        first.push(0);
        for cell in 0..cells {
            let hits = columns.column(cell);
            let lowest = hits.iter().rposition(|hit| rules.is_floor(hit));
            match &hits[..lowest.map_or(0, |lowest| lowest + 1)] {
                [] => {}
                // Most columns have nothing above their only floor.
                [hit] => floors.push(rules.floor(hit)),
                hits => {
                    let start = floors.len();
                    rules.find_in_column(hits, &mut entered, |floor| floors.push(floor));
                    floors[start..].reverse();
                }
            }
            first.push(floors.len() as u32);
        }
        Floors { first, floors }
    }

    /// Returns for each floor the point above the center of its cell.
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

    /// Returns the indices of the floors of each cell in a row.
    pub fn columns(&self, cells: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let first = &self.first[cells.start..=cells.end];
        first.windows(2).map(|ends| ends[0] as usize..ends[1] as usize)
    }

    /// Returns the indices of a cell's floors.
    pub fn column(&self, cell: usize) -> Range<usize> {
        self.first[cell] as usize..self.first[cell + 1] as usize
    }
}

/// Which surfaces are floors, and what the author marked them as.
struct SurfaceRules<'a> {
    world: &'a World,
    /// Kinds of rules.
    areas: &'a [Area],
}

impl SurfaceRules<'_> {
    /// Returns whether a surface is the upper side of something, or counts as one.
    #[inline]
    fn is_floor(&self, hit: &Hit) -> bool {
        let is_two_sided = || self.world.surface(hit.solid, hit.triangle).two_sided;
        hit.faces_up() || (hit.normal[1] < 0.0 && is_two_sided())
    }

    /// Returns the floor that a surface is, without a ceiling.
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

    /// Returns the strictest of the coplanar floors that some hits start with: forbidden before
    /// allowed, then the most expensive, then any named area. Ties go to the first.
    fn strictest<'h>(&self, hits: &'h [Hit]) -> &'h Hit {
        let coplanar = hits.iter().take_while(|hit| hits[0].y - hit.y < COPLANAR_TOLERANCE);
        let strictness = |hit: &Hit| {
            let surface = self.world.surface(hit.solid, hit.triangle);
            let area = self.area(&surface);
            (surface.obstacle || area.forbidden, area.cost, surface.area > AreaId::default())
        };
        let stricter = |one: &'h Hit, other: &'h Hit| {
            if strictness(other) > strictness(one) { other } else { one }
        };
        coplanar.filter(|hit| self.is_floor(hit)).reduce(stricter).unwrap_or(&hits[0])
    }

    fn area(&self, surface: &Surface) -> &Area {
        &self.areas[usize::from(surface.area.0)]
    }

    /// Calls back with the floors of one column, high to low. The last hit must be a floor.
    fn find_in_column(
        &self,
        hits: &[Hit],
        entered: &mut EnteredShells,
        mut call: impl FnMut(Floor),
    ) {
        entered.clear();
        let mut last_floor = f32::INFINITY;
        for (index, hit) in hits.iter().enumerate() {
            if last_floor - hit.y >= MERGE_HEIGHT && self.is_floor(hit) {
                last_floor = hit.y;
                let mut floor = self.floor(self.strictest(&hits[index..]));
                floor.span.floor = hit.y;
                floor.span.ceiling = ceiling_over(hit.y, &hits[..index]);
                floor.inside = entered.contain(hit.y);
                call(floor);
            }
            if let Some(shell) = self.world.shell(hit) {
                entered.cross(shell, hit);
            }
        }
    }
}

/// Returns the height of the lowest surface above a floor, given the hits above it, high to low
/// [m].
fn ceiling_over(floor: f32, above: &[Hit]) -> f32 {
    above.iter().rev().map(|hit| hit.y).find(|y| y - floor >= MERGE_HEIGHT).unwrap_or(f32::INFINITY)
}

/// The closed shells that a line going down is inside of.
#[derive(Default)]
struct EnteredShells {
    shells: Vec<ShellDepth>,
    /// Height at which the line last left all of them [m].
    left: f32,
}

/// A closed shell that the line has crossed.
struct ShellDepth {
    solid: u32,
    /// Number of the shell in its solid.
    shell: u32,
    /// How often it was entered and not left; negative if its faces look inward.
    depth: i32,
    /// Its faces look inward and it is not inside another shell of its solid: a room, not a cavity.
    is_room: bool,
}

impl EnteredShells {
    fn clear(&mut self) {
        self.shells.clear();
        self.left = f32::INFINITY;
    }

    /// Returns whether a height is inside a solid, or so close below one that nothing fits between.
    fn contain(&self, y: f32) -> bool {
        self.is_inside() || self.left - y < MERGE_HEIGHT
    }

    fn is_inside(&self) -> bool {
        self.shells.iter().any(|shell| shell.depth > 0 && self.depth_in(shell.solid) > 0)
    }

    /// Returns how deep the line is in a solid; cavities count against it.
    fn depth_in(&self, solid: u32) -> i32 {
        let counts = |shell: &&ShellDepth| shell.solid == solid && !shell.is_room;
        self.shells.iter().filter(counts).map(|shell| shell.depth).sum()
    }

    fn cross(&mut self, shell: u32, hit: &Hit) {
        let was_inside = self.is_inside();
        let change = if hit.faces_up() { 1 } else { -1 };
        let in_the_open = self.depth_in(hit.solid) <= 0;
        let solid = hit.solid;
        let known = |known: &ShellDepth| known.solid == solid && known.shell == shell;
        let at = self.shells.iter().position(known);
        let at = at.unwrap_or_else(|| {
            self.shells.push(ShellDepth { solid, shell, depth: 0, is_room: false });
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
