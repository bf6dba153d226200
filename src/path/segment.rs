//! Provides the ground along a straight leg, cut into pieces that a cost model can price.
//!
//! A leg's knots are its ends and, for each cell it crosses in between, the middle of its way over
//! that cell, at the height of the cell's own floor there. A leg from center to center of
//! neighboring cells has no knots in between and is priced exactly as the step is.

use nalgebra::Point3;

use crate::grid::{Dir, SpanId, plane};

use crate::cost::Metric;
use crate::cost::{CostModel, Edge};
use crate::path::sight::{Sight, follow};
use crate::view::NavPoint;
use crate::view::ViewRef;

/// A piece of a leg, from knot to knot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentPiece {
    pub from: u32,
    pub to: u32,
    /// Along x and z [m].
    pub along: [f32; 2],
    pub rise: f32,
    /// The part of it that lies on `from` [0..=1].
    pub share: f32,
}

/// Cuts a leg into its pieces. False where it is blocked, or `each` had enough.
#[inline]
pub(crate) fn segment_pieces(
    view: &ViewRef,
    from: &NavPoint,
    to: &NavPoint,
    mut each: impl FnMut(SegmentPiece) -> bool,
) -> bool {
    let mut walk = Walk::new(view, from, to);
    let clear = follow(view, from, to, |crossing| {
        let segment_piece = walk.leave(crossing.at);
        walk.enter(crossing.span, crossing.dir, crossing.at);
        segment_piece.is_none_or(&mut each)
    });
    clear && each(walk.end(to.point.y))
}

/// Where a leg has got to. One cell behind the borders: the middle of the way over a cell is known
/// when it is left.
struct Walk<'a> {
    view: &'a ViewRef<'a>,
    /// The whole leg along x and z [m].
    whole: [f32; 2],
    cell_size: f32,
    /// The leg's start, from the center of the cell it is over now [m].
    offset: [f32; 2],
    /// The last knot: its span, its place on the leg, its height.
    knot: (u32, f32, f32),
    /// The cell it is over now, unless it is that of the last knot: its span, where it was entered.
    over: Option<(u32, f32)>,
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
            knot: (from.span.0, 0.0, from.point.y),
            over: None,
        }
    }

    /// Leaves the cell it is over; the piece to its knot, unless it is where the leg started.
    #[inline]
    fn leave(&mut self, at: f32) -> Option<SegmentPiece> {
        let (span, entered) = self.over?;
        let middle = (entered + at) / 2.0;
        let place = [0, 1].map(|axis| self.offset[axis] + self.whole[axis] * middle);
        let height = plane(&self.view.spans()[span as usize], place);
        Some(self.tie((span, middle, height), entered))
    }

    #[inline]
    fn enter(&mut self, span: u32, dir: Dir, at: f32) {
        let (x, z) = dir.offset();
        self.offset[0] -= x as f32 * self.cell_size;
        self.offset[1] -= z as f32 * self.cell_size;
        self.over = Some((span, at));
    }

    /// The last piece.
    #[inline]
    fn end(&mut self, height: f32) -> SegmentPiece {
        let (span, entered) = self.over.unwrap_or((self.knot.0, 0.5));
        self.tie((span, 1.0, height), entered)
    }

    /// Ties the next knot; `border` is where the leg left the cell of the last one.
    #[inline]
    fn tie(&mut self, knot: (u32, f32, f32), border: f32) -> SegmentPiece {
        let (from, start, low) = std::mem::replace(&mut self.knot, knot);
        let (to, end, high) = knot;
        let part = end - start;
        let share = if part > 0.0 { ((border - start) / part).clamp(0.0, 1.0) } else { 0.5 };
        SegmentPiece { from, to, along: self.whole.map(|v| v * part), rise: high - low, share }
    }
}

impl<M: CostModel + ?Sized> Metric<'_, M> {
    /// What a leg costs [metres-equivalent]; `None` where it is blocked or costs more than `most`.
    #[inline]
    pub(crate) fn segment(&self, from: &NavPoint, to: &NavPoint, most: f64) -> Option<f64> {
        let mut sum = 0.0;
        let within = segment_pieces(self.view, from, to, |segment_piece| {
            let cost = self.segment_piece(&segment_piece).1;
            sum += cost.map_or(f64::INFINITY, f64::from);
            // What is forbidden is not within any limit, not even an infinite one.
            cost.is_some() && sum <= most
        });
        within.then_some(sum)
    }

    /// As [`Self::segment`] between the centers of neighboring cells that a step joins.
    pub(crate) fn center_segment(&self, from: &NavPoint, to: &NavPoint) -> Option<f32> {
        let along = [to.point.x - from.point.x, to.point.z - from.point.z];
        let rise = to.point.y - from.point.y;
        self.price(&self.piece([from.span.0, to.span.0], 0.5, (along, rise)))
    }

    /// A stretch as a piece of way, and what it costs.
    #[inline]
    pub(crate) fn segment_piece(&self, segment_piece: &SegmentPiece) -> (Edge<'_>, Option<f32>) {
        let ends = [segment_piece.from, segment_piece.to];
        let piece =
            self.piece(ends, segment_piece.share, (segment_piece.along, segment_piece.rise));
        let price = self.price(&piece);
        (piece, price)
    }
}

/// Straight legs on a terrain: which are clear, and what they cost.
#[derive(Clone, Copy)]
pub(crate) struct Segments<'a, M: ?Sized> {
    pub metric: &'a Metric<'a, M>,
    /// Has to confirm each leg the grid allows.
    pub sight: Option<&'a dyn Sight>,
}

impl<M: CostModel + ?Sized> Segments<'_, M> {
    /// What a leg costs where it is clear and costs no more than `most`.
    pub(crate) fn clear(&self, from: &NavPoint, to: &NavPoint, most: f64) -> Option<f64> {
        let cost = self.metric.segment(from, to, most)?;
        let confirmed =
            self.sight.is_none_or(|sight| sight.is_clear(self.metric.view.view, from, to));
        confirmed.then_some(cost)
    }

    /// The place on a leg after a part of it [0..=1]; `None` where the leg is blocked before.
    pub(crate) fn stop(&self, from: &NavPoint, to: &NavPoint, part: f32) -> Option<NavPoint> {
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
