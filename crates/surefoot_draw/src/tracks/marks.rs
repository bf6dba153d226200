//! Draws where tracks start, and how they end.

use nalgebra::Point3;

use super::super::canvas::{Canvas, Place, Rect, Stroke, line_cover};
use super::super::ground::window::cell_under;
use super::super::palette::{INK, PAPER, TRACK_ENDS};
use super::lines::width;
use super::{Scene, Track, TrackEnd};

/// How much of the ground a body covers inside its rim.
const BODY: f32 = 0.55;
/// Width of its rim [pixels].
const RIM: f32 = 1.6;

/// Draws the marks of all tracks, those of stuck bodies last.
pub(super) fn draw(canvas: &mut Canvas, scene: &Scene) {
    let tracks = scene.picture.tracks;
    let on_map = |point: &&Point3<f32>| cell_under(&scene.ground.window, point).is_some();
    // Marks are small where lines are narrow, that is, where there are many.
    let (start_radius, least_radius) = (0.7 * width(tracks.len()) + 0.6, width(tracks.len()) + 0.8);
    for start in tracks.iter().filter_map(|track| track.points.iter().find(on_map)) {
        draw_start(canvas, (canvas.view().place(*start), start_radius));
    }
    let last = |track: &Track| track.points.iter().rfind(on_map).copied();
    for end in TrackEnd::ALL {
        for track in tracks.iter().filter(|track| track.end == end) {
            let Some(point) = last(track) else { continue };
            let at = canvas.view().place(point);
            let radius = (track.radius * canvas.view().scale).max(least_radius);
            if scene.hides(point) {
                end.draw_rim(canvas, (at, radius));
            } else {
                end.draw(canvas, (at, radius));
            }
        }
    }
}

/// Draws where a track starts; the radius is in pixels.
pub(in super::super) fn draw_start(canvas: &mut Canvas, (at, radius): (Place, f32)) {
    canvas.disc(at, radius + 0.7, PAPER);
    canvas.disc(at, radius, INK);
}

impl TrackEnd {
    /// All of them, in the order in which they are drawn.
    pub(super) const ALL: [TrackEnd; 3] = [TrackEnd::Arrived, TrackEnd::Moving, TrackEnd::Stuck];

    fn color(self) -> [u8; 3] {
        TRACK_ENDS[self as usize]
    }

    /// Draws a body; its radius is in pixels.
    pub(in super::super) fn draw(self, canvas: &mut Canvas, (at, radius): (Place, f32)) {
        let (width, height) = (canvas.image().width().into(), canvas.image().height().into());
        let all = Rect { x: 0, y: 0, width, height };
        for (x, y, cover) in line_cover([at; 2], 2.0 * radius, all) {
            canvas.dab(x, y, (self.color(), BODY * cover.min(1.0)));
        }
        self.draw_rim(canvas, (at, radius));
    }

    /// Draws the rim of a body; of one that is stuck there is a ring round it.
    fn draw_rim(self, canvas: &mut Canvas, (at, radius): (Place, f32)) {
        let stroke = Stroke { color: self.color(), width: RIM };
        canvas.circle(at, radius + 0.5, Stroke { color: PAPER, width: 1.0 });
        canvas.circle(at, radius - RIM / 2.0, stroke);
        if self == TrackEnd::Stuck {
            canvas.circle(at, radius + 3.0, stroke);
        }
    }
}
