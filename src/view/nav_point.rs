//! Provides [`NavPoint`]: a point on the ground and its span; and [`PlanarNavPoint`], which has no height.

use nalgebra::Point3;

use crate::grid::{Dir, LinkEdge, NextGrid, SpanId};

use super::cell_room::distance_squared;
use super::view_ref::ViewRef;

/// A point on the ground, and the span it lies on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavPoint {
    /// The span.
    pub span: SpanId,
    /// A point over its cell, at the height of the ground, or of the feet on the way over a step [m].
    pub point: Point3<f32>,
}

impl NavPoint {
    /// Where it is along x and z [m].
    #[inline]
    pub(crate) fn place(&self) -> [f32; 2] {
        [self.point.x, self.point.z]
    }

    /// The same point on the next grid; `None` if its floor is gone.
    pub(crate) fn on_next(self, next: &NextGrid) -> Option<Self> {
        Some(NavPoint { span: next.span(self.span)?, ..self })
    }

    /// The ground at the center of a span's cell; the span is one of the grid.
    pub(crate) fn center(view: &ViewRef, span: SpanId) -> Self {
        let cell = view.frame().cell(view.column(span.0));
        let floor = view.spans()[span.index()].floor;
        NavPoint { span, point: view.frame().point(cell, floor) }
    }

    /// The nearest point over the same cell where the body touches nothing.
    pub(crate) fn in_room(self, view: &ViewRef) -> Self {
        let place = self.place();
        let Some(room) = view.cell_room(self.span) else { return self };
        let column = view.column(self.span.0);
        let offset = view.offset_in_cell(column, place);
        if room.allows(offset) {
            return self;
        }
        let position = view.place_in_cell(column, room.nearest(offset));
        PlanarNavPoint { span: self.span, position }.on_ground(view).unwrap_or(self)
    }

    /// Where a link starts and ends on the ground.
    pub(crate) fn link_ends(view: &ViewRef, link_edge: &LinkEdge) -> [Self; 2] {
        let spans = [link_edge.at, link_edge.other];
        let link = &view.grid().links()[link_edge.link as usize];
        let Some(mut points) = link.points() else {
            return spans.map(|span| NavPoint::center(view, span).in_room(view));
        };
        let lanes = link.lanes_of(view.agent_id().index());
        if !lanes.iter().any(|lane| lane.spans == spans) {
            points.reverse();
        }
        [0, 1].map(|end| NavPoint::at(view, spans[end], points[end]).in_room(view))
    }

    /// Where the body stands over a span at a point; at its center if the point is not over its cell.
    pub(crate) fn at(view: &ViewRef, span: SpanId, point: Point3<f32>) -> Self {
        match view.feet_height([point.x, point.z], span) {
            Some(y) => NavPoint { span, point: Point3::new(point.x, y, point.z) },
            None => NavPoint::center(view, span),
        }
    }
}

/// A nav point seen from above: it has no height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlanarNavPoint {
    pub span: SpanId,
    /// Along x and z [m].
    pub position: [f32; 2],
}

impl From<NavPoint> for PlanarNavPoint {
    fn from(nav_point: NavPoint) -> Self {
        PlanarNavPoint { span: nav_point.span, position: nav_point.place() }
    }
}

impl PlanarNavPoint {
    /// Returns the nav point at the height of the body's feet.
    pub(crate) fn on_ground(self, view: &ViewRef) -> Option<NavPoint> {
        let [x, z] = self.position;
        let height = view.feet_height(self.position, self.span)?;
        Some(NavPoint { span: self.span, point: Point3::new(x, height, z) })
    }

    /// Returns a point near the end of a movement where the body touches nothing: the nearest over the
    /// same cell; or a nearer one over a cell that a connection leads to, if the body comes no less far
    /// along there. Always the nearest of all would hold a body for good where the rooms of two cells
    /// leave a notch between them.
    pub(crate) fn in_room(self, view: &ViewRef, movement: RoomMove) -> Self {
        let Some(room) = view.cell_room(self.span) else { return self };
        let column = view.column(self.span.0);
        if room.allows(view.offset_in_cell(column, self.position)) {
            return self;
        }
        let search = RoomSearch { view, to: self.position };
        let own = search.nearest_over(self.span, column);
        let connections = view.connections();
        let around = Dir::ALL.into_iter().filter_map(|dir| {
            let span = SpanId(connections.known_target(column, self.span.0, dir)?);
            Some(search.nearest_over(span, connections.neighbor_of(column, dir)))
        });
        let off = own.off;
        let nearer = around.filter(|other| other.off < off);
        let key = |place: &RoomPlace| (movement.progress(place.at.position), -place.off);
        nearer.fold(own, |best, other| if key(&other) > key(&best) { other } else { best }).at
    }
}

/// A movement, seen from above [m].
#[derive(Clone, Copy)]
pub(crate) struct RoomMove {
    pub from: [f32; 2],
    /// Where it goes, but for what borders have taken out.
    pub along: [f32; 2],
}

impl RoomMove {
    /// How far a place is along the movement, in squares of its length.
    fn progress(&self, to: [f32; 2]) -> f32 {
        let [x, z] = [to[0] - self.from[0], to[1] - self.from[1]];
        x * self.along[0] + z * self.along[1]
    }
}

/// The search for the nearest place where a body touches nothing.
struct RoomSearch<'a> {
    view: &'a ViewRef<'a>,
    to: [f32; 2],
}

/// A place where a body touches nothing, and the square of its distance [cells].
struct RoomPlace {
    at: PlanarNavPoint,
    off: f32,
}

impl RoomSearch<'_> {
    /// Returns the nearest place over the cell of a span.
    fn nearest_over(&self, span: SpanId, column: usize) -> RoomPlace {
        let to = self.view.offset_in_cell(column, self.to);
        let nearest = match self.view.cell_room(span) {
            Some(room) => room.nearest(to),
            None => to.map(|v| v.clamp(-0.5, 0.5)),
        };
        let position = self.view.place_in_cell(column, nearest);
        RoomPlace { at: PlanarNavPoint { span, position }, off: distance_squared(to, nearest) }
    }
}
