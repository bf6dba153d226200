//! Work on several threads. This is the only file that names threads.
//!
//! With the feature `threads`, work runs on the caller's rayon pool, so that a pool of one thread means
//! one thread everywhere. Without it, everything runs on the caller's thread. Results have the order of
//! the jobs, so that nothing depends on the number of threads.

#[cfg(feature = "threads")]
use std::cell::Cell;
#[cfg(feature = "threads")]
use std::sync::atomic::{AtomicUsize, Ordering};
#[cfg(feature = "threads")]
use std::sync::{Arc, Mutex, PoisonError};

/// The most jobs that run at once: each needs scratch memory, which counts against the memory limit of
/// a load. A second thread nearly halves the time of a load; more gain little, since half of the rest is
/// not done in jobs.
pub(crate) const MOST_WORKERS: usize = 2;
/// The fewest spans that are worth a second thread: with less, starting it takes much of what it saves.
pub(crate) const LEAST_SPANS_FOR_THREADS: usize = 1 << 14;

#[cfg(feature = "threads")]
thread_local! {
    /// Whether the thread does its work alone.
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// How many threads are at work alone. Each takes a processor, and threads of the pool that had to wait for one
/// would hold up all others.
#[cfg(feature = "threads")]
static ALONE: AtomicUsize = AtomicUsize::new(0);

/// How many threads work on what this one has to do.
#[cfg(feature = "threads")]
fn threads() -> usize {
    if IS_ALONE.get() {
        return 1;
    }
    rayon::current_num_threads().saturating_sub(ALONE.load(Ordering::Relaxed))
}

/// Work that a thread does alone.
#[cfg(feature = "threads")]
struct Alone;

#[cfg(feature = "threads")]
impl Alone {
    fn begin() -> Self {
        IS_ALONE.set(true);
        ALONE.fetch_add(1, Ordering::Relaxed);
        Alone
    }
}

#[cfg(feature = "threads")]
impl Drop for Alone {
    fn drop(&mut self) {
        ALONE.fetch_sub(1, Ordering::Relaxed);
        IS_ALONE.set(false);
    }
}

/// Calls `work` for each job, on two threads if `at_once`; returns the results in the order of jobs.
#[cfg(feature = "threads")]
pub(crate) fn for_each_job<J: Send, R: Send>(
    jobs: Vec<J>,
    at_once: bool,
    work: impl Fn(J) -> R + Sync,
) -> Vec<R> {
    if !at_once || jobs.len() < 2 || threads() < MOST_WORKERS {
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

/// Runs two closures, at the same time if there are threads.
#[cfg(feature = "threads")]
pub(crate) fn both<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if threads() < 2 { (one(), other()) } else { rayon::join(one, other) }
}

/// Runs two closures.
#[cfg(not(feature = "threads"))]
pub(crate) fn both<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
    (one(), other())
}

/// The fewest items that are worth waking up threads.
#[cfg(feature = "threads")]
const LEAST_ITEMS_FOR_THREADS: usize = 256;
/// The fewest items that one thread takes at once.
#[cfg(feature = "threads")]
const ITEMS_PER_THREAD: usize = 64;

/// Whether work on a number of items goes to several threads.
#[cfg(feature = "threads")]
fn is_worth_threads(items: usize) -> bool {
    items >= LEAST_ITEMS_FOR_THREADS && threads() > 1
}

/// Calls `act` with a list and `other`, at the same time if the list is long enough.
pub(crate) fn with_others<T: Send>(
    items: &mut [T],
    act: impl FnOnce(&mut [T]) + Send,
    other: impl FnOnce() + Send,
) {
    #[cfg(feature = "threads")]
    if is_worth_threads(items.len()) {
        rayon::join(other, || act(items));
        return;
    }
    other();
    act(items);
}

/// Calls `act` with each item and its index.
pub(crate) fn for_each<T: Send>(items: &mut [T], act: impl Fn(usize, &mut T) + Sync + Send) {
    #[cfg(feature = "threads")]
    if is_worth_threads(items.len()) {
        use rayon::prelude::*;
        items
            .par_iter_mut()
            .with_min_len(ITEMS_PER_THREAD)
            .enumerate()
            .for_each(|(at, item)| act(at, item));
        return;
    }
    items.iter_mut().enumerate().for_each(|(at, item)| act(at, item));
}

/// Whether work can run in the background.
pub(crate) fn has_background() -> bool {
    #[cfg(feature = "threads")]
    if rayon::current_num_threads() > 1 {
        return true;
    }
    false
}

/// Work that runs in the background; its result is collected later.
pub(crate) struct Background<T> {
    work: Work<T>,
}

enum Work<T> {
    #[cfg(feature = "threads")]
    Running(std::thread::JoinHandle<T>),
    /// No thread runs it; it runs when its result is collected.
    Deferred(Box<dyn FnOnce() -> T + Send + Sync>),
}

impl<T> std::fmt::Debug for Background<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Background")
    }
}

impl<T: Send + 'static> Background<T> {
    /// Starts work on a thread of its own. If a thread cannot be started, or the caller's pool has only
    /// one, the work runs in [`Background::join`].
    pub(crate) fn start(work: impl FnOnce() -> T + Send + Sync + 'static) -> Self {
        #[cfg(feature = "threads")]
        if has_background() {
            return Background { work: on_thread(work) };
        }
        Background { work: Work::Deferred(Box::new(work)) }
    }

    /// As [`Background::start`], and no other thread takes part in it, however much there is to do: what is done
    /// at once elsewhere never waits until others of the pool have done their part of this.
    pub(crate) fn start_alone(work: impl FnOnce() -> T + Send + Sync + 'static) -> Self {
        #[cfg(feature = "threads")]
        if has_background() {
            let alone = move || {
                let _alone = Alone::begin();
                work()
            };
            return Background { work: on_thread(alone) };
        }
        Background::start(work)
    }

    /// Whether [`Background::join`] returns at once, or has to do the work itself.
    pub(crate) fn is_done(&self) -> bool {
        match &self.work {
            #[cfg(feature = "threads")]
            Work::Running(thread) => thread.is_finished(),
            Work::Deferred(_) => true,
        }
    }

    /// Waits for the result; `None` if the work panicked on its thread.
    pub(crate) fn join(self) -> Option<T> {
        match self.work {
            #[cfg(feature = "threads")]
            Work::Running(thread) => thread.join().ok(),
            Work::Deferred(work) => Some(work()),
        }
    }
}

/// Starts a thread that shares the work with its caller: if it cannot be started, the work is not lost.
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

/// Takes the work. It is there: only one of the two takes it, and a thread that fails to start does not.
#[cfg(feature = "threads")]
fn take<W>(shared: &Mutex<Option<W>>) -> W {
    let work = shared.lock().unwrap_or_else(PoisonError::into_inner).take();
    work.expect("work is taken once")
}
