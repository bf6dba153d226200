//! The threads that batches run on.
//!
//! They are this package's own. A process that was forked has none of its parent's threads: it starts new
//! ones.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::{bad_value, read_count, refused};

/// Threads, and the process that started them.
struct Started {
    process: u32,
    pool: Arc<ThreadPool>,
}

/// More threads than this help nobody, and take long to start.
const MOST_THREADS: usize = 1024;

static POOL: Mutex<Option<Started>> = Mutex::new(None);

/// The threads of this process, started if there are none.
pub fn threads() -> PyResult<Arc<ThreadPool>> {
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    match &*known {
        Some(started) if started.process == process => Ok(started.pool.clone()),
        _ => {
            let pool = start(0)?;
            let parents = known.replace(Started { process, pool: pool.clone() });
            // Its threads do not exist here, so that nobody could end them.
            std::mem::forget(parents);
            Ok(pool)
        }
    }
}

/// Sets the number of threads that batches, bakes and crowds run on. Answers do not depend on it.
///
/// Parameters
/// ----------
/// count : int
///     At least 1 and at most 1024; 0 for one for each core, as at the start.
#[pyfunction]
pub fn set_threads(py: Python<'_>, count: i64) -> PyResult<()> {
    let count = read_count("count", count)?;
    if count > MOST_THREADS {
        return bad_value(format!("count is {count}; it has to be at most {MOST_THREADS}"));
    }
    let pool = py.detach(|| start(count))?;
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    let before = known.replace(Started { process, pool });
    if before.as_ref().is_some_and(|before| before.process != process) {
        std::mem::forget(before);
    }
    Ok(())
}

/// The number of threads that batches run on.
#[pyfunction]
pub fn thread_count() -> PyResult<usize> {
    Ok(threads()?.current_num_threads())
}

fn start(count: usize) -> PyResult<Arc<ThreadPool>> {
    let builder = ThreadPoolBuilder::new().num_threads(count);
    let pool = builder.thread_name(|at| format!("surefoot {at}")).build();
    pool.map(Arc::new).map_err(|error| refused(format!("threads cannot be started: {error}")))
}
