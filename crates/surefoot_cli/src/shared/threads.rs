//! The threads that a command works on.

use anyhow::Context;

/// Does all the work of a command on a pool of threads; `None` means one for each processor.
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
    // 0 lets rayon count the processors.
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    let pool = builder.build().context("cannot start the threads; use fewer with --threads")?;
    pool.install(work)
}
