//! Provides [`Duty`]: what a member does for others, so that all get through a passage.

use nalgebra::Vector3;

use crate::follow::{FollowStep, dot, horizontal_distance, norm, turn_speed};
use crate::grid::NextGrid;
use crate::path::{GridSight, Sight};
use crate::view::{NavPoint, ViewRef};

/// What a member does for others, so that all get through a passage where two cannot pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Duty {
    pub role: Role,
    /// It keeps farther away from others who do so too, by this [sums of both radii].
    pub spread: f32,
    /// Where it goes instead of to its goal; boxed, because few members have one.
    errand: Option<Box<Errand>>,
}

/// The part that a member plays in a jam. Others make way for a higher one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// It stands in front of a passage, until it is its turn.
    StandInLine,
    /// It waits for its turn, and gets out of the way of those who go on.
    StepAside,
    /// None: it goes its own way.
    #[default]
    None,
    /// It walks by a plan for all around a jam.
    Rearranged,
}

/// A trail to a place.
#[derive(Clone, Debug)]
pub(crate) struct Errand {
    trail: Vec<NavPoint>,
    /// The point of the trail it steers to.
    next: usize,
    /// Since it passed a point of the trail [s].
    held_up: f32,
}

/// How a body that does not see the next point of its trail gets on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WayBack {
    /// To the last point that it sees and does not stand at.
    ByFar,
    /// To the very last one that it sees, to come to rest there: passages may be no wider than a line.
    Exactly,
    /// Along the walls: what keeps it from seeing the point may be a millimetre of them.
    Straight,
}

/// A body looks this many points ahead on its trail, and back if it was pushed.
const LOOK_AHEAD: usize = 6;

impl Duty {
    /// It walks by a plan, and stands until it knows where to go.
    pub(crate) fn rearranged() -> Self {
        Duty { role: Role::Rearranged, ..Duty::default() }
    }

    /// The same before there is a plan: it keeps farther away from others who do so too, by this [sums of both
    /// radii].
    pub(crate) fn spreads(spread: f32) -> Self {
        Duty { spread, ..Duty::rearranged() }
    }

    pub(crate) fn is_rearranged(&self) -> bool {
        self.role == Role::Rearranged
    }

    /// Sends it along a trail.
    pub(crate) fn set_errand(&mut self, errand: Errand) {
        self.errand = Some(Box::new(errand));
    }

    /// Leaves all points of its trail behind up to a place that it has come to.
    pub(crate) fn come_to(&mut self, place: &NavPoint) {
        if let Some(errand) = &mut self.errand {
            errand.come_to(place);
        }
    }

    /// Goes on over the next grid; returns false if ground of its errand is gone.
    pub(crate) fn go_on(&mut self, next: &NextGrid) -> bool {
        let trail = self.errand.iter_mut().flat_map(|errand| &mut errand.trail);
        let mut all = true;
        for point in trail {
            match point.on_next(next) {
                Some(same) => *point = same,
                None => all = false,
            }
        }
        all
    }

    pub(crate) fn is_none(&self) -> bool {
        self.role == Role::None
    }

    /// Where it goes instead of to its goal.
    pub(crate) fn errand(&self) -> Option<&Errand> {
        self.errand.as_deref()
    }

    /// The velocity that the duty demands; `None` if it demands none.
    pub(crate) fn velocity(
        &mut self,
        view: &ViewRef,
        at: &NavPoint,
        step: FollowStep,
    ) -> Option<Vector3<f32>> {
        match &mut self.errand {
            Some(errand) => Some(errand.velocity(view, at, step)),
            None => self.is_rearranged().then(Vector3::zeros),
        }
    }
}

impl Errand {
    /// A trail to a place, from its first point on.
    pub(crate) fn new(mut trail: Vec<NavPoint>) -> Self {
        // Steps begin where those before them end: a turn there has to be seen as one.
        trail.dedup();
        Errand { trail, next: 0, held_up: 0.0 }
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

    /// How a body gets back to where it sees the next point. If it gets no farther one way for long, it tries
    /// another.
    fn way_back(&self) -> WayBack {
        match (self.held_up / LONG) as u32 {
            0 => WayBack::ByFar,
            tries if tries % 2 == 1 => WayBack::Exactly,
            _ => WayBack::Straight,
        }
    }

    /// The velocity that leads a body along the trail, and to rest at its end [m/s].
    pub(crate) fn velocity(
        &mut self,
        view: &ViewRef,
        at: &NavPoint,
        step: FollowStep,
    ) -> Vector3<f32> {
        self.held_up += step.dt;
        self.leave_behind(at);
        let next = self.target(view, at);
        let Some(target) = self.trail.get(next) else { return Vector3::zeros() };
        let offset = target.point - at.point;
        let length = horizontal_distance(&target.point, &at.point);
        if length <= 0.0 {
            return Vector3::zeros();
        }
        let rest = &self.trail[next + 1..];
        let is_back = next < self.next && self.way_back() == WayBack::Exactly;
        let speed = if rest.is_empty() || is_back {
            step.braking_speed(length, 0.0).min(length / step.dt)
        } else {
            let after = rest.iter().map(|point| point.point);
            let turn = turn_speed([offset.x, offset.z], target.point, after, step.settings);
            step.braking_speed(length, turn)
        };
        offset * (speed.min(step.settings.speed) / length)
    }

    /// Leaves the points behind that a body has passed.
    fn leave_behind(&mut self, at: &NavPoint) {
        while let [point, after, ..] = self.ahead() {
            let offset = at.point - point.point;
            let away = horizontal_distance(&at.point, &point.point);
            let is_beyond = offset.dot(&(after.point - point.point)) > 0.0;
            if away > PASSED && !(is_beyond && away < BESIDE) {
                break;
            }
            self.next += 1;
            self.held_up = 0.0;
        }
    }

    /// The farthest point that a body can walk straight to without leaving the trail. If it does not see the
    /// next one, because it was pushed, it gets back by one [`WayBack`] or another.
    fn target(&self, view: &ViewRef, at: &NavPoint) -> usize {
        let Some(next) = self.trail.get(self.next) else { return self.next };
        if !sees(view, at, next) {
            let away = |point: usize| horizontal_distance(&self.trail[point].point, &at.point);
            let before = self.next.saturating_sub(LOOK_AHEAD)..self.next;
            let mut seen = before.rev().filter(|&point| sees(view, at, &self.trail[point]));
            let back = match self.way_back() {
                WayBack::ByFar => seen.find(|&point| away(point) > PASSED),
                WayBack::Exactly => seen.next().filter(|&last| away(last) > EXACTLY),
                WayBack::Straight => None,
            };
            return back.unwrap_or(self.next);
        }
        let mut target = self.next;
        for tried in self.next + 1..self.trail.len().min(self.next + LOOK_AHEAD) {
            let to = &self.trail[tried];
            let is_near = |point: &NavPoint| off_line(point, at, to) <= STRAY;
            if self.trail[self.next..tried].iter().all(is_near) && sees(view, at, to) {
                target = tried;
            }
        }
        target
    }
}

/// A body has passed a point of its trail if it is this near to it [m]...
const PASSED: f32 = 0.1;
/// ...or beyond it, and no farther off than this [m].
const BESIDE: f32 = 0.4;
/// A body that has passed no point for longer than this gets no farther [s].
const LONG: f32 = 1.25;
/// Such a body stands at a point of its trail if it is this near to it [m].
const EXACTLY: f32 = 0.01;
/// A body strays from its trail by no more than this [m]: others stand beside it.
const STRAY: f32 = 0.1;

fn sees(view: &ViewRef, at: &NavPoint, point: &NavPoint) -> bool {
    GridSight.is_clear(view.view, at, point)
}

/// How far a point is from the line between two others, seen from above [m].
pub(crate) fn off_line(point: &NavPoint, from: &NavPoint, to: &NavPoint) -> f32 {
    let flat = |to: &NavPoint| [to.point.x - from.point.x, to.point.z - from.point.z];
    let (line, offset) = (flat(to), flat(point));
    let part = dot(line, offset) / dot(line, line).max(f32::MIN_POSITIVE);
    let part = part.clamp(0.0, 1.0);
    norm([0, 1].map(|axis| offset[axis] - part * line[axis]))
}
