//! Provides [`PathScene`]: what a picture of paths shows, with the ground below.

use std::cmp::Reverse;

use nalgebra::Point3;

use surefoot::grid::{Cell, GridFrame, SpanId};
use surefoot::path::{Corridor, Path, TrackPoint};
use surefoot::search::Outcome;
use surefoot::view::View;
use surefoot::{Cancelled, Observer};

use super::super::ground::window::{around, cell_under};
use super::super::ground::{Cutaway, CutawayRequest, GroundMap, Nearness};
use super::super::links::nearest_floor;
use super::expansion_map::ExpansionMap;

/// A path to draw.
#[derive(Clone, Copy, Debug)]
pub struct DrawnPath<'a> {
    /// What the legend calls it.
    pub name: &'a str,
    /// The path; `None` if there is none.
    pub path: Option<&'a Path>,
    /// The corridor it was straightened from, to be drawn beneath it.
    pub corridor: Option<&'a Corridor>,
    /// How the query ended: the picture says so where it did not end at the goal, and why.
    pub outcome: Outcome,
}

/// What a picture of paths shows.
#[derive(Clone, Copy)]
pub struct PathPicture<'a> {
    /// The agent and the ground that the paths are for.
    pub view: &'a View,
    /// The title; empty for one made from the scene's name.
    pub title: &'a str,
    /// Start and goal of the query [m].
    pub ends: [Point3<f32>; 2],
    /// The paths, each in a color of its own.
    pub paths: &'a [DrawnPath<'a>],
    /// The spans that a search expanded, in order; may be empty.
    pub expanded: &'a [SpanId],
}

/// A picture with everything that is computed before it is drawn.
pub(super) struct PathScene<'a> {
    pub picture: &'a PathPicture<'a>,
    pub ground: GroundMap<'a>,
}

impl<'a> PathScene<'a> {
    pub(super) fn new(
        picture: &'a PathPicture,
        observer: &dyn Observer,
    ) -> Result<Self, Cancelled> {
        let cutaway = cutaway(picture, &window(picture), observer)?;
        let start = start(picture, &cutaway).into_iter();
        let ground = GroundMap::new(picture.view, cutaway, start, observer)?;
        Ok(PathScene { picture, ground })
    }

    pub(super) fn expansion(&self, expanded: &[SpanId]) -> ExpansionMap<'_> {
        ExpansionMap::new(&self.ground, expanded)
    }
}

/// The part of the grid that is shown: all that there is to see.
pub(super) fn window(picture: &PathPicture) -> GridFrame {
    let grid = picture.view.grid();
    let corridors = picture.paths.iter().filter_map(|way| way.corridor);
    let spans = track_points(picture).map(|point| point.span);
    let spans = spans.chain(corridors.flat_map(Corridor::spans).copied());
    let spans = spans.chain(picture.expanded.iter().copied());
    let ends = picture.ends.iter().filter_map(|end| cell_under(grid.frame(), end));
    let cells: Vec<Cell> = spans.filter_map(|span| grid.cell_of(span)).chain(ends).collect();
    around(*grid.frame(), cells.into_iter())
}

/// Floors within this many cells of a path are shown before those that were expanded.
const BRUSH_CELLS: u32 = 10;

pub(super) fn cutaway(
    picture: &PathPicture,
    window: &GridFrame,
    observer: &dyn Observer,
) -> Result<Cutaway, Cancelled> {
    // Where a path leads above itself its highest floor is shown; ids rise within a column.
    let mut walked: Vec<SpanId> = track_points(picture).map(|point| point.span).collect();
    walked.sort_by_key(|&span| Reverse(span));
    let inside = picture.ends.iter().filter(|end| cell_under(window, end).is_some());
    walked.extend(inside.filter_map(|&end| nearest_floor(picture.view.grid(), end)));
    let near = Nearness::Cells(BRUSH_CELLS);
    let wanted = CutawayRequest { walked: &[walked], near, expanded: picture.expanded };
    Cutaway::of(picture.view, window, &wanted, observer)
}

fn track_points<'a>(picture: &PathPicture<'a>) -> impl Iterator<Item = &'a TrackPoint> {
    picture.paths.iter().filter_map(|way| way.path).flat_map(|path| path.track())
}

/// The span that the paths start on, as far as it is known.
fn start(picture: &PathPicture, cutaway: &Cutaway) -> Option<SpanId> {
    let below = || {
        let cell = cell_under(cutaway.window(), &picture.ends[0])?;
        cutaway.at(cell).filter(|&span| picture.view.is_walkable(span))
    };
    let start = track_points(picture).map(|point| point.span).next();
    start.or(picture.expanded.first().copied()).or_else(below)
}
