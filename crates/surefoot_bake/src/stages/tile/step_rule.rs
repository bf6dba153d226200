//! The rule for steps: which heights an agent can step between, whatever its size.

use super::find_floors::Floor;
use surefoot::agent::Agent;
use surefoot::grid::{CellOffset, Dir};

/// How much a step may exceed the climb [m]: rounding of stairs that are built at the limit.
const STEP_TOLERANCE: f32 = 1e-3;

/// Which heights an agent can step between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StepRule {
    /// Highest step between two surfaces [m].
    pub max_climb: f32,
    /// Steepest slope, as rise over run.
    max_slope: f32,
}

impl StepRule {
    pub fn of(agent: &Agent) -> Self {
        StepRule { max_climb: agent.max_climb + STEP_TOLERANCE, max_slope: agent.slope_limit.tan() }
    }

    /// Returns the limits of a step to the neighboring cell in a direction.
    pub fn stride(&self, dir: Dir, cell_size: f32) -> Stride {
        let CellOffset { x, z } = dir.offset();
        Stride {
            dir,
            to_edge: [0.5 * cell_size * x as f32, 0.5 * cell_size * z as f32],
            max_climb: self.max_climb,
            max_rise: self.max_rise(dir.length() * cell_size),
        }
    }

    /// Returns the most that the agent can rise over a distance on the ground, both in metres.
    pub fn max_rise(&self, distance: f32) -> f32 {
        self.max_climb.max(self.max_slope * distance + STEP_TOLERANCE)
    }

    /// Returns up to where on a line of some length [m] the climb allows a higher rise than the
    /// slope limit, as a fraction of the line.
    pub fn climb_reach(&self, length: f32) -> f32 {
        let (climb, slope) = (self.max_climb - STEP_TOLERANCE, self.max_slope * length);
        if slope > climb { climb / slope } else { 1.0 }
    }
}

/// The limits of a step from the center of a cell to a neighboring one.
pub(super) struct Stride {
    pub dir: Dir,
    /// From the center to the shared edge or corner, along x and z [m].
    to_edge: [f32; 2],
    max_climb: f32,
    /// The most that a step can rise or fall from center to center [m].
    pub max_rise: f32,
}

impl Stride {
    /// Returns the height of the step at the shared edge or corner, extrapolated from both floors
    /// [m, >= 0]; `None` if the agent cannot take it.
    #[inline]
    pub fn step_height(&self, [from, to]: [&Floor; 2]) -> Option<f32> {
        // Nearly all floors that do not fit are too far above or below.
        let rise = (to.span.floor - from.span.floor).abs();
        if rise > self.max_rise {
            return None;
        }
        let [x, z] = self.to_edge;
        let rise_to_edge = |floor: &Floor| floor.gradient[0] * x + floor.gradient[1] * z;
        let heights = [from.span.floor + rise_to_edge(from), to.span.floor - rise_to_edge(to)];
        let step = (heights[0] - heights[1]).abs();
        (step <= self.max_climb).then_some(step)
    }
}
