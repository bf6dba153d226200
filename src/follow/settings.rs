//! Provides [`FollowSettings`]: how one body walks, and when it asks for a path anew.

use serde::{Deserialize, Serialize};

/// How a body walks, and when it asks for a path anew. Every field has a default.
///
/// ```
/// use surefoot::follow::FollowSettings;
/// let cart = FollowSettings { speed: 1.5, acceleration: 2.0, ..FollowSettings::default() };
/// assert!(cart.check().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FollowSettings {
    /// The most it moves in a second, along the ground [m/s, > 0].
    pub speed: f32,
    /// The most its velocity changes in a second [m/s², > 0]. It brakes for the goal, and for
    /// corners that it could not take at full speed.
    pub acceleration: f32,
    /// The most its facing turns in a second [rad/s, > 0]. It may move where it does not face, as
    /// people do: turning does not hold it up.
    pub turn_rate: f32,
    /// How far from the goal, along the path, it comes to rest [m, >= 0].
    pub stopping_distance: f32,
    /// How far off a waypoint it may pass [m, > 0]; also how wide it may take a corner. Small makes
    /// it slow down before sharp corners, large lets it swing wide.
    pub waypoint_tolerance: f32,
    /// The steepest ground it is led over [rad]; `None` means the agent's own slope limit.
    pub slope_limit: Option<f32>,
    /// A moving target gets a new way when it has moved so far since the last [m, > 0].
    pub replan_distance: f32,
    /// At least so long from one way asked for to the next [s, >= 0].
    pub replan_interval: f32,
    /// Without getting nearer to its goal for so long it counts as held up [s, > 0].
    pub patience: f32,
    /// How often in a row it asks for another path when it is held up, before it says that it is
    /// stuck.
    pub most_tries: u32,
}

/// A setting that cannot be meant.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{field} is {value}; it must be {rule}")]
pub struct FollowError {
    /// The field at fault.
    pub field: &'static str,
    /// Its value.
    pub value: f32,
    /// What the field has to be.
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
    /// The first field that is out of its limits, and the rule it breaks.
    pub fn check(&self) -> Result<(), FollowError> {
        let more_than_none = [
            ("speed", self.speed),
            ("acceleration", self.acceleration),
            ("turn_rate", self.turn_rate),
            ("waypoint_tolerance", self.waypoint_tolerance),
            ("replan_distance", self.replan_distance),
            ("patience", self.patience),
        ];
        all_more_than_none(&more_than_none)?;
        let none_or_more = [
            ("stopping_distance", self.stopping_distance),
            ("replan_interval", self.replan_interval),
            ("slope_limit", self.slope_limit.unwrap_or(0.0)),
        ];
        for (field, value) in none_or_more {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(FollowError { field, value, rule: "0 or more and finite" });
            }
        }
        Ok(())
    }
}

/// Checks fields that have to be more than 0, and finite.
///
/// # Errors
/// The first that is not.
pub(crate) fn all_more_than_none(fields: &[(&'static str, f32)]) -> Result<(), FollowError> {
    let wrong = fields.iter().find(|(_, value)| !(*value > 0.0 && value.is_finite()));
    wrong.map_or(Ok(()), |&(field, value)| {
        Err(FollowError { field, value, rule: "more than 0 and finite" })
    })
}
