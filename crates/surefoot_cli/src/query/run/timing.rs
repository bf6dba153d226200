//! Provides [`Timing`]: the steps and samples of a run, and [`Clock`]: what computing them took.

use std::time::Duration;

/// The steps and samples of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Time of one step [s].
    pub dt: f32,
    /// The run ends after this many steps at the latest.
    pub steps: u64,
    /// Steps from one sample to the next.
    pub stride: u64,
}

/// Time from one sample to the next, rounded to whole steps [s].
const SAMPLE_INTERVAL: f64 = 0.1;
/// A smaller fraction of a step is a rounding error of `seconds / dt`, and gets no step of its own.
const STEP_TOLERANCE: f64 = 1e-3;

impl Timing {
    /// The steps of a run: its time over that of one step, rounded up, at least one [s].
    pub fn new(seconds: f32, dt: f32) -> Self {
        let steps = f64::from(seconds) / f64::from(dt);
        let stride = (SAMPLE_INTERVAL / f64::from(dt)).round().max(1.0) as u64;
        Timing { dt, steps: (steps - STEP_TOLERANCE).ceil().max(1.0) as u64, stride }
    }

    /// The time that a number of steps takes, rounded to milliseconds [s].
    pub fn seconds(&self, steps: u64) -> f64 {
        (steps as f64 * f64::from(self.dt) * 1e3).round() / 1e3
    }

    /// Time from one sample to the next [s].
    pub fn interval(&self) -> f64 {
        self.stride as f64 * f64::from(self.dt)
    }
}

/// The time that the steps of the crowd took to compute.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    pub steps: u64,
    pub spent: Duration,
    pub slowest: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_times_take_whole_steps() {
        let timing = |seconds, dt| Timing::new(seconds, dt);
        assert_eq!(timing(120.0, 1.0 / 60.0), Timing { dt: 1.0 / 60.0, steps: 7200, stride: 6 });
        assert_eq!(timing(0.7, 0.1).steps, 7);
        assert_eq!(timing(0.75, 0.1).steps, 8);
        assert_eq!(timing(1e-9, 0.1).steps, 1);
        assert_eq!(timing(1.0, 0.07).stride, 1);
        assert_eq!(timing(1.0, 1.0 / 60.0).seconds(7200), 120.0);
    }
}
