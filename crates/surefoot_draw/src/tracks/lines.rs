//! Counts the lines of tracks over the pixels of a map, and draws them.

use nalgebra::{Point3, distance};

use super::super::canvas::{Canvas, Place, dashes};
use super::super::ground::window::cell_under;
use super::super::layout::Zoom;
use super::tally::{Piece, Tally, Tone};
use super::{Scene, Track};

/// A single track is as wide as the first [pixels], ten are narrower by the second, and so on.
const WIDTH: f32 = 4.0;
const WIDTH_LESS: f32 = 0.8;
const LEAST_WIDTH: f32 = 1.5;
/// Points nearer than this to the one before are passed over [pixels].
const LEAST_PIECE: f32 = 1.0;
/// Length of a dash beneath a floor and the gap after it [pixels].
const PERIOD: f32 = 8.0;
/// Lines beneath a floor are so much weaker.
pub(super) const BENEATH: f32 = 0.6;

/// How wide the lines of so many tracks are [pixels].
pub(super) fn width(tracks: usize) -> f32 {
    (WIDTH - WIDTH_LESS * (tracks.max(1) as f32).log10()).max(LEAST_WIDTH)
}

/// The lines of a picture.
pub(super) struct Lines {
    open: Tally,
    /// Those beneath the floor that is shown.
    beneath: Tally,
}

impl Lines {
    pub(super) fn of(scene: &Scene) -> Self {
        let window = &scene.ground.window;
        let zoom = Zoom::of(window.size_x.max(window.size_z));
        let side = |cells: u32| i64::from(cells.div_ceil(zoom.cells) * zoom.pixels);
        let size = (side(window.size_x), side(window.size_z));
        let view = zoom.view(window, Place::origin());
        let mut lines = Lines { open: Tally::new(size), beneath: Tally::new(size) };
        let tracks = scene.picture.tracks;
        for track in tracks {
            let line = Line::of(scene, track, |point| view.place(point));
            lines.open.count(&line.open, width(tracks.len()));
            lines.beneath.count(&line.beneath, width(tracks.len()));
        }
        lines
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
struct Line {
    open: Vec<Piece>,
    /// The dashes beneath the floor that is shown.
    beneath: Vec<Piece>,
    /// Its length so far [pixels].
    length: f32,
}

impl Line {
    fn of(scene: &Scene, track: &Track, place: impl Fn(Point3<f32>) -> Place) -> Self {
        let mut line = Line::default();
        let mut from: Option<(Place, bool)> = None;
        for (at, &point) in track.points.iter().enumerate() {
            if cell_under(&scene.ground.window, &point).is_none() {
                from = None;
                continue;
            }
            let to = place(point);
            let near = from.is_some_and(|(from, _)| distance(&from, &to) < LEAST_PIECE);
            if near && at + 1 < track.points.len() {
                continue;
            }
            let hidden = scene.hides(point);
            if let Some((from, was_hidden)) = from {
                line.add(Piece { ends: [from, to], time: scene.time(at) }, hidden || was_hidden);
            }
            from = Some((to, hidden));
        }
        line
    }

    fn add(&mut self, piece: Piece, hidden: bool) {
        if hidden {
            let dashes = dashes(piece.ends, self.length, PERIOD);
            self.beneath.extend(dashes.map(|ends| Piece { ends, ..piece }));
        } else {
            self.open.push(piece);
        }
        self.length += distance(&piece.ends[0], &piece.ends[1]);
    }
}
