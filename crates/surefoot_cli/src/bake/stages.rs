//! Where the time goes: each stage's, summed over all threads.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use surefoot_bake::{Observer, Stage};

use crate::shared::interrupt;
use crate::shared::progress::Progress;

/// The time one stage took.
#[derive(Clone, Debug, Serialize)]
pub struct StageTime {
    name: &'static str,
    /// Of all threads together [ms].
    ms: f64,
}

impl StageTime {
    fn new(name: &'static str, time: Duration) -> Self {
        StageTime { name, ms: millis(time) }
    }

    /// Does the work of a stage, and notes its time.
    pub fn of<T>(name: &'static str, work: impl FnOnce() -> T) -> (T, Self) {
        let start = Instant::now();
        let result = work();
        (result, StageTime::new(name, start.elapsed()))
    }
}

/// A time in milliseconds, to the microsecond.
pub fn millis(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

/// Watches a bake: its progress, its times, and whether the user still wants it.
#[derive(Debug)]
pub struct Watcher<'a> {
    progress: &'a Progress,
    nanos: [AtomicU64; Stage::ALL.len()],
}

thread_local! {
    /// The stage the thread is in, and since when.
    static OPEN: Cell<Option<(Stage, Instant)>> = const { Cell::new(None) };
}

impl<'a> Watcher<'a> {
    /// Watches a bake that has not begun.
    pub fn new(progress: &'a Progress) -> Self {
        Watcher { progress, nanos: Default::default() }
    }

    /// The times of all stages; the calling thread's last stage ends here.
    pub fn finish(self) -> Vec<StageTime> {
        self.close();
        let times = Stage::ALL.iter().zip(self.nanos);
        let time = |nanos: AtomicU64| Duration::from_nanos(nanos.into_inner());
        times.map(|(stage, nanos)| StageTime::new(stage.name(), time(nanos))).collect()
    }

    fn close(&self) {
        if let Some((stage, since)) = OPEN.take() {
            let place = Stage::ALL.iter().zip(&self.nanos).find(|(known, _)| **known == stage);
            if let Some((_, nanos)) = place {
                nanos.fetch_add(since.elapsed().as_nanos() as u64, Ordering::Relaxed);
            }
        }
    }
}

impl Observer for Watcher<'_> {
    fn begin(&self, stage: Stage) {
        self.close();
        OPEN.set(Some((stage, Instant::now())));
    }

    fn tiles_done(&self, done: usize, of: usize) {
        // The thread may now wait for others, which is part of no stage.
        self.close();
        self.progress.advance(done, of);
    }

    fn is_cancelled(&self) -> bool {
        interrupt::is_asked()
    }
}
