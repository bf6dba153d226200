//! Which triangles are where: a uniform grid of bins over the whole world, made once.
//!
//! A tile asks it for the triangles near its rectangle. The result does not depend on cells or
//! tiles, only on the geometry.

use parry3d::math::Vector;

use super::super::solid::WorldSolid;

/// A triangle of a solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TriangleRef {
    pub solid: u32,
    pub triangle: u32,
}

/// A rectangle on the ground: least and greatest x and z, inclusive [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub min: [f32; 2],
    pub max: [f32; 2],
}

impl Rect {
    /// The rectangle under some points.
    pub fn under(points: &[Vector]) -> Rect {
        let start = Rect { min: [f32::INFINITY; 2], max: [f32::NEG_INFINITY; 2] };
        points.iter().fold(start, |rect, p| Rect {
            min: [rect.min[0].min(p.x), rect.min[1].min(p.z)],
            max: [rect.max[0].max(p.x), rect.max[1].max(p.z)],
        })
    }

    /// Whether the two have a point in common.
    pub fn meets(&self, other: &Rect) -> bool {
        (0..2).all(|i| self.min[i] <= other.max[i] && self.max[i] >= other.min[i])
    }
}

/// Bins over a rectangle, each a square; what lies outside counts as in the outermost bins.
#[derive(Clone, Debug)]
pub(super) struct Bins {
    origin: [f32; 2],
    side: f32,
    pub counts: [u32; 2],
}

impl Bins {
    /// Bins of at least a side length over a rectangle, at most `most` along each side.
    pub fn over(rect: &Rect, side: f32, most: u32) -> Self {
        let lengths = [rect.max[0] - rect.min[0], rect.max[1] - rect.min[1]];
        let longest = lengths[0].max(lengths[1]).max(f32::MIN_POSITIVE);
        let side = side.max(longest / most as f32);
        let counts = lengths.map(|length| ((length / side).ceil() as u32).clamp(1, most));
        Bins { origin: rect.min, side, counts }
    }

    /// Number of bins.
    pub fn len(&self) -> usize {
        self.counts[0] as usize * self.counts[1] as usize
    }

    /// The bins a rectangle touches: least and greatest along x and z, inclusive.
    pub fn touched(&self, rect: &Rect) -> [[u32; 2]; 2] {
        let place = |value: f32, i: usize| {
            // A cast from float saturates, which is what bins at the border want.
            (((value - self.origin[i]) / self.side) as u32).min(self.counts[i] - 1)
        };
        [
            [place(rect.min[0], 0), place(rect.min[1], 1)],
            [place(rect.max[0], 0), place(rect.max[1], 1)],
        ]
    }

    /// Position of a bin in row-major order.
    pub fn index(&self, x: u32, z: u32) -> usize {
        z as usize * self.counts[0] as usize + x as usize
    }
}

/// The triangles of a world by the bins they lie over.
#[derive(Debug)]
pub(super) struct TriangleIndex {
    bins: Bins,
    first: Vec<u32>,
    refs: Vec<TriangleRef>,
    /// Triangles over so many bins that listing them there would not pay.
    wide: Vec<TriangleRef>,
}

/// Triangles to the bin, on average.
const TRIANGLES_A_BIN: usize = 8;
/// A triangle over more bins than this is listed once, as wide.
const WIDE: u32 = 1024;
/// Most bins along a side.
const MOST_BINS: u32 = 2048;

impl TriangleIndex {
    /// Sorts all triangles into bins. O(triangles).
    pub fn new(solids: &[WorldSolid]) -> Self {
        let (mut count, mut whole) = (0, Vec::new());
        for solid in solids {
            count += solid.facets().map_or(0, |facets| facets.triangles.len());
            whole.extend([solid.bounds.mins, solid.bounds.maxs]);
        }
        let rect =
            if whole.is_empty() { Rect::under(&[Vector::ZERO]) } else { Rect::under(&whole) };
        let per_side = ((count / TRIANGLES_A_BIN) as f32).sqrt().ceil().max(1.0);
        let longest = (rect.max[0] - rect.min[0]).max(rect.max[1] - rect.min[1]);
        let bins = Bins::over(&rect, longest / per_side, MOST_BINS);
        let mut index = TriangleIndex {
            first: vec![0; bins.len() + 1],
            bins,
            refs: Vec::new(),
            wide: Vec::new(),
        };
        index.fill(solids);
        index
    }

    fn fill(&mut self, solids: &[WorldSolid]) {
        let mut wide = Vec::new();
        let mut counts = std::mem::take(&mut self.first);
        self.visit(solids, |triangle, touched| match touched {
            Some(bin) => counts[bin + 1] += 1,
            None => wide.push(triangle),
        });
        for bin in 1..counts.len() {
            counts[bin] += counts[bin - 1];
        }
        let mut next = counts.clone();
        let mut refs = vec![TriangleRef::default(); counts.last().map_or(0, |&n| n as usize)];
        self.visit(solids, |triangle, touched| {
            if let Some(bin) = touched {
                refs[next[bin] as usize] = triangle;
                next[bin] += 1;
            }
        });
        (self.first, self.refs, self.wide) = (counts, refs, wide);
    }

    /// Calls back with each triangle and each bin it touches, or once with `None` for a wide one.
    fn visit(&self, solids: &[WorldSolid], mut call: impl FnMut(TriangleRef, Option<usize>)) {
        for (s, solid) in solids.iter().enumerate() {
            let Some(facets) = solid.facets() else { continue };
            for t in 0..facets.triangles.len() as u32 {
                let triangle = TriangleRef { solid: s as u32, triangle: t };
                let touched = self.bins.touched(&Rect::under(&solid.triangle(facets, t)));
                if bins_in(&touched) > WIDE {
                    call(triangle, None);
                } else {
                    each_bin(&touched, |x, z| call(triangle, Some(self.bins.index(x, z))));
                }
            }
        }
    }

    /// Calls back once with each triangle whose rectangle meets the given one, and its corners.
    pub fn near(
        &self,
        solids: &[WorldSolid],
        rect: &Rect,
        mut call: impl FnMut(TriangleRef, [Vector; 3]),
    ) {
        let asked = self.bins.touched(rect);
        let corners = |triangle: TriangleRef| {
            let solid = &solids[triangle.solid as usize];
            solid.facets().map(|facets| solid.triangle(facets, triangle.triangle))
        };
        each_bin(&asked, |x, z| {
            let bin = self.bins.index(x, z);
            for &triangle in &self.refs[self.first[bin] as usize..self.first[bin + 1] as usize] {
                let Some(corners) = corners(triangle) else { continue };
                let under = Rect::under(&corners);
                let touched = self.bins.touched(&under);
                // Of the bins it shares with the rectangle, the first one speaks for it.
                let speaks = [touched[0][0].max(asked[0][0]), touched[0][1].max(asked[0][1])];
                if speaks == [x, z] && under.meets(rect) {
                    call(triangle, corners);
                }
            }
        });
        for &triangle in &self.wide {
            if let Some(corners) = corners(triangle)
                && Rect::under(&corners).meets(rect)
            {
                call(triangle, corners);
            }
        }
    }
}

/// Number of bins in a range.
fn bins_in([min, max]: &[[u32; 2]; 2]) -> u32 {
    (max[0] - min[0] + 1).saturating_mul(max[1] - min[1] + 1)
}

/// Calls back with each bin of a range.
pub(super) fn each_bin([min, max]: &[[u32; 2]; 2], mut call: impl FnMut(u32, u32)) {
    for z in min[1]..=max[1] {
        for x in min[0]..=max[0] {
            call(x, z);
        }
    }
}
