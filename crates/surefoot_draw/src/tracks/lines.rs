//! Counts the lines of tracks over the pixels of a map, and draws them.

use nalgebra::{Point3, distance};
use surefoot::observer::check_cancelled;
use surefoot::{Cancelled, Observer};

use super::super::canvas::{Canvas, PixelPoint, dashes};
use super::super::ground::window::cell_under;
use super::super::layout::Zoom;
use super::scene::{Track, TrackScene};
use super::tally::{Tally, Tone, TrackSegment};

/// A single track is as wide as the first [pixels], ten are narrower by the second, and so on.
const WIDTH: f32 = 4.0;
const WIDTH_LESS: f32 = 0.8;
const MIN_WIDTH: f32 = 1.5;
/// Points nearer than this to the one before are passed over [pixels].
const MIN_SEGMENT: f32 = 1.0;
/// Length of a dash beneath a floor and the gap after it [pixels].
const PERIOD: f32 = 8.0;
/// Lines beneath a floor have this part of the strength.
pub(super) const BENEATH: f32 = 0.6;

/// How wide the lines of this many tracks are [pixels].
pub(super) fn width(tracks: usize) -> f32 {
    (WIDTH - WIDTH_LESS * (tracks.max(1) as f32).log10()).max(MIN_WIDTH)
}

/// The lines of a picture.
pub(super) struct TrackLines {
    open: Tally,
    /// Those beneath the floor that is shown.
    beneath: Tally,
}

impl TrackLines {
    pub(super) fn of(scene: &TrackScene, observer: &dyn Observer) -> Result<Self, Cancelled> {
        let window = &scene.ground.window;
        let zoom = Zoom::of(window.size_x.max(window.size_z));
        let side = |cells: u32| i64::from(cells.div_ceil(zoom.cells) * zoom.pixels);
        let size = [side(window.size_x), side(window.size_z)];
        let transform = zoom.transform(window, PixelPoint::origin());
        let mut lines = TrackLines { open: Tally::new(size), beneath: Tally::new(size) };
        let tracks = scene.picture.tracks;
        for track in tracks {
            check_cancelled(observer)?;
            let line = TrackLine::of(scene, track, |point| transform.to_pixels(point));
            lines.open.count(&line.open, width(tracks.len()));
            lines.beneath.count(&line.beneath, width(tracks.len()));
        }
        Ok(lines)
    }

    /// Draws them over the map, those beneath the floor first.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        let tone = self.tone();
        self.beneath.lay(canvas, |tracks| BENEATH * tone.strength(tracks));
        self.open.lay(canvas, |tracks| tone.strength(tracks));
    }

    pub(super) fn tone(&self) -> Tone {
        Tone { busiest: self.open.busiest().max(self.beneath.busiest()) }
    }

    /// Whether some lines lie beneath the floor that is shown.
    pub(super) fn any_beneath(&self) -> bool {
        self.beneath.any()
    }
}

/// A track as it is drawn.
#[derive(Default)]
struct TrackLine {
    open: Vec<TrackSegment>,
    /// The dashes beneath the floor that is shown.
    beneath: Vec<TrackSegment>,
    /// Its length so far [pixels].
    length: f32,
}

impl TrackLine {
    fn of(scene: &TrackScene, track: &Track, place: impl Fn(Point3<f32>) -> PixelPoint) -> Self {
        let mut line = TrackLine::default();
        let mut from: Option<(PixelPoint, bool)> = None;
        for (at, &point) in track.points.iter().enumerate() {
            if cell_under(&scene.ground.window, &point).is_none() {
                from = None;
                continue;
            }
            let to = place(point);
            let near = from.is_some_and(|(from, _)| distance(&from, &to) < MIN_SEGMENT);
            if near && at + 1 < track.points.len() {
                continue;
            }
            let hidden = scene.hides(point);
            if let Some((from, was_hidden)) = from {
                line.add(
                    TrackSegment { ends: [from, to], time: scene.time(at) },
                    hidden || was_hidden,
                );
            }
            from = Some((to, hidden));
        }
        line
    }

    fn add(&mut self, segment: TrackSegment, hidden: bool) {
        if hidden {
            let dashes = dashes(segment.ends, self.length, PERIOD);
            self.beneath.extend(dashes.map(|ends| TrackSegment { ends, ..segment }));
        } else {
            self.open.push(segment);
        }
        self.length += distance(&segment.ends[0], &segment.ends[1]);
    }
}
