//! Provides [`CrowdSettings`]: how far a crowd looks ahead, and how much it plans in a step.

use serde::{Deserialize, Serialize};

use crate::follow::{FollowError, all_more_than_none};

/// How far the members of a crowd look ahead, and how much planning goes into a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CrowdSettings {
    /// Spans to be looked at for new paths in one step. Ways that are not found by then are gone on
    /// with in the next; those who asked for them wait, and their state says so.
    pub planning_budget: u32,
    /// Members avoid collisions that would happen within this time [s, > 0].
    pub horizon: f32,
    /// Members look out for others within this distance [m, > 0], for the ten nearest at most.
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
    /// The first field that is out of its limits, and the rule it breaks.
    pub fn check(&self) -> Result<(), FollowError> {
        if self.planning_budget == 0 {
            return Err(FollowError { field: "planning_budget", value: 0.0, rule: "1 or more" });
        }
        all_more_than_none(&[
            ("horizon", self.horizon),
            ("neighbor_distance", self.neighbor_distance),
        ])
    }
}
