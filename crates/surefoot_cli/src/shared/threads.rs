//! The threads that work is spread over.

use anyhow::Context;

/// A pool of so many threads; `None` means one for each processor.
///
/// # Errors
/// A system that does not start so many.
pub fn pool(threads: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    // 0 lets rayon count the processors.
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    builder.build().context("cannot start the threads; try fewer with --threads")
}
