//! Decides which of two bodies makes way for the other.
//!
//! Two bodies that meet head on and keep pressing stand there forever, and so do two flows. One side has
//! to give way, and all bodies that go the same way have to agree on it. So of two bodies that are held
//! up, the right of way belongs to the one that goes more along a direction which is the same for
//! everyone; every few seconds the direction changes, so that nobody gives way forever.

use std::cmp::Ordering;
use std::f64::consts::TAU;

use crate::crowd::neighbors::CrowdBody;
use crate::follow::{dot, norm};
use crate::portable;

/// The direction that has the right of way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RightOfWay {
    direction: [f32; 2],
}

/// How long one direction has the right of way [s].
const TERM: f64 = 8.0;
/// The turn from one direction to the next [rad]: the golden angle, so that neither a direction nor one
/// near it comes back soon.
const TURN: f64 = 2.399_963_229_728_653;
/// The right of way counts in full once a body has been held up for this long [s].
const HELD_UP_TIME: f32 = 2.0;
/// The least share of a body among those of the same priority.
const LEAST_SHARE: f32 = 0.1;
/// A body whose desired speed is below this stands [m/s].
const STANDING_SPEED: f32 = 0.01;

impl RightOfWay {
    /// Returns the right of way after a crowd has walked for a time [s].
    pub(crate) fn at(time: f64) -> Self {
        let (sine, cosine) = portable::sin_cos(((time / TERM).floor() * TURN % TAU) as f32);
        RightOfWay { direction: [cosine, sine] }
    }

    /// Returns the share [0..=1] that a body does of making way for another; the other does the rest.
    pub(crate) fn share(&self, own: &CrowdBody, other: &CrowdBody) -> f32 {
        if own.is_fixed || other.is_fixed {
            return if own.is_fixed { 0.0 } else { 1.0 };
        }
        match (own.role, own.priority).cmp(&(other.role, other.priority)) {
            Ordering::Less => 1.0,
            Ordering::Greater => 0.0,
            Ordering::Equal if own.goes_before(other) => 0.0,
            Ordering::Equal if other.goes_before(own) => 1.0,
            Ordering::Equal => {
                let weight = (own.held_up.max(other.held_up) / HELD_UP_TIME).min(1.0);
                let precedence = self.along(own) - self.along(other);
                (0.5 - 0.5 * weight * precedence).clamp(LEAST_SHARE, 1.0 - LEAST_SHARE)
            }
        }
    }

    /// Returns how much the desired velocity of a body goes along the direction [-1..=1].
    fn along(&self, body: &CrowdBody) -> f32 {
        dot(body.desired, self.direction) / norm(body.desired).max(STANDING_SPEED)
    }
}
