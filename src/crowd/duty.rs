//! Provides [`Duty`]: what a member does for others, so that all get through a passage.

use nalgebra::Vector3;

use crate::follow::{FollowStep, norm};
use crate::path::{GridSight, Sight};
use crate::view::{NavPoint, ViewRef};

/// What a member does for others, so that all get through a passage where two cannot pass.
#[derive(Clone, Debug, Default)]
pub(crate) enum Duty {
    /// Nothing: it goes its own way.
    #[default]
    None,
    /// Others make way for it; it waits while they are still in front of it.
    Lead {
        /// It stands still.
        waits: bool,
    },
    /// It goes off another's path, and waits there until that one has passed.
    MakeWay(Errand),
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

impl Duty {
    /// Others make way for a higher one.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Duty::None => 0,
            Duty::MakeWay(_) => 1,
            Duty::Lead { .. } => 2,
        }
    }

    pub(crate) fn is_none(&self) -> bool {
        matches!(self, Duty::None)
    }

    pub(crate) fn makes_way(&self) -> bool {
        matches!(self, Duty::MakeWay(_))
    }
}

impl Errand {
    /// A trail from where the body is to a place.
    pub(crate) fn new(trail: Vec<NavPoint>) -> Self {
        Errand { trail, next: 0 }
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
        let (offset, length) = (target.point - at.point, distance(at, target));
        if length <= 0.0 {
            return Vector3::zeros();
        }
        let to_end = if self.next == last { length } else { f32::INFINITY };
        let settings = step.settings;
        let braking = (2.0 * settings.acceleration * to_end).sqrt();
        let speed = settings.speed.min(braking).min(to_end / step.dt);
        offset * (speed / length)
    }
}

fn distance(from: &NavPoint, to: &NavPoint) -> f32 {
    let offset = to.point - from.point;
    norm([offset.x, offset.z])
}
