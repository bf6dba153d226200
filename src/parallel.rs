//! Work on several threads. This is the only file that names threads.
//!
//! With the feature `threads`, work runs on the rayon pool that calls, so a pool of one thread means one
//! thread everywhere. Without it, everything runs on the caller's thread. Results come back in the
//! order of the jobs, so nothing depends on the number of threads.

#[cfg(feature = "threads")]
use std::sync::{Arc, Mutex, PoisonError};

/// At most this many jobs run at once: each needs scratch memory, which counts against what a file may
/// ask for. A second thread nearly halves the time of a load, and half of what is left is not here.
pub(crate) const MOST_WORKERS: usize = 2;
/// With fewer spans a thread's start takes a good part of what it would save.
pub(crate) const WORTH_A_THREAD: usize = 1 << 14;

/// Calls `work` for each job, several at once if `at_once` says that it is worth their threads.
#[cfg(feature = "threads")]
pub(crate) fn for_each_job<J: Send, R: Send>(
    jobs: Vec<J>,
    at_once: bool,
    work: impl Fn(J) -> R + Sync,
) -> Vec<R> {
    if !at_once || jobs.len() < 2 || rayon::current_num_threads() < MOST_WORKERS {
        return jobs.into_iter().map(work).collect();
    }
    let results: Vec<Mutex<Option<R>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    let queue = Mutex::new(jobs.into_iter().zip(&results));
    let take = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some((job, result)) = take() {
            let done = work(job);
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        }
    };
    rayon::join(run, run);
    drop(queue);
    let result = |slot: Mutex<Option<R>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().filter_map(result).collect()
}

/// Calls `work` for each job.
#[cfg(not(feature = "threads"))]
pub(crate) fn for_each_job<J: Send, R: Send>(
    jobs: Vec<J>,
    _: bool,
    work: impl Fn(J) -> R + Sync,
) -> Vec<R> {
    jobs.into_iter().map(work).collect()
}

/// Does two things, at once if there are threads.
#[cfg(feature = "threads")]
pub(crate) use rayon::join as both;

/// Does two things.
#[cfg(not(feature = "threads"))]
pub(crate) fn both<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
    (one(), other())
}

/// Fewer items are done before a thread has woken up.
#[cfg(feature = "threads")]
const WORTH_THE_POOL: usize = 256;
/// Items that go to a thread at once.
#[cfg(feature = "threads")]
const BATCH: usize = 64;

/// Whether work on this many items goes to several threads.
#[cfg(feature = "threads")]
fn is_worth_the_pool(items: usize) -> bool {
    items >= WORTH_THE_POOL && rayon::current_num_threads() > 1
}

/// Works on a list and, at the same time, on something unrelated; one after the other if the list is
/// short.
pub(crate) fn with_others<T: Send>(
    items: &mut [T],
    act: impl FnOnce(&mut [T]) + Send,
    other: impl FnOnce() + Send,
) {
    #[cfg(feature = "threads")]
    if is_worth_the_pool(items.len()) {
        rayon::join(other, || act(items));
        return;
    }
    other();
    act(items);
}

/// Calls `act` with each item and its index.
pub(crate) fn for_each<T: Send>(items: &mut [T], act: impl Fn(usize, &mut T) + Sync + Send) {
    #[cfg(feature = "threads")]
    if is_worth_the_pool(items.len()) {
        use rayon::prelude::*;
        items.par_iter_mut().with_min_len(BATCH).enumerate().for_each(|(at, item)| act(at, item));
        return;
    }
    items.iter_mut().enumerate().for_each(|(at, item)| act(at, item));
}

/// Work whose result is asked for later.
pub(crate) struct Background<T> {
    work: Work<T>,
}

enum Work<T> {
    #[cfg(feature = "threads")]
    Running(std::thread::JoinHandle<T>),
    /// No thread does it: the caller will, when it asks for the result.
    Deferred(Box<dyn FnOnce() -> T + Send + Sync>),
}

impl<T> std::fmt::Debug for Background<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Background")
    }
}

impl<T: Send + 'static> Background<T> {
    /// Starts work on a thread of its own; if there is none to be had, or the caller's pool has only
    /// one, the caller does it when it asks for the result.
    pub(crate) fn start(work: impl FnOnce() -> T + Send + Sync + 'static) -> Self {
        #[cfg(feature = "threads")]
        if rayon::current_num_threads() > 1 {
            return Background { work: on_thread(work) };
        }
        Background { work: Work::Deferred(Box::new(work)) }
    }

    /// The result; waits for it if need be. `None` if the work panicked on its thread.
    pub(crate) fn join(self) -> Option<T> {
        match self.work {
            #[cfg(feature = "threads")]
            Work::Running(thread) => thread.join().ok(),
            Work::Deferred(work) => Some(work()),
        }
    }
}

/// A thread that cannot be started must not take the work with it: so both share it.
#[cfg(feature = "threads")]
fn on_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + Sync + 'static) -> Work<T> {
    let shared = Arc::new(Mutex::new(Some(work)));
    let own = shared.clone();
    let builder = std::thread::Builder::new().name("surefoot".to_owned());
    match builder.spawn(move || take(&own)()) {
        Ok(thread) => Work::Running(thread),
        Err(_) => Work::Deferred(Box::new(move || take(&shared)())),
    }
}

/// Takes the work, which is there: a thread that does not start takes none.
#[cfg(feature = "threads")]
fn take<W>(shared: &Mutex<Option<W>>) -> W {
    let work = shared.lock().unwrap_or_else(PoisonError::into_inner).take();
    work.expect("work is taken once")
}
