//! Batches: rows of queries on all threads, answered in the same way by any number of them.

use std::sync::{Mutex, TryLockError};

use rayon::ThreadPool;
use rayon::prelude::*;
use surefoot::{Navigator, Observer};

use crate::interrupt::CancelFlag;

/// Fewer rows than this are not divided among threads.
const LEAST_ROWS: usize = 8;

/// Where a batch runs, and whether somebody wants it to end.
pub struct BatchCall<'a> {
    pub pool: &'a ThreadPool,
    pub cancel: &'a CancelFlag,
}

/// A navigator, and one for each thread that shares its ground.
pub struct BatchNavigator {
    navigator: Navigator,
    /// By the number of the thread; empty after a change.
    of_threads: Vec<Mutex<Navigator>>,
}

impl BatchNavigator {
    pub fn new(navigator: Navigator) -> Self {
        BatchNavigator { navigator, of_threads: Vec::new() }
    }

    /// The navigator, to be read.
    pub fn navigator(&self) -> &Navigator {
        &self.navigator
    }

    /// The navigator, to be changed; the threads follow before their next batch.
    pub fn change(&mut self) -> &mut Navigator {
        self.of_threads.clear();
        &mut self.navigator
    }

    /// The navigator with prepared routes up to date, for questions that its threads do not share.
    pub fn up_to_date(&mut self, pool: &ThreadPool) -> &mut Navigator {
        self.get_ready(pool);
        &mut self.navigator
    }

    /// Brings prepared routes up to date, and gives every thread a navigator.
    fn get_ready(&mut self, pool: &ThreadPool) {
        let threads = pool.current_num_threads();
        if self.of_threads.len() < threads {
            pool.install(|| self.navigator.update_routes());
            let missing = threads - self.of_threads.len();
            let new = (0..missing).map(|_| Mutex::new(self.navigator.clone()));
            self.of_threads.extend(new);
        }
    }

    /// Answers each row of a batch; `None` if it is cancelled.
    pub fn rows<R: Send>(
        &mut self,
        call: &BatchCall<'_>,
        count: usize,
        answer: impl Fn(&mut Navigator, usize) -> R + Sync,
    ) -> Option<Vec<R>> {
        self.get_ready(call.pool);
        if count <= LEAST_ROWS {
            // They need not wait for threads that are busy with the batch of another navigator.
            return Some((0..count).map(|row| answer(&mut self.navigator, row)).collect());
        }
        let of_row = |row| {
            let is_wanted = !call.cancel.is_cancelled();
            is_wanted.then(|| self.on_thread(|navigator| answer(navigator, row)))
        };
        let rows = (0..count).into_par_iter().with_min_len(LEAST_ROWS).map(of_row);
        call.pool.install(|| rows.collect())
    }

    /// Works with the navigator of the thread that calls.
    fn on_thread<R>(&self, work: impl FnOnce(&mut Navigator) -> R) -> R {
        let own = rayon::current_thread_index().and_then(|at| self.of_threads.get(at));
        match own.map(Mutex::try_lock) {
            Some(Ok(mut navigator)) => work(&mut navigator),
            // Another row panicked on it, in a search: its ground is sound, and every query begins anew.
            Some(Err(TryLockError::Poisoned(poisoned))) => work(&mut poisoned.into_inner()),
            // The thread took this row while it waits within another.
            Some(Err(TryLockError::WouldBlock)) | None => work(&mut self.navigator.clone()),
        }
    }
}
