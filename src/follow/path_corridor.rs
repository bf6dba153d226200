//! Provides [`PathCorridor`]: the waypoints still ahead of a body, and the point it steers to.
//!
//! What comes in is a path and the nav point of the body; what goes out is the steering target: the
//! farthest point of the path that the body may go to straight, in line of sight and no more expensive
//! than around the corners between. A corner that a path has because of mud or a hill is not skipped
//! just because there is line of sight across it.
//! Compare: `dtPathCorridor` of Detour, with its `optimizePathVisibility`.

use crate::cost::CostModel;
use nalgebra::Point3;

use crate::follow::horizontal::{horizontal_distance, norm};
use crate::follow::segment_ahead::{EXACTLY, LEAST_TARGET_DISTANCE, SegmentAhead, part_beside};
use crate::follow::slide::{slide_on, slide_planar};
use crate::follow::traversal::LinkAhead;
use crate::grid::SpanId;
use crate::path::{Segments, Sight, Waypoint};
use crate::view::{NavPoint, PlanarNavPoint, ViewRef};

/// The waypoints still ahead of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathCorridor {
    pub(super) waypoints: Vec<Waypoint>,
    /// The cost of the segment that ends at each waypoint.
    pub(super) costs: Vec<f64>,
    /// The index of the next waypoint; valid unless there are no waypoints.
    pub(super) next: usize,
    /// Where the body entered the segment to the next waypoint.
    pub(super) origin: Option<NavPoint>,
    pub(super) target: Option<SeenTarget>,
    /// The edge offset that the target was chosen for.
    edge_offset: Option<f32>,
    /// The ground ended before the body had made its last step: the target may be out of sight by now.
    looks_again: bool,
    /// Nothing of the path was in sight when the corridor was last updated.
    is_lost: bool,
}

/// A steering target and where it was seen from.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenTarget {
    pub point: NavPoint,
    pub seen_from: NavPoint,
    /// From beside its path the body sees next to nothing of it: it comes to rest at the point before it goes on,
    /// since it would swing past a path that is no wider than a line.
    pub is_rest: bool,
}

/// How a body follows its corridor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorridorParameters {
    /// Distance at which a waypoint counts as reached [m].
    pub tolerance: f32,
    /// Distance that the body keeps from the right edge of the ground ahead, as a part of the half
    /// width [0..=1]; `None` if it is alone and goes straight.
    pub edge_offset: Option<f32>,
    /// Whether the body may go on to a target that it does not see any more: along the wall it may come to
    /// where it sees that again.
    pub keeps_target: bool,
}

/// Two costs count as equal if they differ by less than this part, or by less than this amount
/// [metres-equivalent].
const COST_TOLERANCE: f64 = 1e-4;
/// A body among others steers to a point at most this far ahead [m].
const CROWDED_TARGET_DISTANCE: f32 = 6.0;
/// The ground is taken to be at most this wide to each side [m].
const MOST_HALF_WIDTH: f32 = 4.0;
/// A body among others chooses its target again when it has moved this far [m]...
const RECHECK_DISTANCE: f32 = 0.5;
/// ...and this part of the distance to the target.
const RECHECK_PART: f32 = 0.25;
/// A body among others looks no farther than this [m]: it has to go around them anyway, and line of
/// sight takes time.
const CROWDED_HORIZON: f32 = 12.0;
/// Within this distance of a link or the end of the path a body gives up its edge offset [m].
const EXACT_DISTANCE: f32 = 1.5;
/// A body that sees no farther than this along its path comes to rest before it goes on [m].
const REST_DISTANCE: f32 = 0.25;

impl PathCorridor {
    /// Takes the waypoints of a path.
    pub(crate) fn set_path<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        waypoints: &[Waypoint],
    ) {
        self.waypoints.clear();
        self.waypoints.extend_from_slice(waypoints);
        self.price_segments(segments);
        self.next = 0;
        self.origin = self.waypoints.first().map(nav_point);
        (self.target, self.is_lost) = (None, false);
    }

    fn price_segments<M: CostModel + ?Sized>(&mut self, segments: &Segments<M>) {
        self.costs.clear();
        let mut before = None;
        for waypoint in &self.waypoints {
            let segment = before.and_then(|from| {
                segments.metric.segment(&from, &nav_point(waypoint), f64::INFINITY)
            });
            self.costs.push(segment.unwrap_or(0.0));
            before = waypoint.link.is_none().then_some(nav_point(waypoint));
        }
    }

    pub(crate) fn clear(&mut self) {
        self.waypoints.clear();
        self.costs.clear();
        (self.next, self.origin, self.target, self.is_lost) = (0, None, None, false);
    }

    /// Returns the waypoints still ahead, the next one first.
    pub(crate) fn ahead(&self) -> &[Waypoint] {
        self.waypoints.get(self.next..).unwrap_or_default()
    }

    /// Returns the nearest point of the segment to the next waypoint, for a body that was pushed beside
    /// it; `None` without a path.
    pub(crate) fn beside(&self, at: &NavPoint) -> Option<Point3<f32>> {
        let ends = [self.origin?.point, self.waypoints.get(self.next)?.point];
        let part = part_beside(ends, at.point);
        let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 1.0 };
        Some(ends[0] + (ends[1] - ends[0]) * part)
    }

    /// Returns the end of the path.
    pub(crate) fn end(&self) -> Option<NavPoint> {
        self.waypoints.last().map(nav_point)
    }

    /// Returns the point to steer to; `None` if it is not known.
    pub(crate) fn steering_target(&self) -> Option<NavPoint> {
        self.target.map(|target| target.point)
    }

    /// Whether the body comes to rest at the point that it steers to.
    pub(crate) fn rests_at_target(&self) -> bool {
        self.target.is_some_and(|target| target.is_rest)
    }

    /// Returns the next waypoint and the one after it.
    fn corner(&self) -> Option<(&Waypoint, Option<&Waypoint>)> {
        let next = self.waypoints.get(self.next)?;
        Some((next, self.waypoints.get(self.next + 1)))
    }

    /// Returns the distance along the path from a nav point to the end [m]; 0 without a path.
    pub(crate) fn remaining(&self, at: &NavPoint) -> f32 {
        let [Some(next), Some(last)] = [self.waypoints.get(self.next), self.waypoints.last()]
        else {
            return 0.0;
        };
        (next.point - at.point).norm() + last.distance - next.distance
    }

    /// Returns the horizontal metres per metre along the ground, on the segment to the next waypoint
    /// [0.1..=1].
    pub(crate) fn horizontal_part(&self) -> f32 {
        let Some([from, to]) = self
            .waypoints
            .get(self.next.saturating_sub(1)..=self.next)
            .and_then(|pair| <&[Waypoint; 2]>::try_from(pair).ok())
        else {
            return 1.0;
        };
        let along = to.point - from.point;
        let part = norm([along.x, along.z]) / (to.distance - from.distance);
        if part.is_finite() { part.clamp(0.1, 1.0) } else { 1.0 }
    }

    /// Drops waypoints that are passed or can be skipped, and chooses the steering target. There is no
    /// target if the path is out of sight.
    ///
    /// A sight by casts sees nothing from where the body touches something: it was pushed, or stands on
    /// the edge of a step and higher than the ground. Such a body goes by the grid alone until it is
    /// free.
    pub(crate) fn update<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        at: &NavPoint,
        parameters: CorridorParameters,
    ) {
        self.update_by_sight(segments, at, parameters);
        let touches = |sight: &dyn Sight| !sight.is_clear(segments.metric.view.view, at, at);
        if self.is_lost && segments.sight.is_some_and(touches) {
            self.update_by_sight(&Segments { sight: None, ..*segments }, at, parameters);
        }
    }

    fn update_by_sight<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        at: &NavPoint,
        parameters: CorridorParameters,
    ) {
        let CorridorParameters { tolerance, edge_offset, keeps_target } = parameters;
        let passed = self.pass_corner(segments, at, tolerance);
        let is_valid = |target: SeenTarget| {
            let SeenTarget { point, seen_from, is_rest } = target;
            let least = if is_rest { EXACTLY } else { LEAST_TARGET_DISTANCE };
            let is_recent = match edge_offset {
                Some(_) => {
                    let seen = horizontal_distance(&seen_from.point, &point.point);
                    horizontal_distance(&seen_from.point, &at.point)
                        < RECHECK_DISTANCE.max(RECHECK_PART * seen).min(0.5 * seen)
                }
                None => seen_from.span == at.span,
            };
            is_recent && horizontal_distance(&point.point, &at.point) > least
        };
        let known = self.target.filter(|target| is_valid(*target) && !passed);
        let looks_again = std::mem::take(&mut self.looks_again);
        if known.is_some() && !looks_again && edge_offset == self.edge_offset {
            return;
        }
        let horizon = if edge_offset.is_some() { CROWDED_HORIZON } else { f32::INFINITY };
        while self.skip_corner(segments, at, horizon) {}
        self.edge_offset = edge_offset;
        self.target = self.choose_target(segments, at, horizon);
        self.is_lost = self.target.is_none();
        if self.target.is_none() && known.is_some() && keeps_target {
            (self.target, self.is_lost) = (known, false);
        }
    }

    /// Chooses the steering target: a little to the right of the path if the body is among others, unless it sees next
    /// to nothing of it.
    fn choose_target<M: CostModel + ?Sized>(
        &self,
        segments: &Segments<M>,
        at: &NavPoint,
        horizon: f32,
    ) -> Option<SeenTarget> {
        let target = self.farthest_visible(segments, at, horizon)?;
        let is_waypoint =
            self.waypoints.get(self.next).is_some_and(|next| next.point == target.point);
        let is_near = horizontal_distance(&target.point, &at.point) <= REST_DISTANCE;
        let is_rest = is_near && !is_waypoint;
        let point = match self.edge_offset.filter(|_| !is_rest) {
            Some(edge_offset) => self.keep_right(segments, [at, &target], edge_offset),
            None => target,
        };
        Some(SeenTarget { point, seen_from: *at, is_rest })
    }

    /// Looks for the steering target anew in the next step.
    pub(crate) fn look_again(&mut self) {
        self.looks_again = true;
    }

    /// Whether nothing of the path was in sight at the last update.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Forgets the steering target: it may be out of sight.
    pub(crate) fn forget_target(&mut self) {
        self.target = None;
    }

    /// Drops the next waypoint if it has been reached and some of the segment behind it is in sight.
    /// Links are not passed but taken.
    fn pass_corner<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        at: &NavPoint,
        tolerance: f32,
    ) -> bool {
        let Some((next, Some(after))) = self.corner() else { return false };
        if next.link.is_some() || horizontal_distance(&next.point, &at.point) > tolerance {
            return false;
        }
        let corner = nav_point(next);
        let behind = SegmentAhead { from: corner, to: nav_point(after), horizon: CROWDED_HORIZON };
        let passed = behind.target(segments, at).is_some();
        if passed {
            self.origin = Some(corner);
            self.next += 1;
        }
        passed
    }

    /// Drops the next waypoint if the straight line to the one after it is clear and costs no more
    /// than around the corner.
    fn skip_corner<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        at: &NavPoint,
        horizon: f32,
    ) -> bool {
        let Some((next, Some(after))) = self.corner() else { return false };
        if next.link.is_some() || horizontal_distance(&next.point, &at.point) > horizon {
            return false;
        }
        let Some(first) = segments.metric.segment(at, &nav_point(next), f64::INFINITY) else {
            return false;
        };
        let by_corner = first + self.costs[self.next + 1];
        let most = by_corner * (1.0 + COST_TOLERANCE) + COST_TOLERANCE;
        let straight = segments.clear(at, &nav_point(after), most);
        if straight.is_some() {
            self.origin = Some(*at);
            self.next += 1;
        }
        straight.is_some()
    }

    /// Returns the farthest visible point on the segment to the next waypoint; if there is none, the nearest point
    /// of the segment, or the one where the body entered it.
    fn farthest_visible<M: CostModel + ?Sized>(
        &self,
        segments: &Segments<M>,
        at: &NavPoint,
        horizon: f32,
    ) -> Option<NavPoint> {
        let next = nav_point(self.waypoints.get(self.next)?);
        let origin = self.origin?;
        let ahead = SegmentAhead { from: origin, to: next, horizon };
        ahead.target(segments, at).or_else(|| {
            let is_back = |point: &NavPoint| {
                horizontal_distance(&point.point, &at.point) > EXACTLY
                    && segments.clear(at, point, f64::INFINITY).is_some()
            };
            let beside = ahead.nearest(segments, at).into_iter();
            beside.chain([origin]).find(is_back)
        })
    }

    /// Moves a target to the right half of the ground ahead, at an offset [0..=1] from its right edge.
    /// Bodies that come the other way keep to their right as well, so all pass on the left. Returns
    /// the farthest such point in sight.
    fn keep_right<M: CostModel + ?Sized>(
        &self,
        segments: &Segments<M>,
        [at, target]: [&NavPoint; 2],
        edge_offset: f32,
    ) -> NavPoint {
        let length = horizontal_distance(&target.point, &at.point);
        let is_exact = self.next + 1 == self.waypoints.len()
            || self.waypoints.get(self.next).is_some_and(|next| next.link.is_some());
        // Where the body has to be exact, the offset fades out as it comes near.
        let fade = if is_exact {
            ((length - EXACT_DISTANCE) / CROWDED_TARGET_DISTANCE).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let direction = target.point - at.point;
        let right = [-direction.z / length, direction.x / length];
        // How far ahead, as a part of the most, and which part of the offset.
        let tries = [(1.0, 1.0), (0.5, 1.0), (0.25, 1.0), (1.0, 0.5)].into_iter();
        tries
            .filter_map(|(ahead, part)| {
                let part_of_line = (ahead * CROWDED_TARGET_DISTANCE / length).min(1.0);
                let middle = segments.point_on(at, target, part_of_line)?;
                let most = horizontal_distance(&middle.point, &at.point);
                let section = CrossSection { middle, right, most };
                Some(section.offset_point(segments.metric.view, edge_offset, part * fade))
            })
            .filter(|point| horizontal_distance(&point.point, &at.point) > LEAST_TARGET_DISTANCE)
            .find(|point| segments.clear(at, point, f64::INFINITY).is_some())
            .unwrap_or(*target)
    }

    /// Returns the link that starts at the next waypoint.
    pub(crate) fn link_ahead(&self) -> Option<LinkAhead> {
        let (next, after) = self.corner()?;
        Some(LinkAhead { link: next.link?, from: nav_point(next), to: nav_point(after?) })
    }

    /// Returns the link that starts here, if the body has reached it and it is open.
    pub(crate) fn link_here(
        &self,
        view: &ViewRef,
        at: &NavPoint,
        tolerance: f32,
    ) -> Option<LinkAhead> {
        let is_here = |link: &LinkAhead| {
            horizontal_distance(&link.from.point, &at.point) <= tolerance
                && is_link_open(view, link.from.span, link.link)
        };
        self.link_ahead().filter(is_here)
    }

    /// Continues behind a link that was taken.
    pub(crate) fn leave_link(&mut self) {
        self.next = (self.next + 1).min(self.waypoints.len().saturating_sub(1));
        self.origin = self.waypoints.get(self.next).map(nav_point);
        self.target = None;
    }

    /// Whether everything ahead can still be walked: each segment clear, each link open. O(length of
    /// the path).
    pub(crate) fn is_open<M: CostModel + ?Sized>(&self, segments: &Segments<M>) -> bool {
        self.ahead().windows(2).all(|pair| match pair[0].link {
            Some(link) => is_link_open(segments.metric.view, pair[0].span, link),
            None => {
                let ends = [nav_point(&pair[0]), nav_point(&pair[1])];
                segments.clear(&ends[0], &ends[1], f64::INFINITY).is_some()
            }
        })
    }
}

/// A line across the ground ahead.
struct CrossSection {
    middle: NavPoint,
    /// The direction to the right, of length 1.
    right: [f32; 2],
    /// Points are moved no farther than this from the middle [m]: at a corner the line goes on through the
    /// passage that the body comes from.
    most: f32,
}

impl CrossSection {
    /// Returns the point at an offset from the right edge, as a part [0..=1] of the half width. Only a
    /// part [0..=1] of the distance from the middle to there is moved.
    fn offset_point(&self, view: &ViewRef, edge_offset: f32, part: f32) -> NavPoint {
        let CrossSection { middle, right, most } = *self;
        let room = |sign: f32| {
            let from = PlanarNavPoint::from(middle);
            let edge = slide_planar(view, from, right.map(|v| v * sign * MOST_HALF_WIDTH));
            let by = [0, 1].map(|axis| edge.position[axis] - from.position[axis]);
            sign * (by[0] * right[0] + by[1] * right[1])
        };
        let (to_right, to_left) = (room(1.0), room(-1.0));
        let offset = to_right - edge_offset * 0.5 * (to_right + to_left);
        let by = (offset * part).clamp(-most, most);
        slide_on(view, middle, right.map(|v| v * by))
    }
}

pub(super) fn is_link_open(view: &ViewRef, from: SpanId, link: u32) -> bool {
    view.leaving(from.0).any(|exit| exit.link == link)
}

pub(super) fn nav_point(waypoint: &Waypoint) -> NavPoint {
    NavPoint { span: waypoint.span, point: waypoint.point }
}
