//! Provides [`CrowdSettings`]: how far a crowd looks ahead, and how much it plans in a step.

use serde::{Deserialize, Serialize};

use crate::follow::{FollowError, check_positive};

/// How far the members of a crowd look ahead, and how much planning goes into a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CrowdSettings {
    /// The number of spans that searches for new paths may expand in one step [>= 1]. A search that
    /// runs out of budget continues in the next step; its member waits, and its state says so.
    pub planning_budget: u32,
    /// Members avoid collisions that would happen within this time [s, > 0].
    pub horizon: f32,
    /// Members avoid neighbors within this distance [m, > 0], but only the ten nearest.
    pub neighbor_distance: f32,
}

impl Default for CrowdSettings {
    fn default() -> Self {
        CrowdSettings { planning_budget: 50_000, horizon: 0.5, neighbor_distance: 3.0 }
    }
}

impl CrowdSettings {
    /// Checks every field against its limits.
    ///
    /// # Errors
    /// Returns the first field that is out of its limits, and the limit it breaks.
    pub fn check(&self) -> Result<(), FollowError> {
        if self.planning_budget == 0 {
            return Err(FollowError { field: "planning_budget", value: 0.0, rule: "1 or more" });
        }
        check_positive(&[("horizon", self.horizon), ("neighbor_distance", self.neighbor_distance)])
    }
}
