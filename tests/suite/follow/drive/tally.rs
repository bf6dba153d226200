//! How many walks ended how.

use std::fmt;

use super::walk::Walk;

#[derive(Default)]
pub struct Tally {
    pub what: String,
    pub walks: usize,
    pub in_time: usize,
    pub late: usize,
    pub stories: Vec<String>,
}

impl Tally {
    pub fn new(what: impl Into<String>) -> Self {
        Tally { what: what.into(), ..Tally::default() }
    }

    /// The part of the walks that arrived in time.
    pub fn share(&self) -> f32 {
        self.in_time as f32 / self.walks.max(1) as f32
    }

    pub fn count(&mut self, walk: Walk) {
        self.walks += 1;
        let in_time = walk.time.is_some_and(|time| time <= 1.0);
        self.in_time += usize::from(in_time);
        self.late += usize::from(walk.time.is_some() && !in_time);
        if !in_time {
            self.stories.push(walk.story);
        }
    }

    pub fn add(&mut self, other: &Tally) {
        self.walks += other.walks;
        self.in_time += other.in_time;
        self.late += other.late;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Tally { what, walks, in_time, late, stories } = self;
        let share = 100.0 * self.share();
        let failed = walks - in_time - late;
        write!(
            f,
            "{what:>28}: {walks:>4} walks, {share:5.1} % in time, {late} late, {failed} failed"
        )?;
        stories.iter().try_for_each(|story| write!(f, "\n    {story}"))
    }
}
