//! Which triangles are where: a uniform grid of bins over the whole world, made once.
//!
//! A tile asks it for the triangles near its rectangle. The result does not depend on cells or
//! tiles, only on the geometry.

use parry3d::bounding_volume::BoundingVolume;
use parry3d::math::Vector;
use rayon::prelude::*;

use super::squares::{SquareRange, Squares};
use crate::casts::solid::WorldSolid;
use surefoot_rapier::measure::{Bounds, Rect};

/// A triangle of a solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TriangleRef {
    pub solid: u32,
    pub triangle: u32,
}

/// The triangles of a world by the bins they lie over.
#[derive(Debug)]
pub(super) struct TriangleIndex {
    bins: Squares,
    first: Vec<u32>,
    refs: Vec<TriangleRef>,
    /// Triangles over so many bins that listing them there would not pay.
    wide: Vec<TriangleRef>,
    /// The rectangle below each triangle, solid by solid.
    rects: Vec<Rect>,
    /// For each solid the position of its first rectangle.
    first_rects: Vec<usize>,
}

/// Triangles to the bin, on average.
const TRIANGLES_A_BIN: usize = 8;
/// A triangle over more bins than this is listed once, as wide.
const WIDE: u32 = 64;
/// Most bins along a side.
const MOST_BINS: u32 = 2048;

impl TriangleIndex {
    /// Sorts all triangles into bins. O(triangles).
    pub fn new(solids: &[WorldSolid]) -> Self {
        let (rects, first_rects) = rects_of(solids);
        let whole = solids.iter().map(|solid| solid.bounds).reduce(|a, b| a.merged(&b));
        let rect =
            whole.map_or(Rect { min: [0.0; 2], max: [0.0; 2] }, |aabb| Bounds::from(aabb).under());
        let longest = (rect.max[0] - rect.min[0]).max(rect.max[1] - rect.min[1]);
        let per_side = ((rects.len() / TRIANGLES_A_BIN) as f32).sqrt().ceil().max(1.0);
        let bins = Squares::over(&rect, longest / per_side, MOST_BINS);
        let mut index = TriangleIndex {
            first: vec![0; bins.len() + 1],
            bins,
            refs: Vec::new(),
            wide: Vec::new(),
            rects,
            first_rects,
        };
        index.fill();
        index
    }

    fn fill(&mut self) {
        let mut wide = Vec::new();
        let mut counts = std::mem::take(&mut self.first);
        self.visit(|triangle, touched| match touched {
            Some(bin) => counts[bin + 1] += 1,
            None => wide.push(triangle),
        });
        for bin in 1..counts.len() {
            counts[bin] += counts[bin - 1];
        }
        let mut next = counts.clone();
        let mut refs = vec![TriangleRef::default(); counts.last().map_or(0, |&n| n as usize)];
        self.visit(|triangle, touched| {
            if let Some(bin) = touched {
                refs[next[bin] as usize] = triangle;
                next[bin] += 1;
            }
        });
        (self.first, self.refs, self.wide) = (counts, refs, wide);
    }

    /// Calls back with each triangle and each bin it touches, or once with `None` for a wide one.
    fn visit(&self, mut call: impl FnMut(TriangleRef, Option<usize>)) {
        let ends = self.first_rects.iter().skip(1).copied().chain([self.rects.len()]);
        for ((solid, &start), end) in (0u32..).zip(&self.first_rects).zip(ends) {
            for (triangle, rect) in (0u32..).zip(&self.rects[start..end]) {
                let triangle = TriangleRef { solid, triangle };
                let touched = self.bins.touched(rect);
                if bins_in(&touched) > WIDE {
                    call(triangle, None);
                } else {
                    self.bins.each(&touched, |bin| call(triangle, Some(bin)));
                }
            }
        }
    }

    fn rect(&self, TriangleRef { solid, triangle }: TriangleRef) -> &Rect {
        &self.rects[self.first_rects[solid as usize] + triangle as usize]
    }

    /// Calls back once with each triangle whose rectangle meets the given one, and its corners.
    pub fn near(
        &self,
        solids: &[WorldSolid],
        rect: &Rect,
        mut call: impl FnMut(TriangleRef, [Vector; 3]),
    ) {
        let asked = self.bins.touched(rect);
        let mut call = |triangle: TriangleRef| {
            let solid = &solids[triangle.solid as usize];
            if let Some(facets) = solid.facets() {
                call(triangle, solid.triangle(facets, triangle.triangle));
            }
        };
        self.bins.each(&asked, |bin| {
            for &triangle in &self.refs[self.first[bin] as usize..self.first[bin + 1] as usize] {
                let under = self.rect(triangle);
                let least = self.bins.touched(under)[0];
                // Of the bins it shares with the rectangle, the first one speaks for it.
                let [x, z] = [least[0].max(asked[0][0]), least[1].max(asked[0][1])];
                if self.bins.index([x, z]) == bin && under.meets(rect) {
                    call(triangle);
                }
            }
        });
        for &triangle in self.wide.iter().filter(|&&triangle| self.rect(triangle).meets(rect)) {
            call(triangle);
        }
    }
}

/// The rectangle below each triangle, solid by solid; and where those of each solid start.
fn rects_of(solids: &[WorldSolid]) -> (Vec<Rect>, Vec<usize>) {
    let mut rects = Vec::new();
    let mut first = Vec::with_capacity(solids.len());
    for solid in solids {
        first.push(rects.len());
        if let Some(facets) = solid.facets() {
            let under = |t| Bounds::of_triangle(&solid.triangle(facets, t)).under();
            rects.par_extend((0..facets.triangles.len() as u32).into_par_iter().map(under));
        }
    }
    (rects, first)
}

/// Number of bins in a range.
fn bins_in([min, max]: &SquareRange) -> u32 {
    (max[0] - min[0] + 1).saturating_mul(max[1] - min[1] + 1)
}
