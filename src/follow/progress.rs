//! How a body gets on: its progress along its path, its gain on its goal, and its tries of another path.

use super::settings::FollowSettings;

/// How long a body has been without progress, and what it has tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FollowProgress {
    /// Time since the last request for a path [s].
    pub since_request: f32,
    /// Time since the body last came nearer to its goal [s].
    pub since_progress: f32,
    /// Time next to the end of the path [s].
    at_end: f32,
    /// The least distance to the end since the path was found [m].
    nearest: f32,
    /// Requests since the body last made progress.
    pub tries: u32,
}

/// How long a body has gained nothing on its goal. Unlike its progress this survives another path to the
/// same goal, and bodies that push each other back and forth do not reset it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GainClock {
    /// The least distance to the end of any path to this goal [m].
    nearest: f32,
    /// Time since that became less [s].
    pub time: f32,
}

/// There was no request since: one may be made at once [s].
pub(super) const NOT_SINCE: f32 = f32::INFINITY;
/// A body makes progress if it comes nearer by this part of what full speed allows within its patience.
const PROGRESS_PART: f32 = 0.15;
/// A body gains on its goal if it comes nearer than ever by this much [m].
const LEAST_GAIN: f32 = 0.5;
/// A body this near to where it stops has arrived [m].
pub(crate) const ARRIVAL_DISTANCE: f32 = 5e-4;
/// A body within the waypoint tolerance of where it stops has arrived after this time [s]: physics
/// does not put it on the exact point.
const ARRIVAL_TIME: f32 = 0.5;
/// The longest time between two tries of a body that is held up [patiences].
const LONGEST_PAUSE: f32 = 8.0;

impl Default for FollowProgress {
    fn default() -> Self {
        FollowProgress {
            since_request: NOT_SINCE,
            since_progress: 0.0,
            at_end: 0.0,
            nearest: f32::INFINITY,
            tries: 0,
        }
    }
}

impl FollowProgress {
    /// Begins a path.
    pub fn begin_path(&mut self) {
        self.nearest = f32::INFINITY;
        self.at_end = 0.0;
    }

    /// Begins anew where the body was pushed away from where it rested.
    pub fn begin_again(&mut self) {
        self.begin_path();
        self.since_progress = 0.0;
    }

    /// Whether it is time for another try of a body that makes no progress, and may be lost beside its
    /// path. Counts the try.
    pub fn is_try_due(&mut self, is_lost: bool, settings: &FollowSettings) -> bool {
        let patience = settings.patience;
        // Each pause is twice as long as the last.
        let pause = (patience * 2f32.powi(self.tries as i32)).min(LONGEST_PAUSE * patience);
        let is_first = is_lost && self.tries == 0;
        let has_tries = self.tries < settings.most_tries;
        let is_held_up = is_lost || has_tries && self.since_progress > patience;
        let is_due = is_held_up && (is_first || self.since_request > pause);
        self.tries += u32::from(is_due);
        is_due
    }

    /// Measures the progress of a body that has so far to go [m].
    pub fn measure(&mut self, remaining: f32, settings: &FollowSettings, dt: f32) {
        if self.nearest == f32::INFINITY {
            self.nearest = remaining;
        } else if remaining < self.nearest - PROGRESS_PART * settings.speed * settings.patience {
            (self.nearest, self.since_progress, self.tries) = (remaining, 0.0, 0);
        }
        let is_next_to_end = remaining - settings.stopping_distance <= settings.waypoint_tolerance;
        self.at_end = if is_next_to_end { self.at_end + dt } else { 0.0 };
    }

    /// Whether a body that has so far to go [m] has arrived, after it was measured.
    pub fn has_arrived(&self, remaining: f32, settings: &FollowSettings) -> bool {
        remaining - settings.stopping_distance <= ARRIVAL_DISTANCE || self.at_end > ARRIVAL_TIME
    }

    /// Whether it gets no further.
    pub fn is_stuck(&self, settings: &FollowSettings) -> bool {
        self.since_progress > 2.0 * settings.patience || self.tries >= settings.most_tries.max(1)
    }
}

impl Default for GainClock {
    fn default() -> Self {
        GainClock { nearest: f32::INFINITY, time: 0.0 }
    }
}

impl GainClock {
    /// Begins anew if a body that has so far to go [m] is nearer than ever.
    pub fn measure(&mut self, remaining: f32) {
        if remaining < self.nearest - LEAST_GAIN {
            *self = GainClock { nearest: remaining, time: 0.0 };
        }
    }
}
