//! Pictures of ways over the relief of a grid.
//!
//! Over each cell the floor is shown that the way leads over, or the one that hangs together with
//! it, so that a way through a house and up its stairs is seen on the floors it walks on
//! ([`cutaway`]). Where one way leads above itself, the lower part is dashed.

mod cutaway;
mod film;
mod legend;
mod lines;
mod recording;
mod subject;
#[cfg(test)]
mod tests;
mod window;

use nalgebra::Point3;

use crate::grid::{GridFrame, SpanId};
use crate::solve::{Corridor, Path, Terrain};

use super::Picture;
use super::area::prints;
use super::canvas::Canvas;
use super::heights::{contour_interval, height_range};
use super::links;
use super::plate::Plate;
use super::words::agent_line;

use cutaway::Cutaway;
pub use film::film;
pub(super) use lines::End;
pub use recording::Recording;
use subject::WayMap;

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
    pub terrain: &'a Terrain<'a>,
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
    /// The part of the grid that is shown.
    window: GridFrame,
    cutaway: Cutaway,
    /// The heights at the ends of the tints [m].
    heights: [f32; 2],
}

impl<'a> WayScene<'a> {
    fn new(picture: &'a WayPicture) -> Self {
        let window = window::around(picture);
        let cutaway = Cutaway::of(picture, &window);
        let spans = picture.terrain.grid().spans();
        let walkable = cutaway.shown().filter(|&span| picture.terrain.is_walkable(span));
        let count = walkable.clone().count();
        let heights = height_range(walkable.map(|span| spans[span.index()].floor), count);
        WayScene { picture, window, cutaway, heights }
    }

    fn draw(&self) -> Canvas {
        let terrain = self.picture.terrain;
        let grid = terrain.grid();
        let arcs = links::in_window(grid, terrain.agent_id(), &self.window);
        let plate = Plate {
            window: self.window,
            title: self.title(),
            lines: vec![agent_line(terrain.agent()), legend::way_line(self.picture)],
            blocks: legend::blocks(self, arcs.len()),
            prints: prints(grid.areas()),
            contours: contour_interval(self.heights),
        };
        let mut canvas = plate.print(grid, &self.subject(self.picture.expanded));
        arcs.iter().for_each(|arc| arc.draw(&mut canvas));
        lines::draw(&mut canvas, self);
        canvas
    }

    /// The span that the ways start on, as far as it is known.
    fn start(&self) -> Option<SpanId> {
        let paths = self.picture.ways.iter().filter_map(|way| way.path);
        let start = paths.filter_map(|path| path.track().first()).map(|point| point.span).next();
        let below = || {
            let cell = window::cell_under(&self.window, &self.picture.ends[0])?;
            self.cutaway.at(cell).filter(|&span| self.picture.terrain.is_walkable(span))
        };
        start.or(self.picture.expanded.first().copied()).or_else(below)
    }

    fn subject(&self, expanded: &[SpanId]) -> WayMap<'_> {
        WayMap::new(self, expanded)
    }

    fn title(&self) -> String {
        let WayPicture { terrain, title, ways, .. } = self.picture;
        if !title.is_empty() {
            return (*title).to_owned();
        }
        let ways = match ways.len() {
            0 | 1 => "a way".to_owned(),
            count => format!("{count} ways"),
        };
        let agent = &terrain.agent().name;
        match terrain.grid().provenance().scene.as_str() {
            "" => format!("{}{} for {agent}", ways[..1].to_uppercase(), &ways[1..]),
            scene => format!("{scene} — {ways} for {agent}"),
        }
    }
}
