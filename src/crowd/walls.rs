//! The walls and edges near a body, as half-planes of velocities.
//!
//! Along each axis the ground is followed as far as the body could get within a short time. If the
//! ground ends sooner, the body may go no faster in that direction than takes it to the end; so it makes
//! way for others only to where there is room. Its own desired velocity is never limited: its path was
//! found clear.

use crate::crowd::avoidance::HalfPlane;
use crate::follow::dot;
use crate::grid::{CellOffset, Dir};
use crate::view::{NavPoint, ViewRef};

/// Time that a body looks ahead for walls [s]. If it were longer, bodies would keep off walls that they
/// only pass.
const WALL_HORIZON: f32 = 0.3;

/// Finds the walls that a body could meet.
pub(crate) struct WallQuery<'a> {
    pub view: &'a ViewRef<'a>,
    /// The ground under the body.
    pub at: NavPoint,
    /// The most the body moves in a second [m/s].
    pub max_speed: f32,
    /// Its desired velocity, along x and z [m/s].
    pub desired: [f32; 2],
}

impl WallQuery<'_> {
    /// Calls with a half-plane for each wall or edge that the body could meet.
    pub(crate) fn for_each(&self, mut each: impl FnMut(HalfPlane)) {
        let WallQuery { view, at, desired, .. } = self;
        // Clearance is that of a span's center, and may be smaller at its corners.
        let is_as_baked = view.state() == 0;
        let clearance = view.grid().clearance(view.agent_id(), at.span).unwrap_or(0.0);
        if is_as_baked && clearance > self.reach() + view.cell_size() {
            return;
        }
        let column = view.column(at.span.0);
        let [low, high] = view.frame().borders(view.frame().cell(column));
        for dir in Dir::STRAIGHT {
            let CellOffset { x, z } = dir.offset();
            let direction = [x as f32, z as f32];
            let to_border = match (x, z) {
                (1, _) => high[0] as f32 - at.point.x,
                (-1, _) => at.point.x - low[0] as f32,
                (_, 1) => high[1] as f32 - at.point.z,
                _ => at.point.z - low[1] as f32,
            };
            if let Some(distance) = self.distance_to_wall(column, dir, to_border) {
                let most = (distance / WALL_HORIZON).max(dot(direction, *desired));
                let normal = direction.map(|v| -v);
                each(HalfPlane { point: direction.map(|v| v * most), normal });
            }
        }
    }

    /// Returns how far the body gets within the horizon [m].
    fn reach(&self) -> f32 {
        self.max_speed * WALL_HORIZON
    }

    /// Returns how far the ground continues in a direction [m], from the distance to the border of the
    /// body's own cell on; `None` if it continues beyond reach.
    fn distance_to_wall(&self, column: usize, dir: Dir, to_border: f32) -> Option<f32> {
        let connections = self.view.connections();
        let mut cursor = connections.cursor_at(column, self.at.span.0);
        let mut distance = to_border.max(0.0);
        while distance <= self.reach() {
            if !connections.advance(&mut cursor, dir) {
                return Some(distance);
            }
            distance += self.view.cell_size();
        }
        None
    }
}
