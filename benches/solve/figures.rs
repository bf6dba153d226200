//! What many measurements of one thing come to.
#![allow(dead_code, reason = "each bench uses a part of it")]

use std::time::Instant;

/// The median and the 99th percentile.
pub fn spread(values: Vec<f64>) -> [f64; 2] {
    percentiles(values, [50, 99])
}

/// The values that the given shares of all are lower than, 100 % the largest; NaN of none.
pub fn percentiles<const N: usize>(mut values: Vec<f64>, percents: [usize; N]) -> [f64; N] {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    let at = |percent: usize| (values.len() * percent / 100).min(last);
    percents.map(|percent| values.get(at(percent)).copied().unwrap_or(f64::NAN))
}

/// NaN of none.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// What a piece of work comes to, and how long it took [s].
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}
