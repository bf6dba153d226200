//! Provides [`Shortcut`]: an arc of the hierarchy on a path, and how it is unpacked into two.
//!
//! A stored cost is that of a step or link, or of a path through a block, or the sum of two others
//! that meet in a span that was eliminated earlier: a lower triangle. Which one it is need not be
//! stored: the triangle whose sum is the cost tells.

use crate::cost::CostModel;

use crate::cch::cost_units::{OriginalCost, ReducedCost};
use crate::cch::query_context::QueryContext;

/// A part of a path: an arc of the hierarchy, or a path within a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortcut {
    /// The ranks that it leads from and to.
    pub ends: [u32; 2],
    pub cost: OriginalCost,
    /// Where its cost is stored; `None` within a block.
    pub arc: Option<FrontalArc>,
}

/// An arc of a frontal matrix, with at least one end in the separator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrontalArc {
    pub supernode: usize,
    /// The indices that it leads from and to.
    pub indices: [usize; 2],
}

/// Two arcs with the cost of a third, over a span that was eliminated before both of its ends.
struct LowerTriangle {
    supernode: usize,
    /// The indices of the ends.
    indices: [usize; 2],
    /// The index of the span in between.
    middle: usize,
    /// The costs to the middle, and from it on.
    costs: [ReducedCost; 2],
}

impl Shortcut {
    /// The two shortcuts that it stands for; `None` if it is one step or link, or leads through one
    /// block.
    pub(crate) fn unpack<M: CostModel + ?Sized>(
        self,
        context: &QueryContext<M>,
    ) -> Option<[Shortcut; 2]> {
        let Shortcut { ends, cost, arc } = self;
        let arc = arc?;
        let cost = context.at(arc.supernode).reduce(cost, context.spans(ends));
        let triangle = find_lower_triangle(context, arc, cost)?;
        let LowerTriangle { supernode, indices, middle, costs } = triangle;
        let rank = context.tree().supernodes[supernode].separator + middle as u32;
        let arc_costs = context.at(supernode);
        let shortcut = |ends, indices, cost| {
            let arc = Some(FrontalArc { supernode, indices });
            Shortcut { ends, cost: arc_costs.restore(cost, context.spans(ends)), arc }
        };
        let [from, to] = ends;
        Some([
            shortcut([from, rank], [indices[0], middle], costs[0]),
            shortcut([rank, to], [middle, indices[1]], costs[1]),
        ])
    }
}

/// The lower triangle with just this cost: in the arc's own supernode, or else in a descendant
/// whose boundary both of its ends belong to.
fn find_lower_triangle<M: CostModel + ?Sized>(
    context: &QueryContext<M>,
    arc: FrontalArc,
    cost: ReducedCost,
) -> Option<LowerTriangle> {
    let (tree, FrontalArc { supernode, indices }) = (context.tree(), arc);
    if tree.is_in_block(supernode) || !cost.is_countable() {
        return None;
    }
    let [from, to] = indices;
    let arcs = context.customized.upward_arcs(supernode);
    let before = tree.separator_size(supernode).min(from).min(to);
    let over = |middle: usize| {
        let row = arcs.row(middle);
        let costs = [row.down[from - middle - 1], row.up[to - middle - 1]];
        let triangle = LowerTriangle { supernode, indices, middle, costs };
        (costs[0] + costs[1] == cost).then_some(triangle)
    };
    (0..before).find_map(over).or_else(|| {
        tree.children_reversed(supernode).find_map(|child| {
            let (relative, separator) = (tree.relative_indices(child), tree.separator_size(child));
            let inner = indices.map(|index| relative.binary_search(&(index as u32)));
            let [Ok(from), Ok(to)] = inner else { return None };
            let [own, below] = [supernode, child].map(|at| context.at(at));
            let cost = if own.is_symmetric == below.is_symmetric {
                cost
            } else {
                let ends = indices.map(|index| tree.rank_at(supernode, index));
                below.convert(cost, &own, context.spans(ends))
            };
            let indices = [separator + from, separator + to];
            find_lower_triangle(context, FrontalArc { supernode: child, indices }, cost)
        })
    })
}
