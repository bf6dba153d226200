//! Provides [`UpwardSearch`]: the costs between one span and the frontal matrices of all supernodes
//! it lies in, from the smallest to the largest.
//!
//! It needs no open list: a path of a hierarchy only leads upward, so the supernodes on the way to
//! the root are relaxed in order.
//! Based on: the elimination tree query of Dibbelt, Strasser and Wagner, "Customizable contraction
//! hierarchies", 2016.

use crate::cost::CostModel;
use crate::view::Flow;

use crate::cch::block_search::QueryEnd;
use crate::cch::cost_bounds::{CostBounds, SupernodeBounds};
use crate::cch::cost_units::{OriginalCost, ReducedCost};
use crate::cch::elimination_tree::{EliminationTree, NONE};
use crate::cch::min_plus::min_plus;
use crate::cch::query_context::QueryContext;
use crate::cch::shortcut::{FrontalArc, Shortcut};

/// One end of a path, and what is known from there.
#[derive(Clone, Debug, Default)]
pub(crate) struct UpwardSearch {
    end: QueryEnd,
    levels: Vec<SearchLevel>,
    /// The costs of all frontal matrices' rows, one supernode after another, each counted as that
    /// supernode counts.
    costs: Vec<ReducedCost>,
}

/// A supernode on the way up.
#[derive(Clone, Copy, Debug)]
struct SearchLevel {
    supernode: usize,
    /// Spans of its separator; 0 for a block, whose search has found the costs of its boundary.
    separator: usize,
    /// Where its costs begin and end.
    start: usize,
    end: usize,
}

/// How an upward search relaxes arcs.
pub(crate) struct Relaxation<'a, M: ?Sized> {
    pub context: &'a QueryContext<'a, M>,
    pub bounds: CostBounds<'a, M>,
    pub selection: Selection,
}

/// From which spans of a separator arcs are relaxed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// The few with the least lower bounds: fast, but only an upper bound of the cost.
    Promising,
    /// All whose lower bounds do not exceed the upper bound.
    Unpruned,
}

/// Spans that are promising. More of them hardly find better upper bounds.
const PROMISING: usize = 2;

impl UpwardSearch {
    /// Begins as another one has.
    pub(crate) fn copy(&mut self, other: &UpwardSearch) {
        self.end = other.end;
        self.levels.clone_from(&other.levels);
        self.costs.clone_from(&other.costs);
    }

    /// Begins in a block, with the costs of its boundary.
    pub(crate) fn begin_in_block(
        &mut self,
        end: QueryEnd,
        block: usize,
        boundary: impl Iterator<Item = ReducedCost>,
    ) {
        self.end = end;
        self.levels.clear();
        self.costs.clear();
        self.costs.extend(boundary);
        let len = self.costs.len();
        self.levels.push(SearchLevel { supernode: block, separator: 0, start: 0, end: len });
    }

    /// Begins at a rank of a separator above blocks.
    pub(crate) fn begin_at(&mut self, end: QueryEnd, tree: &EliminationTree) {
        self.end = end;
        self.levels.clear();
        self.costs.clear();
        let supernode = tree.supernode_of(end.rank);
        self.push(tree, supernode);
        self.costs[(end.rank - tree.supernodes[supernode].separator) as usize] = ReducedCost::ZERO;
    }

    fn push(&mut self, tree: &EliminationTree, supernode: usize) {
        let start = self.costs.len();
        let end = start + tree.front_size(supernode);
        self.costs.resize(end, ReducedCost::INFINITE);
        let separator = tree.separator_size(supernode);
        self.levels.push(SearchLevel { supernode, separator, start, end });
    }

    fn top(&self) -> SearchLevel {
        self.levels[self.levels.len() - 1]
    }

    /// The supernode it has come to.
    pub(crate) fn supernode(&self) -> usize {
        self.top().supernode
    }

    /// The costs of that supernode's separator.
    pub(crate) fn separator_costs(&self) -> &[ReducedCost] {
        let SearchLevel { separator, start, .. } = self.top();
        &self.costs[start..start + separator]
    }

    /// The largest finite cost.
    pub(crate) fn largest(&self) -> ReducedCost {
        self.costs
            .iter()
            .map(|cost| cost.finite_or_zero())
            .fold(ReducedCost::ZERO, ReducedCost::max)
    }

    /// Goes up to the parent; false at a root.
    pub(crate) fn ascend<M: CostModel + ?Sized>(&mut self, context: &QueryContext<M>) -> bool {
        let (tree, below) = (context.tree(), self.top());
        let parent = tree.supernodes[below.supernode].parent;
        if parent == NONE {
            return false;
        }
        self.push(tree, parent as usize);
        let (known, above) = self.costs.split_at_mut(below.end);
        let boundary = &known[below.start + below.separator..];
        let indices = tree.relative_indices(below.supernode);
        let [child, parent] = [below.supernode, parent as usize].map(|at| context.at(at));
        if child.is_symmetric == parent.is_symmetric {
            for (&cost, &index) in boundary.iter().zip(indices) {
                above[index as usize] = cost;
            }
        } else {
            let ranks = tree.boundary(below.supernode);
            for ((&cost, &index), &rank) in boundary.iter().zip(indices).zip(ranks) {
                let ends = context.spans(self.end.along(rank));
                above[index as usize] = parent.convert(cost, &child, ends);
            }
        }
        true
    }

    /// Goes all the way up, and relaxes every arc.
    pub(crate) fn relax_to_root<M: CostModel + ?Sized>(&mut self, context: &QueryContext<M>) {
        loop {
            let SearchLevel { supernode, separator, start, end } = self.top();
            let arcs = context.customized.upward_arcs(supernode);
            for index in 0..separator {
                let (known, after) = self.costs[start..end].split_at_mut(index + 1);
                if known[index].is_finite() {
                    min_plus(after, known[index], arcs.row(index).along(self.end.flow));
                }
            }
            if !self.ascend(context) {
                return;
            }
        }
    }

    /// The least sum of costs over a meeting vertex of a search and one towards it, which both went
    /// up to the root.
    pub(crate) fn meeting_cost<M: CostModel + ?Sized>(
        &self,
        other: &UpwardSearch,
        context: &QueryContext<M>,
    ) -> OriginalCost {
        let ends = context.spans(self.end.along(other.end.rank));
        // From the supernode up that both lie in, they have passed the same ones.
        let pairs = self.levels.iter().rev().zip(other.levels.iter().rev());
        let same = pairs.take_while(|(one, two)| one.supernode == two.supernode);
        let sums = same.map(|(one, two)| {
            let separator = one.separator.min(two.separator);
            let theirs = &other.costs[two.start..two.start + separator];
            let ours = &self.costs[one.start..one.start + separator];
            let sums = ours.iter().zip(theirs).map(|(&a, &b)| a + b);
            let least = sums.fold(ReducedCost::INFINITE, ReducedCost::min);
            context.at(one.supernode).restore(least, ends)
        });
        sums.min().unwrap_or(OriginalCost::INFINITE)
    }

    /// Relaxes the selected arcs of the supernode it has come to.
    pub(crate) fn relax<M: CostModel + ?Sized>(&mut self, by: &Relaxation<M>) {
        let Relaxation { context, bounds, selection } = by;
        let flow = self.end.flow;
        let SearchLevel { supernode, separator, start, end } = self.top();
        let first = context.tree().supernodes[supernode].separator;
        let arcs = context.customized.upward_arcs(supernode);
        let bounds: SupernodeBounds<M> = bounds.at(supernode);
        let costs = &mut self.costs[start..end];
        let lower_bound = |costs: &[ReducedCost], index: usize| match costs[index] {
            ReducedCost::INFINITE => i64::MAX,
            cost => bounds.lower(cost, first + index as u32, flow),
        };
        let relax = |costs: &mut [ReducedCost], index: usize| {
            let (known, after) = costs.split_at_mut(index + 1);
            min_plus(after, known[index], arcs.row(index).along(flow));
        };
        if *selection == Selection::Promising && separator > PROMISING {
            let promising = least(separator, |index| lower_bound(costs, index));
            promising.into_iter().flatten().for_each(|index| relax(costs, index));
            return;
        }
        for index in 0..separator {
            if costs[index].is_finite() && !bounds.excludes(lower_bound(costs, index)) {
                relax(costs, index);
            }
        }
    }

    /// Adds the shortcuts from a meeting vertex back down to where the search left its block, or to
    /// where it began.
    pub(crate) fn trace_back<M: CostModel + ?Sized>(
        &self,
        context: &QueryContext<M>,
        meeting: u32,
        shortcuts: &mut Vec<Shortcut>,
    ) -> TracedEnd {
        let tree = context.tree();
        let owner = tree.supernode_of(meeting);
        let Some(level) = self.levels.iter().position(|level| level.supernode == owner) else {
            return TracedEnd { rank: meeting, cost: OriginalCost::INFINITE };
        };
        let index = meeting - tree.supernodes[owner].separator;
        let cost = self.costs[self.levels[level].start + index as usize];
        let cost = context.at(owner).restore(cost, context.spans(self.end.along(meeting)));
        let mut vertex = PathVertex { rank: meeting, level, cost };
        while let Some((parent, arc)) = self.parent(context, vertex) {
            let ends = self.along([parent.rank, vertex.rank]);
            // If another model than the query's customized the routes, it may be less.
            let cost = OriginalCost(vertex.cost.0.saturating_sub(parent.cost.0));
            shortcuts.push(Shortcut { ends, cost, arc: Some(arc) });
            vertex = parent;
        }
        TracedEnd { rank: vertex.rank, cost: vertex.cost }
    }

    /// The vertex that another was relaxed from, and the arc between the two. Parents are not
    /// stored: the sum of the costs tells.
    fn parent<M: CostModel + ?Sized>(
        &self,
        context: &QueryContext<M>,
        vertex: PathVertex,
    ) -> Option<(PathVertex, FrontalArc)> {
        let tree = context.tree();
        let levels = self.levels[..=vertex.level].iter().enumerate();
        let mut levels = levels.filter(|(_, level)| level.separator > 0);
        levels.find_map(|(level, &SearchLevel { supernode, separator, start, end })| {
            let index = tree.front_index(supernode, vertex.rank)?;
            let front = &self.costs[start..end];
            let (arcs, arc_costs) =
                (context.customized.upward_arcs(supernode), context.at(supernode));
            let spans = |rank| context.spans(self.end.along(rank));
            let cost = arc_costs.reduce(vertex.cost, spans(vertex.rank));
            let leads_here = |&before: &usize| {
                let arc = arcs.row(before).along(self.end.flow)[index - before - 1];
                front[before].is_finite() && front[before] + arc == cost
            };
            let candidates = if cost.is_countable() { separator.min(index) } else { 0 };
            let before = (0..candidates).find(leads_here)?;
            let rank = tree.rank_at(supernode, before);
            let indices = self.along([before, index]);
            let cost = arc_costs.restore(front[before], spans(rank));
            let parent = PathVertex { rank, level, cost };
            Some((parent, FrontalArc { supernode, indices }))
        })
    }

    /// The near and the far end of an arc, in the direction of the path.
    fn along<T>(&self, mut ends: [T; 2]) -> [T; 2] {
        if self.end.flow == Flow::ToSources {
            ends.reverse();
        }
        ends
    }
}

/// Where shortcuts that were traced back end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TracedEnd {
    pub rank: u32,
    /// The cost between it and the span that the search began at.
    pub cost: OriginalCost,
}

/// A rank that arcs were relaxed from.
#[derive(Clone, Copy)]
struct PathVertex {
    rank: u32,
    /// The level whose separator it belongs to.
    level: usize,
    /// The cost between it and the span that the search began at.
    cost: OriginalCost,
}

/// The indices with the least totals, ascending.
fn least(indices: usize, total: impl Fn(usize) -> i64) -> [Option<usize>; PROMISING] {
    let mut least = [(i64::MAX, None); PROMISING];
    for index in 0..indices {
        let mut next = (total(index), Some(index));
        for kept in &mut least {
            if next.0 < kept.0 {
                std::mem::swap(kept, &mut next);
            }
        }
    }
    let mut found = least.map(|(_, index)| index);
    found.sort_unstable();
    found
}
