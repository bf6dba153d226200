//! From a corridor to waypoints: pulls the taut path tight where that costs nothing.
//!
//! 1. From each corner on, the farthest span of the corridor is sought to which a straight segment is
//!    clear and costs no more than the steps it replaces.
//! 2. Each corner slides along its two segments towards its neighbors, as far as the shortcut that
//!    opens is clear and cheaper: corners end up at what they go round.
//!
//! A segment is only ever taken for something that costs as much or more, so the result never costs
//! more than the corridor: no shortcut leads over a hill or through mud that the corridor was
//! right to go round.

use crate::grid::SpanId;

use crate::cost::CostModel;
use crate::path::segment::Segments;
use crate::view::NavPoint;

/// A corner of the taut path, and what the segment from the corner before costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    pub at: NavPoint,
    pub segment: f64,
    /// It did not get anywhere when it slid last, and its neighbors are where they were then.
    is_settled: bool,
}

/// The lists that straightening works on, kept from query to query.
#[derive(Clone, Debug, Default)]
pub(crate) struct TautPath {
    /// The corridor's spans: their centers, but for both ends.
    points: Vec<NavPoint>,
    /// What the corridor costs up to each of them.
    costs: Vec<f64>,
    corners: Vec<Corner>,
}

/// Sums of different pieces of the same ground differ by less than this part.
const ROUNDING: f64 = 1e-6;
/// Corners slide again while the taut path gets shorter by more than this part, at most so often.
const WORTH_A_SWEEP: f64 = 1e-3;
const MOST_SWEEPS: usize = 4;
/// A slide is halved so often.
const HALVINGS: usize = 6;

impl<M: CostModel + ?Sized> Segments<'_, M> {
    /// Pulls a string through the spans of a corridor without links. Returns its corners, the
    /// first being the start, and what the corridor costs.
    pub(crate) fn pull_taut<'s>(
        &self,
        taut: &'s mut TautPath,
        spans: &[SpanId],
        [start, goal]: [NavPoint; 2],
    ) -> (&'s [Corner], f64) {
        self.thread(taut, spans, [start, goal]);
        self.skip_points(taut);
        for _ in 0..MOST_SWEEPS {
            let before: f64 = taut.corners.iter().map(|corner| corner.segment).sum();
            let saved = self.slide_corners(&mut taut.corners);
            if saved <= before * WORTH_A_SWEEP {
                break;
            }
        }
        (&taut.corners, taut.costs.last().copied().unwrap_or(0.0))
    }

    /// Lays the taut path along the corridor.
    fn thread(&self, taut: &mut TautPath, spans: &[SpanId], [start, goal]: [NavPoint; 2]) {
        let view = self.metric.view;
        taut.points.clear();
        taut.points.push(start);
        if let [first, inner @ .., last] = spans {
            // A diagonal step goes round what a line from beside the center may lead over; where
            // that is closed, the path leads by the center.
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
            // Between centers a segment is a step.
            let cost = if at == 0 || at == last {
                self.metric.segment(&pair[0], &pair[1], f64::INFINITY)
            } else {
                self.metric.center_segment(&pair[0], &pair[1]).map(f64::from)
            };
            sum += cost.unwrap_or(0.0);
            taut.costs.push(sum);
        }
    }

    /// Keeps the points that segments can be drawn between, as far apart as they come.
    fn skip_points(&self, taut: &mut TautPath) {
        let TautPath { points, costs, corners } = taut;
        corners.clear();
        corners.push(Corner::new(points[0], 0.0));
        let last = points.len() - 1;
        let mut from = 0;
        while from < last {
            let segment = |to: usize| {
                let most = costs[to] - costs[from];
                self.clear(&points[from], &points[to], most * (1.0 + ROUNDING))
            };
            let (to, cost) = farthest((from + 1, last), segment)
                .unwrap_or((from + 1, costs[from + 1] - costs[from]));
            corners.push(Corner::new(points[to], cost));
            from = to;
        }
    }

    /// Slides each corner along its segments, and drops those that are not needed. Returns what that
    /// saved.
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
            let back = self.slide(corner.at, before.at, (ends, old));
            let (place, segments) = back.unwrap_or((corner.at, [corner.segment, after.segment]));
            let forth = self.slide(place, after.at, (ends, segments[0] + segments[1]));
            let (place, segments) = forth.unwrap_or((place, segments));
            saved += old - segments[0] - segments[1];
            let is_settled = back.is_none() && forth.is_none();
            corners[at] = Corner { at: place, segment: segments[0], is_settled };
            corners[at + 1].segment = segments[1];
            if !is_settled {
                unsettle(corners, [at - 1, at + 1]);
            }
            at += 1;
        }
        saved
    }

    /// Moves a corner along one of its segments, from where it is towards an end of the segment, as far as
    /// both new segments are clear and together cost less than `most`.
    fn slide(
        &self,
        corner: NavPoint,
        towards: NavPoint,
        (ends, most): ([NavPoint; 2], f64),
    ) -> Option<(NavPoint, [f64; 2])> {
        let mut found = None;
        let (mut near, mut far, mut most) = (0.0, 1.0, most);
        let whole = towards.point - corner.point;
        let cells = whole.x.hypot(whole.z) / self.metric.view.cell_size();
        for _ in 0..HALVINGS {
            // Less than half a cell is not worth looking for.
            if cells * (far - near) < 0.5 {
                break;
            }
            let middle = (near + far) / 2.0;
            let segments = self.point_on(&corner, &towards, middle).and_then(|place| {
                let first = self.clear(&ends[0], &place, most)?;
                let second = self.clear(&place, &ends[1], most - first)?;
                Some((place, [first, second]))
            });
            match segments {
                Some((place, segments)) => {
                    near = middle;
                    most = segments[0] + segments[1];
                    found = Some((place, segments));
                }
                None => far = middle,
            }
        }
        found
    }
}

impl Corner {
    fn new(at: NavPoint, segment: f64) -> Self {
        Corner { at, segment, is_settled: false }
    }
}

/// Lets corners slide again beside which something changed.
fn unsettle(corners: &mut [Corner], changed: [usize; 2]) {
    changed.into_iter().for_each(|at| corners[at].is_settled = false);
}

/// The farthest position from `first` to `last` to which there is a segment, sought in strides that
/// double and then halve; `None` where there is none to the first.
fn farthest(
    (first, last): (usize, usize),
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
