//! Provides [`Tally`]: how many tracks lead over each pixel of a map, and when.
//!
//! Each track counts once for a pixel, however often it comes by and however long it stays, so that
//! lines have no blots where their segments meet. No track hides another: where several lie over each
//! other, the color is that of their mean time.

use super::super::canvas::{Canvas, CoveredPixel, PixelPoint, Rect, line_cover};
use super::super::palette::time_tint;

/// A straight segment of a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TrackSegment {
    /// Where it is on the map [pixels].
    pub ends: [PixelPoint; 2],
    /// When, as a part of the run [0..=1].
    pub time: f32,
}

/// Tracks over the pixels of a map.
pub(super) struct Tally {
    /// The map, from its own corner.
    map: Rect,
    pixels: Vec<PixelCount>,
    /// What the track being counted covers of each pixel, and when; all 0 between tracks.
    own: Vec<(f32, f32)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct PixelCount {
    /// Tracks that cover it; where one covers a part of it, that part.
    tracks: f32,
    /// Sum of the times at which they do, as parts of the run.
    times: f32,
}

impl Tally {
    /// No tracks over a map of this size [pixels].
    pub(super) fn new([width, height]: [i64; 2]) -> Self {
        let map = Rect { x: 0, y: 0, width, height };
        let pixels = (width * height).max(0) as usize;
        Tally { map, pixels: vec![PixelCount::default(); pixels], own: vec![(0.0, 0.0); pixels] }
    }

    /// Counts a track with lines of a width [pixels].
    pub(super) fn count(&mut self, segments: &[TrackSegment], width: f32) {
        let mut touched = Vec::new();
        for segment in segments {
            for CoveredPixel { at: [x, y], cover } in line_cover(segment.ends, width, self.map) {
                let at = (y * self.map.width + x) as usize;
                if cover > self.own[at].0 {
                    touched.push(at);
                    self.own[at] = (cover.min(1.0), segment.time);
                }
            }
        }
        for at in touched {
            let (cover, time) = std::mem::take(&mut self.own[at]);
            self.pixels[at].tracks += cover;
            self.pixels[at].times += cover * time;
        }
    }

    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        self.pixels.iter().any(|pixel| pixel.tracks > 0.0)
    }

    /// How many tracks lie over the busiest pixels, without the few where all of them meet [>= 1].
    pub(super) fn busiest(&self) -> f32 {
        let mut tracks: Vec<f32> = self.pixels.iter().map(|pixel| pixel.tracks).collect();
        tracks.retain(|&tracks| tracks > 0.0);
        let at = (tracks.len() as f32 * BUSY) as usize;
        if at >= tracks.len() {
            return 1.0;
        }
        tracks.select_nth_unstable_by(at, f32::total_cmp).1.max(1.0)
    }

    /// Lays the tracks over a map, as strong as the tone says.
    pub(super) fn lay(&self, canvas: &mut Canvas, tone: impl Fn(f32) -> f32) {
        let corner = canvas.transform().corner;
        let (left, top) = (corner.x as i64, corner.y as i64);
        for (at, pixel) in self.pixels.iter().enumerate().filter(|(_, pixel)| pixel.tracks > 0.0) {
            let (x, y) = (at as i64 % self.map.width, at as i64 / self.map.width);
            let color = time_tint(pixel.times / pixel.tracks);
            canvas.blend([left + x, top + y], color, tone(pixel.tracks));
        }
    }
}

/// The part of the pixels with tracks that have fewer than the busiest ones.
const BUSY: f32 = 0.99;

/// How strong lines are that lie over each other.
pub(super) struct Tone {
    /// Tracks over the busiest pixels [>= 1].
    pub busiest: f32,
}

/// How much of the ground the line of a lone track covers.
const ALONE: f32 = 0.95;
/// The same for one of [`MANY`] tracks or more over one pixel, and for all of these together.
const MANY: f32 = 60.0;
const AMONG_MANY: f32 = 0.35;
const TOGETHER: f32 = 0.95;

impl Tone {
    /// How much of the ground this many tracks cover [0..=1]: even steps for even factors.
    pub(super) fn strength(&self, tracks: f32) -> f32 {
        let log = self.busiest.ln();
        let one = ALONE + (AMONG_MANY - ALONE) * (log / MANY.ln()).min(1.0);
        if tracks <= 1.0 {
            return one * tracks;
        }
        one + (TOGETHER - one) * (tracks.ln() / log.max(1e-6)).min(1.0)
    }
}
