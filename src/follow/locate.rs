//! Finds the ground under a body that someone else moves.

use nalgebra::Point3;

use crate::follow::horizontal::level_distance;
use crate::follow::slide::slide_on;
use crate::view::{NavPoint, ViewRef};

/// A body this near to ground its agent can stand on counts as on it [radii].
const STEP_BACK: f32 = 2.0;
/// Ground to tell of is looked for so far from a body that is on none [cells].
const LOOK_AROUND: f32 = 16.0;
/// A place slides off by no more than this part of a cell where nothing is in its way.
const ON_THE_SPOT: f32 = 0.01;

/// The ground under a body: followed from where it was last, so that a body under a bridge stays
/// there; looked up where it was moved otherwise.
///
/// # Errors
/// The nearest ground that its agent can stand on, if there is any within a few cells.
pub(crate) fn place(
    view: &ViewRef,
    before: Option<NavPoint>,
    point: Point3<f32>,
) -> Result<NavPoint, Option<Point3<f32>>> {
    let height = view.agent().height;
    let followed = before.filter(|before| view.is_walkable(before.span)).map(|before| {
        let by = point - before.point;
        slide_on(view, before, [by.x, by.z])
    });
    let is_there = |place: &NavPoint| {
        level_distance(&place.point, &point) <= ON_THE_SPOT * view.cell_size()
            && (place.point.y - point.y).abs() <= height
    };
    let grid = view.grid();
    let below = || {
        let span = grid.span_at(point, height).filter(|&span| view.is_walkable(span))?;
        Some(NavPoint::at(view, span, point))
    };
    let near = |radius| {
        let (span, nearest) = view.view.nearest_walkable(point, radius)?;
        Some(NavPoint::at(view, span, nearest))
    };
    let found = followed.filter(is_there).or_else(below);
    let found = found.or_else(|| near(STEP_BACK * view.agent().radius));
    let around = || near(LOOK_AROUND * view.cell_size()).map(|nav_point| nav_point.point);
    found.ok_or_else(around)
}
