//! The triangles of a whole world, by uniform grids of bins on the ground.
//!
//! Each tile collects the triangles near its rectangle. The index depends on the geometry alone, not on
//! cells or tiles. Nearly always it is one part; the large meshes of a level that changes are parts of
//! their own, which are kept from one update to the next.

use std::sync::Arc;

use parry3d::bounding_volume::BoundingVolume;
use parry3d::math::Vector;
use rayon::prelude::*;

use super::square_grid::SquareGrid;
use crate::casts::solid::{SolidForm, WorldSolid};
use surefoot_rapier::distance::{Bounds, GroundRect};

/// A triangle of a solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TriangleRef {
    pub solid: u32,
    pub triangle: u32,
}

/// The triangles of a world.
#[derive(Debug)]
pub(super) struct TriangleIndex {
    parts: Vec<PlacedPart>,
    /// The solids that are more than triangles. A level may have a million others.
    bodies: Vec<u32>,
}

/// The index of some solids of a world.
#[derive(Clone, Debug)]
pub(in crate::casts) struct PlacedPart {
    /// For each solid of the part its number in the world.
    pub solids: Vec<u32>,
    pub part: Arc<IndexPart>,
}

/// The triangles of some solids, by the bins that they lie over.
#[derive(Debug)]
pub(in crate::casts) struct IndexPart {
    /// What all of it lies over.
    extent: GroundRect,
    bins: SquareGrid,
    /// For each bin the index of its first entry; one more closes the last.
    first: Vec<u32>,
    /// For each entry its triangle; solids are counted in the part.
    entries: Vec<TriangleRef>,
    /// Triangles over more than [`MAX_BINS_OF_TRIANGLE`] bins, listed here and in no bin.
    wide: Vec<TriangleRef>,
    /// The rectangle below each triangle, solid by solid.
    rects: Vec<GroundRect>,
    /// For each solid the index of its first rectangle.
    first_rect: Vec<usize>,
}

/// Triangles per bin, on average.
const TRIANGLES_PER_BIN: usize = 8;
/// Most bins that a triangle is listed in.
const MAX_BINS_OF_TRIANGLE: u32 = 64;
/// Most bins along a side.
const MAX_BINS: u32 = 2048;

impl TriangleIndex {
    /// Sorts all triangles into bins, but for those of solids that are in known parts. O(triangles).
    pub fn new(solids: &[WorldSolid], known: Vec<PlacedPart>) -> Self {
        let mut is_known = vec![false; solids.len()];
        known.iter().flat_map(|part| &part.solids).for_each(|&at| is_known[at as usize] = true);
        let numbered = || (0u32..).zip(solids);
        let others: Vec<u32> =
            numbered().map(|(at, _)| at).filter(|&at| !is_known[at as usize]).collect();
        let rest = others.iter().map(|&at| &solids[at as usize]).collect::<Vec<_>>();
        let rest = PlacedPart { part: Arc::new(IndexPart::new(&rest)), solids: others };
        let is_body = |solid: &WorldSolid| !matches!(solid.form, SolidForm::Shell(_));
        let bodies = numbered().filter(|(_, solid)| is_body(solid)).map(|(at, _)| at).collect();
        TriangleIndex { parts: known.into_iter().chain([rest]).collect(), bodies }
    }

    /// Returns the solids that are more than triangles, in order.
    pub fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// Calls back once with each triangle whose rectangle intersects the given one, and its
    /// corners.
    pub fn for_each_near(
        &self,
        solids: &[WorldSolid],
        rect: &GroundRect,
        mut call: impl FnMut(TriangleRef, [Vector; 3]),
    ) {
        for PlacedPart { solids: numbers, part } in &self.parts {
            part.for_each_near(rect, |TriangleRef { solid, triangle }| {
                let number = numbers[solid as usize];
                let solid = &solids[number as usize];
                if let Some(facets) = solid.facets() {
                    let corners = solid.triangle(facets, triangle);
                    call(TriangleRef { solid: number, triangle }, corners);
                }
            });
        }
    }
}

impl IndexPart {
    /// Sorts the triangles of some solids into bins. O(triangles).
    pub fn new(solids: &[&WorldSolid]) -> Self {
        let (rects, first_rect) = rects_of(solids);
        let whole = solids.iter().map(|solid| solid.bounds).reduce(|a, b| a.merged(&b));
        let extent = whole.map_or(GroundRect { min: [0.0; 2], max: [0.0; 2] }, |aabb| {
            Bounds::from(aabb).ground_rect()
        });
        let longest = (extent.max[0] - extent.min[0]).max(extent.max[1] - extent.min[1]);
        let per_side = ((rects.len() / TRIANGLES_PER_BIN) as f32).sqrt().ceil().max(1.0);
        let bins = SquareGrid::over(&extent, longest / per_side, MAX_BINS);
        let mut part = IndexPart {
            extent,
            first: vec![0; bins.len() + 1],
            bins,
            entries: Vec::new(),
            wide: Vec::new(),
            rects,
            first_rect,
        };
        part.fill();
        part
    }

    fn fill(&mut self) {
        let mut wide = Vec::new();
        let mut counts = std::mem::take(&mut self.first);
        self.visit(|triangle, bin| match bin {
            Some(bin) => counts[bin + 1] += 1,
            None => wide.push(triangle),
        });
        for bin in 1..counts.len() {
            counts[bin] += counts[bin - 1];
        }
        let mut next = counts.clone();
        let mut entries = vec![TriangleRef::default(); counts.last().map_or(0, |&n| n as usize)];
        self.visit(|triangle, bin| {
            if let Some(bin) = bin {
                entries[next[bin] as usize] = triangle;
                next[bin] += 1;
            }
        });
        (self.first, self.entries, self.wide) = (counts, entries, wide);
    }

    /// Calls back with each triangle and each bin it touches, or once with `None` for a wide one.
    fn visit(&self, mut call: impl FnMut(TriangleRef, Option<usize>)) {
        let ends = self.first_rect.iter().skip(1).copied().chain([self.rects.len()]);
        for ((solid, &start), end) in (0u32..).zip(&self.first_rect).zip(ends) {
            for (triangle, rect) in (0u32..).zip(&self.rects[start..end]) {
                let triangle = TriangleRef { solid, triangle };
                let bins = self.bins.range(rect);
                if bins.count() > MAX_BINS_OF_TRIANGLE {
                    call(triangle, None);
                } else {
                    self.bins.for_each(bins, |bin| call(triangle, Some(bin)));
                }
            }
        }
    }

    fn rect(&self, TriangleRef { solid, triangle }: TriangleRef) -> &GroundRect {
        &self.rects[self.first_rect[solid as usize] + triangle as usize]
    }

    /// Calls back once with each triangle whose rectangle intersects the given one.
    fn for_each_near(&self, rect: &GroundRect, mut call: impl FnMut(TriangleRef)) {
        if !self.extent.intersects(rect) {
            return;
        }
        let range = self.bins.range(rect);
        self.bins.for_each(range, |bin| {
            for &triangle in &self.entries[self.first[bin] as usize..self.first[bin + 1] as usize] {
                let below = self.rect(triangle);
                // Reported from the first bin that it shares with the rectangle.
                let min = self.bins.range(below).min;
                let [x, z] = [0, 1].map(|i| min[i].max(range.min[i]));
                if self.bins.index([x, z]) == bin && below.intersects(rect) {
                    call(triangle);
                }
            }
        });
        let near = |triangle: &&TriangleRef| self.rect(**triangle).intersects(rect);
        self.wide.iter().filter(near).for_each(|&triangle| call(triangle));
    }
}

/// Returns the rectangle below each triangle, solid by solid, and for each solid the index of its
/// first.
fn rects_of(solids: &[&WorldSolid]) -> (Vec<GroundRect>, Vec<usize>) {
    let mut rects = Vec::new();
    let mut first = Vec::with_capacity(solids.len());
    for solid in solids {
        first.push(rects.len());
        if let Some(facets) = solid.facets() {
            let below = |t| Bounds::of_triangle(&solid.triangle(facets, t)).ground_rect();
            rects.par_extend((0..facets.triangles.len() as u32).into_par_iter().map(below));
        }
    }
    (rects, first)
}
