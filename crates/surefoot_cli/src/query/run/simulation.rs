//! Provides [`Simulation`]: steps a crowd, and samples everyone every 0.1 s.

use std::time::Instant;

use surefoot::Observer;
use surefoot::crowd::{Crowd, MemberId};
use surefoot::follow::FollowState;

use super::journey::Journey;
use super::measurements::Measurements;
use super::member_sample::MemberSample;
use super::recorder::Recorder;
use super::timing::{Clock, Timing};
use crate::shared::interrupt;
use crate::shared::progress::ProgressDisplay;

/// A crowd that walks, and what is measured of it.
pub struct Simulation<'a> {
    pub crowd: Crowd,
    pub members: Vec<MemberId>,
    pub timing: Timing,
    pub clock: Clock,
    pub journeys: Vec<Journey>,
    pub measurements: Measurements<'a>,
    pub recorder: Recorder,
}

impl Simulation<'_> {
    /// Lets everyone walk until the time is up, all have come to rest, or the user presses ctrl-C.
    ///
    /// # Errors
    /// The CSV file cannot be written.
    pub fn run(&mut self, progress: &ProgressDisplay) -> anyhow::Result<()> {
        let samples = (self.timing.steps / self.timing.stride) as usize;
        self.sample()?;
        let mut is_over = self.members.is_empty();
        while !is_over && self.clock.steps < self.timing.steps && !interrupt::is_requested() {
            self.step();
            if self.clock.steps.is_multiple_of(self.timing.stride) {
                self.sample()?;
                progress.parts_done((self.clock.steps / self.timing.stride) as usize, samples);
                is_over = self.states().all(|state| state.is_at_rest());
            }
        }
        Ok(())
    }

    /// The state of every member, in order.
    pub fn states(&self) -> impl Iterator<Item = FollowState> {
        self.members.iter().filter_map(|&id| Some(self.crowd.member(id)?.state()))
    }

    fn step(&mut self) {
        let start = Instant::now();
        self.crowd.step(self.timing.dt);
        let spent = start.elapsed();
        self.clock.steps += 1;
        self.clock.spent += spent;
        self.clock.slowest = self.clock.slowest.max(spent);
        for (journey, &id) in self.journeys.iter_mut().zip(&self.members) {
            if let Some(member) = self.crowd.member(id) {
                journey.update(member, self.clock.steps);
            }
        }
    }

    fn sample(&mut self) -> anyhow::Result<()> {
        let members = self.members.iter().filter_map(|&id| self.crowd.member(id));
        let samples: Vec<MemberSample> = members.map(MemberSample::of).collect();
        self.measurements.add(&samples);
        self.recorder.add(self.timing.seconds(self.clock.steps), &samples)
    }
}
