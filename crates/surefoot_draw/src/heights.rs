//! Heights on a map: their range, their tints, their contour lines, and their part of the legend.

use super::legend::{ColorScale, LegendBlock, Swatch};
use super::numbers::{metres, round_length, trimmed};
use super::palette::height_tint;
use surefoot::observer::for_each_observed;
use surefoot::{Cancelled, Observer};

/// The heights between which nearly all floors lie [m], `[0, 0]` without floors. `floor` returns each
/// of a number of floors, or `None` for those that do not count. O(floors)
pub(super) fn height_range(
    floors: usize,
    observer: &dyn Observer,
    floor: impl Fn(usize) -> Option<f32>,
) -> Result<[f32; 2], Cancelled> {
    let mut count = 0;
    for_each_observed(0..floors, observer, |at| count += usize::from(floor(at).is_some()))?;
    let (mut sample, mut seen) = (Vec::new(), 0usize);
    for_each_observed(0..floors, observer, |at| {
        if let Some(floor) = floor(at) {
            if seen.is_multiple_of((count / HEIGHT_SAMPLES).max(1)) {
                sample.push(floor);
            }
            seen += 1;
        }
    })?;
    Ok(range_of(sample))
}

fn range_of(mut sample: Vec<f32>) -> [f32; 2] {
    sample.sort_by(f32::total_cmp);
    let at = |share: f32| {
        let last = sample.len().saturating_sub(1);
        sample.get((last as f32 * share).round() as usize).copied().unwrap_or(0.0)
    };
    [at(0.005), at(0.995)]
}

const HEIGHT_SAMPLES: usize = 100_000;

/// Where a height lies in the tints of a range, 0..=1.
///
/// Ranges smaller than a storey use only the middle of the tints: a floor that is level but
/// for a few steps does not run from valley to summit.
pub(super) fn share([low, high]: [f32; 2], height: f32) -> f32 {
    let spread = (high - low).max(MIN_RELIEF);
    (0.5 + (height - (low + high) / 2.0) / spread).clamp(0.0, 1.0)
}

/// The tints span at least this much [m].
const MIN_RELIEF: f32 = 2.0;

/// Height between contour lines for ground of a height range [m]; `None` where it is too flat.
pub(super) fn contour_interval([low, high]: [f32; 2]) -> Option<f32> {
    let range = high - low;
    (range >= MIN_CONTOURED).then(|| round_length(range / CONTOURS))
}

/// Flatter ground has no contour lines [m].
const MIN_CONTOURED: f32 = 3.0;
/// About this many contour lines on a map.
const CONTOURS: f32 = 14.0;

/// One contour line of this many is heavier.
pub(super) const CONTOURS_TO_MAJOR: i64 = 5;

/// The part of the legend about heights; `tinted` where some ground is tinted by its height.
pub(super) fn block(range: [f32; 2], tinted: bool) -> LegendBlock {
    let [low, high] = range;
    let mut block = LegendBlock::new("Heights");
    let label = |height: f32| format!("{} m", metres(height, 0.1));
    if tinted && label(low) != label(high) {
        let shares = range.map(|height| share(range, height));
        block.row(
            Swatch::Scale(ColorScale { color: height_tint, shares }),
            label(low),
            label(high),
        );
    }
    if let Some(interval) = contour_interval(range) {
        let every = trimmed(f64::from(interval));
        let heavy = trimmed(f64::from(interval) * CONTOURS_TO_MAJOR as f64);
        block.note(&format!("contours every {every} m, heavier every {heavy} m"));
    }
    block
}
