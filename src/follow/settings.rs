//! Provides [`FollowSettings`]: how one body walks, and when it asks for another path.

use serde::{Deserialize, Serialize};

use crate::view::LinkFilter;

/// How a body walks, and when it asks for another path. Every field has a default.
///
/// ```
/// use surefoot::follow::FollowSettings;
/// let cart = FollowSettings { speed: 1.5, acceleration: 2.0, ..FollowSettings::default() };
/// assert!(cart.check().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FollowSettings {
    /// Maximum speed along the ground [m/s, > 0].
    pub speed: f32,
    /// Maximum change of the velocity in a second [m/s², > 0]. The body brakes for its goal, and for
    /// corners that it could not take at full speed.
    pub acceleration: f32,
    /// Maximum turn of the facing in a second [rad/s, > 0]. The body may move in a direction it does
    /// not face, as people do: turning does not slow it down.
    pub turn_rate: f32,
    /// Distance from the goal, along the path, at which the body stops [m, >= 0].
    pub stopping_distance: f32,
    /// Distance from a waypoint at which the body may pass it [m, > 0]; also how far it may swing out
    /// in a corner. A small value makes it slow down before sharp corners.
    pub waypoint_tolerance: f32,
    /// The steepest ground that paths may cross [rad, >= 0]; `None` means the agent's own slope limit.
    pub slope_limit: Option<f32>,
    /// Which kinds of links paths may take.
    pub links: LinkFilter,
    /// A moving target gets a new path once it has moved this far since the last one [m, > 0].
    pub replan_distance: f32,
    /// Minimum time between two requests for a path [s, >= 0].
    pub replan_interval: f32,
    /// A body that has not come nearer to its goal for this long counts as held up [s, > 0].
    pub patience: f32,
    /// How many times in a row a body that is held up asks for another path before it reports that it
    /// is stuck [>= 0].
    pub most_tries: u32,
}

/// A setting is out of its limits.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{field} is {value}; it must be {rule}")]
pub struct FollowError {
    /// The name of the field.
    pub field: &'static str,
    /// Its value.
    pub value: f32,
    /// The limit it breaks.
    pub rule: &'static str,
}

impl Default for FollowSettings {
    fn default() -> Self {
        FollowSettings {
            speed: 3.5,
            acceleration: 8.0,
            turn_rate: 120f32.to_radians(),
            stopping_distance: 0.0,
            waypoint_tolerance: 0.1,
            slope_limit: None,
            links: LinkFilter::ALL,
            replan_distance: 5.0,
            replan_interval: 0.1,
            patience: 1.0,
            most_tries: 3,
        }
    }
}

impl FollowSettings {
    /// Checks every field against its limits.
    ///
    /// # Errors
    /// Returns the first field that is out of its limits, and the limit it breaks.
    pub fn check(&self) -> Result<(), FollowError> {
        check_positive(&[
            ("speed", self.speed),
            ("acceleration", self.acceleration),
            ("turn_rate", self.turn_rate),
            ("waypoint_tolerance", self.waypoint_tolerance),
            ("replan_distance", self.replan_distance),
            ("patience", self.patience),
        ])?;
        let not_negative = [
            ("stopping_distance", self.stopping_distance),
            ("replan_interval", self.replan_interval),
            ("slope_limit", self.slope_limit.unwrap_or(0.0)),
        ];
        for (field, value) in not_negative {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(FollowError { field, value, rule: "0 or more and finite" });
            }
        }
        Ok(())
    }
}

/// Checks fields that have to be greater than 0 and finite.
///
/// # Errors
/// Returns the first that is not.
pub(crate) fn check_positive(fields: &[(&'static str, f32)]) -> Result<(), FollowError> {
    let wrong = fields.iter().find(|(_, value)| !(*value > 0.0 && value.is_finite()));
    wrong.map_or(Ok(()), |&(field, value)| {
        Err(FollowError { field, value, rule: "more than 0 and finite" })
    })
}
