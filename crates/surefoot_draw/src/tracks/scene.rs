//! Provides [`TrackScene`]: what a picture of tracks shows, with the ground below.

use nalgebra::Point3;

use surefoot::grid::{Cell, NavGrid, SpanId};
use surefoot::view::View;
use surefoot::{Cancelled, Observer};

use super::super::ground::window::{around, cell_under};
use super::super::ground::{Cutaway, CutawayRequest, GroundMap, Nearness};
use super::super::marks::TrackEnd;
use super::super::storeys::Storeys;

/// Where a body has been.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Its positions on the ground since the start of the run, evenly spaced in time [m].
    ///
    /// Positions off the grid and values that are not finite are skipped; the line breaks there.
    pub points: Vec<Point3<f32>>,
    /// The body's radius [m, > 0].
    pub radius: f32,
    /// How it ended.
    pub end: TrackEnd,
}

/// What a picture of tracks shows.
#[derive(Clone, Copy)]
pub struct TrackPicture<'a> {
    /// The agent and the ground that the tracks are for.
    pub view: &'a View,
    /// The title; empty for one made from the scene's name.
    pub title: &'a str,
    /// The tracks, one for each body.
    pub tracks: &'a [Track],
    /// Time from one point of a track to the next [s, > 0].
    pub interval: f32,
}

/// A picture with everything that is computed before it is drawn.
pub(super) struct TrackScene<'a> {
    pub picture: &'a TrackPicture<'a>,
    pub ground: GroundMap<'a>,
    /// Number of points from which on all times have the last color.
    pub late: usize,
}

/// The last color is for times when this part of the tracks has ended: a few stragglers would use up
/// most of the colors.
const TIMED_TRACKS: f32 = 0.9;

impl<'a> TrackScene<'a> {
    pub(super) fn new(
        picture: &'a TrackPicture,
        observer: &dyn Observer,
    ) -> Result<Self, Cancelled> {
        let grid = picture.view.grid();
        let starts = picture.tracks.iter().filter_map(|track| track.points.first());
        let starts = starts.filter_map(|&point| floor_under(grid, point));
        let cutaway = cutaway(picture, observer)?;
        let ground = GroundMap::new(picture.view, cutaway, starts, observer)?;
        let mut lengths: Vec<usize> =
            picture.tracks.iter().map(|track| track.points.len()).collect();
        lengths.sort_unstable();
        let late =
            lengths.get((lengths.len() as f32 * TIMED_TRACKS) as usize).copied().unwrap_or(0);
        Ok(TrackScene { picture, ground, late })
    }

    /// When a track is at one of its points, as a part of the time that has colors of its own [0..=1].
    pub(super) fn time(&self, at: usize) -> f32 {
        (at as f32 / self.late.saturating_sub(1).max(1) as f32).min(1.0)
    }

    /// Whether a point lies beneath the floor that is shown over it.
    pub(super) fn hides(&self, point: Point3<f32>) -> bool {
        let grid = self.picture.view.grid();
        let cell = cell_under(&self.ground.window, &point);
        let shown = cell.and_then(|cell| self.ground.cutaway.at(cell));
        // Ids rise within a column.
        shown.is_some_and(|shown| floor_under(grid, point).is_some_and(|floor| floor < shown))
    }
}

/// The floors that are walked on, those of higher storeys first.
fn cutaway(picture: &TrackPicture, observer: &dyn Observer) -> Result<Cutaway, Cancelled> {
    let grid = picture.view.grid();
    let points = picture.tracks.iter().flat_map(|track| &track.points);
    let mut floors: Vec<SpanId> = points.filter_map(|&point| floor_under(grid, point)).collect();
    floors.sort_unstable();
    floors.dedup();
    let cells: Vec<Cell> = floors.iter().filter_map(|&span| grid.cell_of(span)).collect();
    let window = around(*grid.frame(), cells.into_iter());
    let storeys = Storeys::observed(grid, observer)?;
    let mut walked = vec![Vec::new(); storeys.drawn().len() + 1];
    for span in floors {
        let from_above = storeys.storey(span).map_or(0, |storey| storey + 1);
        walked[storeys.drawn().len() - from_above].push(span);
    }
    let wanted =
        CutawayRequest { walked: &walked, near: Nearness::Storey(&storeys), expanded: &[] };
    Cutaway::of(picture.view, &window, &wanted, observer)
}

/// The floor a body stands on or, in the air, is above; `None` off the grid.
pub(super) fn floor_under(grid: &NavGrid, point: Point3<f32>) -> Option<SpanId> {
    grid.span_at(point, f32::MAX)
}
