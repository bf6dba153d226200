//! Straight segments: cut into edges that a cost model prices, and confirmed by line of sight.
//!
//! A segment's knots are its ends and, for each cell it crosses in between, the middle of its line over
//! that cell, at the height of the cell's own floor there. A segment from center to center of
//! neighboring cells has no knots in between, and costs exactly what the connection does: so a segment
//! and the connections it replaces can be compared.

use crate::cost::{CostModel, Metric, Stride};
use crate::grid::SpanId;
use crate::view::{NavPoint, PlanarNavPoint};

use super::segment_walk::{SegmentPiece, SegmentTarget, walk_segment};
use super::sight::{LineEnd, Sight, follow};

/// A segment that is clear: where it ends, and what it costs [metres-equivalent].
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClearSegment {
    pub end: NavPoint,
    pub cost: f64,
}

impl<M: CostModel + ?Sized> Metric<'_, M> {
    /// Cost of a segment [metres-equivalent]; `None` if it is blocked or costs more than `most`.
    pub(crate) fn segment(&self, from: &NavPoint, to: &NavPoint, most: f64) -> Option<f64> {
        self.try_segment(from, SegmentTarget::NavPoint(to), most).ok().map(|clear| clear.cost)
    }

    /// A segment that costs no more than `most`; or why there is none.
    #[inline]
    fn try_segment(
        &self,
        from: &NavPoint,
        target: SegmentTarget,
        most: f64,
    ) -> Result<ClearSegment, LineEnd> {
        let mut cost = 0.0;
        let end = walk_segment(self.view, from, target, |pieces| {
            let price = |piece: SegmentPiece| self.price(&self.edge(piece.spans, piece.stride));
            let sum =
                pieces.iter().try_fold(cost, |sum, piece| Some(sum + f64::from(price(piece)?)));
            cost = sum.unwrap_or(f64::INFINITY);
            // A forbidden edge is above every limit, even an infinite one.
            sum.is_some() && cost <= most
        })?;
        Ok(ClearSegment { end, cost })
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
        self.try_clear(from, SegmentTarget::NavPoint(to), most).ok().map(|clear| clear.cost)
    }

    /// A segment that is clear and costs no more than `most`; or why there is none.
    pub(crate) fn try_clear(
        &self,
        from: &NavPoint,
        target: SegmentTarget,
        most: f64,
    ) -> Result<ClearSegment, LineEnd> {
        let segment = self.metric.try_segment(from, target, most)?;
        let view = self.metric.view.view;
        let confirmed = self.sight.is_none_or(|sight| sight.is_clear(view, from, &segment.end));
        if confirmed { Ok(segment) } else { Err(LineEnd::Left) }
    }

    /// The point on a segment after a part of it [0..=1]; `None` if the segment is blocked before.
    pub(crate) fn point_on(&self, from: &NavPoint, to: &NavPoint, part: f32) -> Option<NavPoint> {
        let [start, end] = [from, to].map(NavPoint::place);
        let position = [0, 1].map(|axis| start[axis] + (end[axis] - start[axis]) * part);
        self.seen_at(from, position)
    }

    /// The ground at a place (x, z), if it can be seen from a nav point by the grid.
    pub(crate) fn seen_at(&self, from: &NavPoint, position: [f32; 2]) -> Option<NavPoint> {
        let view = self.metric.view;
        match follow(view, from, position, |_| true) {
            LineEnd::Reached { span } => {
                PlanarNavPoint { span: SpanId(span), position }.on_ground(view)
            }
            _ => None,
        }
    }
}
