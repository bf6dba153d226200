//! Pictures of ways over the relief of a grid.
//!
//! Over each cell the floor is shown that the way leads over, or the one that hangs together with
//! it ([`super::ground`]). Where one way leads above itself, the lower part is dashed.

mod expansion_map;
mod film;
mod legend;
mod lines;
mod recording;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use nalgebra::Point3;

use surefoot::grid::{Cell, GridFrame, SpanId};
use surefoot::path::{Corridor, Path, TrackPoint};
use surefoot::view::View;

use super::Picture;
use super::canvas::Canvas;
use super::ground::window::{around, cell_under};
use super::ground::{Cutaway, Ground, Near, Wanted, Words};
use super::links::nearest_floor;

use expansion_map::WayMap;
pub use film::film;
pub(super) use lines::End;
pub use recording::Recording;

/// A way to draw.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a> {
    /// What the legend calls it.
    pub name: &'a str,
    /// The path; `None` where there is none.
    pub path: Option<&'a Path>,
    /// The corridor it was straightened from, to be drawn beneath it.
    pub corridor: Option<&'a Corridor>,
}

/// What a picture of ways shows.
#[derive(Clone, Copy)]
pub struct WayPicture<'a> {
    /// Whose ways they are, and over which ground.
    pub terrain: &'a View,
    /// The title; empty for one made from the scene's name.
    pub title: &'a str,
    /// Start and goal as they were asked for [m].
    pub ends: [Point3<f32>; 2],
    /// The ways, each in a color of its own.
    pub ways: &'a [Way<'a>],
    /// The spans that a search expanded, in order; may be empty.
    pub expanded: &'a [SpanId],
}

/// Draws ways over the relief, cropped to what there is to see.
///
/// The picture is called `ways.png`. It also works without a path: then it shows what was expanded
/// and the two ends.
pub fn way_picture(picture: &WayPicture) -> Picture {
    let scene = WayScene::new(picture);
    let canvas = scene.draw();
    let view = *canvas.view();
    Picture { name: "ways.png".to_owned(), image: canvas.into_image(), view }
}

/// A picture with all that is found out before it is drawn.
struct WayScene<'a> {
    picture: &'a WayPicture<'a>,
    ground: Ground<'a>,
}

impl<'a> WayScene<'a> {
    fn new(picture: &'a WayPicture) -> Self {
        let cutaway = cutaway(picture, &window(picture));
        let start = start(picture, &cutaway);
        WayScene { picture, ground: Ground::new(picture.terrain, cutaway, start.into_iter()) }
    }

    fn draw(&self) -> Canvas {
        let words = Words {
            title: self.title(),
            line: legend::way_line(self.picture),
            blocks: legend::blocks(self),
        };
        let mut canvas = self.ground.print(words, &self.subject(self.picture.expanded));
        lines::draw(&mut canvas, self);
        canvas
    }

    fn subject(&self, expanded: &[SpanId]) -> WayMap<'_> {
        WayMap::new(&self.ground, expanded)
    }

    fn title(&self) -> String {
        match (self.picture.title, self.picture.ways.len()) {
            ("", 0 | 1) => self.ground.title("a way"),
            ("", count) => self.ground.title(&format!("{count} ways")),
            (title, _) => title.to_owned(),
        }
    }
}

/// The part of the grid that is shown: all that there is to see.
fn window(picture: &WayPicture) -> GridFrame {
    let grid = picture.terrain.grid();
    let corridors = picture.ways.iter().filter_map(|way| way.corridor);
    let spans = track_points(picture).map(|point| point.span);
    let spans = spans.chain(corridors.flat_map(Corridor::spans).copied());
    let spans = spans.chain(picture.expanded.iter().copied());
    let ends = picture.ends.iter().filter_map(|end| cell_under(grid.frame(), end));
    let cells: Vec<Cell> = spans.filter_map(|span| grid.cell_of(span)).chain(ends).collect();
    around(*grid.frame(), cells.into_iter())
}

/// Floors within so many cells of a way are shown before those that were expanded.
const BRUSH_CELLS: u32 = 10;

fn cutaway(picture: &WayPicture, window: &GridFrame) -> Cutaway {
    // Where a way leads above itself its highest floor is seen; ids rise within a column.
    let mut walked: Vec<SpanId> = track_points(picture).map(|point| point.span).collect();
    walked.sort_by_key(|&span| Reverse(span));
    let inside = picture.ends.iter().filter(|end| cell_under(window, end).is_some());
    walked.extend(inside.filter_map(|&end| nearest_floor(picture.terrain.grid(), end)));
    let near = Near::Cells(BRUSH_CELLS);
    let wanted = Wanted { walked: &[walked], near, expanded: picture.expanded };
    Cutaway::of(picture.terrain, window, &wanted)
}

fn track_points<'a>(picture: &WayPicture<'a>) -> impl Iterator<Item = &'a TrackPoint> {
    picture.ways.iter().filter_map(|way| way.path).flat_map(|path| path.track())
}

/// The span that the ways start on, as far as it is known.
fn start(picture: &WayPicture, cutaway: &Cutaway) -> Option<SpanId> {
    let below = || {
        let cell = cell_under(cutaway.window(), &picture.ends[0])?;
        cutaway.at(cell).filter(|&span| picture.terrain.is_walkable(span))
    };
    let start = track_points(picture).map(|point| point.span).next();
    start.or(picture.expanded.first().copied()).or_else(below)
}
