//! The walls and edges near a place, as limits to a velocity.
//!
//! Along each axis the ground is followed as far as a body could get within a short time. Where it
//! ends sooner, the body may go no faster that way than gets it there, so that it makes way for
//! others to where there is room. What it wants itself is never limited: its path was found clear.

use crate::crowd::avoidance::HalfPlane;
use crate::grid::Dir;
use crate::view::{NavPoint, ViewRef};

/// So long ahead a body looks for walls [s]. Longer, and it keeps off walls it only passes by.
const AHEAD: f32 = 0.3;

/// Calls with a half-plane for each wall or edge that a body at a place could meet at a speed.
pub(crate) fn walls(
    view: &ViewRef,
    at: &NavPoint,
    (speed, wanted): (f32, [f32; 2]),
    mut each: impl FnMut(HalfPlane),
) {
    let reach = speed * AHEAD;
    let size = view.cell_size();
    // Clearance is that of a span's center, and may be less at its corners.
    let is_baked = view.state() == 0;
    let clear = view.grid().clearance(view.agent_id(), at.span).unwrap_or(0.0);
    if is_baked && clear > reach + size {
        return;
    }
    let column = view.column(at.span.0);
    let [low, high] = view.frame().borders(view.frame().cell(column));
    for dir in Dir::STRAIGHT {
        let (x, z) = dir.offset();
        let way = [x as f32, z as f32];
        let to_border = match (x, z) {
            (1, _) => high[0] as f32 - at.point.x,
            (-1, _) => at.point.x - low[0] as f32,
            (_, 1) => high[1] as f32 - at.point.z,
            _ => at.point.z - low[1] as f32,
        };
        if let Some(distance) = to_wall(view, (column, at.span.0), (dir, to_border), reach) {
            let most = (distance / AHEAD).max(way[0] * wanted[0] + way[1] * wanted[1]);
            let normal = way.map(|v| -v);
            each(HalfPlane { point: way.map(|v| v * most), normal });
        }
    }
}

/// How far the ground goes on in a direction from a span's border [m]; `None` where it does so
/// beyond `reach`.
fn to_wall(
    view: &ViewRef,
    (column, span): (usize, u32),
    (dir, to_border): (Dir, f32),
    reach: f32,
) -> Option<f32> {
    let steps = view.connections();
    let mut cursor = steps.cursor_at(column, span);
    let mut distance = to_border.max(0.0);
    while distance <= reach {
        if !steps.advance(&mut cursor, dir) {
            return Some(distance);
        }
        distance += view.cell_size();
    }
    None
}
