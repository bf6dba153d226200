//! String pulling: from a corridor to waypoints, where that costs nothing.
//!
//! 1. From each corner on, the farthest point of the corridor is sought to which a straight segment is
//!    clear and costs no more than the connections it replaces.
//! 2. On rolling ground long segments are bent aside, where that is cheaper.
//! 3. Each corner slides along its two segments towards its neighbors, as far as the shortcut that opens
//!    is clear and cheaper: corners end up at what the path goes round.
//!
//! A segment is only taken for something that costs as much or more, so the result never costs more than
//! the corridor: no shortcut leads over a hill or through mud that the corridor was right to avoid. A
//! funnel (Lee and Preparata, 1984) needs no such test, since it counts length alone.

use std::ops::Range;

use crate::cost::CostModel;
use crate::view::NavPoint;

use super::corner_sweep::Corner;
use super::corridor::Corridor;
use super::segment::Segments;
use super::segment_walk::SegmentTarget;
use super::sight::{LineEnd, follow};
use super::waypoints::Path;

/// A path that is being pulled taut. Its lists are kept from query to query.
#[derive(Clone, Debug, Default)]
pub(crate) struct TautPath {
    /// The ends, and the centers of the corridor's spans between them.
    points: Vec<CorridorPoint>,
    /// Cost of the corridor.
    corridor_cost: f64,
    corners: Vec<Corner>,
}

/// A point of a corridor, joined to the one before by a straight segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct CorridorPoint {
    pub at: NavPoint,
    /// Cost of the segments up to here.
    pub cost: f64,
}

/// The farthest point of a corridor to which a segment leads.
struct Farthest {
    position: usize,
    /// Cost of the segment.
    cost: f64,
    /// Something is in the way of a segment to a point behind it.
    is_blocked: bool,
}

/// A part of a corridor without links, and the points between which the path leads.
#[derive(Clone)]
pub(crate) struct CorridorPart<'a> {
    pub corridor: &'a Corridor,
    /// Positions of its spans.
    pub spans: Range<usize>,
    pub ends: [NavPoint; 2],
    pub wanted: WantedWaypoints,
    /// Something is known to be in the way of the straight line from end to end.
    pub is_line_blocked: bool,
}

/// How many waypoints of a path are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WantedWaypoints {
    /// So many are enough, the start included.
    pub count: usize,
    /// So many more corners are looked at: some are removed while others move.
    pub spare: usize,
}

impl WantedWaypoints {
    pub(crate) const ALL: WantedWaypoints = WantedWaypoints { count: usize::MAX, spare: 0 };

    pub(crate) fn is_all(self) -> bool {
        self.count == usize::MAX
    }

    /// Those from the last waypoint of a path on, which has not all of them yet.
    pub(crate) fn behind(self, path: &Path) -> Self {
        let count =
            if self.is_all() { self.count } else { self.count + 1 - path.waypoints().len() };
        WantedWaypoints { count, ..self }
    }

    /// How many corners are looked at.
    fn corners(self) -> usize {
        self.count.saturating_add(self.spare)
    }
}

/// Sums of different pieces of the same ground differ by less than this part.
const SUM_ROUNDING: f64 = 1e-6;

impl TautPath {
    /// The corners, beginning with the start.
    pub(crate) fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// Cost of the corridor that it was pulled from.
    pub(crate) fn corridor_cost(&self) -> f64 {
        self.corridor_cost
    }

    /// The last point so far.
    fn end(&self) -> NavPoint {
        self.points[self.points.len() - 1].at
    }

    fn begin(&mut self, start: NavPoint) {
        self.points.clear();
        self.points.push(CorridorPoint { at: start, cost: 0.0 });
        self.corridor_cost = 0.0;
    }

    /// Goes on to a point, at a cost along the corridor and by a straight segment.
    fn go_on(&mut self, at: NavPoint, along: f64, straight: f64) {
        let before = self.points.last().map_or(0.0, |point| point.cost);
        self.points.push(CorridorPoint { at, cost: before + straight });
        self.corridor_cost += along;
    }
}

impl<M: CostModel + ?Sized> Segments<'_, M> {
    /// Pulls a part of a corridor taut.
    pub(crate) fn pull_taut(&self, taut: &mut TautPath, part: &CorridorPart) {
        self.lay_along_corridor(taut, part);
        if self.sight.is_none() {
            self.cross_slopes(&mut taut.points);
        }
        self.keep_farthest(taut, part);
        if self.sight.is_none() {
            self.bend_aside(&mut taut.corners);
        }
        self.sweep_corners(&mut taut.corners);
    }

    /// Begins with the points of the corridor and their costs.
    ///
    /// A diagonal connection avoids what a line from beside the center may cross. If the line from the
    /// start to the second span is not clear, the path leads by the center of the first; likewise at the
    /// goal, and between two points of one span.
    fn lay_along_corridor(&self, taut: &mut TautPath, part: &CorridorPart) {
        let CorridorPart { corridor, spans, ends: [start, goal], .. } = part;
        let center = |at: usize| NavPoint::center(self.metric.view, corridor.spans()[at]);
        let clear = |from: &NavPoint, to: &NavPoint| self.clear(from, to, f64::INFINITY);
        taut.begin(*start);
        let (first, last) = (spans.start, spans.end.saturating_sub(1));
        if first >= last {
            if first == last && clear(start, goal).is_none() {
                self.go_on(taut, center(first));
            }
            return self.go_on(taut, *goal);
        }
        let leads_on = first + 1 < last;
        let second = if leads_on { center(first + 1) } else { *goal };
        let direct = clear(start, &second);
        match direct {
            Some(cost) => taut.go_on(second, cost, cost),
            None => self.go_on(taut, center(first)),
        }
        let is_direct = direct.is_some();
        if is_direct && !leads_on {
            return;
        }
        for position in first + 1 + usize::from(is_direct)..last {
            self.go_along(taut, corridor, position);
        }
        match clear(&taut.end(), goal) {
            Some(cost) => taut.go_on(*goal, cost, cost),
            None => {
                self.go_along(taut, corridor, last);
                self.go_on(taut, *goal);
            }
        }
    }

    /// Goes on to a point by a segment that is known to be clear.
    fn go_on(&self, taut: &mut TautPath, to: NavPoint) {
        let cost = self.metric.segment(&taut.end(), &to, f64::INFINITY).unwrap_or(0.0);
        taut.go_on(to, cost, cost);
    }

    /// Goes on from the center of a span of the corridor to that of the next, at a position.
    fn go_along(&self, taut: &mut TautPath, corridor: &Corridor, position: usize) {
        let next = NavPoint::center(self.metric.view, corridor.spans()[position]);
        match corridor.gap_to(position) {
            Some(gap) => taut.go_on(next, f64::from(gap.cost), gap.straight),
            None => {
                let step = self.metric.center_segment(&taut.end(), &next);
                let cost = step.map_or(0.0, f64::from);
                taut.go_on(next, cost, cost);
            }
        }
    }

    /// Keeps the points that segments can join, each as far from the one before as possible: all, or the
    /// first ones.
    ///
    /// Where something was in the way before, it probably is again: on level ground line of sight decides.
    fn keep_farthest(&self, taut: &mut TautPath, part: &CorridorPart) {
        let TautPath { points, corners, .. } = taut;
        corners.clear();
        corners.push(Corner::new(points[0].at, 0.0));
        let (mut ahead, mut was_blocked) = (&points[..], part.is_line_blocked);
        while ahead.len() > 1 && corners.len() < part.wanted.corners() {
            let may_go_by_sight = was_blocked && self.begins_level(ahead);
            let in_sight = if may_go_by_sight { self.farthest_in_sight(ahead) } else { None };
            let farthest = in_sight.unwrap_or_else(|| self.farthest(ahead));
            let Farthest { position, cost, is_blocked } = farthest;
            was_blocked = is_blocked;
            let corner = Corner::new(ahead[position].at, cost);
            corners.push(Corner { hides_next: is_blocked, ..corner });
            ahead = &ahead[position..];
        }
    }

    /// As [`Self::farthest`], by line of sight alone but for the point itself; `None` if that costs too much.
    fn farthest_in_sight(&self, points: &[CorridorPoint]) -> Option<Farthest> {
        let (mut seen, mut beyond, mut stride) = (1, points.len(), 2);
        while beyond - seen > 1 {
            let is_strided = beyond == points.len();
            let to = if is_strided { seen + stride } else { seen.midpoint(beyond) };
            let to = to.min(beyond - 1);
            let is_seen = self.is_seen(&points[0].at, &points[to].at);
            if is_seen {
                seen = to
            } else {
                beyond = to
            }
            stride *= 2;
        }
        let [from, to] = [&points[0], &points[seen]];
        let along = to.cost - from.cost;
        let cost = match seen {
            1 => along,
            _ => self.clear(&from.at, &to.at, along * (1.0 + SUM_ROUNDING))?,
        };
        Some(Farthest { position: seen, cost, is_blocked: beyond < points.len() })
    }

    /// The farthest point to which there is a segment from the first one that costs no more than the
    /// segments between; found by strides that double and then halve.
    ///
    /// Where something is in the way, the last strides are by line of sight alone, and the farthest point
    /// is priced.
    fn farthest(&self, points: &[CorridorPoint]) -> Farthest {
        let along = |to: usize| points[to].cost - points[0].cost;
        let segment = |to: usize| {
            let most = along(to) * (1.0 + SUM_ROUNDING);
            self.try_clear(&points[0].at, SegmentTarget::NavPoint(&points[to].at), most)
        };
        // Each point is joined to the next.
        let (mut found, mut beyond, mut stride) = ((1, along(1)), points.len(), 2);
        let mut is_blocked = false;
        while beyond == points.len() && found.0 + 1 < beyond {
            let to = (found.0 + stride).min(beyond - 1);
            match segment(to) {
                Ok(clear) => found = (to, clear.cost),
                Err(end) => (beyond, is_blocked) = (to, matches!(end, LineEnd::Blocked(_))),
            }
            stride *= 2;
        }
        let farthest = |(position, cost): (usize, f64)| Farthest { position, cost, is_blocked };
        let mut seen = found.0;
        while is_blocked && beyond - seen > 1 {
            let to = seen.midpoint(beyond);
            let is_seen = self.is_seen(&points[0].at, &points[to].at);
            if is_seen { seen = to } else { beyond = to }
        }
        if seen > found.0 {
            match segment(seen) {
                Ok(clear) => return farthest((seen, clear.cost)),
                Err(_) => beyond = seen,
            }
        }
        while beyond - found.0 > 1 {
            let to = found.0.midpoint(beyond);
            match segment(to) {
                Ok(clear) => found = (to, clear.cost),
                Err(_) => beyond = to,
            }
        }
        farthest(found)
    }

    /// Whether the grid shows nothing between two points.
    fn is_seen(&self, from: &NavPoint, to: &NavPoint) -> bool {
        follow(self.metric.view, from, to.place(), |_| true).reaches(to.span)
    }
}
