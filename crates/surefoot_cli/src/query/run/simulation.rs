//! The run itself: a step after the other, and a look at everyone every 0.1 s.

use std::time::{Duration, Instant};

use surefoot::crowd::{Crowd, MemberId};
use surefoot::follow::FollowState;

use super::journeys::Journey;
use super::measures::{Measures, Seen};
use super::recorder::Recorder;
use crate::shared::interrupt;
use crate::shared::progress::Progress;

/// How time goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Of one step [s].
    pub dt: f32,
    /// The most steps.
    pub steps: u64,
    /// Steps from one sample to the next.
    pub stride: u64,
}

/// Time from one sample to the next, to the step nearest to it [s].
const SAMPLE: f64 = 0.1;
/// A part of a step so small comes from rounding: no step is made for it.
const ROUNDING: f64 = 1e-3;

impl Pace {
    /// As many steps as a time takes, at least one; both in seconds.
    pub fn new(seconds: f32, dt: f32) -> Self {
        let steps = f64::from(seconds) / f64::from(dt);
        let stride = (SAMPLE / f64::from(dt)).round().max(1.0) as u64;
        Pace { dt, steps: (steps - ROUNDING).ceil().max(1.0) as u64, stride }
    }

    /// How long so many steps are, to the millisecond [s].
    pub fn seconds(&self, steps: u64) -> f64 {
        (steps as f64 * f64::from(self.dt) * 1e3).round() / 1e3
    }

    /// Time from one sample to the next [s].
    pub fn interval(&self) -> f64 {
        self.stride as f64 * f64::from(self.dt)
    }
}

/// The time the crowd's steps took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    pub steps: u64,
    pub spent: Duration,
    pub slowest: Duration,
}

/// A crowd that walks, and what is seen of it.
pub struct Simulation<'a> {
    pub crowd: Crowd,
    pub members: Vec<MemberId>,
    pub pace: Pace,
    pub clock: Clock,
    pub journeys: Vec<Journey>,
    pub measures: Measures<'a>,
    pub recorder: Recorder,
}

impl Simulation<'_> {
    /// Lets everyone walk until the time is up, all have come to rest, or the user has had enough.
    ///
    /// # Errors
    /// A record that cannot be written.
    pub fn run(&mut self, progress: &Progress) -> anyhow::Result<()> {
        let samples = (self.pace.steps / self.pace.stride) as usize;
        self.sample()?;
        let mut is_over = self.members.is_empty();
        while !is_over && self.clock.steps < self.pace.steps && !interrupt::is_asked() {
            self.step();
            if self.clock.steps.is_multiple_of(self.pace.stride) {
                self.sample()?;
                progress.advance((self.clock.steps / self.pace.stride) as usize, samples);
                is_over = self.states().all(|state| state.is_at_rest());
            }
        }
        Ok(())
    }

    /// What everyone is doing, in the order of the members.
    pub fn states(&self) -> impl Iterator<Item = FollowState> {
        self.members.iter().filter_map(|&id| Some(self.crowd.member(id)?.state()))
    }

    fn step(&mut self) {
        let start = Instant::now();
        self.crowd.step(self.pace.dt);
        let spent = start.elapsed();
        self.clock.steps += 1;
        self.clock.spent += spent;
        self.clock.slowest = self.clock.slowest.max(spent);
        for (journey, &id) in self.journeys.iter_mut().zip(&self.members) {
            if let Some(member) = self.crowd.member(id) {
                journey.note(member, self.clock.steps);
            }
        }
    }

    fn sample(&mut self) -> anyhow::Result<()> {
        let members = self.members.iter().filter_map(|&id| self.crowd.member(id));
        let seen: Vec<Seen> = members.map(Seen::of).collect();
        self.measures.sample(&seen);
        self.recorder.sample(self.pace.seconds(self.clock.steps), &seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_times_take_whole_steps() {
        let pace = |seconds, dt| Pace::new(seconds, dt);
        assert_eq!(pace(120.0, 1.0 / 60.0), Pace { dt: 1.0 / 60.0, steps: 7200, stride: 6 });
        assert_eq!(pace(0.7, 0.1).steps, 7);
        assert_eq!(pace(0.75, 0.1).steps, 8);
        assert_eq!(pace(1e-9, 0.1).steps, 1);
        assert_eq!(pace(1.0, 0.07).stride, 1);
        assert_eq!(pace(1.0, 1.0 / 60.0).seconds(7200), 120.0);
    }
}
