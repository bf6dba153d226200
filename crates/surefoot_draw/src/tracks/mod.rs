//! Pictures of a run: the tracks of many bodies over the relief of a grid.
//!
//! Lines tell by their color when a body was there, and by their strength how many were: where
//! tracks lie over each other they blend into one flow ([`tally`]), so that thousands read as well as
//! one. Over each cell the highest floor is shown that somebody walks on
//! ([`super::ground`]); tracks beneath it are dashed.

mod legend;
mod lines;
mod marks;
mod tally;
#[cfg(test)]
mod tests;

use nalgebra::Point3;

use surefoot::grid::{Cell, NavGrid, SpanId};
use surefoot::view::View;

use super::Picture;
use super::canvas::Canvas;
use super::ground::window::{around, cell_under};
use super::ground::{Cutaway, Ground, Near, Wanted, Words};
use super::storeys::Storeys;

use lines::Lines;
pub(super) use marks::draw_start;

/// Where a body has been.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Its places on the ground since the start of the run, evenly apart in time [m].
    ///
    /// Places that are not on the grid, or no places at all, are left out; the line breaks there.
    pub points: Vec<Point3<f32>>,
    /// The body's radius [m, > 0].
    pub radius: f32,
    /// What became of it.
    pub end: TrackEnd,
}

/// What became of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrackEnd {
    /// It is where it was to go.
    Arrived,
    /// It was still on its way.
    Moving,
    /// It got no further.
    Stuck,
}

/// What a picture of tracks shows.
#[derive(Clone, Copy)]
pub struct TrackPicture<'a> {
    /// Whose tracks they are, and over which ground.
    pub terrain: &'a View,
    /// The title; empty for one made from the scene's name.
    pub title: &'a str,
    /// The tracks, one for each body.
    pub tracks: &'a [Track],
    /// Time from one point of a track to the next [s, > 0].
    pub interval: f32,
}

/// Draws tracks over the relief, cropped to what there is to see.
///
/// The picture is called `tracks.png`. Bodies are as large as they are, but large enough to be
/// seen; those beneath a floor that somebody else walks on are hollow. Where tracks lie over each
/// other, the color is that of their mean time. It also works without tracks: then it shows the
/// ground.
pub fn track_picture(picture: &TrackPicture) -> Picture {
    let canvas = Scene::new(picture).draw();
    let view = *canvas.view();
    Picture { name: "tracks.png".to_owned(), image: canvas.into_image(), view }
}

/// A picture with all that is found out before it is drawn.
struct Scene<'a> {
    picture: &'a TrackPicture<'a>,
    ground: Ground<'a>,
    /// Number of points from which on all times have the last color.
    late: usize,
}

/// The last color is for times when this part of the tracks has ended: a few stragglers would use up
/// most of the colors.
const MOST: f32 = 0.9;

impl<'a> Scene<'a> {
    fn new(picture: &'a TrackPicture) -> Self {
        let grid = picture.terrain.grid();
        let starts = picture.tracks.iter().filter_map(|track| track.points.first());
        let starts = starts.filter_map(|&point| floor_under(grid, point));
        let ground = Ground::new(picture.terrain, cutaway(picture), starts);
        let mut lengths: Vec<usize> =
            picture.tracks.iter().map(|track| track.points.len()).collect();
        lengths.sort_unstable();
        let late = lengths.get((lengths.len() as f32 * MOST) as usize).copied().unwrap_or(0);
        Scene { picture, ground, late }
    }

    fn draw(&self) -> Canvas {
        let lines = Lines::of(self);
        let words =
            Words { title: self.title(), line: self.line(), blocks: legend::blocks(self, &lines) };
        let mut canvas = self.ground.print(words, &self.ground);
        lines.draw(&mut canvas);
        marks::draw(&mut canvas, self);
        canvas
    }

    /// When a track is at one of its points, as a part of the time that is told apart [0..=1].
    fn time(&self, at: usize) -> f32 {
        (at as f32 / self.late.saturating_sub(1).max(1) as f32).min(1.0)
    }

    /// Whether a point lies beneath the floor that is shown over it.
    fn hides(&self, point: Point3<f32>) -> bool {
        let grid = self.picture.terrain.grid();
        let cell = cell_under(&self.ground.window, &point);
        let shown = cell.and_then(|cell| self.ground.cutaway.at(cell));
        // Ids rise within a column.
        shown.is_some_and(|shown| floor_under(grid, point).is_some_and(|floor| floor < shown))
    }
}

/// The floors that are walked on, those of higher storeys first.
fn cutaway(picture: &TrackPicture) -> Cutaway {
    let grid = picture.terrain.grid();
    let points = picture.tracks.iter().flat_map(|track| &track.points);
    let mut floors: Vec<SpanId> = points.filter_map(|&point| floor_under(grid, point)).collect();
    floors.sort_unstable();
    floors.dedup();
    let cells: Vec<Cell> = floors.iter().filter_map(|&span| grid.cell_of(span)).collect();
    let window = around(*grid.frame(), cells.into_iter());
    let storeys = Storeys::of(grid);
    let mut walked = vec![Vec::new(); storeys.drawn().len() + 1];
    for span in floors {
        let from_above = storeys.storey(span).map_or(0, |storey| storey + 1);
        walked[storeys.drawn().len() - from_above].push(span);
    }
    let wanted = Wanted { walked: &walked, near: Near::Storey(&storeys), expanded: &[] };
    Cutaway::of(picture.terrain, &window, &wanted)
}

/// The floor a body stands on or, in the air, is above; `None` off the grid.
fn floor_under(grid: &NavGrid, point: Point3<f32>) -> Option<SpanId> {
    grid.span_at(point, f32::MAX)
}
