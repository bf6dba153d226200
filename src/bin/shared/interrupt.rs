//! Ctrl-C: the first asks to stop, the second ends the program.
//!
//! While files are written the second one waits, so that no half of a file is left behind.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;

/// The exit code of what ctrl-C ended: 128 and the signal's number, as shells have it.
pub const INTERRUPTED: u8 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);
static WRITING: Mutex<()> = Mutex::new(());

/// The user has asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Listens to ctrl-C from now on.
///
/// # Errors
/// A system that does not let it.
pub fn watch() -> anyhow::Result<()> {
    let stop = || {
        if ASKED.swap(true, Ordering::SeqCst) {
            let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
            std::process::exit(i32::from(INTERRUPTED));
        }
    };
    ctrlc::set_handler(stop).context("cannot listen to ctrl-C")
}

/// Whether the user has asked to stop.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Ends what the user no longer wants.
///
/// # Errors
/// [`Interrupted`] once the user has asked to stop.
pub fn check() -> Result<(), Interrupted> {
    if is_asked() { Err(Interrupted) } else { Ok(()) }
}

/// Writes files that nothing but the end of the machine shall cut short.
pub fn undisturbed<T>(write: impl FnOnce() -> T) -> T {
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    write()
}
