//! Provides [`greedy_descent`]: lays out a path whose cost equals its estimate.
//!
//! Where nothing lies in the way, a cheapest path costs what the estimate says, and every step on
//! it lowers the estimate by just its own cost. No search is needed, and no step is taken back.

use crate::cost::{CostModel, SearchNode};
use crate::grid::{CellOffset, Dir, SpanAddress, SpanId};
use crate::path::Corridor;
use crate::search::SearchParameters;

/// A path of which only the ends and the cost are known.
pub(crate) struct KnownPath<'a, M: ?Sized> {
    /// With an estimate of the cost to its end.
    pub parameters: &'a SearchParameters<'a, M>,
    /// The spans that it leads from and to.
    pub ends: [u32; 2],
    /// Its original cost.
    pub cost: u32,
}

/// The last span of a path that is being laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathHead {
    pub node: SearchNode,
    /// Counted from the frame's corner.
    pub cell: CellOffset,
    /// What the rest of the path may cost.
    pub left: u32,
}

/// Adds the spans of a path to a corridor by steps that lower the estimate by just their own cost.
/// Returns false, and adds nothing, if they do not lead to the end.
pub(crate) fn greedy_descent<M: CostModel + ?Sized>(
    path: &KnownPath<M>,
    corridor: &mut Corridor,
) -> bool {
    let KnownPath { parameters, ends: [from, to], .. } = *path;
    let start = corridor.spans().len();
    let end = parameters.metric.view.cell_offset(to);
    let mut head = PathHead::new(parameters, from, parameters.rest(from));
    while head.node.address.span != to {
        let offset = head.cell.to(end);
        let [diagonal, straight] = Dir::towards(offset);
        // A diagonal lowers the estimate only as long as both axes have something left.
        let is_diagonal = offset.x != 0 && offset.z != 0;
        if !(is_diagonal && head.descend(parameters, diagonal)
            || head.descend(parameters, straight))
        {
            corridor.cut_back(start);
            return false;
        }
        corridor.go_on(SpanId(head.node.address.span), None);
    }
    true
}

impl PathHead {
    pub(crate) fn new<M: CostModel + ?Sized>(
        parameters: &SearchParameters<M>,
        span: u32,
        left: u32,
    ) -> Self {
        let view = parameters.metric.view;
        let node = parameters.metric.search_node(view.address(span));
        PathHead { node, cell: view.cell_offset(span), left }
    }

    /// Takes a step if that lowers the estimate by its own cost. Returns whether it does.
    #[inline(always)]
    fn descend<M: CostModel + ?Sized>(
        &mut self,
        parameters: &SearchParameters<M>,
        dir: Dir,
    ) -> bool {
        let Some((node, cost)) = self.ahead(parameters, dir) else { return false };
        let cell = self.cell.step(dir);
        let left = parameters.estimate.at_potential(cell, node.potential);
        // Steps that cost nothing might lead in circles for ever.
        let is_cheapest = cost > 0 && left.checked_add(cost) == Some(self.left);
        if is_cheapest {
            *self = PathHead { node, cell, left };
        }
        is_cheapest
    }

    /// The span that a step leads to, and the step's cost.
    #[inline(always)]
    pub(crate) fn ahead<M: CostModel + ?Sized>(
        &self,
        parameters: &SearchParameters<M>,
        dir: Dir,
    ) -> Option<(SearchNode, u32)> {
        let (metric, steps) = (parameters.metric, parameters.metric.view.connections());
        if parameters.direction_codes >> (4 * dir.index()) & 1 == 0 {
            return None;
        }
        let SpanAddress { span, column } = self.node.address;
        if parameters.uniform_ground.is_some_and(|ground| ground.contains(span)) {
            let address = steps.level_target(self.node.address, dir);
            return Some((SearchNode { address, ..self.node }, metric.level_step(span, dir)));
        }
        let span = steps.known_target(column as usize, span, dir)?;
        let column = steps.neighbor_of(column as usize, dir) as u32;
        let node = metric.search_node_beside(SpanAddress { span, column }, &self.node);
        Some((node, metric.between([&self.node, &node], dir)?))
    }
}
