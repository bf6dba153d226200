//! The rule of a step: which heights an agent climbs, whatever its size.

use super::floors::Floor;
use surefoot::agent::Agent;
use surefoot::grid::Dir;

/// A step may be higher than the climb by this much [m]: what rounding does to stairs built at
/// the limit.
const STEP_TOLERANCE: f32 = 1e-3;

/// What heights an agent can step between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rule {
    /// Highest step between two surfaces [m].
    pub max_climb: f32,
    steepest: f32,
}

impl Rule {
    pub fn of(agent: &Agent) -> Self {
        Rule { max_climb: agent.max_climb + STEP_TOLERANCE, steepest: agent.slope_limit.tan() }
    }

    /// What it allows between neighboring cells.
    pub fn stride(&self, dir: Dir, cell_size: f32) -> Stride {
        let (x, z) = dir.offset();
        Stride {
            dir,
            half: [0.5 * cell_size * x as f32, 0.5 * cell_size * z as f32],
            max_climb: self.max_climb,
            most_rise: self.most_rise(dir.length() * cell_size),
        }
    }

    /// The most the agent can rise on a way, both in metres.
    pub fn most_rise(&self, way: f32) -> f32 {
        self.max_climb.max(self.steepest * way + STEP_TOLERANCE)
    }

    /// Up to where on a way the agent's climb allows more of a rise than its slope limit, as a
    /// fraction of the way's length [m].
    pub fn climb_reach(&self, length: f32) -> f32 {
        let (climb, slope) = (self.max_climb - STEP_TOLERANCE, self.steepest * length);
        if slope > climb { climb / slope } else { 1.0 }
    }
}

/// What an agent can step between the centers of neighboring cells.
pub(super) struct Stride {
    pub dir: Dir,
    /// Half the way along x and z: to the shared edge or corner [m].
    half: [f32; 2],
    max_climb: f32,
    most_rise: f32,
}

impl Stride {
    /// The height of the step at the shared edge or corner, if the agent can take it [m, >= 0].
    #[inline]
    pub fn step(&self, [from, to]: [&Floor; 2]) -> Option<f32> {
        let edge =
            |floor: &Floor| floor.gradient[0] * self.half[0] + floor.gradient[1] * self.half[1];
        let step = (from.span.floor + edge(from) - (to.span.floor - edge(to))).abs();
        let rise = (to.span.floor - from.span.floor).abs();
        (step <= self.max_climb && rise <= self.most_rise).then_some(step)
    }
}
