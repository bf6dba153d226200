//! Finds the ground under a body that something else moves.
//!
//! What comes in is a position in the world and the body's last nav point; what goes out is its nav
//! point now.

use nalgebra::Point3;

use crate::follow::horizontal::horizontal_distance;
use crate::follow::slide::slide_on;
use crate::view::{NavPoint, ViewRef};

/// A body counts as on the ground within this distance of ground its agent can stand on [radii].
const SNAP_RADII: f32 = 2.0;
/// For a body off the grid, the nearest ground is searched for within this distance [cells].
const SEARCH_CELLS: f32 = 16.0;
/// The last nav point was followed to the body if it ends within this part of a cell from it.
const FOLLOWED_TOLERANCE: f32 = 0.01;

/// Returns the ground under a body. It is followed from the last nav point where that works, so that
/// a body under a bridge stays there; a body that was moved otherwise is looked up.
///
/// # Errors
/// Returns the nearest ground that its agent can stand on, if there is any within a few cells.
pub(crate) fn locate(
    view: &ViewRef,
    last: Option<NavPoint>,
    position: Point3<f32>,
) -> Result<NavPoint, Option<Point3<f32>>> {
    let height = view.agent().height;
    let followed = last.filter(|last| view.is_walkable(last.span)).map(|last| {
        let by = position - last.point;
        slide_on(view, last, [by.x, by.z])
    });
    let is_reached = |nav_point: &NavPoint| {
        horizontal_distance(&nav_point.point, &position) <= FOLLOWED_TOLERANCE * view.cell_size()
            && (nav_point.point.y - position.y).abs() <= height
    };
    let grid = view.grid();
    let below = || {
        let span = grid.span_at(position, height).filter(|&span| view.is_walkable(span))?;
        Some(NavPoint::at(view, span, position))
    };
    let nearest_within = |radius| {
        let (span, nearest) = view.view.nearest_walkable(position, radius)?;
        Some(NavPoint::at(view, span, nearest))
    };
    let found = followed.filter(is_reached).or_else(below);
    let found = found.or_else(|| nearest_within(SNAP_RADII * view.agent().radius));
    let hint = || {
        let nearest = nearest_within(SEARCH_CELLS * view.cell_size());
        nearest.map(|nav_point| nav_point.point)
    };
    found.ok_or_else(hint)
}

/// Returns the ground nearest to a body that has come off a link with these ends: under it, within a few
/// cells, or else at the nearer end.
pub(crate) fn nearest_ground(
    view: &ViewRef,
    position: Point3<f32>,
    ends: [NavPoint; 2],
) -> NavPoint {
    let near = || {
        let radius = SEARCH_CELLS * view.cell_size();
        let (span, point) = view.view.nearest_walkable(position, radius)?;
        Some(NavPoint::at(view, span, point))
    };
    let at_end = || {
        let distance = |end: &NavPoint| (end.point - position).norm();
        let is_end_nearer = distance(&ends[1]) < distance(&ends[0]);
        ends[usize::from(is_end_nearer)]
    };
    let found = locate(view, None, position).ok().or_else(near);
    found.unwrap_or_else(at_end).in_room(view)
}
