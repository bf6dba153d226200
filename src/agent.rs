//! Provides [`Agent`]: the body that must fit.
//!
//! A bake computes for each agent where an upright capsule or box of its size can stand, and which
//! slopes and rises it can walk. Lengths are in metres, angles in radians.

use serde::{Deserialize, Serialize};

/// An upright body that walks: its size, and the slopes and rises it can manage.
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
    /// Its name in files, reports and pictures; unique within a bake.
    pub name: String,
    /// Half the width of the body [m, > 0, <= 1000].
    pub radius: f32,
    /// Height of the body from the sole to the top [m, > 0, <= 1000]. A capsule lower than twice its
    /// radius is a ball; use a box for a flat body.
    pub height: f32,
    /// Highest riser that it walks up or down [m, >= 0, < height].
    pub max_climb: f32,
    /// Steepest floor it can stand on, inclusive [rad, 0..=85°].
    pub slope_limit: f32,
    /// Shape of the body.
    pub shape: BodyShape,
    /// Distance kept from an edge that it could fall off [m, >= 0, <= 1000]; `None` for the radius.
    pub ledge_margin: Option<f32>,
    /// How high it jumps or climbs onto ground above it [m, >= 0, <= 1000]. Where this or one of the next
    /// two is more than 0, a bake generates links.
    pub jump_up: f32,
    /// Widest gap that it jumps over, from where the ground ends to where it begins again [m, >= 0,
    /// <= 1000].
    pub jump_across: f32,
    /// How deep it lets itself fall [m, >= 0, <= 1000].
    pub drop: f32,
}

/// Shape of an agent's body. Every backend of casts has to know all of them, so it is exhaustive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyShape {
    /// A vertical capsule: it can turn on the spot without touching anything new.
    #[default]
    Capsule,
    /// A box with a square base of twice the radius, its sides along x and z.
    Box,
}

/// A field of an agent that is out of its limits.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("agent \"{agent}\": {field} is {value}; {rule}")]
#[non_exhaustive]
pub struct AgentError {
    /// The agent's name.
    pub agent: String,
    /// Name of the field.
    pub field: &'static str,
    /// Its value, in the unit of `rule`.
    pub value: f32,
    /// The limits of the field.
    pub rule: String,
}

/// The greatest radius, height and ledge margin [m].
const LARGEST_BODY: f32 = 1000.0;
/// The steepest slope limit [degrees]: steeper floors are walls.
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
            jump_up: 0.0,
            jump_across: 0.0,
            drop: 0.0,
        }
    }

    /// The agents of a bake without agents of its own: "small", "human" and "large".
    pub fn default_set() -> Vec<Agent> {
        vec![
            Agent { radius: 0.25, height: 1.0, max_climb: 0.3, ..Agent::new("small") },
            Agent::new("human"),
            Agent { radius: 0.6, height: 2.4, max_climb: 0.5, ..Agent::new("large") },
        ]
    }

    /// Distance kept from an edge that it could fall off [m]: the margin, or else the radius.
    pub fn ledge_margin(&self) -> f32 {
        self.ledge_margin.unwrap_or(self.radius)
    }

    /// Whether it can do more than walk, so that a bake generates links for it.
    pub fn leaves_ground(&self) -> bool {
        self.jump_up > 0.0 || self.jump_across > 0.0 || self.drop > 0.0
    }

    /// Checks every field against its limits.
    ///
    /// # Errors
    /// The first field that is out of its limits.
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
        let reaches =
            [("jump_up", self.jump_up), ("jump_across", self.jump_across), ("drop", self.drop)];
        for (field, value) in reaches {
            if !(0.0..=LARGEST_BODY).contains(&value) {
                return fail(field, value, format!("it must be from 0 to {LARGEST_BODY} m"));
            }
        }
        Ok(())
    }
}

impl Default for Agent {
    fn default() -> Self {
        Agent::new("human")
    }
}
