//! Measures the time of each stage of a bake, summed over all threads.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use surefoot::Observer;
use surefoot_bake::{BakeObserver, Stage};

use crate::shared::progress::ProgressDisplay;

/// The time one stage took.
#[derive(Clone, Debug, Serialize)]
pub struct StageTime {
    name: &'static str,
    /// Summed over all threads [ms].
    ms: f64,
}

impl StageTime {
    fn new(name: &'static str, time: Duration) -> Self {
        StageTime { name, ms: millis(time) }
    }

    /// Does the work of a stage, and measures its time.
    pub fn measure<T>(name: &'static str, work: impl FnOnce() -> T) -> (T, Self) {
        let start = Instant::now();
        let result = work();
        (result, StageTime::new(name, start.elapsed()))
    }
}

/// A time in milliseconds, with microseconds.
pub fn millis(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

/// Observes a bake: shows its progress, measures its stages, and stops it after ctrl-C.
#[derive(Debug)]
pub struct Watcher<'a> {
    progress: &'a ProgressDisplay,
    nanos: [AtomicU64; Stage::ALL.len()],
}

thread_local! {
    /// The stage that this thread is in, and when it began.
    static OPEN: Cell<Option<(Stage, Instant)>> = const { Cell::new(None) };
}

impl<'a> Watcher<'a> {
    /// An observer for a bake that has not begun.
    pub fn new(progress: &'a ProgressDisplay) -> Self {
        Watcher { progress, nanos: Default::default() }
    }

    /// Ends the calling thread's last stage, and returns the times of all stages.
    pub fn finish(self) -> Vec<StageTime> {
        self.close();
        let times = Stage::ALL.iter().zip(self.nanos);
        let time = |nanos: AtomicU64| Duration::from_nanos(nanos.into_inner());
        times.map(|(stage, nanos)| StageTime::new(stage.name(), time(nanos))).collect()
    }

    fn close(&self) {
        if let Some((stage, since)) = OPEN.take() {
            let stage_nanos =
                Stage::ALL.iter().zip(&self.nanos).find(|(known, _)| **known == stage);
            if let Some((_, nanos)) = stage_nanos {
                nanos.fetch_add(since.elapsed().as_nanos() as u64, Ordering::Relaxed);
            }
        }
    }
}

impl Observer for Watcher<'_> {
    fn parts_done(&self, done: usize, of: usize) {
        // The thread may now wait for others, which belongs to no stage.
        self.close();
        self.progress.parts_done(done, of);
    }

    fn is_cancelled(&self) -> bool {
        self.progress.is_cancelled()
    }
}

impl BakeObserver for Watcher<'_> {
    fn begin(&self, stage: Stage) {
        self.close();
        OPEN.set(Some((stage, Instant::now())));
    }

    fn memory_estimated(&self, bytes: u64) {
        let gib = bytes as f64 / f64::from(1 << 30);
        self.progress.note(format_args!("this needs about {gib:.1} GiB of memory"));
    }
}
