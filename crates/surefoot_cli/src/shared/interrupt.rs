//! Ctrl-C: the first one asks the command to stop, the second ends the process.
//!
//! During work that leaves nothing behind, the first one ends the process: at once if the work cannot
//! stop early, or else if it has not stopped after a moment. While a file is being written, ending the
//! process waits, so that no half of a file is left behind. Requests to terminate count as ctrl-C.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context;

use super::console::note;

/// The exit code after ctrl-C: 128 plus the number of the signal, as in shells.
pub const INTERRUPTED: u8 = 130;

static STOP_REQUESTED: AtomicBool = AtomicBool::new(false);
static EXIT_AT_ONCE: AtomicBool = AtomicBool::new(false);
/// Whether a thread is about to end the process at once.
static IS_ENDING: AtomicBool = AtomicBool::new(false);
/// Held while a file is being written.
static WRITING: Mutex<()> = Mutex::new(());
/// What to print when the process ends because its work does not stop.
static LAST_WORDS: Mutex<Option<String>> = Mutex::new(None);
/// How long work may take to stop by itself.
const GRACE: Duration = Duration::from_millis(50);

/// The user pressed ctrl-C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Handles ctrl-C from now on.
///
/// # Errors
/// The system does not let the process handle it.
pub fn watch() -> anyhow::Result<()> {
    let stop = || {
        let is_second = STOP_REQUESTED.swap(true, Ordering::SeqCst);
        let at_once = EXIT_AT_ONCE.load(Ordering::SeqCst);
        if at_once {
            exit_at_once();
        }
        if is_second {
            let _writing = lock(&WRITING);
            std::process::exit(i32::from(INTERRUPTED));
        }
        end_after_grace();
    };
    ctrlc::set_handler(stop).context("cannot handle ctrl-C")
}

/// Says so and ends the process, once no file is being written.
fn exit_at_once() -> ! {
    if IS_ENDING.swap(true, Ordering::SeqCst) {
        // Another thread says so, and ends this one with the process.
        std::thread::sleep(Duration::MAX);
    }
    // A progress bar leaves the cursor behind its text.
    let end = if std::io::stderr().is_terminal() { "\n" } else { "" };
    note(format_args!("{end}{Interrupted}"));
    let _writing = lock(&WRITING);
    std::process::exit(i32::from(INTERRUPTED));
}

/// Ends the process if its work may be ended and does not stop by itself.
fn end_after_grace() {
    std::thread::sleep(GRACE);
    let _writing = lock(&WRITING);
    if let Some(words) = take_last_words() {
        note(words);
        std::process::exit(i32::from(INTERRUPTED));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on ctrl-C ends the process if its work does not stop after a moment; then a line is
/// printed.
pub fn end_with(words: String) {
    *lock(&LAST_WORDS) = Some(words);
}

/// Returns the line to print at the end of work that was interrupted, unless it is printed already. From
/// now on the process does not end before its work does.
pub fn take_last_words() -> Option<String> {
    lock(&LAST_WORDS).take()
}

/// Whether the user pressed ctrl-C.
pub fn is_requested() -> bool {
    STOP_REQUESTED.load(Ordering::Relaxed)
}

/// Returns an error if the user pressed ctrl-C.
///
/// # Errors
/// [`Interrupted`].
pub fn check() -> Result<(), Interrupted> {
    if is_requested() { Err(Interrupted) } else { Ok(()) }
}

/// Handles ctrl-C from now on, in a command that leaves nothing behind: it ends the process at once.
///
/// # Errors
/// The system does not let the process handle it.
pub fn watch_exiting_at_once() -> anyhow::Result<()> {
    EXIT_AT_ONCE.store(true, Ordering::SeqCst);
    watch()
}

/// Does work that cannot stop early: meanwhile ctrl-C ends the process at once.
pub fn exiting_at_once<T>(work: impl FnOnce() -> T) -> T {
    EXIT_AT_ONCE.store(true, Ordering::SeqCst);
    if STOP_REQUESTED.load(Ordering::SeqCst) {
        // It was pressed just before, when it did not end the process yet.
        exit_at_once();
    }
    let result = work();
    EXIT_AT_ONCE.store(false, Ordering::SeqCst);
    result
}

/// Writes a file: meanwhile ctrl-C does not end the process.
pub fn uninterrupted<T>(write: impl FnOnce() -> T) -> T {
    let _writing = lock(&WRITING);
    write()
}
