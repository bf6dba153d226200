//! Provides [`Bounds`]: what a way over a span costs at least.

use crate::grid::SpanId;
use crate::solve::{CostModel, Directions, Estimate, Flow, Heuristic, Tariff, Terrain};

use super::shape::Shape;

/// The least costs between any span and both ends of a way, and what a way that is known costs.
pub(super) struct Bounds<'a> {
    terrain: &'a Terrain<'a>,
    shape: &'a Shape,
    to_goal: Estimate,
    from_start: Estimate,
    /// What the cheapest way that is known costs; the largest number where none is.
    pub known: u32,
}

impl<'a> Bounds<'a> {
    pub(super) fn new<M: CostModel + ?Sized>(
        shape: &'a Shape,
        (tariff, directions): (&'a Tariff<'a, M>, Directions),
        ends: [u32; 2],
    ) -> Self {
        let [start, goal] = ends.map(|rank| SpanId(shape.order[rank as usize]));
        let estimate = |end, flow| Estimate::of(tariff, Heuristic::Octile, (directions, end, flow));
        Bounds {
            terrain: tariff.terrain,
            shape,
            to_goal: estimate(goal, Flow::ToSources),
            from_start: estimate(start, Flow::FromSources),
            known: u32::MAX,
        }
    }

    /// The least that is left from a rank to the goal for ways from the start, or back to the start
    /// for those from the goal.
    #[inline]
    pub(super) fn rest(&self, rank: u32, flow: Flow) -> u32 {
        let span = self.shape.order[rank as usize];
        let (x, z) = self.terrain.place(span);
        let estimate = match flow {
            Flow::FromSources => &self.to_goal,
            Flow::ToSources => &self.from_start,
        };
        estimate.at(x, z, self.terrain.floor(span))
    }
}
