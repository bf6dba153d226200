//! What each stage of a bake takes, one thread.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use surefoot::Observer;
use surefoot_bake::{BakeObserver, Stage, bake};

use crate::levels::Level;
use crate::threads::pool;
use crate::timing::millis;

/// Side of the part of the terrain that is baked [m].
const WINDOW: f32 = 500.0;

/// Prints the table: stages down, levels across.
pub fn print() {
    println!("\n### Stages, three agents, one thread: milliseconds (share)\n");
    let levels = Level::all(WINDOW);
    let clocks: Vec<Clock> = levels.iter().map(Clock::of_bake).collect();
    let names: Vec<&str> = levels.iter().map(|level| level.name).collect();
    println!("| stage | {} |", names.join(" | "));
    println!("|---|{}", "--:|".repeat(levels.len()));
    for stage in Stage::ALL {
        let cell = |clock: &Clock| {
            let (own, all) = (clock.time(stage), clock.total());
            format!("{:.1} ({:.0} %)", millis(own), 100.0 * own.as_secs_f64() / all.as_secs_f64())
        };
        let cells: Vec<String> = clocks.iter().map(cell).collect();
        println!("| {} | {} |", stage.name(), cells.join(" | "));
    }
    let totals: Vec<String> =
        clocks.iter().map(|clock| format!("{:.1}", millis(clock.total()))).collect();
    println!("| all | {} |", totals.join(" | "));
}

/// When each stage began, in a bake on one thread.
#[derive(Default)]
struct Clock {
    begun: Mutex<Vec<(Stage, Instant)>>,
}

impl Clock {
    /// The clock after a bake, warmed up by one before.
    fn of_bake(level: &Level) -> Self {
        let run = || {
            let clock = Clock::default();
            let baked = bake(&level.scene, &level.settings(), &clock);
            clock.begin(Stage::ALL[Stage::ALL.len() - 1]);
            drop(baked.expect("a sound scene"));
            clock
        };
        pool(1).install(|| {
            run();
            run()
        })
    }

    fn time(&self, stage: Stage) -> Duration {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let of_stage = begun.windows(2).filter(|pair| pair[0].0 == stage);
        of_stage.map(|pair| pair[1].1 - pair[0].1).sum()
    }

    fn total(&self) -> Duration {
        Stage::ALL.into_iter().map(|stage| self.time(stage)).sum()
    }
}

impl Observer for Clock {}

impl BakeObserver for Clock {
    fn begin(&self, stage: Stage) {
        let now = Instant::now();
        self.begun.lock().unwrap_or_else(PoisonError::into_inner).push((stage, now));
    }
}
