//! The triangles of a whole world, by a uniform grid of bins on the ground.
//!
//! Built once. Each tile then collects the triangles near its rectangle. The index depends on the
//! geometry alone, not on cells or tiles.

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

/// The triangles of a world, by the bins that they lie over.
#[derive(Debug)]
pub(super) struct TriangleIndex {
    bins: SquareGrid,
    /// For each bin the index of its first entry; one more closes the last.
    first: Vec<u32>,
    /// For each entry its triangle.
    entries: Vec<TriangleRef>,
    /// Triangles over more than [`MAX_BINS_OF_TRIANGLE`] bins, listed here and in no bin.
    wide: Vec<TriangleRef>,
    /// The rectangle below each triangle, solid by solid.
    rects: Vec<GroundRect>,
    /// For each solid the index of its first rectangle.
    first_rect: Vec<usize>,
    /// The solids that are more than triangles. A level may have a million others.
    bodies: Vec<u32>,
}

/// Triangles per bin, on average.
const TRIANGLES_PER_BIN: usize = 8;
/// Most bins that a triangle is listed in.
const MAX_BINS_OF_TRIANGLE: u32 = 64;
/// Most bins along a side.
const MAX_BINS: u32 = 2048;

impl TriangleIndex {
    /// Sorts all triangles into bins. O(triangles).
    pub fn new(solids: &[WorldSolid]) -> Self {
        let (rects, first_rect) = rects_of(solids);
        let whole = solids.iter().map(|solid| solid.bounds).reduce(|a, b| a.merged(&b));
        let rect = whole.map_or(GroundRect { min: [0.0; 2], max: [0.0; 2] }, |aabb| {
            Bounds::from(aabb).ground_rect()
        });
        let longest = (rect.max[0] - rect.min[0]).max(rect.max[1] - rect.min[1]);
        let per_side = ((rects.len() / TRIANGLES_PER_BIN) as f32).sqrt().ceil().max(1.0);
        let bins = SquareGrid::over(&rect, longest / per_side, MAX_BINS);
        let mut index = TriangleIndex {
            first: vec![0; bins.len() + 1],
            bins,
            entries: Vec::new(),
            wide: Vec::new(),
            rects,
            first_rect,
            bodies: (0u32..)
                .zip(solids)
                .filter(|(_, solid)| !matches!(solid.form, SolidForm::Shell(_)))
                .map(|(number, _)| number)
                .collect(),
        };
        index.fill();
        index
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

    /// Returns the solids that are more than triangles, in order.
    pub fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    fn rect(&self, TriangleRef { solid, triangle }: TriangleRef) -> &GroundRect {
        &self.rects[self.first_rect[solid as usize] + triangle as usize]
    }

    /// Calls back once with each triangle whose rectangle intersects the given one, and its
    /// corners.
    pub fn for_each_near(
        &self,
        solids: &[WorldSolid],
        rect: &GroundRect,
        mut call: impl FnMut(TriangleRef, [Vector; 3]),
    ) {
        let range = self.bins.range(rect);
        let mut call = |triangle: TriangleRef| {
            let solid = &solids[triangle.solid as usize];
            if let Some(facets) = solid.facets() {
                call(triangle, solid.triangle(facets, triangle.triangle));
            }
        };
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
        for &triangle in self.wide.iter().filter(|&&triangle| self.rect(triangle).intersects(rect))
        {
            call(triangle);
        }
    }
}

/// Returns the rectangle below each triangle, solid by solid, and for each solid the index of its
/// first.
fn rects_of(solids: &[WorldSolid]) -> (Vec<GroundRect>, Vec<usize>) {
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
