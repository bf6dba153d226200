//! Provides [`Turn`]: what a member does about a narrow passage, as
//! [`OneWayControl`](super::one_way::OneWayControl) decides.

use nalgebra::{Point3, Vector3};

use crate::crowd::link_turn::BACKWARD_PART;
use crate::follow::{FollowStep, SAME_STOREY, norm};

/// What a member does about the narrow passage ahead of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Turn {
    /// There is none.
    #[default]
    None,
    /// It waits for its turn.
    Waits {
        /// For how long [s].
        time: f32,
        stance: Stance,
    },
    /// It goes through.
    Passes(PassageAhead),
}

/// The narrow passage that a member goes through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PassageAhead {
    /// From here to the exit, along the path [m].
    pub left: f32,
    /// Where the passage begins; inside of it, where the member is.
    pub begin: Point3<f32>,
}

/// Bodies that come to a passage within this distance of each other come to the same mouth of it [radii].
pub(crate) const MOUTH_WIDTH: f32 = 4.0;

impl PassageAhead {
    /// Whether another, for a body of some radius [m], begins at the same mouth.
    pub(crate) fn begins_with(&self, other: &PassageAhead, radius: f32) -> bool {
        is_near(self.begin - other.begin, MOUTH_WIDTH * radius)
    }
}

/// Whether two places are nearer to each other than a distance [m], on one storey.
pub(crate) fn is_near(offset: Vector3<f32>, distance: f32) -> bool {
    norm([offset.x, offset.z]) < distance && offset.y.abs() < SAME_STOREY
}

impl Turn {
    /// Whether the member waits for its turn.
    pub(crate) fn waits(&self) -> bool {
        matches!(self, Turn::Waits { .. })
    }

    /// Whether the member goes through.
    pub(crate) fn passes(&self) -> bool {
        self.passage().is_some()
    }

    /// The passage that the member goes through.
    pub(crate) fn passage(&self) -> Option<PassageAhead> {
        match self {
            Turn::Passes(passage) => Some(*passage),
            _ => None,
        }
    }

    /// Whether the member has come to where it waits, and does not walk on.
    pub(crate) fn is_in_line(&self) -> bool {
        matches!(self, Turn::Waits { stance, .. } if *stance != Stance::Walks)
    }

    /// Whether the member gets out of where another is about to go.
    pub(crate) fn steps_aside(&self) -> bool {
        matches!(self, Turn::Waits { stance: Stance::StepsAside { .. }, .. })
    }

    /// The velocity of a member that would go on at a desired one.
    pub(crate) fn velocity(&self, desired: Vector3<f32>, step: FollowStep) -> Vector3<f32> {
        let Turn::Waits { stance, .. } = self else { return desired };
        match stance {
            Stance::Walks => desired,
            Stance::Stands => Vector3::zeros(),
            Stance::BacksOff => desired * -BACKWARD_PART,
            Stance::StepsAside { direction: [x, z] } => {
                Vector3::new(*x, 0.0, *z) * (BACKWARD_PART * step.settings.speed)
            }
        }
    }
}

/// What a member does while it waits for its turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stance {
    /// It is not there yet, and walks on.
    Walks,
    /// It stands.
    Stands,
    /// Others have pushed it into the mouth, and it walks back.
    BacksOff,
    /// It stands where another is about to go, and gets out of there.
    StepsAside {
        /// Seen from above [unit length].
        direction: [f32; 2],
    },
}
