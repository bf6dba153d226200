//! Provides [`ProgressDisplay`]: a progress bar on a terminal, plain lines otherwise.

use std::fmt::Display;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use surefoot::Observer;

use super::console::note;
use super::interrupt;

/// Shows progress on stderr. May be called from many threads.
#[derive(Debug)]
pub enum ProgressDisplay {
    /// Shows nothing.
    Quiet,
    /// Prints a line when a phase begins, and then one every two seconds.
    Lines(Mutex<Phase>),
    /// Draws a progress bar.
    Bar(ProgressBar),
}

/// The phase that is shown in lines.
#[derive(Debug)]
pub struct Phase {
    began: Instant,
    last_line: Instant,
}

/// Time between two lines of one phase.
const PAUSE: Duration = Duration::from_secs(2);

impl ProgressDisplay {
    /// Chooses the form that suits stderr.
    pub fn new(quiet: bool) -> Self {
        if quiet {
            return ProgressDisplay::Quiet;
        }
        if !std::io::stderr().is_terminal() {
            let now = Instant::now();
            return ProgressDisplay::Lines(Mutex::new(Phase { began: now, last_line: now }));
        }
        ProgressDisplay::Bar(ProgressBar::no_length())
    }

    /// Begins a phase.
    pub fn begin(&self, words: &str) {
        match self {
            ProgressDisplay::Quiet => {}
            ProgressDisplay::Lines(phase) => {
                let now = Instant::now();
                let mut phase = phase.lock().unwrap_or_else(PoisonError::into_inner);
                *phase = Phase { began: now, last_line: now };
                note(words);
            }
            ProgressDisplay::Bar(bar) => {
                // The length is not known until the first call of `advance`.
                bar.set_style(style("{msg} ..."));
                bar.set_message(words.to_owned());
                bar.unset_length();
                bar.reset();
            }
        }
    }

    /// Prints a line, and goes on below it.
    pub fn note(&self, words: impl Display) {
        match self {
            ProgressDisplay::Quiet => {}
            ProgressDisplay::Lines(_) => note(words),
            ProgressDisplay::Bar(bar) => bar.suspend(|| note(words)),
        }
    }

    /// Removes the progress bar.
    pub fn end(&self) {
        if let ProgressDisplay::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

impl Observer for ProgressDisplay {
    fn parts_done(&self, done: usize, of: usize) {
        match self {
            ProgressDisplay::Quiet => {}
            ProgressDisplay::Lines(phase) => {
                let mut phase = phase.lock().unwrap_or_else(PoisonError::into_inner);
                if phase.last_line.elapsed() >= PAUSE && done > 0 && done < of {
                    phase.last_line = Instant::now();
                    let part = done as f64 / of as f64;
                    let left = phase.began.elapsed().as_secs_f64() * (1.0 - part) / part;
                    note(format_args!("{:.0} %, about {left:.0} s left", 100.0 * part));
                }
            }
            ProgressDisplay::Bar(bar) => {
                if bar.length().is_none() {
                    bar.set_style(style("{msg} [{bar:30}] {percent:>3} %, {eta} left"));
                    bar.set_length(of as u64);
                }
                // Threads may get here out of order.
                bar.set_position(bar.position().max(done as u64));
            }
        }
    }

    /// Whether the user pressed ctrl-C.
    fn is_cancelled(&self) -> bool {
        interrupt::is_requested()
    }
}

/// Work that says nothing unless it takes long; then it becomes a phase of the display.
#[derive(Debug)]
pub struct LateProgress {
    display: ProgressDisplay,
    words: String,
    began: Instant,
    is_shown: AtomicBool,
}

/// Work that takes longer than this is shown.
const LATE: Duration = Duration::from_secs(1);

impl LateProgress {
    /// Begins work now; the words describe it.
    pub fn new(words: String) -> Self {
        let (display, began) = (ProgressDisplay::new(false), Instant::now());
        LateProgress { display, words, began, is_shown: AtomicBool::new(false) }
    }

    /// Shows the work if it takes long. Returns whether it does.
    fn show_if_late(&self) -> bool {
        if self.began.elapsed() < LATE {
            return false;
        }
        if !self.is_shown.swap(true, Ordering::Relaxed) {
            self.display.begin(&self.words);
        }
        true
    }

    /// Removes the progress bar.
    pub fn end(&self) {
        if self.is_shown.load(Ordering::Relaxed) {
            self.display.end();
        }
    }
}

impl Observer for LateProgress {
    fn parts_done(&self, done: usize, of: usize) {
        if self.show_if_late() {
            self.display.parts_done(done, of);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.show_if_late();
        self.display.is_cancelled()
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ")
}
