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
    /// Where it goes instead of to its goal.
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
    /// It walks by a plan for all around a jam.
    Rearranged,
}

/// A trail to a place.
#[derive(Clone, Debug)]
pub(crate) struct Errand {
    trail: Vec<NavPoint>,
    /// The point of the trail it steers to.
    next: usize,
}

/// A body looks this many points ahead on its trail, and back if it was pushed.
const LOOK_AHEAD: usize = 6;

impl Duty {
    /// It walks by a plan, and stands until it knows where to go.
    pub(crate) fn rearranged() -> Self {
        Duty { role: Role::Rearranged, errand: None }
    }

    pub(crate) fn is_rearranged(&self) -> bool {
        self.role == Role::Rearranged
    }

    /// Sends it along a trail.
    pub(crate) fn set_errand(&mut self, errand: Errand) {
        self.errand = Some(errand);
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
            Some(errand) => Some(errand.velocity(view, at, step)),
            None => self.is_rearranged().then(Vector3::zeros),
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

    /// Whether a body sees the point that it steers to, or one near it.
    pub(crate) fn is_seen(&self, view: &ViewRef, at: &NavPoint) -> bool {
        self.farthest_seen(view, at).is_some()
    }

    /// The farthest point that a body sees, of those near the one that it steers to.
    fn farthest_seen(&self, view: &ViewRef, at: &NavPoint) -> Option<usize> {
        let last = self.trail.len().saturating_sub(1);
        let tries = self.next.saturating_sub(LOOK_AHEAD)..=(self.next + LOOK_AHEAD).min(last);
        let is_visible = |&tried: &usize| {
            self.trail.get(tried).is_some_and(|point| GridSight.is_clear(view.view, at, point))
        };
        tries.rev().find(is_visible)
    }

    /// The velocity that leads a body along the trail, and to rest at its end [m/s].
    pub(crate) fn velocity(
        &mut self,
        view: &ViewRef,
        at: &NavPoint,
        step: FollowStep,
    ) -> Vector3<f32> {
        let last = self.trail.len().saturating_sub(1);
        self.next = self.farthest_seen(view, at).unwrap_or(self.next);
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
