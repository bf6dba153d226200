//! Provides [`LinkTurn`]: what a member does about the link ahead of it, as
//! [`LinkTraffic`](super::link_traffic::LinkTraffic) decides.

use nalgebra::Vector3;

use crate::follow::{FollowStep, norm};
use crate::grid::NextGrid;

/// What a member does about the link ahead of it, or the one that it is on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LinkTurn {
    /// Its place in the line of a link; `None` if it is not in front of one.
    pub place: Option<LinePlace>,
    /// How long it has waited for the ground where it lands [s].
    pub blocked: f32,
    /// It is on a link, and others keep off the ground where it lands.
    pub has_landing: bool,
    /// It is on a link and waits there: somebody is in front.
    pub holds: bool,
}

/// A place in the line in front of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinePlace {
    /// The index of the link in the grid.
    pub link: u32,
    /// The step in which it arrived: those of earlier steps go first.
    pub ticket: u64,
    /// It is its turn.
    pub goes: bool,
    /// For how long that has been so [s].
    pub time: f32,
    /// How far it may still go towards the link [m]; negative if it is too near. If it is its turn, how
    /// far that is.
    pub room: f32,
    /// It stands, because of its place or because somebody stands in front.
    pub stands: bool,
}

/// A member that is nearer to the link than its place by more than this walks back [m].
const BACK_OFF: f32 = 0.3;
/// A member that comes from the side does not miss the start of the link at this speed [m/s].
const EXACT_SPEED: f32 = 1.2;
/// A member that walks back takes this part of its desired velocity.
pub(crate) const BACKWARD_PART: f32 = 0.5;

impl LinePlace {
    /// The place of a member that arrives in a step.
    pub(crate) fn new(link: u32, ticket: u64) -> Self {
        LinePlace { link, ticket, goes: false, time: 0.0, room: 0.0, stands: true }
    }
}

impl LinkTurn {
    /// The same in front of the link, or on it, on the next grid; none if that link is gone.
    pub(crate) fn on_next(self, next: &NextGrid) -> Self {
        let Some(place) = self.place else { return self };
        match next.link(place.link) {
            Some(link) => LinkTurn { place: Some(LinePlace { link, ..place }), ..self },
            None => LinkTurn::default(),
        }
    }

    /// Whether it is its turn to get on the link.
    pub(crate) fn goes(&self) -> bool {
        self.place.is_some_and(|place| place.goes)
    }

    /// Whether it stands in the line.
    pub(crate) fn is_in_line(&self) -> bool {
        self.place.is_some_and(|place| !place.goes && place.stands)
    }

    /// Returns the velocity of a member that wants to go on to the link.
    pub(crate) fn velocity(&self, desired: Vector3<f32>, step: FollowStep) -> Vector3<f32> {
        let Some(place) = self.place else { return desired };
        let speed = norm([desired.x, desired.z]);
        let slowed = |end_speed| {
            let most = step.braking_speed(place.room, end_speed);
            if speed > most { desired * (most / speed) } else { desired }
        };
        if place.goes {
            slowed(EXACT_SPEED)
        } else if place.room < -BACK_OFF {
            desired * -BACKWARD_PART
        } else if place.stands || speed <= 0.0 {
            Vector3::zeros()
        } else {
            slowed(0.0)
        }
    }
}
