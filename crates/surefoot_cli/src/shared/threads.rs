//! The threads that a command works on.

use anyhow::Context;

/// Does all the work of a command on a pool of threads; `None` means one for each processor. There are
/// never more: they would only take memory, and time to start.
///
/// Everything that may use threads has to be called in here: with one thread, loading and preparing
/// then run on one thread as well.
///
/// # Errors
/// The system cannot start that many threads, or what `work` returns.
pub fn run_on<R: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> anyhow::Result<R> + Send,
) -> anyhow::Result<R> {
    // What cannot be counted is not capped. 0 lets rayon choose.
    let most = std::thread::available_parallelism().map_or(usize::MAX, usize::from);
    let threads = threads.map_or(0, |threads| threads.min(most));
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = builder.build().context("cannot start the threads; use fewer with --threads")?;
    pool.install(work)
}
