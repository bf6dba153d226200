//! Straight segments: cut into edges that a cost model prices, and confirmed by line of sight.
//!
//! A segment's knots are its ends and, for each cell it crosses in between, the middle of its line over
//! that cell, at the height of the cell's own floor there. A segment from center to center of
//! neighboring cells has no knots in between, and costs exactly what the connection does: so a segment
//! and the connections it replaces can be compared.

use nalgebra::Point3;

use crate::cost::{CostModel, Metric, Stride};
use crate::grid::{CellOffset, Dir, SpanId, plane};
use crate::view::{NavPoint, ViewRef};

use super::sight::{Sight, follow};

/// A piece of a segment, from knot to knot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentPiece {
    /// The spans it starts and ends on.
    pub spans: [u32; 2],
    pub stride: Stride,
}

/// A corner of the ground along a segment.
#[derive(Clone, Copy, Debug)]
struct SegmentKnot {
    span: u32,
    /// The part of the segment before it [0..=1].
    at: f32,
    /// [m]
    height: f32,
}

/// A cell that a segment has entered and not yet left.
#[derive(Clone, Copy, Debug)]
struct EnteredCell {
    span: u32,
    /// The part of the segment before its border [0..=1].
    at: f32,
}

/// Cuts a segment into its pieces. False if it is blocked, or if `each` returns false.
#[inline]
pub(crate) fn segment_pieces(
    view: &ViewRef,
    from: &NavPoint,
    to: &NavPoint,
    mut each: impl FnMut(SegmentPiece) -> bool,
) -> bool {
    let mut walk = Walk::new(view, from, to);
    let clear = follow(view, from, to, |crossing| {
        let piece = walk.leave(crossing.at);
        walk.enter(crossing.span, crossing.dir, crossing.at);
        piece.is_none_or(&mut each)
    });
    clear && each(walk.end(to.point.y))
}

/// A walk along a segment. It is one cell behind the borders: the middle of the line over a cell is known
/// when the line leaves it.
struct Walk<'a> {
    view: &'a ViewRef<'a>,
    /// The whole segment along x and z [m].
    whole: [f32; 2],
    cell_size: f32,
    /// The segment's start, from the center of the cell it is over now [m].
    offset: [f32; 2],
    /// The last knot.
    knot: SegmentKnot,
    /// The cell it is over now, unless that is the cell of the last knot.
    over: Option<EnteredCell>,
}

impl<'a> Walk<'a> {
    #[inline]
    fn new(view: &'a ViewRef, from: &NavPoint, to: &NavPoint) -> Self {
        let frame = view.frame();
        let center = frame.center(frame.cell(view.column(from.span.0)));
        Walk {
            view,
            whole: [to.point.x - from.point.x, to.point.z - from.point.z],
            cell_size: frame.cell_size,
            offset: [from.point.x - center[0], from.point.z - center[1]],
            knot: SegmentKnot { span: from.span.0, at: 0.0, height: from.point.y },
            over: None,
        }
    }

    /// Leaves the cell it is over; the piece to its knot, unless it is where the segment started.
    #[inline]
    fn leave(&mut self, at: f32) -> Option<SegmentPiece> {
        let over = self.over?;
        let middle = (over.at + at) / 2.0;
        let place = [0, 1].map(|axis| self.offset[axis] + self.whole[axis] * middle);
        let height = plane(&self.view.spans()[over.span as usize], place);
        Some(self.tie(SegmentKnot { span: over.span, at: middle, height }, over.at))
    }

    #[inline]
    fn enter(&mut self, span: u32, dir: Dir, at: f32) {
        let CellOffset { x, z } = dir.offset();
        self.offset[0] -= x as f32 * self.cell_size;
        self.offset[1] -= z as f32 * self.cell_size;
        self.over = Some(EnteredCell { span, at });
    }

    /// The last piece.
    #[inline]
    fn end(&mut self, height: f32) -> SegmentPiece {
        let over = self.over.unwrap_or(EnteredCell { span: self.knot.span, at: 0.5 });
        self.tie(SegmentKnot { span: over.span, at: 1.0, height }, over.at)
    }

    /// Ties the next knot; `border` is where the segment left the cell of the last one.
    #[inline]
    fn tie(&mut self, knot: SegmentKnot, border: f32) -> SegmentPiece {
        let before = std::mem::replace(&mut self.knot, knot);
        let part = knot.at - before.at;
        let share = if part > 0.0 { ((border - before.at) / part).clamp(0.0, 1.0) } else { 0.5 };
        let (along, rise) = (self.whole.map(|v| v * part), knot.height - before.height);
        SegmentPiece { spans: [before.span, knot.span], stride: Stride { along, rise, share } }
    }
}

impl<M: CostModel + ?Sized> Metric<'_, M> {
    /// Cost of a segment [metres-equivalent]; `None` if it is blocked or costs more than `most`.
    #[inline]
    pub(crate) fn segment(&self, from: &NavPoint, to: &NavPoint, most: f64) -> Option<f64> {
        let mut sum = 0.0;
        let within = segment_pieces(self.view, from, to, |piece| {
            let cost = self.price(&self.edge(piece.spans, piece.stride));
            sum += cost.map_or(f64::INFINITY, f64::from);
            // A forbidden edge is above every limit, even an infinite one.
            cost.is_some() && sum <= most
        });
        within.then_some(sum)
    }

    /// As [`Self::segment`] between the centers of connected neighbors.
    pub(crate) fn center_segment(&self, from: &NavPoint, to: &NavPoint) -> Option<f32> {
        let along = [to.point.x - from.point.x, to.point.z - from.point.z];
        let rise = to.point.y - from.point.y;
        self.price(&self.edge([from.span.0, to.span.0], Stride { along, rise, share: 0.5 }))
    }
}

/// Straight segments on a view: which are clear, and what they cost.
#[derive(Clone, Copy)]
pub(crate) struct Segments<'a, M: ?Sized> {
    pub metric: &'a Metric<'a, M>,
    /// Confirms every segment that the grid allows.
    pub sight: Option<&'a dyn Sight>,
}

impl<M: CostModel + ?Sized> Segments<'_, M> {
    /// Cost of a segment that is clear and costs no more than `most`.
    pub(crate) fn clear(&self, from: &NavPoint, to: &NavPoint, most: f64) -> Option<f64> {
        let cost = self.metric.segment(from, to, most)?;
        let confirmed =
            self.sight.is_none_or(|sight| sight.is_clear(self.metric.view.view, from, to));
        confirmed.then_some(cost)
    }

    /// The point on a segment after a part of it [0..=1]; `None` if the segment is blocked before.
    pub(crate) fn point_on(&self, from: &NavPoint, to: &NavPoint, part: f32) -> Option<NavPoint> {
        let view = self.metric.view;
        let point = from.point + (to.point - from.point) * part;
        let cell = view.grid().column_at(point)?;
        let column = view.frame().index(cell)?;
        let mut span = from.span;
        follow(view, from, to, |crossing| {
            let arrived = view.column(span.0) == column;
            if !arrived {
                span = SpanId(crossing.span);
            }
            !arrived
        });
        let height = view.grid().ground_height(point.x, point.z, span)?;
        Some(NavPoint { span, point: Point3::new(point.x, height, point.z) })
    }
}
