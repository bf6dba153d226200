//! The waypoints still ahead of a body, and which place to head for.
//!
//! What comes in is a path and where the body is; what goes out is the farthest place of the path
//! that it may go to straight: in line of sight, and no more expensive than by way of the corners between.
//! A corner that a path has because of mud or a hill is not cut because one can see across it.

use crate::cost::CostModel;
use crate::follow::horizontal::{level_distance, norm};
use crate::follow::slide::{Spot, slide_level, slide_on};
use crate::path::{Segments, Sight, Waypoint};
use crate::view::{NavPoint, ViewRef};

/// The waypoints still ahead.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathCorridor {
    waypoints: Vec<Waypoint>,
    /// What the segment that ends at each waypoint costs.
    costs: Vec<f64>,
    /// The waypoint that comes next; always one of them, unless there are none.
    next: usize,
    /// Where the segment to the next waypoint is entered.
    origin: Option<NavPoint>,
    /// What to head for, and from where that was seen.
    aim: Option<(NavPoint, NavPoint)>,
    /// In which lane that was.
    lane: Option<f32>,
    /// Nothing of the path was in sight when it last looked.
    is_lost: bool,
}

/// Costs of pieces of one way differ by less than this part, or this much [metres-equivalent].
const ROUNDING: f64 = 1e-4;
/// A body beside its segment heads for a place on it so much farther on [m], the first in sight.
const LEADS: [f32; 4] = [1.0, 0.5, 0.25, 0.1];
/// A body in its lane heads for a place so far ahead [m].
const LANE_AHEAD: f32 = 6.0;
/// Ground is taken to be so wide to each side at most [m].
const HALF_WIDTH: f32 = 4.0;
/// Among others a body looks ahead again when it has moved so far [m]...
const GLANCE: f32 = 0.5;
/// ...and has gone such a part of the path to what it heads for.
const GONE: f32 = 0.25;
/// Among others it looks no farther than this [m]: who has to go round them does not need to know
/// what is in sight beyond, and looking takes time.
const HORIZON: f32 = 12.0;
/// This near to where it has to be exact it leaves its lane [m].
const CLOSE: f32 = 1.5;
/// What is nearer than this is not worth heading for [m].
const NEAR: f32 = 0.02;

impl PathCorridor {
    /// Takes the waypoints of a path.
    pub(crate) fn take<M: CostModel + ?Sized>(&mut self, segments: &Segments<M>, way: &[Waypoint]) {
        self.waypoints.clear();
        self.waypoints.extend_from_slice(way);
        self.price(segments);
        self.next = 0;
        self.origin = self.waypoints.first().map(nav_point);
        (self.aim, self.is_lost) = (None, false);
    }

    fn price<M: CostModel + ?Sized>(&mut self, segments: &Segments<M>) {
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
        (self.next, self.origin, self.aim, self.is_lost) = (0, None, None, false);
    }

    /// The waypoints still ahead, the next one first.
    pub(crate) fn ahead(&self) -> &[Waypoint] {
        self.waypoints.get(self.next..).unwrap_or_default()
    }

    /// Where the path ends.
    pub(crate) fn end(&self) -> Option<NavPoint> {
        self.waypoints.last().map(nav_point)
    }

    /// What to head for; `None` where that is not known.
    pub(crate) fn aim(&self) -> Option<NavPoint> {
        self.aim.map(|(aim, _)| aim)
    }

    /// The waypoint that comes next, and the one after that.
    pub(crate) fn corner(&self) -> Option<(&Waypoint, Option<&Waypoint>)> {
        let next = self.waypoints.get(self.next)?;
        Some((next, self.waypoints.get(self.next + 1)))
    }

    /// How far it is along the path from a place to its end [m].
    pub(crate) fn remaining(&self, at: &NavPoint) -> f32 {
        let [Some(next), Some(last)] = [self.waypoints.get(self.next), self.waypoints.last()]
        else {
            return 0.0;
        };
        (next.point - at.point).norm() + last.distance - next.distance
    }

    /// Metres forward for a metre along the ground, on the segment to the next waypoint (0..=1].
    pub(crate) fn pitch(&self) -> f32 {
        let Some([from, to]) = self
            .waypoints
            .get(self.next.saturating_sub(1)..=self.next)
            .and_then(|pair| <&[Waypoint; 2]>::try_from(pair).ok())
        else {
            return 1.0;
        };
        let along = to.point - from.point;
        let pitch = norm([along.x, along.z]) / (to.distance - from.distance);
        if pitch.is_finite() { pitch.clamp(0.1, 1.0) } else { 1.0 }
    }

    /// Looks ahead from a place: lets go of waypoints that are passed or need not be gone by, and
    /// finds what to head for. Nothing is left to head for where the path was lost sight of.
    ///
    /// A cast tells nothing to a body that touches something where it stands: it was pushed, or
    /// stands on the edge of a step and higher than the ground. It goes by the grid until it is out.
    pub(crate) fn look<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        at: &NavPoint,
        (tolerance, lane): (f32, Option<f32>),
    ) {
        self.look_by(segments, at, (tolerance, lane));
        let touches = |sight: &dyn Sight| !sight.is_clear(segments.metric.view.view, at, at);
        if self.is_lost && segments.sight.is_some_and(touches) {
            self.look_by(&Segments { sight: None, ..*segments }, at, (tolerance, lane));
        }
    }

    /// Looks ahead by one line of sight.
    fn look_by<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        at: &NavPoint,
        (tolerance, lane): (f32, Option<f32>),
    ) {
        let passed = self.pass(segments, at, tolerance);
        let holds = |(aim, from): (NavPoint, NavPoint)| {
            let is_near = match lane {
                Some(_) => {
                    let seen = level_distance(&from.point, &aim.point);
                    level_distance(&from.point, &at.point) < GLANCE.max(GONE * seen)
                }
                None => from.span == at.span,
            };
            is_near && level_distance(&aim.point, &at.point) > NEAR
        };
        if self.aim.is_some_and(holds) && !passed && lane == self.lane {
            return;
        }
        let horizon = if lane.is_some() { HORIZON } else { f32::INFINITY };
        while self.skip(segments, at, horizon) {}
        self.lane = lane;
        let aim = self.choose(segments, at, horizon);
        self.is_lost = aim.is_none();
        let kept = aim.map(|aim| match lane {
            Some(lane) => self.keep_right(segments, [at, &aim], lane),
            None => aim,
        });
        self.aim = kept.map(|aim| (aim, *at));
    }

    /// Whether nothing of the path was in sight when it last looked.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Forgets what it headed for: something changed.
    pub(crate) fn look_again(&mut self) {
        self.aim = None;
    }

    /// Lets go of the next waypoint where it has been reached and some of the segment behind it is in
    /// sight. Links are not passed but taken.
    fn pass<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        at: &NavPoint,
        tolerance: f32,
    ) -> bool {
        let Some((next, Some(after))) = self.corner() else { return false };
        if next.link.is_some() || level_distance(&next.point, &at.point) > tolerance {
            return false;
        }
        let corner = nav_point(next);
        let passed = on_leg(segments, at, ([corner, nav_point(after)], HORIZON)).is_some();
        if passed {
            self.origin = Some(corner);
            self.next += 1;
        }
        passed
    }

    /// Goes straight for the waypoint after the next, where that is clear and costs no more.
    fn skip<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        at: &NavPoint,
        horizon: f32,
    ) -> bool {
        let Some((next, Some(after))) = self.corner() else { return false };
        if next.link.is_some() || level_distance(&next.point, &at.point) > horizon {
            return false;
        }
        let Some(first) = segments.metric.segment(at, &nav_point(next), f64::INFINITY) else {
            return false;
        };
        let by_corner = first + self.costs[self.next + 1];
        let straight =
            segments.clear(at, &nav_point(after), by_corner * (1.0 + ROUNDING) + ROUNDING);
        if straight.is_some() {
            self.origin = Some(*at);
            self.next += 1;
        }
        straight.is_some()
    }

    /// The farthest place in sight on the segment to the next waypoint; where none is, the way back to
    /// where the segment is entered.
    fn choose<M: CostModel + ?Sized>(
        &self,
        segments: &Segments<M>,
        at: &NavPoint,
        horizon: f32,
    ) -> Option<NavPoint> {
        let next = nav_point(self.waypoints.get(self.next)?);
        let origin = self.origin?;
        on_leg(segments, at, ([origin, next], horizon)).or_else(|| {
            let back = segments.clear(at, &origin, f64::INFINITY).map(|_| origin);
            back.filter(|back| level_distance(&back.point, &at.point) > NEAR)
        })
    }

    /// A place on the right half of the ground ahead, some part [0..=1] of the half's width from
    /// its right edge: those who come the other way keep to theirs, and pass on the left. The
    /// farthest such place in sight.
    fn keep_right<M: CostModel + ?Sized>(
        &self,
        segments: &Segments<M>,
        [at, aim]: [&NavPoint; 2],
        lane: f32,
    ) -> NavPoint {
        let length = level_distance(&aim.point, &at.point);
        let is_exact = self.next + 1 == self.waypoints.len()
            || self.waypoints.get(self.next).is_some_and(|next| next.link.is_some());
        let near = if is_exact { ((length - CLOSE) / LANE_AHEAD).clamp(0.0, 1.0) } else { 1.0 };
        let way = aim.point - at.point;
        let right = [-way.z / length, way.x / length];
        // How far ahead, as a part of the most, and which part of the path aside.
        let places = [(1.0, 1.0), (0.5, 1.0), (0.25, 1.0), (1.0, 0.5)].into_iter();
        places
            .filter_map(|(ahead, part)| {
                let middle = segments.point_on(at, aim, (ahead * LANE_AHEAD / length).min(1.0))?;
                Some(in_lane(segments.metric.view, &middle, (right, lane, part * near)))
            })
            .filter(|place| level_distance(&place.point, &at.point) > NEAR)
            .find(|place| segments.clear(at, place, f64::INFINITY).is_some())
            .unwrap_or(*aim)
    }

    /// The link that starts here: its index, and the place it leads to.
    pub(crate) fn link_here(&self, at: &NavPoint, tolerance: f32) -> Option<(u32, NavPoint)> {
        let (next, after) = self.corner()?;
        let reached = level_distance(&next.point, &at.point) <= tolerance;
        next.link.filter(|_| reached).zip(after.map(nav_point))
    }

    /// Goes on behind a link that was taken.
    pub(crate) fn leave_link(&mut self) {
        self.next = (self.next + 1).min(self.waypoints.len().saturating_sub(1));
        self.origin = self.waypoints.get(self.next).map(nav_point);
        self.aim = None;
    }

    /// Whether all that is ahead can still be gone: each segment clear, each link open. O(way).
    pub(crate) fn is_open<M: CostModel + ?Sized>(&self, segments: &Segments<M>) -> bool {
        self.ahead().windows(2).all(|pair| match pair[0].link {
            Some(link) => takes_link(segments.metric.view, &pair[0], link),
            None => {
                let ends = [nav_point(&pair[0]), nav_point(&pair[1])];
                segments.clear(&ends[0], &ends[1], f64::INFINITY).is_some()
            }
        })
    }
}

/// What to head for on a segment, seen from beside it: its end, where the way there is clear as far as
/// the horizon [m], else the farthest place in sight a little farther on than the body.
fn on_leg<M: CostModel + ?Sized>(
    segments: &Segments<M>,
    at: &NavPoint,
    ([from, to], horizon): ([NavPoint; 2], f32),
) -> Option<NavPoint> {
    let seen = |place: &NavPoint| segments.clear(at, place, f64::INFINITY).is_some();
    let to_end = level_distance(&to.point, &at.point);
    let is_near = to_end <= horizon;
    let farthest = if is_near { Some(to) } else { segments.point_on(at, &to, horizon / to_end) };
    if farthest.is_some_and(|place| seen(&place)) {
        return Some(to);
    }
    let (segment, beside) = (to.point - from.point, at.point - from.point);
    let length = norm([segment.x, segment.z]);
    let nearest = (beside.x * segment.x + beside.z * segment.z) / (length * length);
    let ahead = LEADS.map(|lead| nearest + lead / length).into_iter();
    let inside = ahead.filter(|part| part.is_finite()).map(|part| part.clamp(0.0, 1.0));
    inside
        .filter_map(|part| segments.point_on(&from, &to, part))
        .filter(|place| level_distance(&place.point, &at.point) > NEAR)
        .find(seen)
}

/// A place beside one in the middle of a path, which goes across a direction to its right: in a
/// lane, by a part [0..=1] of how far it is to there.
fn in_lane(
    view: &ViewRef,
    middle: &NavPoint,
    (right, lane, part): ([f32; 2], f32, f32),
) -> NavPoint {
    let room = |sign: f32| {
        let from = Spot::from(*middle);
        let edge = slide_level(view, from, right.map(|v| v * sign * HALF_WIDTH));
        let by = [0, 1].map(|axis| edge.place[axis] - from.place[axis]);
        sign * (by[0] * right[0] + by[1] * right[1])
    };
    let (to_right, to_left) = (room(1.0), room(-1.0));
    let offset = to_right - lane * 0.5 * (to_right + to_left);
    slide_on(view, *middle, right.map(|v| v * offset * part))
}

fn takes_link(view: &ViewRef, from: &Waypoint, link: u32) -> bool {
    view.leaving(from.span.0).any(|exit| exit.link == link)
}

fn nav_point(waypoint: &Waypoint) -> NavPoint {
    NavPoint { span: waypoint.span, point: waypoint.point }
}
