//! Bodies: the shapes of agents that are cast against the world.
//!
//! A body cast that starts on the floor touches the floor, so the body is lifted first. The lift
//! depends on the agent alone, which makes a body rigid: standing is one placement of it, a step
//! is one straight translation.

use surefoot::agent::{Agent, BodyShape};

/// How far a body is lifted beyond what its agent climbs [m].
///
/// If it were smaller, uneven floors would block an agent that climbs nothing; if it were larger,
/// more low obstacles would go unnoticed.
pub const SKIN: f32 = 0.05;

/// The least height of a lifted box, as a fraction of the agent's height.
const MIN_BOX_HEIGHT: f32 = 0.1;

/// An agent's body, lifted off the floor. Heights are above the floor it stands on [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Its shape.
    pub shape: BodyShape,
    /// Half the width [m].
    pub radius: f32,
    /// The lowest point [m].
    pub bottom: f32,
    /// The highest point [m].
    pub top: f32,
}

/// A body to cast, and how far around it the free room matters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The body.
    pub body: Body,
    /// Free room beyond this need not be known [m, >= 0].
    pub max_room: f32,
}

impl Probe {
    /// Returns how far from its center, seen from above, obstacles can matter during a step of some
    /// length [m].
    pub fn reach(&self, step: f32) -> f32 {
        let widest = match self.body.shape {
            BodyShape::Capsule => self.body.radius,
            BodyShape::Box => self.body.radius * std::f32::consts::SQRT_2,
        };
        widest + step.max(self.max_room)
    }
}

impl Body {
    /// Returns the body of an agent, lifted by [`SKIN`] and by what it climbs or what the steepest
    /// slope needs, whichever is more.
    ///
    /// If the lift leaves less than a capsule's width below the agent's height, the body is a ball
    /// that reaches above that height. A lifted box keeps at least a tenth of the agent's height.
    pub fn new(agent: &Agent) -> Self {
        let lift = agent.max_climb.max(slope_lift(agent)) + SKIN;
        let (bottom, top) = match agent.shape {
            BodyShape::Capsule => (lift, agent.height.max(lift + 2.0 * agent.radius)),
            BodyShape::Box => (lift.min((1.0 - MIN_BOX_HEIGHT) * agent.height), agent.height),
        };
        Body { shape: agent.shape, radius: agent.radius, bottom, top }
    }

    /// Returns the body of an agent that is as low as one can be that is as wide and lifted as far.
    pub fn lowest(&self) -> Self {
        let top = match self.shape {
            BodyShape::Capsule => self.bottom + 2.0 * self.radius,
            BodyShape::Box => self.bottom / (1.0 - MIN_BOX_HEIGHT),
        };
        Body { top: top.min(self.top), ..*self }
    }

    /// Returns how far this body has to be raised to fit into another on the same floor [m, >= 0];
    /// `None` if it does not fit.
    ///
    /// If the other body has some free room, this one has at least as much, less the rise.
    pub fn rise_into(&self, other: &Body) -> Option<f32> {
        let rise = (other.bottom - self.bottom).max(0.0);
        let same_shape = self.shape == other.shape;
        let fits = self.radius <= other.radius && self.top + rise <= other.top;
        (same_shape && fits).then_some(rise)
    }

    /// Returns the heights of the ends of a capsule's axis above the floor, low and high [m].
    pub fn axis(&self) -> [f32; 2] {
        let (low, high) = (self.bottom + self.radius, self.top - self.radius);
        [low.min(high), high]
    }
}

/// Returns the lift that a floor at the agent's slope limit needs to be clear of the body [m].
fn slope_lift(agent: &Agent) -> f32 {
    match agent.shape {
        BodyShape::Capsule => agent.radius * (1.0 / agent.slope_limit.cos() - 1.0),
        // The corner of the square base is farthest out.
        BodyShape::Box => agent.radius * std::f32::consts::SQRT_2 * agent.slope_limit.tan(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how far a raised body sticks out of another on the same floor [m, >= 0].
    fn sticks_out(inner: &Body, rise: f32, outer: &Body) -> f32 {
        let mut farthest = 0.0f32;
        let [low, high] = match inner.shape {
            BodyShape::Box => [inner.bottom, inner.top],
            BodyShape::Capsule => inner.axis(),
        };
        for height in [inner.bottom, low, high, inner.top] {
            // How wide a body is at a height.
            let width = |body: &Body, y: f32| match body.shape {
                BodyShape::Box => body.radius,
                BodyShape::Capsule => {
                    let off = y - y.clamp(body.axis()[0], body.axis()[1]);
                    (body.radius * body.radius - off * off).max(0.0).sqrt()
                }
            };
            let (low, high) = (outer.bottom - height - rise, height + rise - outer.top);
            let wide = width(inner, height) - width(outer, height + rise);
            farthest = farthest.max(low).max(high).max(wide);
        }
        farthest
    }

    #[test]
    fn a_body_lies_within_those_it_fits_into_and_is_raised_no_more_than_it_must() {
        let (mut fitting, mut raised) = (0, 0);
        let steps = |from: f32, by: f32| (0..5).map(move |i| from + by * i as f32);
        let bodies: Vec<Body> = [BodyShape::Capsule, BodyShape::Box]
            .into_iter()
            .flat_map(|shape| steps(0.2, 0.3).map(move |radius| (shape, radius)))
            .flat_map(|(shape, radius)| steps(0.7, 0.6).map(move |height| (shape, radius, height)))
            .flat_map(|sizes| steps(0.0, 0.15).map(move |max_climb| (sizes, max_climb)))
            .map(|((shape, radius, height), max_climb)| {
                Body::new(&Agent { shape, radius, height, max_climb, ..Agent::new("body") })
            })
            .collect();
        for (inner, outer) in bodies.iter().flat_map(|a| bodies.iter().map(move |b| (a, b))) {
            let Some(rise) = inner.rise_into(outer) else { continue };
            assert!(sticks_out(inner, rise, outer) < 1e-3, "{inner:?} {outer:?}");
            fitting += 1;
            if rise > 0.0 {
                assert!(sticks_out(inner, 0.9 * rise, outer) > 0.05 * rise);
                raised += 1;
            }
        }
        assert!(fitting > 500 && raised > 100, "{fitting} fit, {raised} of them raised");
    }
}
