//! Bodies: what of an agent is cast against the world.
//!
//! A body cast that starts on the floor touches the floor, so the sole is lifted first. The lift
//! depends on the agent alone, which makes a body rigid: standing is one placement of it, a step
//! is one straight translation.

use surefoot::agent::{Agent, BodyShape};

/// How far above what the agent climbs its body is held [m].
///
/// Smaller, and unevenness in a floor of an agent with no climb blocks it; larger, and more of a
/// low obstacle goes unnoticed.
pub const SKIN: f32 = 0.05;

/// The thinnest a lifted box may get, as a fraction of its height.
const THINNEST_BOX: f32 = 0.1;

/// An agent's body, lifted off the floor. Heights are above the floor it stands on [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// The form.
    pub shape: BodyShape,
    /// Half the width [m].
    pub radius: f32,
    /// The lowest point [m].
    pub bottom: f32,
    /// The highest point [m].
    pub top: f32,
}

/// A body to ask about, and how much it matters what is round it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The body.
    pub body: Body,
    /// Free room beyond this need not be known [m, >= 0].
    pub enough: f32,
}

impl Probe {
    /// How far from its middle, seen from above, things can matter when it makes a step [m].
    pub fn reach(&self, step: f32) -> f32 {
        let widest = match self.body.shape {
            BodyShape::Capsule => self.body.radius,
            BodyShape::Box => self.body.radius * std::f32::consts::SQRT_2,
        };
        widest + step.max(self.enough)
    }
}

impl Body {
    /// The body of an agent, lifted by what it climbs or what the steepest slope needs, whichever
    /// is more, and [`SKIN`].
    ///
    /// A capsule whose lift leaves less than its width below its height is a ball, and reaches
    /// above its height; a box whose lift leaves too little keeps a tenth of its height.
    pub fn new(agent: &Agent) -> Self {
        let lift = agent.max_climb.max(slope_lift(agent)) + SKIN;
        let (bottom, top) = match agent.shape {
            BodyShape::Capsule => (lift, agent.height.max(lift + 2.0 * agent.radius)),
            BodyShape::Box => (lift.min((1.0 - THINNEST_BOX) * agent.height), agent.height),
        };
        Body { shape: agent.shape, radius: agent.radius, bottom, top }
    }

    /// How far this body has to be raised to lie within another on the same floor [m, >= 0]; `None` if
    /// it does not fit. Where the other has room, this one has as much, less what it was raised.
    pub fn rise_into(&self, other: &Body) -> Option<f32> {
        let rise = (other.bottom - self.bottom).max(0.0);
        let same_shape = self.shape == other.shape;
        let fits = self.radius <= other.radius && self.top + rise <= other.top;
        (same_shape && fits).then_some(rise)
    }

    /// Ends of a capsule's axis above the floor, low and high [m].
    pub fn axis(&self) -> [f32; 2] {
        let (low, high) = (self.bottom + self.radius, self.top - self.radius);
        [low.min(high), high]
    }
}

/// How far a body must be held above a floor at the agent's slope limit to clear it [m].
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

    /// How far a body and its corners reach out of another, both on one floor [m]; 0 where they do not.
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
