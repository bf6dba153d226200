//! Draws where tracks start, and how they end.

use nalgebra::Point3;

use super::super::canvas::Canvas;
use super::super::ground::window::cell_under;
use super::super::marks::{TrackEnd, draw_start};
use super::lines::width;
use super::scene::{Track, TrackScene};

/// Draws the marks of all tracks, those of stuck bodies last.
pub(super) fn draw(canvas: &mut Canvas, scene: &TrackScene) {
    let tracks = scene.picture.tracks;
    let on_map = |point: &&Point3<f32>| cell_under(&scene.ground.window, point).is_some();
    // Marks are small where lines are narrow, that is, where there are many.
    let (start_radius, least_radius) = (0.7 * width(tracks.len()) + 0.6, width(tracks.len()) + 0.8);
    for start in tracks.iter().filter_map(|track| track.points.iter().find(on_map)) {
        let at = canvas.transform().to_pixels(*start);
        draw_start(canvas, at, start_radius);
    }
    let last = |track: &Track| track.points.iter().rfind(on_map).copied();
    for end in TrackEnd::ALL {
        for track in tracks.iter().filter(|track| track.end == end) {
            let Some(point) = last(track) else { continue };
            let at = canvas.transform().to_pixels(point);
            let radius = (track.radius * canvas.transform().scale).max(least_radius);
            if scene.hides(point) {
                end.draw_outline(canvas, at, radius);
            } else {
                end.draw(canvas, at, radius);
            }
        }
    }
}
