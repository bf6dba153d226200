//! How far the work is: a bar with an estimate on a terminal, plain lines otherwise.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::console::note;

/// Tells on stderr what is going on. Called from many threads.
#[derive(Debug)]
pub enum Progress {
    /// Nothing is told.
    Quiet,
    /// A line for each phase, and now and then one for how far it is.
    Lines(Mutex<Phase>),
    /// A line that is drawn over and over.
    Bar(ProgressBar),
}

/// What is being told in lines.
#[derive(Debug)]
pub struct Phase {
    since: Instant,
    told: Instant,
}

/// Time between two lines about one phase.
const PAUSE: Duration = Duration::from_secs(2);

impl Progress {
    /// The form that suits stderr.
    pub fn new(quiet: bool) -> Self {
        if quiet {
            return Progress::Quiet;
        }
        if !std::io::stderr().is_terminal() {
            let now = Instant::now();
            return Progress::Lines(Mutex::new(Phase { since: now, told: now }));
        }
        Progress::Bar(ProgressBar::no_length())
    }

    /// A phase begins.
    pub fn begin(&self, words: &str) {
        match self {
            Progress::Quiet => {}
            Progress::Lines(phase) => {
                let now = Instant::now();
                let mut phase = phase.lock().unwrap_or_else(PoisonError::into_inner);
                *phase = Phase { since: now, told: now };
                note(words);
            }
            Progress::Bar(bar) => {
                // Nobody knows as yet how long it takes.
                bar.set_style(style("{msg} ..."));
                bar.set_message(words.to_owned());
                bar.unset_length();
                bar.reset();
            }
        }
    }

    /// So much of the phase is done.
    pub fn advance(&self, done: usize, of: usize) {
        match self {
            Progress::Quiet => {}
            Progress::Lines(phase) => {
                let mut phase = phase.lock().unwrap_or_else(PoisonError::into_inner);
                if phase.told.elapsed() >= PAUSE && done < of {
                    phase.told = Instant::now();
                    let part = done as f64 / of as f64;
                    let left = phase.since.elapsed().as_secs_f64() * (1.0 - part) / part;
                    note(format_args!("{:.0} %, about {left:.0} s left", 100.0 * part));
                }
            }
            Progress::Bar(bar) => {
                if bar.length().is_none() {
                    bar.set_style(style("{msg} [{bar:30}] {percent:>3} %, {eta} left"));
                    bar.set_length(of as u64);
                }
                // Threads may come here out of order; counting never goes back.
                bar.inc(1);
            }
        }
    }

    /// Nothing more is going on.
    pub fn end(&self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ")
}
