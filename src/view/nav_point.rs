//! Provides [`NavPoint`]: a point on the ground and its span.

use nalgebra::Point3;

use crate::grid::{LinkEdge, SpanId};

use super::view_ref::ViewRef;

/// A point on the ground, and the span it lies on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavPoint {
    /// The span.
    pub span: SpanId,
    /// A point over its cell, at the height of the ground [m].
    pub point: Point3<f32>,
}

impl NavPoint {
    /// The ground at the center of a span's cell; the span is one of the grid.
    pub(crate) fn center(view: &ViewRef, span: SpanId) -> Self {
        let cell = view.frame().cell(view.column(span.0));
        let floor = view.spans()[span.index()].floor;
        NavPoint { span, point: view.frame().point(cell, floor) }
    }

    /// Where a link starts and ends on the ground.
    pub(crate) fn link_ends(view: &ViewRef, link_edge: &LinkEdge) -> [Self; 2] {
        let spans = [link_edge.at, link_edge.other];
        let link = &view.grid().links()[link_edge.link as usize];
        let baked = link.ends[view.agent_id().index()];
        let points = if baked == Some(spans) { [link.from, link.to] } else { [link.to, link.from] };
        [0, 1].map(|end| NavPoint::at(view, spans[end], points[end]))
    }

    /// The ground of a span at a point; at its center if the point is not over its cell.
    pub(crate) fn at(view: &ViewRef, span: SpanId, point: Point3<f32>) -> Self {
        match view.grid().ground_height(point.x, point.z, span) {
            Some(y) => NavPoint { span, point: Point3::new(point.x, y, point.z) },
            None => NavPoint::center(view, span),
        }
    }
}
