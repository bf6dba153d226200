//! Provides [`Bounds`]: what a way over a span costs at least.

use crate::cost::CostModel;
use crate::grid::SpanId;
use crate::search::{Estimate, Heuristic};
use crate::view::Flow;

use crate::cch::arc_costs::Pricing;
use crate::cch::elimination_tree::Shape;

/// The least costs between any span and both ends of a way, and what a way that is known costs; as
/// routes count.
pub(crate) struct Bounds<'a, M: ?Sized> {
    pricing: &'a Pricing<'a, M>,
    shape: &'a Shape,
    to_goal: End<'a>,
    from_start: End<'a>,
    /// What the cheapest way that is known costs; the largest number where none is.
    pub known: u32,
}

/// One end of a way: what lies between it and a span at least, and its mark.
struct End<'a> {
    estimate: &'a Estimate,
    mark: i64,
}

impl<'a, M: CostModel + ?Sized> Bounds<'a, M> {
    /// The bounds between two ranks. The estimates are reused.
    pub(crate) fn new(
        shape: &'a Shape,
        pricing: &'a Pricing<'a, M>,
        (ends, [from_start, to_goal]): ([u32; 2], &'a mut [Estimate; 2]),
    ) -> Self {
        let [start, goal] = ends.map(|rank| shape.order[rank as usize]);
        let end = |span, estimate: &'a mut Estimate, flow| {
            estimate.begin_as(pricing.metric, Heuristic::Octile, pricing.directions, flow);
            estimate.aim(pricing.metric.view, SpanId(span));
            End { estimate, mark: pricing.mark(span) }
        };
        Bounds {
            pricing,
            shape,
            to_goal: end(goal, to_goal, Flow::ToSources),
            from_start: end(start, from_start, Flow::FromSources),
            known: u32::MAX,
        }
    }

    /// The least that is left from a rank to the goal for ways from the start, or back to the start
    /// for those from the goal.
    #[inline]
    pub(crate) fn rest(&self, rank: u32, flow: Flow) -> u32 {
        let span = self.shape.order[rank as usize];
        let view = self.pricing.metric.view;
        let mark = self.pricing.mark(span);
        let (end, uphill) = match flow {
            Flow::FromSources => (&self.to_goal, self.to_goal.mark - mark),
            Flow::ToSources => (&self.from_start, mark - self.from_start.mark),
        };
        let least = i64::from(end.estimate.at(view.place(span), view.floor(span))) - uphill;
        least.clamp(0, u32::MAX.into()) as u32
    }
}
