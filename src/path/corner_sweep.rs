//! Corners of a taut path: sweeps that move each one to where the path bends round what is in its way.
//!
//! A corner slides along its two segments, towards both neighbors, as far as that is cheaper. If something is
//! in the way of the straight line that leaves the corner out, it goes as far as its other neighbor sees it:
//! to where a line just passes what blocks the next one. If that line is clear but too expensive, as over a
//! hill, nothing says where the corner belongs, and each step is priced.

use crate::cost::CostModel;
use crate::view::{NavPoint, ViewRef};

use super::pivot::{BlockedLine, Side, part_at_meeting};
use super::segment::{ClearSegment, Segments};
use super::segment_walk::SegmentTarget;
use super::sight::{LineEnd, follow};

/// A corner of the taut path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    pub at: NavPoint,
    /// Cost of the segment from the corner before.
    pub segment: f64,
    /// It is where it should be, as long as its neighbors do not move.
    pub(super) is_settled: bool,
    /// Something was in the way of a line from the corner before past this one.
    pub hides_next: bool,
}

/// A corner that moves, with the segments on both sides of it.
#[derive(Clone, Copy)]
struct MovingCorner {
    at: NavPoint,
    /// The corners before and after.
    ends: [NavPoint; 2],
    /// Costs of the two segments.
    segments: [f64; 2],
}

/// What to do with a corner.
enum Sweep {
    /// A segment of this cost replaces its two.
    Remove(f64),
    Move(MovingCorner),
    Keep,
}

/// A corner does not slide if the most that can be saved at it is less than this part of its segments.
const WORTH_A_MOVE: f64 = 1e-3;
/// Sweeps go on while one saves more than this part of the cost.
const WORTH_A_SWEEP: f64 = 1e-3;
/// The most sweeps over all corners.
const MOST_SWEEPS: usize = 4;
/// The first step of a slide [cells]; a corner that cannot go so far stays where it is.
const FIRST_STEP: f32 = 0.5;
/// A slide ends when less than this is left to bisect [cells].
const FINEST_SLIDE: f32 = 0.5;

impl Corner {
    pub(crate) fn new(at: NavPoint, segment: f64) -> Self {
        Corner { at, segment, is_settled: false, hides_next: false }
    }
}

impl MovingCorner {
    fn cost(&self) -> f64 {
        self.segments[0] + self.segments[1]
    }
}

impl<M: CostModel + ?Sized> Segments<'_, M> {
    /// Moves corners between the first and the last, and removes those that are not needed, while that
    /// saves much.
    pub(crate) fn sweep_corners(&self, corners: &mut Vec<Corner>) {
        for _ in 0..MOST_SWEEPS {
            let before: f64 = corners.iter().map(|corner| corner.segment).sum();
            if self.sweep(corners) <= before * WORTH_A_SWEEP {
                break;
            }
        }
    }

    /// Sweeps once. Returns the cost that this saves.
    fn sweep(&self, corners: &mut Vec<Corner>) -> f64 {
        let (mut saved, mut at) = (0.0, 1);
        while at + 1 < corners.len() {
            let [before, corner, after] = [corners[at - 1], corners[at], corners[at + 1]];
            let segments = [corner.segment, after.segment];
            let old = MovingCorner { at: corner.at, ends: [before.at, after.at], segments };
            let sweep = match corner.is_settled {
                true => Sweep::Keep,
                false => self.sweep_one(&old, corner.hides_next),
            };
            corners[at].is_settled = true;
            match sweep {
                Sweep::Keep => at += 1,
                Sweep::Remove(cost) => {
                    saved += old.cost() - cost;
                    corners[at + 1].segment = cost;
                    corners.remove(at);
                    unsettle(corners, [at - 1, at]);
                }
                Sweep::Move(moved) => {
                    saved += old.cost() - moved.cost();
                    corners[at] =
                        Corner { at: moved.at, segment: moved.segments[0], ..corners[at] };
                    corners[at + 1].segment = moved.segments[1];
                    unsettle(corners, [at - 1, at + 1]);
                    at += 1;
                }
            }
        }
        saved
    }

    fn sweep_one(&self, corner: &MovingCorner, hides_next: bool) -> Sweep {
        let [before, after] = &corner.ends;
        let old = corner.cost();
        let is_blocked = match self.leave_out(corner, hides_next) {
            Ok(direct) => return Sweep::Remove(direct.cost),
            Err(end) => matches!(end, LineEnd::Blocked(_)),
        };
        let least = self.metric.least_between(before.point, after.point);
        if old - least <= old * WORTH_A_MOVE {
            return Sweep::Keep;
        }
        let mut moved = *corner;
        let slides = [1, 0].map(|towards| self.slide(&mut moved, towards, is_blocked));
        if slides.contains(&true) { Sweep::Move(moved) } else { Sweep::Keep }
    }

    /// The segment that leaves a corner out, if it is clear and costs no more. Where something is probably
    /// in its way, line of sight is looked at first: that takes a quarter of the time.
    fn leave_out(&self, corner: &MovingCorner, hides_next: bool) -> Result<ClearSegment, LineEnd> {
        let [before, after] = &corner.ends;
        if hides_next
            && let end @ LineEnd::Blocked(_) =
                follow(self.metric.view, before, after.place(), |_| true)
        {
            return Err(end);
        }
        self.try_clear(before, SegmentTarget::NavPoint(after), corner.cost())
    }

    /// Moves a corner along one of its segments towards the corner before (0) or after (1), as far as both
    /// new segments are clear and together cheaper. Returns whether it moved.
    ///
    /// Something may be in the way of a line that leaves the corner out. Then it goes as far as its other
    /// neighbor sees it: on ground that is everywhere alike that is the cheapest place.
    fn slide(&self, corner: &mut MovingCorner, towards: usize, is_blocked: bool) -> bool {
        let slide = Slide::new(self.metric.view, corner, towards);
        let farthest = if is_blocked { self.farthest_seen(&slide) } else { 1.0 };
        if farthest == 0.0 {
            return false;
        }
        if is_blocked && let Some(moved) = self.slid(corner, &slide, farthest) {
            *corner = moved;
            return true;
        }
        let mut parts = SlideParts::new(&slide, farthest);
        while let Some(part) = parts.next() {
            match self.slid(corner, &slide, part) {
                Some(moved) => {
                    *corner = moved;
                    parts.succeed(part);
                }
                None => parts.fail(part),
            }
        }
        parts.near > 0.0
    }

    /// The farthest part of a slide that the corner's other neighbor sees.
    fn farthest_seen(&self, slide: &Slide) -> f32 {
        let view = self.metric.view;
        let mut parts = SlideParts::new(slide, 1.0);
        let mut pivot = None;
        while let Some(next) = parts.next() {
            // On the stairs that walls are in cells, one pivot follows another: every other try is a half.
            let by_pivot = pivot.take().filter(|past| (parts.near..parts.far).contains(past));
            let part = by_pivot.unwrap_or(next);
            match follow(view, &slide.seen_from, slide.place(part), |_| true) {
                LineEnd::Reached { .. } if by_pivot.is_some() => return part,
                LineEnd::Reached { .. } => parts.succeed(part),
                end => {
                    parts.fail(part);
                    pivot = slide.part_past(view, part, end).filter(|_| by_pivot.is_none());
                }
            }
        }
        parts.near
    }

    /// The corner after a part of a slide, if it is cheaper there.
    fn slid(&self, corner: &MovingCorner, slide: &Slide, part: f32) -> Option<MovingCorner> {
        let (place, most) = (slide.place(part), corner.cost());
        let [before, after] = &corner.ends;
        let (at, first) = if slide.seen_from == *before {
            let first = self.try_clear(before, SegmentTarget::Place(place), most).ok()?;
            (first.end, first.cost)
        } else {
            let at = self.seen_at(&slide.seen_from, place)?;
            (at, self.clear(before, &at, most)?)
        };
        let second = self.clear(&at, after, most - first)?;
        Some(MovingCorner { at, ends: corner.ends, segments: [first, second] })
    }
}

/// The parts of a slide that are tried. Most corners are where they belong, and a small step shows it.
/// Others go in ever larger steps until one is too far, and then by halves.
struct SlideParts {
    /// What is known to do.
    near: f32,
    /// What is known to be too far, or the end.
    far: f32,
    step: f32,
    /// No smaller one is tried.
    finest: f32,
}

impl SlideParts {
    fn new(slide: &Slide, far: f32) -> Self {
        let [step, finest] = [FIRST_STEP, FINEST_SLIDE].map(|cells| cells / slide.cells);
        SlideParts { near: 0.0, far, step, finest }
    }

    /// The next one; `None` if the farthest one that does is known.
    fn next(&self) -> Option<f32> {
        let next = (self.near + self.step).min(self.near.midpoint(self.far));
        (self.far - self.near > self.finest).then_some(next)
    }

    fn succeed(&mut self, part: f32) {
        (self.near, self.step) = (part, 2.0 * self.step);
    }

    fn fail(&mut self, part: f32) {
        let is_in_place = self.near == 0.0;
        self.far = if is_in_place { 0.0 } else { part };
        // From now on by halves.
        self.step = 1.0;
    }
}

/// A corner's way along one of its segments, as its other neighbor sees it.
struct Slide {
    seen_from: NavPoint,
    /// From the corner to where it slides (x, z) [m].
    along: [[f32; 2]; 2],
    cells: f32,
    /// The side of the line to the end on which the corner is.
    side: Side,
}

impl Slide {
    fn new(view: &ViewRef, corner: &MovingCorner, towards: usize) -> Self {
        let along = [corner.at.place(), corner.ends[towards].place()];
        let seen_from = corner.ends[1 - towards];
        let [x, z] = [0, 1].map(|axis| along[1][axis] - along[0][axis]);
        let length = (x * x + z * z).sqrt();
        let side = Side::of([seen_from.place(), along[1]], along[0]);
        Slide { seen_from, along, cells: length / view.cell_size(), side }
    }

    fn place(&self, part: f32) -> [f32; 2] {
        let [from, to] = self.along;
        [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * part)
    }

    /// The part of the slide where the line to the corner just passes what blocked the line to another part.
    fn part_past(&self, view: &ViewRef, part: f32, end: LineEnd) -> Option<f32> {
        let LineEnd::Blocked(block) = end else { return None };
        let from = self.seen_from.place();
        let line = BlockedLine { from, to: self.place(part), side: self.side };
        let pivot = line.pivot(view, &block)?;
        part_at_meeting(self.along, [from, pivot])
    }
}

/// Lets corners be swept again whose neighbors moved.
fn unsettle(corners: &mut [Corner], changed: [usize; 2]) {
    changed.into_iter().for_each(|at| corners[at].is_settled = false);
}
