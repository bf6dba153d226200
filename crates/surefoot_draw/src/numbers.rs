//! Numbers as the pictures write them.

/// The length of 1, 2 or 5 times a power of ten nearest above two thirds of the given one [m].
pub(super) fn round_length(about: f32) -> f32 {
    let least = f64::from(about.max(1e-6)) / 1.5;
    let power = 10f64.powf(least.log10().floor());
    let digit = [1.0, 2.0, 5.0, 10.0].into_iter().find(|digit| digit * power >= least);
    (digit.unwrap_or(10.0) * power) as f32
}

/// A coordinate with as many digits as its step needs.
pub(super) fn metres(value: f32, step: f32) -> String {
    let digits = (-f64::from(step).log10().floor()).clamp(0.0, 4.0) as usize;
    let value = if value == 0.0 { 0.0 } else { value };
    format!("{value:.digits$}").replace('-', "−")
}

/// A number with at most three digits after the point, and no zeros at its end.
pub(super) fn trimmed(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
