//! The caster a bake uses: the geometry of a tile is gathered once and kept for everything.
//!
//! Vertical lines are scanned triangle by triangle over the cells below; bodies are held against
//! the triangles of the bins near them. Every answer is a function of the geometry and the
//! question alone, never of the tile it is asked in.

mod core;
mod distance;
mod index;
mod scan;

use nalgebra::Point3;
use parry3d::math::Vector;

use super::body::Body;
use super::columns::{Columns, Hit};
use super::solid::{Form, WorldSolid};
use super::{Caster, Room, TileCaster, World};
use crate::grid::GridFrame;
use core::{Core, Obstacle};
use index::{Bins, Rect, TriangleIndex, TriangleRef, each_bin};
use scan::Scan;

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

    fn tile(&self, cells: &GridFrame, reach: f32) -> Tile<'_> {
        Tile::gather(self, cells, reach)
    }
}

/// The geometry near a rectangle of cells.
pub struct Tile<'a> {
    solids: &'a [WorldSolid],
    cells: GridFrame,
    triangles: Vec<TileTriangle>,
    /// Solids with round faces, which have no triangles.
    round: Vec<u32>,
    /// Solids with flat faces: their triangles are here, but a body may be inside.
    faceted: Vec<u32>,
    bins: Bins,
    lists: Vec<BinList>,
    listed: Vec<u32>,
    /// For each triangle the last question that looked at it.
    asked: Vec<u32>,
    question: u32,
}

struct TileTriangle {
    corners: [Vector; 3],
    name: TriangleRef,
    under: Rect,
    lowest: f32,
    highest: f32,
}

/// The triangles over one bin: a range of the listed ones, and the heights they lie between.
#[derive(Clone, Copy)]
struct BinList {
    start: u32,
    end: u32,
    lowest: f32,
    highest: f32,
}

/// Side of a tile's bins in parts of the reach: finer costs more visits, coarser more triangles.
const BINS_A_REACH: f32 = 3.0;
/// Most bins along a tile's side.
const MOST_BINS: u32 = 256;

impl<'a> Tile<'a> {
    fn gather(caster: &'a TiledCaster<'_>, cells: &GridFrame, reach: f32) -> Self {
        let (min, max) = cells.bounds();
        let rect = Rect { min: min.map(|v| v - reach), max: max.map(|v| v + reach) };
        let mut triangles = Vec::new();
        caster.index.near(caster.solids, &rect, |name, corners| {
            triangles.push(TileTriangle::new(name, corners));
        });
        let near = |solid: &WorldSolid| Rect::under(&[solid.bounds.mins, solid.bounds.maxs]);
        let solids = || (0u32..).zip(caster.solids).filter(|(_, s)| near(s).meets(&rect));
        let is = |wanted: fn(&Form) -> bool| {
            solids().filter(|(_, s)| wanted(&s.form)).map(|(i, _)| i).collect()
        };
        let side = (reach / BINS_A_REACH).max(cells.cell_size);
        let bins = Bins::over(&rect, side, MOST_BINS);
        let (lists, listed) = list_by_bin(&bins, &triangles);
        Tile {
            solids: caster.solids,
            cells: *cells,
            round: is(|form| matches!(form, Form::Round(_))),
            faceted: is(|form| matches!(form, Form::Faceted(..))),
            asked: vec![0; triangles.len()],
            question: 0,
            triangles,
            bins,
            lists,
            listed,
        }
    }

    /// Calls back with the hits of the round solids on a vertical line.
    fn round_hits(&self, at: [f32; 2], mut call: impl FnMut(Hit)) {
        for &index in &self.round {
            let solid = &self.solids[index as usize];
            let Form::Round(shape) = &solid.form else { continue };
            if solid.is_under(at) {
                solid.convex_hits(shape, at, |y, normal| {
                    call(Hit { y, normal: normal.to_array(), solid: index, triangle: 0 });
                });
            }
        }
    }

    /// Calls back with each thing whose box is within `reach` of the core, and its solid.
    fn near(&mut self, core: &Core, reach: f32, mut call: impl FnMut(&Obstacle, u32)) {
        let foot = core.foot();
        let [low, high] = core.heights();
        let (low, high) = (low - reach, high + reach);
        let wide = reach + core.spread;
        let rect =
            Rect { min: [foot.x - wide, foot.z - wide], max: [foot.x + wide, foot.z + wide] };
        self.question += 1;
        let Tile { bins, lists, listed, triangles, asked, question, .. } = self;
        each_bin(&bins.touched(&rect), |x, z| {
            let list = lists[bins.index(x, z)];
            if list.highest < low || list.lowest > high {
                return;
            }
            for &index in &listed[list.start as usize..list.end as usize] {
                let triangle = &triangles[index as usize];
                let beside = triangle.highest < low || triangle.lowest > high;
                if beside || !triangle.under.meets(&rect) || asked[index as usize] == *question {
                    continue;
                }
                asked[index as usize] = *question;
                call(&Obstacle::Triangle(&triangle.corners), triangle.name.solid);
            }
        });
        for &index in &self.round {
            let solid = &self.solids[index as usize];
            let Form::Round(shape) = &solid.form else { continue };
            let box_near = Rect::under(&[solid.bounds.mins, solid.bounds.maxs]).meets(&rect)
                && solid.bounds.mins.y <= high
                && solid.bounds.maxs.y >= low;
            if box_near {
                call(&Obstacle::Solid(&**shape, &solid.pose), index);
            }
        }
    }

    /// The faceted solid that a core is inside of without touching its faces.
    fn swallowed_by(&self, core: &Core) -> Option<u32> {
        let foot = core.foot();
        self.faceted.iter().copied().find(|&index| {
            let solid = &self.solids[index as usize];
            let Form::Faceted(_, shape) = &solid.form else { return false };
            solid.bounds.contains_local_point(foot) && shape.contains_point(&solid.pose, foot)
        })
    }
}

impl TileCaster for Tile<'_> {
    fn columns(&mut self) -> Columns {
        let mut found = Vec::new();
        let centers = Centers::of(&self.cells);
        for triangle in &self.triangles {
            scan_triangle(triangle, &centers, &mut found);
        }
        if !self.round.is_empty() {
            for index in 0..self.cells.cells() {
                let at = self.cells.center(self.cells.cell(index));
                self.round_hits(at, |hit| found.push((index as u32, hit)));
            }
        }
        Columns::from_hits(self.cells.cells(), &found)
    }

    fn hits_at(&mut self, at: [f32; 2], hits: &mut Vec<Hit>) {
        hits.clear();
        let point = Rect { min: at, max: at };
        let (x, z) = (f64::from(at[0]), f64::from(at[1]));
        each_bin(&self.bins.touched(&point), |bin_x, bin_z| {
            let list = self.lists[self.bins.index(bin_x, bin_z)];
            for &index in &self.listed[list.start as usize..list.end as usize] {
                let triangle = &self.triangles[index as usize];
                if !triangle.under.meets(&point) {
                    continue;
                }
                if let Some(scan) = Scan::new(&triangle.corners)
                    && scan.has(x, z)
                {
                    hits.push(triangle.hit(&scan, scan.height(x, z)));
                }
            }
        });
        self.round_hits(at, |hit| hits.push(hit));
        Hit::sort(hits);
    }

    fn room(&mut self, body: &Body, feet: Point3<f32>, enough: f32) -> Room {
        let core = Core::new(body, feet);
        if let Some(solid) = self.swallowed_by(&core) {
            return Room::Blocked(solid);
        }
        let reach = core.rounding + enough;
        let (mut least, mut nearest) = (reach * reach, u32::MAX);
        self.near(&core, reach, |obstacle, solid| {
            let square = core.way_from(obstacle).length_squared();
            if square < least || (square == least && solid < nearest) {
                (least, nearest) = (square, solid);
            }
        });
        let room = least.sqrt() - core.rounding;
        if room >= 0.0 { Room::Free(room) } else { Room::Blocked(nearest) }
    }

    fn can_move(&mut self, body: &Body, [from, to]: [Point3<f32>; 2]) -> bool {
        let core = Core::new(body, from);
        let way = Vector::new(to.x - from.x, to.y - from.y, to.z - from.z);
        let mut free = true;
        self.near(&core, core.rounding + way.length(), |obstacle, _| {
            free = free && core.clears(obstacle, way);
        });
        free
    }
}

impl TileTriangle {
    fn new(name: TriangleRef, corners: [Vector; 3]) -> Self {
        let [a, b, c] = corners.map(|v| v.y);
        TileTriangle {
            corners,
            name,
            under: Rect::under(&corners),
            lowest: a.min(b).min(c),
            highest: a.max(b).max(c),
        }
    }

    fn hit(&self, scan: &Scan, y: f32) -> Hit {
        let TriangleRef { solid, triangle } = self.name;
        Hit { y, normal: scan.normal, solid, triangle }
    }
}

/// Sorts triangles into the bins they lie over.
fn list_by_bin(bins: &Bins, triangles: &[TileTriangle]) -> (Vec<BinList>, Vec<u32>) {
    let empty = BinList { start: 0, end: 0, lowest: f32::INFINITY, highest: f32::NEG_INFINITY };
    let mut lists = vec![empty; bins.len()];
    for triangle in triangles {
        each_bin(&bins.touched(&triangle.under), |x, z| {
            let list = &mut lists[bins.index(x, z)];
            list.end += 1;
            list.lowest = list.lowest.min(triangle.lowest);
            list.highest = list.highest.max(triangle.highest);
        });
    }
    let mut start = 0;
    for list in &mut lists {
        let length = list.end;
        (list.start, list.end) = (start, start);
        start += length;
    }
    let mut listed = vec![0; start as usize];
    for (index, triangle) in triangles.iter().enumerate() {
        each_bin(&bins.touched(&triangle.under), |x, z| {
            let list = &mut lists[bins.index(x, z)];
            listed[list.end as usize] = index as u32;
            list.end += 1;
        });
    }
    (lists, listed)
}

/// The centers of a rectangle's cells along x and along z.
struct Centers {
    x: Vec<f64>,
    z: Vec<f64>,
}

impl Centers {
    fn of(cells: &GridFrame) -> Self {
        let along = |size: u32, center: &dyn Fn(i32) -> f32| {
            (0..size as i32).map(|i| f64::from(center(i))).collect()
        };
        let cell = |x, z| crate::grid::Cell::new(cells.min.x + x, cells.min.z + z);
        Centers {
            x: along(cells.size_x, &|i| cells.center(cell(i, 0))[0]),
            z: along(cells.size_z, &|i| cells.center(cell(0, i))[1]),
        }
    }
}

/// Adds the hits of all cell centers under a triangle.
fn scan_triangle(triangle: &TileTriangle, centers: &Centers, found: &mut Vec<(u32, Hit)>) {
    let Some(scan) = Scan::new(&triangle.corners) else { return };
    let rows = centers.z.partition_point(|&z| z < scan.rows[0])
        ..centers.z.partition_point(|&z| z <= scan.rows[1]);
    for row in rows {
        let z = centers.z[row];
        let [enters, leaves] = scan.span_of_row(z);
        let mut start = centers.x.partition_point(|&x| x < enters).saturating_sub(1);
        let mut end = (centers.x.partition_point(|&x| x <= leaves) + 1).min(centers.x.len());
        while start < end && !scan.has(centers.x[start], z) {
            start += 1;
        }
        while start < end && !scan.has(centers.x[end - 1], z) {
            end -= 1;
        }
        for column in start..end {
            let y = scan.height(centers.x[column], z);
            let cell = (row * centers.x.len() + column) as u32;
            found.push((cell, triangle.hit(&scan, y)));
        }
    }
}
