//! Timing sides against each other: each in turn, again and again, so that a busy second of the
//! machine hits all of them alike.

use std::time::{Duration, Instant};

/// The median time of each side over so many turns, after one turn to warm up.
pub fn alternate<const N: usize>(turns: usize, sides: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut times: [Vec<Duration>; N] = std::array::from_fn(|_| Vec::with_capacity(turns));
    let mut sides = sides.into_iter().zip(&mut times).collect::<Vec<_>>();
    for turn in 0..=turns {
        for (side, times) in &mut sides {
            let time = time(side);
            if turn > 0 {
                times.push(time);
            }
        }
    }
    drop(sides);
    times.map(median)
}

/// How long something takes once.
pub fn time(run: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// How many times as long the first is as the second.
pub fn ratio(long: Duration, short: Duration) -> f64 {
    long.as_secs_f64() / short.as_secs_f64()
}

/// In milliseconds.
pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
