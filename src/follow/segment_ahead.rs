//! Provides [`SegmentAhead`]: the points of a path's segment that a body beside it may steer to.

use nalgebra::Point3;

use crate::cost::CostModel;
use crate::follow::horizontal::{dot, horizontal_distance, norm};
use crate::path::Segments;
use crate::view::NavPoint;

/// A segment of the path, and how far a body beside it looks.
#[derive(Clone, Copy)]
pub(super) struct SegmentAhead {
    pub from: NavPoint,
    pub to: NavPoint,
    /// [m]
    pub horizon: f32,
}

/// A body beside its segment steers to the first visible point this much farther along it [m].
const REJOIN_DISTANCES: [f32; 4] = [1.0, 0.5, 0.25, 0.1];
/// A nearer point is no steering target [m].
pub(super) const LEAST_TARGET_DISTANCE: f32 = 0.02;
/// Unless the body has to come to the point exactly [m]: ground may be no wider than a line, and from beside that
/// nothing of the path is seen.
pub(super) const EXACTLY: f32 = 0.0001;

impl SegmentAhead {
    /// Returns the point to steer to for a body beside the segment: its end, if the line there is clear
    /// as far as the horizon; else the farthest visible point a little farther along than the body.
    pub(super) fn target<M: CostModel + ?Sized>(
        &self,
        segments: &Segments<M>,
        at: &NavPoint,
    ) -> Option<NavPoint> {
        let SegmentAhead { from, to, horizon } = *self;
        let is_visible = |point: &NavPoint| segments.clear(at, point, f64::INFINITY).is_some();
        let to_end = horizontal_distance(&to.point, &at.point);
        let is_near = to_end <= horizon;
        let farthest =
            if is_near { Some(to) } else { segments.point_on(at, &to, horizon / to_end) };
        if farthest.is_some_and(|point| is_visible(&point)) {
            return Some(to);
        }
        let length = horizontal_distance(&to.point, &from.point);
        let nearest = part_beside([from.point, to.point], at.point);
        let ahead = REJOIN_DISTANCES.map(|distance| nearest + distance / length).into_iter();
        let inside = ahead.filter(|part| part.is_finite()).map(|part| part.clamp(0.0, 1.0));
        inside
            .filter_map(|part| segments.point_on(&from, &to, part))
            .filter(|point| horizontal_distance(&point.point, &at.point) > LEAST_TARGET_DISTANCE)
            .find(is_visible)
    }

    /// Returns the point of the segment that is nearest to the body.
    pub(super) fn nearest<M: CostModel + ?Sized>(
        &self,
        segments: &Segments<M>,
        at: &NavPoint,
    ) -> Option<NavPoint> {
        let part = part_beside([self.from.point, self.to.point], at.point);
        let part = Some(part).filter(|part| part.is_finite())?;
        segments.point_on(&self.from, &self.to, part.clamp(0.0, 1.0))
    }
}

/// Where a point is next to a segment, seen from above, as a part of its length; not finite for a segment
/// without length.
pub(super) fn part_beside([from, to]: [Point3<f32>; 2], point: Point3<f32>) -> f32 {
    let [segment, offset] = [to - from, point - from].map(|v| [v.x, v.z]);
    let length = norm(segment);
    dot(offset, segment) / (length * length)
}
