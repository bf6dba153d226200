//! Draws paths, their corners and their ends over a map.

use nalgebra::{Point3, distance};

use surefoot::grid::SpanId;
use surefoot::path::{Path, TrackPoint};

use super::super::arrows::{arrow_head, bow};
use super::super::canvas::{Canvas, PixelPoint, Stroke};
use super::super::ground::window::cell_under;
use super::super::marks::EndMark;
use super::super::palette::{INK, PAPER, PATH_COLORS, Rgb, mix};
use super::super::text_style::{Align, TextStyle};
use super::scene::{DrawnPath, PathPicture, PathScene};

/// Width of a path's line [pixels]. Each is narrower than the one before, so that all of them show
/// where they overlap.
const WIDTH: f32 = 5.0;
const WIDTH_MORE: f32 = 3.0;
/// How far the casing stands out on either side [pixels].
const CASING: f32 = 2.0;
/// A path that ends farther than this from its goal is joined with it by a dashed line [pixels].
const MIN_GAP: f32 = 8.0;

/// The color of a path, by its number.
pub(super) fn color(path: usize) -> Rgb {
    PATH_COLORS[path % PATH_COLORS.len()]
}

/// Draws all paths, and the start and the goal of the query.
pub(super) fn draw(canvas: &mut Canvas, scene: &PathScene) {
    let PathPicture { paths, ends, .. } = scene.picture;
    for (number, path) in paths.iter().enumerate() {
        draw_corridor(canvas, scene, path, color(number));
    }
    for (number, path) in paths.iter().enumerate() {
        if let Some(path) = path.path {
            let width = WIDTH + WIDTH_MORE * (paths.len() - 1 - number) as f32;
            let stroke = Stroke { color: color(number), width };
            draw_path(canvas, scene, path, stroke);
            draw_gap(canvas, path, ends[1], stroke.color);
        }
    }
    draw_ends(canvas, scene);
}

/// The steps of a corridor from center to center.
fn draw_corridor(canvas: &mut Canvas, scene: &PathScene, path: &DrawnPath, color: Rgb) {
    let Some(corridor) = path.corridor else { return };
    let grid = scene.picture.view.grid();
    let place = |span: &SpanId| Some(canvas.transform().to_pixels(grid.point(*span)?));
    let spans = corridor.spans();
    let links: Vec<usize> = (1..spans.len()).filter(|&at| corridor.link_to(at).is_some()).collect();
    let bounds: Vec<usize> = [0].into_iter().chain(links).chain([spans.len()]).collect();
    let parts = bounds.windows(2).map(|part| &spans[part[0]..part[1]]);
    let parts: Vec<Vec<PixelPoint>> =
        parts.map(|part| part.iter().filter_map(place).collect()).collect();
    for part in parts {
        canvas.dashes(&part, 10.0, Stroke { color: mix(PAPER, color, 0.75), width: 1.8 });
    }
}

/// The runs of a path, its links and its corners.
fn draw_path(canvas: &mut Canvas, scene: &PathScene, path: &Path, stroke: Stroke) {
    let casing = Stroke { color: PAPER, width: stroke.width + 2.0 * CASING };
    let grid = scene.picture.view.grid();
    let seen = |point: &TrackPoint| scene.ground.cutaway.shows(grid, point.span);
    let mut runs: Vec<(Vec<PixelPoint>, bool)> = Vec::new();
    for part in walked_parts(path) {
        let place = |point: &TrackPoint| canvas.transform().to_pixels(point.point);
        let hidden = |pair: &&[TrackPoint]| !pair.iter().all(seen);
        let pairs: Vec<&[TrackPoint]> = part.windows(2).collect();
        for run in pairs.chunk_by(|a, b| hidden(a) == hidden(b)) {
            let last = run.last().map(|pair| &pair[1]);
            let points = run.iter().map(|pair| &pair[0]).chain(last);
            runs.push((points.map(place).collect(), hidden(&run[0])));
        }
    }
    let faint = Stroke { color: mix(PAPER, stroke.color, 0.8), width: 0.7 * stroke.width };
    runs.iter().filter(|run| run.1).for_each(|run| canvas.dashes(&run.0, 13.0, faint));
    runs.iter().filter(|run| !run.1).for_each(|run| canvas.polyline(&run.0, casing));
    runs.iter().filter(|run| !run.1).for_each(|run| canvas.polyline(&run.0, stroke));
    for pair in path.waypoints().windows(2).filter(|pair| pair[0].link.is_some()) {
        let curve = bow([0, 1].map(|end| canvas.transform().to_pixels(pair[end].point)));
        canvas.polyline(&curve, casing);
        canvas.polyline(&curve, stroke);
        let last = curve.len() - 1;
        arrow_head(canvas, [curve[last - 3], curve[last]], stroke.color);
    }
    let corners =
        path.waypoints().iter().filter(|corner| scene.ground.cutaway.shows(grid, corner.span));
    let places: Vec<PixelPoint> =
        corners.map(|corner| canvas.transform().to_pixels(corner.point)).collect();
    for place in places {
        canvas.disc(place, stroke.width * 0.5 + 2.2, stroke.color);
        canvas.disc(place, stroke.width * 0.5 - 0.4, PAPER);
    }
}

/// The parts of a path between its links.
fn walked_parts(path: &Path) -> impl Iterator<Item = &[TrackPoint]> {
    let corners = path.waypoints().windows(2).filter(|pair| pair[0].link.is_some());
    let links: Vec<[f32; 2]> = corners.map(|pair| [pair[0].distance, pair[1].distance]).collect();
    let walked = move |a: &TrackPoint, b: &TrackPoint| !links.contains(&[a.distance, b.distance]);
    path.track().chunk_by(walked)
}

/// Draws a thin line from the end of a path to its goal.
fn draw_gap(canvas: &mut Canvas, path: &Path, goal: Point3<f32>, color: Rgb) {
    let Some(end) = path.waypoints().last() else { return };
    let places = [end.point, goal].map(|point| canvas.transform().to_pixels(point));
    if distance(&places[0], &places[1]) > MIN_GAP && goal.iter().all(|v| v.abs() < FAR) {
        canvas.dashes(&places, 9.0, Stroke { color, width: 2.0 });
    }
}

/// Goals farther away than this are on no map [m].
const FAR: f32 = 1e5;

/// Marks start and goal, where they lie on the map.
pub(super) fn draw_ends(canvas: &mut Canvas, scene: &PathScene) {
    let PathPicture { ends, paths, .. } = scene.picture;
    let corners = paths.iter().find_map(|way| way.path).map(Path::waypoints).unwrap_or_default();
    let second = corners.get(1).map_or(ends[1], |corner| corner.point);
    let last_but_one = corners.iter().nth_back(1).map_or(ends[0], |corner| corner.point);
    for (at, (end, name)) in
        [(EndMark::Start, "start"), (EndMark::Goal, "goal")].into_iter().enumerate()
    {
        if cell_under(&scene.ground.window, &ends[at]).is_none() {
            continue;
        }
        let [place, next] =
            [ends[at], [second, last_but_one][at]].map(|point| canvas.transform().to_pixels(point));
        end.draw(canvas, place);
        // The names stand clear of the path.
        let left = if next.x == place.x { at == 0 } else { next.x > place.x };
        let (align, aside) = if left { (Align::Right, -18.0) } else { (Align::Left, 18.0) };
        let style = TextStyle::new(20.0, INK).bold().aligned(align).halo(PAPER);
        canvas.text(PixelPoint::new(place.x + aside, place.y + 7.0), name, style);
    }
}
