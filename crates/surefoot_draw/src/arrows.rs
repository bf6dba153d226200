//! Bows and arrow heads, as links have them.

use nalgebra::Vector2;

use super::canvas::{Canvas, PixelPoint};
use super::palette::Rgb;

/// Points on an arc from one end to the other.
pub(super) fn bow([from, to]: [PixelPoint; 2]) -> Vec<PixelPoint> {
    let along = to - from;
    let aside = Vector2::new(along.y, -along.x) * BEND;
    let crest = from + along / 2.0 + aside;
    let point = |at: usize| {
        let t = at as f32 / BOW_LINES as f32;
        let rise = from + (crest - from) * t;
        let fall = crest + (to - crest) * t;
        rise + (fall - rise) * t
    };
    (0..=BOW_LINES).map(point).collect()
}

/// How far a bow stands out to its side, as a part of its length.
const BEND: f32 = 0.22;
/// Straight lines that a bow is drawn with.
const BOW_LINES: usize = 24;

/// Draws the head of an arrow that ends just before a point, so that a mark there stays visible.
pub(super) fn arrow_head(canvas: &mut Canvas, [from, to]: [PixelPoint; 2], color: Rgb) {
    let along = to - from;
    let Some(along) = along.try_normalize(1e-3) else { return };
    let aside = Vector2::new(along.y, -along.x);
    let tip = to - along * 3.0;
    let base = tip - along * 10.0;
    canvas.triangle([tip, base + aside * 5.0, base - aside * 5.0], color);
}
