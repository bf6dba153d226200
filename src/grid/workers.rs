//! Work on several agents' layers at once: they do not touch each other.
//!
//! Results come back in the order of the agents, so nothing depends on the number of threads.
//! Where the system has no threads to give, the caller's own does the work.

use std::thread::{Builder, available_parallelism};

/// The most threads at work, so that scratch memory stays bounded.
pub(crate) const MOST_WORKERS: usize = 4;
/// Grids of fewer spans are done before a thread has started.
const WORTH_A_THREAD: usize = 1 << 16;

/// Calls `work` for each job. `spans` is the size of a job.
pub(crate) fn for_each<J: Send, R: Send>(
    jobs: Vec<J>,
    spans: usize,
    work: impl Fn(J) -> R + Sync,
) -> Vec<R> {
    let threads = available_parallelism().map_or(1, |count| count.get().min(MOST_WORKERS));
    if threads < 2 || jobs.len() < 2 || spans < WORTH_A_THREAD {
        return jobs.into_iter().map(work).collect();
    }
    let mut results = Vec::with_capacity(jobs.len());
    let mut jobs = jobs.into_iter();
    let work = &work;
    while jobs.len() > 0 {
        let batch: Vec<J> = jobs.by_ref().take(threads).collect();
        results.extend(at_once(batch, work));
    }
    results
}

/// One thread a job, the last one on the caller's own.
fn at_once<J: Send, R: Send>(mut batch: Vec<J>, work: &(impl Fn(J) -> R + Sync)) -> Vec<R> {
    let last = batch.pop();
    let mut results: Vec<Option<R>> = batch.iter().map(|_| None).collect();
    // A job waits in its slot, so that it is not lost where no thread can be had.
    let mut slots: Vec<Option<J>> = batch.into_iter().map(Some).collect();
    let own = std::thread::scope(|scope| {
        for (slot, result) in slots.iter_mut().zip(&mut results) {
            let run = move || *result = slot.take().map(work);
            // Without a thread the slot stays full.
            drop(Builder::new().spawn_scoped(scope, run));
        }
        last.map(work)
    });
    let left = slots.into_iter().map(|slot| slot.map(work));
    let done = results.into_iter().zip(left).filter_map(|(result, left)| result.or(left));
    done.collect::<Vec<R>>().into_iter().chain(own).collect()
}
