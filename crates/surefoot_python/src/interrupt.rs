//! Long work that ctrl-C ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use pyo3::prelude::*;
use surefoot::Observer;
use surefoot_bake::BakeObserver;

use crate::errors::refused;

/// How often Python is asked whether somebody wants to end the work.
const INTERVAL: Duration = Duration::from_millis(50);

/// Cancels work once its flag is set.
#[derive(Default)]
pub struct CancelFlag(AtomicBool);

impl Observer for CancelFlag {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl BakeObserver for CancelFlag {}

/// How long a call that finds a state in use sleeps before it looks again.
const NAP: Duration = Duration::from_millis(1);

/// Works on a state that no other thread uses meanwhile, without Python's lock. Who has to wait for it can be
/// interrupted.
pub fn with_state<S: Send, R: Send>(
    py: Python<'_>,
    state: &Mutex<S>,
    work: impl FnOnce(&mut S) -> PyResult<R> + Send,
) -> PyResult<R> {
    py.detach(|| {
        let mut naps = 0u32;
        let mut interrupted = Ok(());
        let free = lock_unless(state, || {
            naps += 1;
            if NAP * naps > INTERVAL {
                naps = 0;
                interrupted = Python::attach(|py| py.check_signals());
            }
            interrupted.is_err()
        });
        interrupted?;
        free.map_or_else(|| Err(refused("interrupted")), |mut state| work(&mut state))
    })
}

/// Waits until a state is free, unless somebody does not want it any more. A panic within an earlier call leaves it
/// as sound as it was: every call begins anew.
pub fn lock_unless<S>(
    state: &Mutex<S>,
    mut is_unwanted: impl FnMut() -> bool,
) -> Option<MutexGuard<'_, S>> {
    loop {
        match state.try_lock() {
            Ok(free) => return Some(free),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if is_unwanted() => return None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(NAP),
        }
    }
}

/// Runs long work on a thread of its own, while other threads of Python go on. Ctrl-C cancels it, and the exception
/// that Python raises for it is returned once the work has ended.
///
/// The work goes to the pool itself, once it holds what it locks: threads of the pool that wait for a lock would be
/// missing for whoever holds it.
pub fn interruptible<R: Send>(
    py: Python<'_>,
    work: impl FnOnce(&CancelFlag) -> R + Send,
) -> PyResult<R> {
    let cancel = CancelFlag::default();
    py.detach(|| {
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            let shared = &cancel;
            let worker = scope.spawn(move || {
                let result = work(shared);
                // The receiver waits for this; it may have seen a signal meanwhile.
                let _ = sender.send(());
                result
            });
            let mut interrupted = Ok(());
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(INTERVAL) {
                if interrupted.is_ok() {
                    interrupted = Python::attach(|py| py.check_signals());
                    cancel.0.store(interrupted.is_err(), Ordering::Relaxed);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            interrupted.map(|()| result)
        })
    })
}
