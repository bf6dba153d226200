//! Provides [`walk_segment`]: cuts a straight segment over the ground into pieces, a batch at a time.
//!
//! A segment's knots are its ends and, for each cell it crosses in between, the middle of its line over
//! that cell, at the height of the cell's own floor there. Line of sight is looked at first and knots are
//! tied a batch of cells later: what is in the way ends most segments, and the knots of a batch do not wait
//! for one another.

use crate::cost::Stride;
use crate::grid::{CellOffset, SpanId, plane};
use crate::view::{NavPoint, PlanarNavPoint, ViewRef};

use super::sight::{BorderCrossing, LineEnd, follow};

/// Where a segment ends.
#[derive(Clone, Copy)]
pub(crate) enum SegmentTarget<'a> {
    /// At a nav point; the segment is blocked if it does not lead onto its span.
    NavPoint(&'a NavPoint),
    /// On the ground at a place (x, z), whatever span the line leads onto.
    Place([f32; 2]),
}

/// A piece of a segment, from knot to knot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentPiece {
    /// The spans it starts and ends on.
    pub spans: [u32; 2],
    pub stride: Stride,
}

/// A knot of a segment.
#[derive(Clone, Copy, Debug, Default)]
struct SegmentKnot {
    span: u32,
    /// The part of the segment before it [0..=1].
    at: f32,
    /// [m]
    height: f32,
    /// The part of the segment before the cell that it lies over [0..=1].
    border: f32,
}

/// A cell that a segment has entered.
#[derive(Clone, Copy, Debug, Default)]
struct EnteredCell {
    span: u32,
    /// The part of the segment before its border [0..=1].
    at: f32,
    /// The segment's start, from the center of the cell [m].
    offset: [f32; 2],
}

/// Pieces in a row.
pub(crate) struct SegmentPieces {
    /// Of the whole segment, along x and z [m].
    whole: [f32; 2],
    /// The knots from the start of the first piece to the end of the last.
    knots: [SegmentKnot; BATCH + 1],
    count: usize,
}

/// The most pieces in a row.
const BATCH: usize = 16;

/// Cuts a segment into its pieces, and calls with some of them at a time until `each` returns false. The
/// end that it leads to, unless it is blocked or left.
#[inline]
pub(crate) fn walk_segment(
    view: &ViewRef,
    from: &NavPoint,
    target: SegmentTarget,
    mut each: impl FnMut(&SegmentPieces) -> bool,
) -> Result<NavPoint, LineEnd> {
    let to = target.place();
    let mut walk = Walk::new(view, from, to);
    let end = follow(view, from, to, |crossing| {
        let goes_on = walk.entered < BATCH || each(walk.tie_to(crossing.at));
        walk.enter(&crossing);
        goes_on
    });
    let LineEnd::Reached { span } = end else { return Err(end) };
    let end = target.at(view, SpanId(span)).ok_or(LineEnd::Nowhere)?;
    if each(walk.tie_end(end.point.y)) { Ok(end) } else { Err(LineEnd::Left) }
}

impl SegmentTarget<'_> {
    fn place(self) -> [f32; 2] {
        match self {
            SegmentTarget::NavPoint(to) => to.place(),
            SegmentTarget::Place(to) => to,
        }
    }

    /// The end on the span that the line leads onto.
    fn at(self, view: &ViewRef, span: SpanId) -> Option<NavPoint> {
        match self {
            SegmentTarget::NavPoint(to) => (to.span == span).then_some(*to),
            SegmentTarget::Place(position) => PlanarNavPoint { span, position }.on_ground(view),
        }
    }
}

impl SegmentPieces {
    pub(crate) fn iter(&self) -> impl Iterator<Item = SegmentPiece> {
        let knots = &self.knots[..=self.count];
        knots.windows(2).map(|pair| {
            let [before, knot] = [pair[0], pair[1]];
            let part = knot.at - before.at;
            let share = (knot.border - before.at) / part;
            let share = if part > 0.0 { share.clamp(0.0, 1.0) } else { 0.5 };
            let along = [self.whole[0] * part, self.whole[1] * part];
            let stride = Stride { along, rise: knot.height - before.height, share };
            SegmentPiece { spans: [before.span, knot.span], stride }
        })
    }
}

/// A walk along a segment.
struct Walk<'a> {
    view: &'a ViewRef<'a>,
    cell_size: f32,
    /// The segment's start, from the center of the cell it is over now [m].
    offset: [f32; 2],
    /// The cells that were entered after the last knot.
    cells: [EnteredCell; BATCH],
    entered: usize,
    pieces: SegmentPieces,
}

impl<'a> Walk<'a> {
    #[inline]
    fn new(view: &'a ViewRef, from: &NavPoint, to: [f32; 2]) -> Self {
        let (frame, start) = (view.frame(), from.place());
        let center = frame.center(frame.cell(view.column(from.span.0)));
        let whole = [0, 1].map(|axis| to[axis] - start[axis]);
        let mut knots = [SegmentKnot::default(); BATCH + 1];
        knots[0] = SegmentKnot { span: from.span.0, height: from.point.y, ..knots[0] };
        Walk {
            view,
            cell_size: frame.cell_size,
            offset: [0, 1].map(|axis| start[axis] - center[axis]),
            cells: [EnteredCell::default(); BATCH],
            entered: 0,
            pieces: SegmentPieces { whole, knots, count: 0 },
        }
    }

    #[inline]
    fn enter(&mut self, crossing: &BorderCrossing) {
        let CellOffset { x, z } = crossing.dir.offset();
        self.offset[0] -= x as f32 * self.cell_size;
        self.offset[1] -= z as f32 * self.cell_size;
        self.cells[self.entered] =
            EnteredCell { span: crossing.span, at: crossing.at, offset: self.offset };
        self.entered += 1;
    }

    /// The pieces up to the middle of the cell it is over, which it leaves after a part of the segment.
    #[inline]
    fn tie_to(&mut self, leaves: f32) -> &SegmentPieces {
        let SegmentPieces { whole, knots, count } = &mut self.pieces;
        knots[0] = knots[*count];
        let cells = &self.cells[..self.entered];
        let ends = cells.iter().skip(1).map(|next| next.at).chain([leaves]);
        for ((knot, cell), end) in knots[1..].iter_mut().zip(cells).zip(ends) {
            let at = (cell.at + end) / 2.0;
            let place = [cell.offset[0] + whole[0] * at, cell.offset[1] + whole[1] * at];
            let height = plane(&self.view.spans()[cell.span as usize], place);
            *knot = SegmentKnot { span: cell.span, at, height, border: cell.at };
        }
        *count = self.entered;
        self.entered = 0;
        &self.pieces
    }

    /// The last pieces, up to the segment's end at a height.
    #[inline]
    fn tie_end(&mut self, height: f32) -> &SegmentPieces {
        self.tie_to(1.0);
        let SegmentPieces { knots, count, .. } = &mut self.pieces;
        if *count == 0 {
            // It does not leave its first cell.
            knots[1] = SegmentKnot { border: 0.5, ..knots[0] };
            *count = 1;
        }
        knots[*count] = SegmentKnot { at: 1.0, height, ..knots[*count] };
        &self.pieces
    }
}
