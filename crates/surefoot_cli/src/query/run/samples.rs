//! What is measured of a crowd at every sample, from nothing but where its members are: whether
//! they are on the ground, in each other, or in the scene's geometry.

use nalgebra::Point3;
use surefoot::crowd::Member;
use surefoot::follow::FollowState;
use surefoot::grid::AgentId;
use surefoot::{NavGrid, SpanId, Verdict};

use super::overlaps::Overlaps;
use super::solids::Solids;

/// Where a member is and what it is doing.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Its feet [m].
    pub place: Point3<f32>,
    pub state: FollowState,
}

impl Seen {
    pub fn of(member: &Member) -> Self {
        Seen { place: member.position(), state: member.state() }
    }

    pub fn is_on_link(&self) -> bool {
        matches!(self.state, FollowState::OnLink { .. })
    }
}

/// Sums over all samples.
pub struct Measures<'a> {
    grid: &'a NavGrid,
    agent: AgentId,
    /// Members that were not on ground their agent can stand on, nor on a link.
    pub off_grid: u64,
    pub overlaps: Overlaps,
    /// The scene, where it is there to be touched.
    pub solids: Option<Solids<'a>>,
}

/// A body so far above or below a floor does not stand on it [m].
const NEAR_FLOOR: f32 = 0.01;

impl<'a> Measures<'a> {
    pub fn new((grid, agent): (&'a NavGrid, AgentId), solids: Option<Solids<'a>>) -> Self {
        Measures { grid, agent, off_grid: 0, overlaps: Overlaps::default(), solids }
    }

    /// Looks at everyone.
    pub fn sample(&mut self, seen: &[Seen]) {
        let is_off = |seen: &&Seen| !seen.is_on_link() && !self.is_walkable(seen.place);
        self.off_grid += seen.iter().filter(is_off).count() as u64;
        self.overlaps.sample(seen, &self.grid.layers()[self.agent.index()].agent);
        if let Some(solids) = &mut self.solids {
            solids.sample(seen);
        }
    }

    /// Whether there is a walkable floor under someone's feet. Of floors that are nearly at one height,
    /// as the treads of stairs are with what they are made of, any will do.
    fn is_walkable(&self, place: Point3<f32>) -> bool {
        let spans = self.grid.column_at(place).map(|cell| self.grid.column_spans(cell));
        spans.into_iter().flatten().map(SpanId).any(|span| {
            let height = self.grid.ground_height(place.x, place.z, span);
            height.is_some_and(|height| (height - place.y).abs() < NEAR_FLOOR)
                && self.grid.verdict(self.agent, span) == Some(Verdict::Walkable)
        })
    }
}

#[cfg(test)]
mod tests {
    use surefoot::Agent;

    use super::*;

    #[test]
    fn bodies_off_the_ground_are_counted() {
        let map = "type octile\nheight 1\nwidth 3\nmap\n..@\n";
        let grid = NavGrid::from_map(map, 1.0, &[Agent::new("a")]).unwrap();
        let mut measures = Measures::new((&grid, AgentId(0)), None);
        let state = FollowState::Following;
        let places = [[0.5, 0.0, 0.5], [0.5, 0.5, 0.5], [2.5, 0.0, 0.5], [9.5, 0.0, 0.5]];
        let mut seen = places.map(|place| Seen { place: place.into(), state });
        measures.sample(&seen);
        assert_eq!(measures.off_grid, 3);
        seen[2].state = FollowState::OnLink { link: 0 };
        measures.sample(&seen);
        assert_eq!(measures.off_grid, 5);
    }
}
