//! Provides [`Errand`]: a trail that a body walks, without leaving it, where others stand beside it.

use nalgebra::{Point3, Vector3};

use crate::follow::{FollowStep, dot, horizontal_distance, turn_speed};
use crate::grid::NextGrid;
use crate::path::sight::{LineEnd, follow};
use crate::path::{GridSight, Sight};
use crate::view::{NavPoint, ViewRef};

/// A trail to a place.
#[derive(Clone, Debug)]
pub(crate) struct Errand {
    trail: Vec<NavPoint>,
    /// The point of the trail it steers to.
    next: usize,
    /// Since it passed a point of the trail [s].
    held_up: f32,
}

/// Where a body heads for.
struct Aim {
    point: Point3<f32>,
    /// The point of the trail that it goes on to from there; `None` if it comes to rest there.
    after: Option<usize>,
}

/// A body looks this many points ahead on its trail, and back if it was pushed.
const LOOK_AHEAD: usize = 6;
/// A body has come to a point of its trail, or to the line between two, if it is this near to it [m]: ground
/// may be no wider than a line, and from beside that the next point is not seen.
const EXACTLY: f32 = 0.005;
/// It has passed a point if it sees the next one and is this near to it [m]...
const PASSED: f32 = 0.1;
/// ...or beyond it, and no farther off than this [m].
const BESIDE: f32 = 0.4;
/// A body that has passed no point for longer than this gets no farther [s].
const LONG: f32 = 1.25;
/// Such a body stands at a point of its trail if it is this near to it [m].
const NEARLY: f32 = 0.01;
/// A body strays from its trail by no more than this [m]: others stand beside it.
const STRAY: f32 = 0.1;

impl Errand {
    /// A trail to a place, from its first point on.
    pub(crate) fn new(mut trail: Vec<NavPoint>) -> Self {
        // Steps begin where those before them end: a turn there has to be seen as one.
        trail.dedup();
        Errand { trail, next: 0, held_up: 0.0 }
    }

    /// Goes on over the next grid; returns false if ground of the trail is gone.
    pub(crate) fn go_on(&mut self, next: &NextGrid) -> bool {
        let mut all = true;
        for point in &mut self.trail {
            match point.on_next(next) {
                Some(same) => *point = same,
                None => all = false,
            }
        }
        all
    }

    /// Leaves all points of the trail behind up to a place that a body has come to.
    pub(crate) fn come_to(&mut self, place: &NavPoint) {
        let at = self.ahead().iter().position(|point| point == place);
        if let Some(at) = at.filter(|&at| at > 0) {
            self.next += at;
            self.held_up = 0.0;
        }
    }

    /// The points of the trail that are left.
    pub(crate) fn ahead(&self) -> &[NavPoint] {
        &self.trail[self.next.min(self.trail.len())..]
    }

    /// The points of the trail that are left up to a place; none if that is not ahead.
    pub(crate) fn until(&self, place: &NavPoint) -> &[NavPoint] {
        let ahead = self.ahead();
        let at = ahead.iter().position(|point| point == place);
        &ahead[..at.map_or(0, |at| at + 1)]
    }

    /// Whether a body sees the trail near where it left off.
    pub(crate) fn is_seen(&self, view: &ViewRef, at: &NavPoint) -> bool {
        let first = self.next.saturating_sub(LOOK_AHEAD);
        self.trail[first..].iter().take(2 * LOOK_AHEAD).any(|point| sees(view, at, point))
    }

    /// The velocity that leads a body along the trail, and to rest at its end [m/s].
    pub(crate) fn velocity(
        &mut self,
        view: &ViewRef,
        at: &NavPoint,
        step: FollowStep,
    ) -> Vector3<f32> {
        self.held_up += step.dt;
        self.leave_behind(view, at);
        let Some(next) = self.ahead().first() else { return Vector3::zeros() };
        let aim = if sees(view, at, next) { self.along(view, at) } else { self.back(view, at) };
        let offset = aim.point - at.point;
        let length = horizontal_distance(&aim.point, &at.point);
        if length <= 0.0 {
            return Vector3::zeros();
        }
        let speed = match aim.after {
            Some(after) => {
                let after = self.trail[after..].iter().map(|point| point.point);
                let turn = turn_speed([offset.x, offset.z], aim.point, after, step.settings);
                step.braking_speed(length, turn)
            }
            None => step.braking_speed(length, 0.0).min(length / step.dt),
        };
        offset * (speed.min(step.settings.speed) / length)
    }

    /// Leaves the points behind that a body has passed: from there it sees the next one.
    fn leave_behind(&mut self, view: &ViewRef, at: &NavPoint) {
        while let [point, after, ..] = self.ahead() {
            let offset = at.point - point.point;
            let away = horizontal_distance(&at.point, &point.point);
            let is_near = away <= PASSED;
            let is_beyond = away < BESIDE && offset.dot(&(after.point - point.point)) > 0.0;
            let is_passed = away <= EXACTLY
                || is_near && self.held_up > LONG
                || (is_near || is_beyond) && sees(view, at, after);
            if !is_passed {
                break;
            }
            self.next += 1;
            self.held_up = 0.0;
        }
    }

    /// To the farthest point that a body can walk straight to without leaving the trail.
    fn along(&self, view: &ViewRef, at: &NavPoint) -> Aim {
        let mut target = self.next;
        for tried in self.next + 1..self.trail.len().min(self.next + LOOK_AHEAD) {
            let to = &self.trail[tried];
            let is_near = |point: &NavPoint| off_line(point, at, to) <= STRAY;
            if self.trail[self.next..tried].iter().all(is_near) && sees(view, at, to) {
                target = tried;
            }
        }
        if target == self.next { self.to_next(at) } else { self.past(target) }
    }

    /// To where a body that does not see the next point, because it was pushed, sees it. If it gets no farther
    /// one way for long, it tries another.
    fn back(&self, view: &ViewRef, at: &NavPoint) -> Aim {
        let away = |point: usize| horizontal_distance(&self.trail[point].point, &at.point);
        let before = self.next.saturating_sub(LOOK_AHEAD)..self.next;
        let mut seen = before.rev().filter(|&point| sees(view, at, &self.trail[point]));
        let back = match (self.held_up / LONG) as u32 {
            // To the line that the trail is, or to the last point that it sees and does not stand at.
            0 => self.to_line(view, at).or_else(|| {
                let last = seen.find(|&point| away(point) > PASSED)?;
                Some(self.past(last))
            }),
            // To the very last point that it sees, to come to rest there.
            tries if tries % 2 == 1 => {
                let last = seen.next().filter(|&last| away(last) > NEARLY);
                last.map(|last| Aim { point: self.trail[last].point, after: None })
            }
            // Along the walls: what keeps it from seeing the point may be a millimetre of them.
            _ => None,
        };
        back.unwrap_or_else(|| self.to_next(at))
    }

    /// To the line from the last point to the next one, and along it; `None` if that is out of reach.
    fn to_line(&self, view: &ViewRef, at: &NavPoint) -> Option<Aim> {
        let from = &self.trail[self.next.checked_sub(1)?];
        let point = nearest_on_line(at, from, &self.trail[self.next]);
        let away = horizontal_distance(&point, &at.point);
        if away <= EXACTLY {
            return Some(Aim { point: self.trail[self.next].point, after: None });
        }
        let is_clear = || {
            let end = follow(view, at, [point.x, point.z], |_| true);
            matches!(end, LineEnd::Reached { .. })
        };
        (away < PASSED && is_clear()).then_some(Aim { point, after: None })
    }

    /// To the next point; to rest there if a body that is near does not see the one after it.
    fn to_next(&self, at: &NavPoint) -> Aim {
        let aim = self.past(self.next);
        let is_near = horizontal_distance(&aim.point, &at.point) < PASSED;
        Aim { after: aim.after.filter(|_| !is_near), ..aim }
    }

    /// To a point of the trail, and on from there.
    fn past(&self, point: usize) -> Aim {
        let after = Some(point + 1).filter(|&after| after < self.trail.len());
        Aim { point: self.trail[point].point, after }
    }
}

fn sees(view: &ViewRef, at: &NavPoint, point: &NavPoint) -> bool {
    GridSight.is_clear(view.view, at, point)
}

/// The point on the line between two others that is nearest to a point, seen from above.
fn nearest_on_line(point: &NavPoint, from: &NavPoint, to: &NavPoint) -> Point3<f32> {
    let line = to.point - from.point;
    let offset = point.point - from.point;
    let [flat, offset] = [line, offset].map(|offset| [offset.x, offset.z]);
    let part = dot(flat, offset) / dot(flat, flat).max(f32::MIN_POSITIVE);
    from.point + line * part.clamp(0.0, 1.0)
}

/// How far a point is from the line between two others, seen from above [m].
pub(crate) fn off_line(point: &NavPoint, from: &NavPoint, to: &NavPoint) -> f32 {
    horizontal_distance(&nearest_on_line(point, from, to), &point.point)
}
