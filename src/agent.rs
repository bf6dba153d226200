//! The body that must fit.
//!
//! An [`Agent`] is what a bake is made for: an upright capsule or box with the slope and the step
//! it can manage. Every length is in metres, every angle in radians.

use serde::{Deserialize, Serialize};

/// An upright body that walks: its size, and what it can climb.
///
/// ```
/// use surefoot::Agent;
/// let cart = Agent { radius: 0.6, height: 1.2, max_climb: 0.1, ..Agent::new("cart") };
/// assert!(cart.check().is_ok());
/// assert_eq!(cart.ledge_margin(), 0.6);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Agent {
    /// What the agent is called in files, reports and pictures; unique within a bake.
    pub name: String,
    /// Half the width of the body [m, > 0].
    pub radius: f32,
    /// From the sole to the top of the body [m, > 0]. A capsule lower than twice its radius counts
    /// as a ball; flat bodies are better boxes.
    pub height: f32,
    /// Highest step up or down between neighboring cells [m, >= 0, < height].
    pub max_climb: f32,
    /// Steepest floor it can stand on, inclusive [rad, 0..=85°].
    pub slope_limit: f32,
    /// The form of the body.
    pub shape: BodyShape,
    /// Distance kept from an edge it could fall off [m, >= 0]; `None` means the radius.
    pub ledge_margin: Option<f32>,
}

/// The form of an agent's body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyShape {
    /// A vertical capsule: it turns without touching anything new.
    #[default]
    Capsule,
    /// A box with a square base of twice the radius, its sides along x and z.
    Box,
}

/// An agent's number that cannot be meant.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("agent \"{agent}\": {field} is {value}; {rule}")]
pub struct AgentError {
    /// The agent's name.
    pub agent: String,
    /// The field at fault.
    pub field: &'static str,
    /// Its value, in the unit of `rule`.
    pub value: f32,
    /// What the field has to be.
    pub rule: String,
}

/// The longest side an agent's numbers may have [m].
const LARGEST_BODY: f32 = 1000.0;
/// The steepest slope limit [degrees]: beyond it a floor is a wall.
const STEEPEST_DEGREES: f32 = 85.0;

impl Agent {
    /// A person's body under the given name: radius 0.3 m, height 1.8 m, climb 0.4 m, slope 45°.
    pub fn new(name: impl Into<String>) -> Self {
        Agent {
            name: name.into(),
            radius: 0.3,
            height: 1.8,
            max_climb: 0.4,
            slope_limit: 45f32.to_radians(),
            shape: BodyShape::Capsule,
            ledge_margin: None,
        }
    }

    /// The agents of a bake that names none: a small, a human and a large one.
    pub fn default_set() -> Vec<Agent> {
        vec![
            Agent { radius: 0.25, height: 1.0, max_climb: 0.3, ..Agent::new("small") },
            Agent::new("human"),
            Agent { radius: 0.6, height: 2.4, max_climb: 0.5, ..Agent::new("large") },
        ]
    }

    /// Distance kept from an edge it could fall off [m].
    pub fn ledge_margin(&self) -> f32 {
        self.ledge_margin.unwrap_or(self.radius)
    }

    /// Checks every field against its limits.
    ///
    /// # Errors
    /// The first field that is out of its limits, and the rule it breaks.
    pub fn check(&self) -> Result<(), AgentError> {
        let fail = |field, value, rule: String| {
            Err(AgentError { agent: self.name.clone(), field, value, rule })
        };
        let size = format!("it must be more than 0 and at most {LARGEST_BODY} m");
        if !(self.radius > 0.0 && self.radius <= LARGEST_BODY) {
            return fail("radius", self.radius, size);
        }
        if !(self.height > 0.0 && self.height <= LARGEST_BODY) {
            return fail("height", self.height, size);
        }
        if !(self.max_climb >= 0.0 && self.max_climb < self.height) {
            let rule = format!("it must be at least 0 and less than the height ({})", self.height);
            return fail("max_climb", self.max_climb, rule);
        }
        if !(0.0..=STEEPEST_DEGREES.to_radians() + 1e-6).contains(&self.slope_limit) {
            let rule = format!("it must be from 0 to {STEEPEST_DEGREES} degrees");
            return fail("slope_limit", self.slope_limit.to_degrees(), rule);
        }
        if !(0.0..=LARGEST_BODY).contains(&self.ledge_margin()) {
            let rule = format!("it must be from 0 to {LARGEST_BODY} m");
            return fail("ledge_margin", self.ledge_margin(), rule);
        }
        Ok(())
    }
}

impl Default for Agent {
    fn default() -> Self {
        Agent::new("human")
    }
}
