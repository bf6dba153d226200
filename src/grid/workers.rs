//! Work on the spans and on each agent's layer at once: they do not touch each other.
//!
//! Results come back in the order of the jobs, so nothing depends on the number of threads.
//! Where the system has no threads to give, the caller's own does the work.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, available_parallelism};

/// The most threads at work: each needs scratch memory, which counts against what a file may ask
/// for. A second one nearly halves the time of a load, and then half of what is left is not here.
pub(crate) const MOST_WORKERS: usize = 2;
/// With fewer spans a thread's start takes a good part of what it would save.
pub(crate) const WORTH_A_THREAD: usize = 1 << 14;

/// Calls `work` for each job, several at once if that is worth their threads.
pub(crate) fn for_each<J: Send, R: Send>(
    jobs: Vec<J>,
    at_once: bool,
    work: impl Fn(J) -> R + Sync,
) -> Vec<R> {
    let most = if at_once { jobs.len().min(MOST_WORKERS) } else { 1 };
    let threads = if most > 1 { available_parallelism().map_or(1, usize::from) } else { 1 };
    on_threads(jobs, threads.min(most), work)
}

/// Calls `work` for each job on so many threads.
fn on_threads<J: Send, R: Send>(
    jobs: Vec<J>,
    threads: usize,
    work: impl Fn(J) -> R + Sync,
) -> Vec<R> {
    if threads < 2 {
        return jobs.into_iter().map(work).collect();
    }
    let results: Vec<Mutex<Option<R>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    let queue = Mutex::new(jobs.into_iter().zip(&results));
    let take = || lock(&queue).next();
    let run = || {
        while let Some((job, result)) = take() {
            let done = work(job);
            *lock(result) = Some(done);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Without a thread the others do its work.
            drop(Builder::new().spawn_scoped(scope, run));
        }
        run();
    });
    drop(queue);
    let result = |slot: Mutex<Option<R>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().filter_map(result).collect()
}

/// Does two things, at once where there is a pool of threads.
#[cfg(feature = "physics")]
pub(crate) use rayon::join as both;

/// Does two things.
#[cfg(not(feature = "physics"))]
pub(crate) fn both<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
    (one(), other())
}

/// A lock that a panic elsewhere does not spoil: the panic itself is passed on.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
