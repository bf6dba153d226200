//! Timing sides against each other: each in turn, again and again, so that a busy second of the
//! machine hits all of them alike.

use std::time::{Duration, Instant};

/// The least time of each side over some turns, after one turn to warm up: what else the machine
/// does only makes it slower.
pub fn alternate<const N: usize>(turns: usize, sides: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut least = [Duration::MAX; N];
    let mut sides = sides;
    for turn in 0..=turns {
        for (side, least) in sides.iter_mut().zip(&mut least) {
            let time = time(side);
            if turn > 0 {
                *least = time.min(*least);
            }
        }
    }
    least
}

/// How long something takes once.
pub fn time(run: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

/// How many times as long the first is as the second.
pub fn ratio(long: Duration, short: Duration) -> f64 {
    long.as_secs_f64() / short.as_secs_f64()
}

/// In milliseconds.
pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
