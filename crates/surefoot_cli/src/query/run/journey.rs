//! How far each member had to go, and how long it took.

use surefoot::crowd::Member;
use surefoot::follow::FollowState;

/// One member's way from its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Journey {
    /// Of the first path it was given [m].
    length: Option<f32>,
    /// Steps until it first arrived.
    arrived: Option<u64>,
    /// The last step in which it had not come to rest.
    pub moving: u64,
}

impl Journey {
    /// Notes how far a member is after so many steps.
    pub fn note(&mut self, member: &Member, steps: u64) {
        self.length = self.length.or_else(|| member.remaining_distance());
        let state = member.state();
        if state == FollowState::Arrived {
            self.arrived.get_or_insert(steps);
        }
        if !state.is_at_rest() {
            self.moving = steps;
        }
    }

    /// The time it took to its goal over the least that it could take at a speed [m/s]; `None`
    /// where it never arrived, and where it was there from the start.
    pub fn time_ratio(&self, dt: f64, speed: f32) -> Option<f64> {
        let length = self.length.filter(|&length| length > 0.0)?;
        Some(self.arrived? as f64 * dt * f64::from(speed) / f64::from(length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_ways_that_were_walked() {
        let journey = Journey { length: Some(7.0), arrived: Some(30), moving: 29 };
        assert_eq!(journey.time_ratio(0.1, 3.5), Some(1.5));
        assert_eq!(Journey { arrived: None, ..journey }.time_ratio(0.1, 3.5), None);
        assert_eq!(Journey { length: Some(0.0), ..journey }.time_ratio(0.1, 3.5), None);
    }
}
