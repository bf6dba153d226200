//! Finds the ground under a body that someone else moves.

use nalgebra::Point3;

use super::flat::level_distance;
use super::slide::slide;
use crate::solve::{Footing, Terrain};

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
    terrain: &Terrain,
    before: Option<Footing>,
    point: Point3<f32>,
) -> Result<Footing, Option<Point3<f32>>> {
    let height = terrain.agent().height;
    let followed = before.filter(|before| terrain.is_walkable(before.span)).map(|before| {
        let by = point - before.point;
        slide(terrain, before, [by.x, by.z])
    });
    let is_there = |place: &Footing| {
        level_distance(&place.point, &point) <= ON_THE_SPOT * terrain.cell_size()
            && (place.point.y - point.y).abs() <= height
    };
    let grid = terrain.grid();
    let below = || {
        let span = grid.span_at(point, height).filter(|&span| terrain.is_walkable(span))?;
        Some(Footing::at(terrain, span, point))
    };
    let near = |radius| {
        let (span, nearest) = terrain.nearest_walkable(point, radius)?;
        Some(Footing::at(terrain, span, nearest))
    };
    let found = followed.filter(is_there).or_else(below);
    let found = found.or_else(|| near(STEP_BACK * terrain.agent().radius));
    let around = || near(LOOK_AROUND * terrain.cell_size()).map(|footing| footing.point);
    found.ok_or_else(around)
}
