//! Steps crowds in turn, some steps each, so that a busy second of the machine hits all alike.
//!
//! What is timed is the thread: time that it spends waiting for a processor does not count. What
//! other threads do would not, either; sides must not have any.

use std::time::Duration;

use cpu_time::ThreadTime;
use glam::Vec3;

use crate::course::Course;
use crate::score::Score;

/// Steps of a side before it is another's turn: enough for its data to be in the cache again.
const ROUND: usize = 10;
/// Steps before times count, when they cease to, and at the end: 1, 10 and 60 s.
const TIMED: std::ops::Range<usize> = 30..300;
const STEPS: usize = 1800;

/// A crowd on its course.
pub trait Side {
    fn name(&self) -> &'static str;

    /// Moves everyone for one step.
    fn step(&mut self);

    /// What somebody else's program would do after a step, such as its physics; not timed.
    fn settle(&mut self) {}

    fn position(&self, agent: usize) -> Vec3;

    /// Gives an agent a new goal; not timed, unlike the search for a way that follows.
    fn send(&mut self, agent: usize, goal: Vec3);
}

/// A side, how fast it was and how well it did.
pub struct Entry<'a> {
    pub side: Box<dyn Side + 'a>,
    pub times: Times,
    pub score: Score,
}

/// Runs all sides over the whole course.
pub fn run<'a>(course: &Course, sides: Vec<Box<dyn Side + 'a>>) -> Vec<Entry<'a>> {
    let entry = |side: Box<dyn Side + 'a>| {
        let score = Score::new(course, &*side);
        Entry { side, times: Times::default(), score }
    };
    let mut entries: Vec<Entry> = sides.into_iter().map(entry).collect();
    for first in (0..STEPS).step_by(ROUND) {
        for entry in &mut entries {
            for step in first..first + ROUND {
                entry.step(course, TIMED.contains(&step));
            }
        }
    }
    entries
}

impl Entry<'_> {
    fn step(&mut self, course: &Course, timed: bool) {
        let start = ThreadTime::now();
        self.side.step();
        let time = start.elapsed();
        if timed {
            self.times.0.push(time);
        }
        self.side.settle();
        for (agent, goal) in self.score.watch(course, &*self.side) {
            self.side.send(agent, goal);
        }
    }
}

/// How long steps took.
#[derive(Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// In milliseconds.
    pub fn mean(&self) -> f64 {
        self.0.iter().map(Duration::as_secs_f64).sum::<f64>() * 1e3 / self.0.len() as f64
    }

    /// The time that so many steps in a hundred do not exceed, in milliseconds.
    pub fn percentile(&self, percent: usize) -> f64 {
        let mut times = self.0.clone();
        times.sort_unstable();
        times[times.len() * percent / 100].as_secs_f64() * 1e3
    }
}
