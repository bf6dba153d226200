//! Provides [`Duty`]: what a member does for others, so that all get through a passage.

use nalgebra::Vector3;

use crate::follow::{FollowStep, horizontal_distance};
use crate::grid::NextGrid;
use crate::path::{GridSight, Sight};
use crate::view::{NavPoint, ViewRef};

/// What a member does for others, so that all get through a passage where two cannot pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Duty {
    pub role: Role,
    /// It stands still, until somebody in front has gone on.
    pub waits: bool,
    /// Where it goes first, instead of to its goal.
    errand: Option<Errand>,
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
    /// It goes off another's path, and waits there until that one has passed.
    MakeWay,
    /// Others make way for it.
    Lead,
}

/// A trail to a place off another's path.
#[derive(Clone, Debug)]
pub(crate) struct Errand {
    trail: Vec<NavPoint>,
    /// The point of the trail it steers to.
    next: usize,
}

/// A body looks this many points ahead on its trail, and back if it was pushed.
const LOOK_AHEAD: usize = 6;
/// An errand is done this near to its end [m].
const DONE_DISTANCE: f32 = 0.1;

impl Duty {
    /// Others make way for it on the way to its goal, or on its errand before that: out of a dead end,
    /// for another to go in.
    pub(crate) fn lead(errand: Option<Errand>) -> Self {
        Duty { role: Role::Lead, waits: false, errand }
    }

    /// It goes off another's path.
    pub(crate) fn make_way(errand: Errand) -> Self {
        Duty { role: Role::MakeWay, waits: false, errand: Some(errand) }
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
        self.errand.as_ref()
    }

    /// The velocity that the duty demands; `None` if it demands none.
    pub(crate) fn velocity(
        &mut self,
        view: &ViewRef,
        at: &NavPoint,
        step: FollowStep,
    ) -> Option<Vector3<f32>> {
        match &mut self.errand {
            _ if self.waits => Some(Vector3::zeros()),
            errand => errand.as_mut().map(|errand| errand.velocity(view, at, step)),
        }
    }
}

impl Errand {
    /// A trail from where the body is to a place.
    pub(crate) fn new(trail: Vec<NavPoint>) -> Self {
        Errand { trail, next: 0 }
    }

    /// The points of the trail from the one it steers to on.
    pub(crate) fn ahead(&self) -> &[NavPoint] {
        &self.trail[self.next.min(self.trail.len())..]
    }

    /// Whether a body has come to the end of the trail.
    pub(crate) fn is_done(&self, at: &NavPoint) -> bool {
        self.trail
            .last()
            .is_none_or(|end| horizontal_distance(&at.point, &end.point) <= DONE_DISTANCE)
    }

    /// The velocity that leads a body along the trail, and to rest at its end [m/s].
    pub(crate) fn velocity(
        &mut self,
        view: &ViewRef,
        at: &NavPoint,
        step: FollowStep,
    ) -> Vector3<f32> {
        let last = self.trail.len().saturating_sub(1);
        let tries = self.next.saturating_sub(LOOK_AHEAD)..=(self.next + LOOK_AHEAD).min(last);
        let is_visible = |&at_trail: &usize| {
            self.trail.get(at_trail).is_some_and(|point| GridSight.is_clear(view.view, at, point))
        };
        self.next = tries.rev().find(is_visible).unwrap_or(self.next);
        let Some(target) = self.trail.get(self.next) else { return Vector3::zeros() };
        let offset = target.point - at.point;
        let length = horizontal_distance(&target.point, &at.point);
        if length <= 0.0 {
            return Vector3::zeros();
        }
        let to_end = if self.next == last { length } else { f32::INFINITY };
        let speed = step.settings.speed.min(step.braking_speed(to_end, 0.0)).min(to_end / step.dt);
        offset * (speed / length)
    }
}
