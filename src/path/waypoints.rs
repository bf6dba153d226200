//! Provides [`Path`]: a path over the ground, with everything a caller wants to know before walking.

use nalgebra::Point3;

use crate::grid::{AreaId, SpanId};

use crate::cost::CostModel;
use crate::cost::Metric;
use crate::path::segment_walk::{SegmentPiece, SegmentTarget, walk_segment};
use crate::view::NavPoint;
use crate::view::{View, ViewRef};

/// A path from start to goal: straight segments over the ground, and links between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    waypoints: Vec<Waypoint>,
    track: Vec<TrackPoint>,
    pub(crate) cost: f64,
    pub(crate) corridor_cost: f64,
    climb: f64,
    descent: f64,
    /// Length on each area.
    area_lengths: Vec<f64>,
}

/// A corner of a path, on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// Where it is [m].
    pub point: Point3<f32>,
    /// The span it lies on.
    pub span: SpanId,
    /// The area there.
    pub area: AreaId,
    /// The link that leads from here to the next waypoint, by its index in the grid; `None` if
    /// the agent walks.
    pub link: Option<u32>,
    /// Length of the path up to here, along the ground [m].
    pub distance: f32,
}

/// A point of a path on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackPoint {
    /// Where it is [m].
    pub point: Point3<f32>,
    /// The span it lies on.
    pub span: SpanId,
    /// Length of the path up to here, along the ground [m].
    pub distance: f32,
}

/// A link that a path takes.
pub(crate) struct TakenLink {
    /// Its index in the grid.
    pub link: u32,
    /// [metres-equivalent]
    pub cost: f64,
    /// Where it leads.
    pub end: NavPoint,
}

impl Path {
    /// The corners, from the start to the end; never empty. Where start and end are one point
    /// there are still two.
    pub fn waypoints(&self) -> &[Waypoint] {
        &self.waypoints
    }

    /// A point on each span the path crosses, and its corners, in order.
    pub fn track(&self) -> &[TrackPoint] {
        &self.track
    }

    /// Its cost, by the query's model [metres-equivalent].
    pub fn cost(&self) -> f32 {
        self.cost as f32
    }

    /// What the corridor it was straightened from costs, gone from the start over the centers of
    /// its spans to the goal [metres-equivalent]: never less than [`Path::cost`].
    pub fn corridor_cost(&self) -> f32 {
        self.corridor_cost as f32
    }

    /// Its length along the ground, and straight along links [m].
    pub fn length(&self) -> f32 {
        self.waypoints.last().map_or(0.0, |last| last.distance)
    }

    /// How far it goes up in total [m].
    pub fn climb(&self) -> f32 {
        self.climb as f32
    }

    /// How far it goes down in total [m].
    pub fn descent(&self) -> f32 {
        self.descent as f32
    }

    /// Its length on an area, without links [m].
    pub fn area_length(&self, area: AreaId) -> f32 {
        self.area_lengths.get(usize::from(area.0)).map_or(0.0, |&length| length as f32)
    }

    /// The point on the ground after so many metres of the path [m], clamped to the path; `None`
    /// only for an empty path. O(log points).
    ///
    /// Its height is that of [`View::feet_height`]; on a link, that of the straight line.
    pub fn sample(&self, view: &View, distance: f32) -> Option<Point3<f32>> {
        let next = self.track.partition_point(|point| point.distance < distance);
        let after = self.track.get(next).or(self.track.last())?;
        let before = self.track.get(next.wrapping_sub(1)).unwrap_or(after);
        let part = (distance - before.distance) / (after.distance - before.distance);
        let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 1.0 };
        let point = before.point + (after.point - before.point) * part;
        let spans = if self.is_on_link(distance) { &[][..] } else { &[before.span, after.span] };
        let height = spans.iter().find_map(|&span| view.feet_height(point.x, point.z, span));
        Some(Point3::new(point.x, height.unwrap_or(point.y), point.z))
    }

    fn is_on_link(&self, distance: f32) -> bool {
        let next = self.waypoints.partition_point(|waypoint| waypoint.distance < distance);
        let inside = (1..self.waypoints.len()).contains(&next);
        inside && self.waypoints[next - 1].link.is_some()
    }

    pub(crate) fn clear(&mut self, areas: usize) {
        self.waypoints.clear();
        self.track.clear();
        self.area_lengths.clear();
        self.area_lengths.resize(areas, 0.0);
        (self.cost, self.corridor_cost, self.climb, self.descent) = (0.0, 0.0, 0.0, 0.0);
    }

    /// Begins, or goes on behind a link: the agent stands at a place.
    pub(crate) fn stand(&mut self, view: &ViewRef, at: &NavPoint) {
        self.mark(view, at, self.length());
    }

    /// Adds a straight segment from the last waypoint.
    pub(crate) fn walk<M: CostModel + ?Sized>(
        &mut self,
        metric: &Metric<M>,
        from: &NavPoint,
        to: &NavPoint,
    ) {
        let view = metric.view;
        let mut distance = f64::from(self.length());
        let mut at = from.point;
        // Nothing is in the way: only at places too far off for numbers a segment ends before.
        let _ = walk_segment(view, from, SegmentTarget::NavPoint(to), |pieces| {
            for piece in pieces.iter() {
                let edge = metric.edge(piece.spans, piece.stride);
                distance += f64::from(edge.length());
                self.cost += metric.price(&edge).map_or(0.0, f64::from);
                self.count(view, &piece, f64::from(edge.length()));
                let along = piece.stride.along;
                at = Point3::new(at.x + along[0], at.y + piece.stride.rise, at.z + along[1]);
                let span = SpanId(piece.spans[1]);
                self.track.push(TrackPoint { point: at, span, distance: distance as f32 });
            }
            true
        });
        // Sums of many pieces end next to the end.
        self.track.pop();
        self.mark(view, to, distance as f32);
    }

    /// Adds a link from the last waypoint, at which it starts.
    pub(crate) fn take(&mut self, view: &ViewRef, taken: TakenLink) {
        let Some(last) = self.waypoints.last_mut() else { return };
        last.link = Some(taken.link);
        let along = taken.end.point - last.point;
        let distance = last.distance + along.norm();
        self.climb += f64::from(along.y.max(0.0));
        self.descent += f64::from((-along.y).max(0.0));
        self.cost += taken.cost;
        self.mark(view, &taken.end, distance);
    }

    fn count(&mut self, view: &ViewRef, piece: &SegmentPiece, length: f64) {
        self.climb += f64::from(piece.stride.rise.max(0.0));
        self.descent += f64::from((-piece.stride.rise).max(0.0));
        let share = f64::from(piece.stride.share);
        let [from, to] = piece.spans;
        for (span, share) in [(from, share), (to, 1.0 - share)] {
            let area = view.spans()[span as usize].area();
            if let Some(sum) = self.area_lengths.get_mut(usize::from(area.0)) {
                *sum += share * length;
            }
        }
    }

    fn mark(&mut self, view: &ViewRef, at: &NavPoint, distance: f32) {
        let NavPoint { span, point } = *at;
        let area = view.spans()[span.index()].area();
        self.track.push(TrackPoint { point, span, distance });
        self.waypoints.push(Waypoint { point, span, area, link: None, distance });
    }
}
