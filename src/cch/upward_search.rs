//! Provides [`UpwardSearch`]: the costs between one span and the frontal matrices of all supernodes
//! it lies in, from the smallest to the largest.
//!
//! It needs no open list: a path of a hierarchy only leads upward, so the supernodes on the way to
//! the root are relaxed in order.
//! Based on: the elimination tree query of Dibbelt, Strasser and Wagner, "Customizable contraction
//! hierarchies", 2016.

use crate::cost::CostModel;
use crate::view::Flow;

use crate::cch::cost_bounds::CostBounds;
use crate::cch::cost_units::ReducedCost;
use crate::cch::elimination_tree::{EliminationTree, NONE};
use crate::cch::hierarchy::CustomizedHierarchy;
use crate::cch::min_plus::min_plus;
use crate::cch::shortcut::{FrontalArc, Shortcut};

/// One end of a path, and what is known from there.
#[derive(Clone, Debug, Default)]
pub(crate) struct UpwardSearch {
    flow: Flow,
    levels: Vec<SearchLevel>,
    /// The costs of all frontal matrices' rows, one supernode after another.
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
    pub customized: CustomizedHierarchy<'a>,
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
        self.flow = other.flow;
        self.levels.clone_from(&other.levels);
        self.costs.clone_from(&other.costs);
    }

    /// Begins in a block, with the costs of its boundary.
    pub(crate) fn begin_in_block(
        &mut self,
        flow: Flow,
        block: usize,
        boundary: impl Iterator<Item = ReducedCost>,
    ) {
        self.flow = flow;
        self.levels.clear();
        self.costs.clear();
        self.costs.extend(boundary);
        let end = self.costs.len();
        self.levels.push(SearchLevel { supernode: block, separator: 0, start: 0, end });
    }

    /// Begins at a rank of a separator above blocks.
    pub(crate) fn begin_at(&mut self, flow: Flow, tree: &EliminationTree, rank: u32) {
        self.flow = flow;
        self.levels.clear();
        self.costs.clear();
        let supernode = tree.supernode_of(rank);
        self.push(tree, supernode);
        self.costs[(rank - tree.supernodes[supernode].separator) as usize] = ReducedCost::ZERO;
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
    pub(crate) fn ascend(&mut self, tree: &EliminationTree) -> bool {
        let below = self.top();
        let parent = tree.supernodes[below.supernode].parent;
        if parent == NONE {
            return false;
        }
        self.push(tree, parent as usize);
        let (known, above) = self.costs.split_at_mut(below.end);
        let boundary = &known[below.start + below.separator..];
        for (&cost, &index) in boundary.iter().zip(tree.relative_indices(below.supernode)) {
            above[index as usize] = cost;
        }
        true
    }

    /// Goes all the way up, and relaxes every arc.
    pub(crate) fn relax_to_root(&mut self, customized: CustomizedHierarchy) {
        loop {
            let SearchLevel { supernode, separator, start, end } = self.top();
            let arcs = customized.upward_arcs(supernode);
            for index in 0..separator {
                let (known, after) = self.costs[start..end].split_at_mut(index + 1);
                if known[index].is_finite() {
                    min_plus(after, known[index], arcs.row(index).along(self.flow));
                }
            }
            if !self.ascend(customized.tree()) {
                return;
            }
        }
    }

    /// The least sum of costs over a meeting vertex of two searches that went up to the root.
    pub(crate) fn meeting_cost(&self, other: &UpwardSearch) -> ReducedCost {
        // From the supernode up that both lie in, they have passed the same ones.
        let pairs = self.levels.iter().rev().zip(other.levels.iter().rev());
        let same = pairs.take_while(|(one, two)| one.supernode == two.supernode);
        let sums = same.flat_map(|(one, two)| {
            let separator = one.separator.min(two.separator);
            let theirs = &other.costs[two.start..two.start + separator];
            let ours = &self.costs[one.start..one.start + separator];
            ours.iter().zip(theirs).map(|(&a, &b)| a + b)
        });
        sums.fold(ReducedCost::INFINITE, ReducedCost::min)
    }

    /// Relaxes the selected arcs of the supernode it has come to.
    pub(crate) fn relax<M: CostModel + ?Sized>(&mut self, by: &Relaxation<M>) {
        let Relaxation { customized, bounds, selection } = by;
        let flow = self.flow;
        let SearchLevel { supernode, separator, start, end } = self.top();
        let first = customized.tree().supernodes[supernode].separator;
        let arcs = customized.upward_arcs(supernode);
        let costs = &mut self.costs[start..end];
        let lower_bound = |costs: &[ReducedCost], index: usize| match costs[index] {
            ReducedCost::INFINITE => ReducedCost::INFINITE,
            cost => cost.saturating_add(bounds.rest(first + index as u32, flow)),
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
            // Ties with the upper bound are not pruned: the path that it is the cost of may be the
            // only cheapest one.
            let is_pruned = |costs: &[ReducedCost]| {
                bounds.upper != ReducedCost::UNBOUNDED && lower_bound(costs, index) > bounds.upper
            };
            if costs[index].is_finite() && !is_pruned(costs) {
                relax(costs, index);
            }
        }
    }

    /// Adds the shortcuts from a meeting vertex back down to where the search left its block, or to
    /// where it began.
    pub(crate) fn trace_back(
        &self,
        customized: CustomizedHierarchy,
        meeting: u32,
        shortcuts: &mut Vec<Shortcut>,
    ) -> TracedEnd {
        let tree = customized.tree();
        let owner = tree.supernode_of(meeting);
        let Some(level) = self.levels.iter().position(|level| level.supernode == owner) else {
            return TracedEnd { rank: meeting, cost: ReducedCost::INFINITE };
        };
        let index = meeting - tree.supernodes[owner].separator;
        let cost = self.costs[self.levels[level].start + index as usize];
        let mut vertex = PathVertex { rank: meeting, level, cost };
        while let Some((parent, arc)) = self.parent(customized, vertex) {
            let ends = self.along([parent.rank, vertex.rank]);
            let cost = ReducedCost(vertex.cost.0 - parent.cost.0);
            shortcuts.push(Shortcut { ends, cost, arc: Some(arc) });
            vertex = parent;
        }
        TracedEnd { rank: vertex.rank, cost: vertex.cost }
    }

    /// The vertex that another was relaxed from, and the arc between the two. Parents are not
    /// stored: the sum of the costs tells.
    fn parent(
        &self,
        customized: CustomizedHierarchy,
        vertex: PathVertex,
    ) -> Option<(PathVertex, FrontalArc)> {
        let tree = customized.tree();
        let levels = self.levels[..=vertex.level].iter().enumerate();
        let mut levels = levels.filter(|(_, level)| level.separator > 0);
        levels.find_map(|(level, &SearchLevel { supernode, separator, start, end })| {
            let index = tree.front_index(supernode, vertex.rank)?;
            let front = &self.costs[start..end];
            let arcs = customized.upward_arcs(supernode);
            let leads_here = |&before: &usize| {
                let arc = arcs.row(before).along(self.flow)[index - before - 1];
                front[before].is_finite() && front[before] + arc == vertex.cost
            };
            let before = (0..separator.min(index)).find(leads_here)?;
            let rank = tree.rank_at(supernode, before);
            let indices = self.along([before, index]);
            let parent = PathVertex { rank, level, cost: front[before] };
            Some((parent, FrontalArc { supernode, indices }))
        })
    }

    /// The near and the far end of an arc, in the direction of the path.
    fn along<T>(&self, mut ends: [T; 2]) -> [T; 2] {
        if self.flow == Flow::ToSources {
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
    pub cost: ReducedCost,
}

/// A rank that arcs were relaxed from.
#[derive(Clone, Copy)]
struct PathVertex {
    rank: u32,
    /// The level whose separator it belongs to.
    level: usize,
    /// The cost between it and the span that the search began at.
    cost: ReducedCost,
}

/// The indices with the least totals, ascending.
fn least(indices: usize, total: impl Fn(usize) -> ReducedCost) -> [Option<usize>; PROMISING] {
    let mut least = [(ReducedCost::INFINITE, None); PROMISING];
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
