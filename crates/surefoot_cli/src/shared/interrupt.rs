//! Ctrl-C: the first asks to stop, the second ends the program; during work that cannot be asked, and
//! of which nothing would be left, so does the first.
//!
//! While files are written the second one waits, so that no half of a file is left behind.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;

use super::console::note;

/// The exit code of what ctrl-C ended: 128 and the signal's number, as shells have it.
pub const INTERRUPTED: u8 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);
static AT_ONCE: AtomicBool = AtomicBool::new(false);
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
        let asked_before = ASKED.swap(true, Ordering::SeqCst);
        let at_once = AT_ONCE.load(Ordering::SeqCst);
        if at_once {
            // What a bar has drawn ends without a line end.
            let end = if std::io::stderr().is_terminal() { "\n" } else { "" };
            note(format_args!("{end}{Interrupted}"));
        }
        if asked_before || at_once {
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

/// Does work that is not asked on the way whether to stop: ctrl-C ends the program at once.
pub fn at_once<T>(work: impl FnOnce() -> T) -> T {
    AT_ONCE.store(true, Ordering::SeqCst);
    let result = work();
    AT_ONCE.store(false, Ordering::SeqCst);
    result
}

/// Writes files that nothing but the end of the machine shall cut short.
pub fn undisturbed<T>(write: impl FnOnce() -> T) -> T {
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    write()
}
