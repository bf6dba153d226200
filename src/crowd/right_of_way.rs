//! Who makes way for whom.
//!
//! Two who meet head on and press on stand there for ever, and so do two flows. Somebody has to
//! give way, and all who go the same way have to agree on it. So of two who are held up, the one
//! has the right of way that goes more along a direction which is the same for all; and every few
//! seconds it is another direction, so that nobody gives way for ever.

use std::cmp::Ordering;

use crate::crowd::neighbors::Body;
use crate::follow::{dot, norm};

/// Which direction has the right of way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RightOfWay {
    direction: [f32; 2],
}

/// How long a direction has the right of way [s].
const TERM: f64 = 8.0;
/// By how much one direction is turned from the last [rad]: the golden angle, so that none comes
/// again soon, nor one near it.
const TURN: f64 = 2.399_963_229_728_653;
/// Who has been held up for so long minds the right of way fully [s].
const HELD_UP: f32 = 2.0;
/// Everyone of the same priority does this part at least.
const LEAST_SHARE: f32 = 0.1;

impl RightOfWay {
    /// What holds when a crowd has walked for so long [s].
    pub(crate) fn at(time: f64) -> Self {
        let (sine, cosine) = ((time / TERM).floor() * TURN).sin_cos();
        RightOfWay { direction: [cosine as f32, sine as f32] }
    }

    /// Which part of making way for another falls to a body [0..=1]; the other does the rest.
    pub(crate) fn share(&self, own: &Body, other: &Body) -> f32 {
        match own.priority.cmp(&other.priority) {
            Ordering::Less => 1.0,
            Ordering::Greater => 0.0,
            Ordering::Equal => {
                let heat = (own.held_up.max(other.held_up) / HELD_UP).min(1.0);
                let lead = self.along(own) - self.along(other);
                (0.5 - 0.5 * heat * lead).clamp(LEAST_SHARE, 1.0 - LEAST_SHARE)
            }
        }
    }

    /// How much a body wants to go along the direction [-1..=1].
    fn along(&self, body: &Body) -> f32 {
        dot(body.wanted, self.direction) / norm(body.wanted).max(STANDING)
    }
}

/// Who wants to go slower than this stands [m/s].
const STANDING: f32 = 0.01;
