//! Ctrl-C: the first one asks the command to stop, the second ends the process.
//!
//! During work that cannot stop early and leaves nothing behind, the first one ends the process. While
//! a file is being written, ending the process waits, so that no half of a file is left behind.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;

use super::console::note;

/// The exit code after ctrl-C: 128 plus the number of the signal, as in shells.
pub const INTERRUPTED: u8 = 130;

static STOP_REQUESTED: AtomicBool = AtomicBool::new(false);
static EXIT_AT_ONCE: AtomicBool = AtomicBool::new(false);
/// Held while a file is being written.
static WRITING: Mutex<()> = Mutex::new(());

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
            // A progress bar leaves the cursor behind its text.
            let end = if std::io::stderr().is_terminal() { "\n" } else { "" };
            note(format_args!("{end}{Interrupted}"));
        }
        if is_second || at_once {
            let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
            std::process::exit(i32::from(INTERRUPTED));
        }
    };
    ctrlc::set_handler(stop).context("cannot handle ctrl-C")
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

/// Does work that cannot stop early: meanwhile ctrl-C ends the process at once.
pub fn exiting_at_once<T>(work: impl FnOnce() -> T) -> T {
    EXIT_AT_ONCE.store(true, Ordering::SeqCst);
    let result = work();
    EXIT_AT_ONCE.store(false, Ordering::SeqCst);
    result
}

/// Writes a file: meanwhile ctrl-C does not end the process.
pub fn uninterrupted<T>(write: impl FnOnce() -> T) -> T {
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    write()
}
