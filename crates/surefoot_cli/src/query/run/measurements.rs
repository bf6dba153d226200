//! Provides [`Measurements`]: checks at every sample whether bodies are on the ground, overlap, or touch
//! the geometry of the scene. Knows nothing of the crowd but positions and states.

use nalgebra::Point3;
use surefoot::{SpanId, View};

use super::geometry::GeometryCheck;
use super::member_sample::MemberSample;
use super::overlaps::Overlaps;

/// Sums over all samples.
pub struct Measurements<'a> {
    view: View,
    /// Members that were neither on walkable ground nor on a link.
    pub off_grid: u64,
    pub overlaps: Overlaps,
    /// The check against the scene, if there is one.
    pub geometry: Option<GeometryCheck<'a>>,
}

/// A body farther above or below a floor does not stand on it [m].
const FLOOR_TOLERANCE: f32 = 0.01;

impl<'a> Measurements<'a> {
    pub fn new(view: View, geometry: Option<GeometryCheck<'a>>) -> Self {
        Measurements { view, off_grid: 0, overlaps: Overlaps::default(), geometry }
    }

    /// Adds a sample of everyone.
    pub fn add(&mut self, members: &[MemberSample]) {
        let is_off =
            |member: &&MemberSample| !member.is_on_link() && !self.is_walkable(member.position);
        self.off_grid += members.iter().filter(is_off).count() as u64;
        self.overlaps.add(members, self.view.agent());
        if let Some(geometry) = &mut self.geometry {
            geometry.add(members);
        }
    }

    /// Whether there is a walkable floor at a position. Any floor within the tolerance will do: the
    /// treads of stairs often lie just above another surface.
    fn is_walkable(&self, position: Point3<f32>) -> bool {
        let grid = self.view.grid();
        let spans = grid.column_at(position).map(|cell| grid.column_spans(cell));
        spans.into_iter().flatten().map(SpanId).any(|span| {
            let height = self.view.feet_height(position.x, position.z, span);
            height.is_some_and(|height| (height - position.y).abs() < FLOOR_TOLERANCE)
                && self.view.is_walkable(span)
        })
    }
}

#[cfg(test)]
mod tests {
    use surefoot::follow::FollowState;
    use surefoot::grid::AgentId;
    use surefoot::{Agent, NavGrid};

    use super::*;

    #[test]
    fn bodies_off_the_ground_are_counted() {
        let map = "type octile\nheight 1\nwidth 3\nmap\n..@\n";
        let grid = NavGrid::from_map(map, 1.0, &[Agent::new("a")]).unwrap();
        let view = View::new(&grid, AgentId(0)).unwrap();
        let mut measurements = Measurements::new(view, None);
        let state = FollowState::Following;
        let positions = [[0.5, 0.0, 0.5], [0.5, 0.5, 0.5], [2.5, 0.0, 0.5], [9.5, 0.0, 0.5]];
        let mut members = positions.map(|at| MemberSample { position: at.into(), state });
        measurements.add(&members);
        assert_eq!(measurements.off_grid, 3);
        members[2].state = FollowState::OnLink { link: 0 };
        measurements.add(&members);
        assert_eq!(measurements.off_grid, 5);
    }
}
