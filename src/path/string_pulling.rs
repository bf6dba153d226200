//! String pulling: from a corridor to waypoints, where that costs nothing.
//!
//! 1. From each corner on, the farthest point of the corridor is sought to which a straight segment is
//!    clear and costs no more than the connections it replaces.
//! 2. Each corner slides along its two segments towards its neighbors, as far as the shortcut that opens
//!    is clear and cheaper: corners end up at what the path goes round.
//!
//! A segment is only taken for something that costs as much or more, so the result never costs more than
//! the corridor: no shortcut leads over a hill or through mud that the corridor was right to avoid. A
//! funnel (Lee and Preparata, 1984) needs no such test, since it counts length alone.

use crate::cost::CostModel;
use crate::grid::SpanId;
use crate::view::NavPoint;

use super::segment::Segments;

/// A corner of the taut path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    pub at: NavPoint,
    /// Cost of the segment from the corner before.
    pub segment: f64,
    /// Its last slide moved it nowhere, and its neighbors have not moved since.
    is_settled: bool,
}

/// A path that is being pulled taut. Its lists are kept from query to query.
#[derive(Clone, Debug, Default)]
pub(crate) struct TautPath {
    /// The ends, and the centers of the corridor's spans between them.
    points: Vec<NavPoint>,
    /// Cost of the corridor up to each of them.
    costs: Vec<f64>,
    corners: Vec<Corner>,
}

/// A corner that slides, with the segments on both sides of it.
#[derive(Clone, Copy)]
struct SlidingCorner {
    at: NavPoint,
    /// The corners before and after.
    ends: [NavPoint; 2],
    /// Costs of the two segments.
    segments: [f64; 2],
}

/// Sums of different pieces of the same ground differ by less than this part.
const SUM_ROUNDING: f64 = 1e-6;
/// Corners slide again while a sweep saves more than this part of the cost.
const WORTH_A_SWEEP: f64 = 1e-3;
/// The most sweeps over all corners.
const MOST_SWEEPS: usize = 4;
/// Bisections of a slide.
const MOST_BISECTIONS: usize = 6;
/// A slide ends when less than this is left to bisect [cells].
const FINEST_SLIDE: f32 = 0.5;

impl<M: CostModel + ?Sized> Segments<'_, M> {
    /// Pulls a corridor without links taut. The corners begin with the start.
    pub(crate) fn pull_taut(&self, taut: &mut TautPath, spans: &[SpanId], ends: [NavPoint; 2]) {
        self.lay_along_corridor(taut, spans, ends);
        self.keep_farthest(taut);
        for _ in 0..MOST_SWEEPS {
            let before: f64 = taut.corners.iter().map(|corner| corner.segment).sum();
            let saved = self.slide_corners(&mut taut.corners);
            if saved <= before * WORTH_A_SWEEP {
                break;
            }
        }
    }

    /// Begins with the points of the corridor and their costs.
    fn lay_along_corridor(&self, taut: &mut TautPath, spans: &[SpanId], ends: [NavPoint; 2]) {
        let (view, [start, goal]) = (self.metric.view, ends);
        taut.points.clear();
        taut.points.push(start);
        if let [first, inner @ .., last] = spans {
            // A diagonal connection avoids what a line from beside the center may cross. If that line is
            // not clear, the path leads by the center.
            let closed =
                |from: &NavPoint, to: &NavPoint| self.clear(from, to, f64::INFINITY).is_none();
            let center = |&span: &SpanId| NavPoint::center(view, span);
            if closed(&start, &inner.first().map_or(goal, center)) {
                taut.points.push(center(first));
            }
            taut.points.extend(inner.iter().map(center));
            if taut.points.last().is_some_and(|before| closed(before, &goal)) {
                taut.points.push(center(last));
            }
        }
        taut.points.push(goal);
        taut.costs.clear();
        let mut sum = 0.0;
        taut.costs.push(sum);
        let last = taut.points.len().saturating_sub(2);
        for (at, pair) in taut.points.windows(2).enumerate() {
            // Between centers a segment is a connection.
            let cost = if at == 0 || at == last {
                self.metric.segment(&pair[0], &pair[1], f64::INFINITY)
            } else {
                self.metric.center_segment(&pair[0], &pair[1]).map(f64::from)
            };
            sum += cost.unwrap_or(0.0);
            taut.costs.push(sum);
        }
    }

    /// Keeps the points that segments can join, each as far from the one before as possible.
    fn keep_farthest(&self, taut: &mut TautPath) {
        let TautPath { points, costs, corners } = taut;
        corners.clear();
        corners.push(Corner::new(points[0], 0.0));
        let last = points.len() - 1;
        let mut from = 0;
        while from < last {
            let segment = |to: usize| {
                let most = costs[to] - costs[from];
                self.clear(&points[from], &points[to], most * (1.0 + SUM_ROUNDING))
            };
            let (to, cost) = farthest(from + 1, last, segment)
                .unwrap_or((from + 1, costs[from + 1] - costs[from]));
            corners.push(Corner::new(points[to], cost));
            from = to;
        }
    }

    /// Slides each corner along its segments, and removes those that are not needed. Returns the cost that
    /// this saves.
    fn slide_corners(&self, corners: &mut Vec<Corner>) -> f64 {
        let mut saved = 0.0;
        let mut at = 1;
        while at + 1 < corners.len() {
            let [before, corner, after] = [corners[at - 1], corners[at], corners[at + 1]];
            if corner.is_settled {
                at += 1;
                continue;
            }
            let old = corner.segment + after.segment;
            let ends = [before.at, after.at];
            if let Some(cost) = self.clear(&ends[0], &ends[1], old) {
                saved += old - cost;
                corners[at + 1].segment = cost;
                corners.remove(at);
                unsettle(corners, [at - 1, at]);
                continue;
            }
            let segments = [corner.segment, after.segment];
            let mut sliding = SlidingCorner { at: corner.at, ends, segments };
            let moved_back = self.slide(&mut sliding, before.at);
            let moved_on = self.slide(&mut sliding, after.at);
            let SlidingCorner { at: place, segments, .. } = sliding;
            saved += old - segments[0] - segments[1];
            let is_settled = !moved_back && !moved_on;
            corners[at] = Corner { at: place, segment: segments[0], is_settled };
            corners[at + 1].segment = segments[1];
            if !is_settled {
                unsettle(corners, [at - 1, at + 1]);
            }
            at += 1;
        }
        saved
    }

    /// Moves a corner towards an end of one of its segments, as far as both new segments are clear and
    /// together cheaper. Returns whether it moved.
    fn slide(&self, corner: &mut SlidingCorner, towards: NavPoint) -> bool {
        let (from, ends) = (corner.at, corner.ends);
        let mut has_moved = false;
        let (mut near, mut far) = (0.0, 1.0);
        let mut most = corner.segments[0] + corner.segments[1];
        let whole = towards.point - from.point;
        let cells = whole.x.hypot(whole.z) / self.metric.view.cell_size();
        for _ in 0..MOST_BISECTIONS {
            if cells * (far - near) < FINEST_SLIDE {
                break;
            }
            let middle = (near + far) / 2.0;
            let moved = self.point_on(&from, &towards, middle).and_then(|at| {
                let first = self.clear(&ends[0], &at, most)?;
                let second = self.clear(&at, &ends[1], most - first)?;
                Some(SlidingCorner { at, ends, segments: [first, second] })
            });
            match moved {
                Some(moved) => {
                    near = middle;
                    most = moved.segments[0] + moved.segments[1];
                    *corner = moved;
                    has_moved = true;
                }
                None => far = middle,
            }
        }
        has_moved
    }
}

impl TautPath {
    /// The corners, beginning with the start.
    pub(crate) fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// Cost of the corridor that it was pulled from.
    pub(crate) fn corridor_cost(&self) -> f64 {
        self.costs.last().copied().unwrap_or(0.0)
    }
}

impl Corner {
    fn new(at: NavPoint, segment: f64) -> Self {
        Corner { at, segment, is_settled: false }
    }
}

/// Lets corners slide again whose neighbors moved.
fn unsettle(corners: &mut [Corner], changed: [usize; 2]) {
    changed.into_iter().for_each(|at| corners[at].is_settled = false);
}

/// The farthest position from `first` to `last` to which there is a segment, and its cost; found by
/// strides that double and then halve. `None` if there is none to the first.
fn farthest(
    first: usize,
    last: usize,
    segment: impl Fn(usize) -> Option<f64>,
) -> Option<(usize, f64)> {
    let mut found = (first, segment(first)?);
    let mut stride = 1;
    let mut beyond = last + 1;
    while found.0 < last && beyond > last {
        let to = (found.0 + stride).min(last);
        match segment(to) {
            Some(cost) => found = (to, cost),
            None => beyond = to,
        }
        stride *= 2;
    }
    while beyond - found.0 > 1 && beyond <= last {
        let to = found.0 + (beyond - found.0) / 2;
        match segment(to) {
            Some(cost) => found = (to, cost),
            None => beyond = to,
        }
    }
    Some(found)
}
