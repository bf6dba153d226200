//! Provides [`Journey`]: how far a member had to walk, and how long it took.

use surefoot::crowd::Member;
use surefoot::follow::FollowState;

/// The journey of one member.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Journey {
    /// Length of its first path [m].
    length: Option<f32>,
    /// Steps until it arrived for the first time.
    arrived: Option<u64>,
}

impl Journey {
    /// Updates the journey after a number of steps.
    pub fn update(&mut self, member: &Member, steps: u64) {
        self.length = self.length.or_else(|| member.remaining_distance());
        if member.state() == FollowState::Arrived {
            self.arrived.get_or_insert(steps);
        }
    }

    /// Whether its first path takes longer than some time [s] at a speed [m/s].
    pub fn is_too_far(&self, seconds: f32, speed: f32) -> bool {
        self.length.is_some_and(|length| length > seconds * speed)
    }

    /// The time to the goal, divided by the length of the first path over a speed [m/s]. `None` if it
    /// never arrived, or was there from the start.
    pub fn time_ratio(&self, dt: f64, speed: f32) -> Option<f64> {
        let length = self.length.filter(|&length| length > 0.0)?;
        Some(self.arrived? as f64 * dt * f64::from(speed) / f64::from(length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_journeys_that_arrived_have_a_ratio() {
        let journey = Journey { length: Some(7.0), arrived: Some(30) };
        assert_eq!(journey.time_ratio(0.1, 3.5), Some(1.5));
        assert!(journey.is_too_far(1.9, 3.5) && !journey.is_too_far(2.1, 3.5));
        assert_eq!(Journey { arrived: None, ..journey }.time_ratio(0.1, 3.5), None);
        assert_eq!(Journey { length: Some(0.0), ..journey }.time_ratio(0.1, 3.5), None);
    }
}
