//! Provides [`HierarchyQuery`]: the cost of the cheapest path between two spans, and the shortcuts
//! that it is made of.
//!
//! From each end an upward search climbs the elimination tree, until both lie in the same cells.
//! The cheapest path leads over the meeting vertex where the costs from both sides add up to the
//! least. Before that, searches that relax a few promising arcs only find an upper bound: what
//! exceeds it is pruned.
//! Based on: the elimination tree query of Dibbelt, Strasser and Wagner, "Customizable contraction
//! hierarchies", 2016.

use crate::cost::CostModel;
use crate::view::Flow;

use crate::cch::block_search::{BlockMemory, BlockSearch, QueryEnd};
use crate::cch::cost_bounds::{CostBounds, EndEstimates};
use crate::cch::cost_units::{OriginalCost, ReducedCost};
use crate::cch::elimination_tree::EliminationTree;
use crate::cch::metric::HierarchyMetric;
use crate::cch::query_context::QueryContext;
use crate::cch::shortcut::Shortcut;
use crate::cch::upward_search::{Relaxation, Selection, UpwardSearch};

/// Answers queries one after another, without allocating.
#[derive(Clone, Debug, Default)]
pub(crate) struct HierarchyQuery {
    block: BlockMemory,
    searches: BidirectionalSearch,
    /// Those that look for an upper bound first.
    upper_bound: BidirectionalSearch,
    estimates: EndEstimates,
}

/// The upward searches from both ends of a path.
#[derive(Clone, Debug, Default)]
struct BidirectionalSearch {
    forward: UpwardSearch,
    backward: UpwardSearch,
}

/// What a query found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryResult {
    Path(HierarchyPath),
    NoPath,
    /// Costs were too large to be counted, so there may be a path.
    Overflow,
}

/// The cheapest path between two ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HierarchyPath {
    pub ends: [u32; 2],
    pub cost: OriginalCost,
    /// The highest rank that it leads over; `None` if it stays in one block.
    meeting: Option<u32>,
}

/// Ranks that a table holds the costs between.
pub(crate) struct TableRanks {
    pub from: Vec<u32>,
    pub to: Vec<u32>,
}

/// With fewer arcs than this ahead, an upper bound costs more than it prunes. Open ground has more.
const WORTH_UPPER_BOUND: usize = 100_000;

impl HierarchyQuery {
    /// Finds the cheapest path between two ranks.
    pub(crate) fn run<M: CostModel + ?Sized>(
        &mut self,
        context: &QueryContext<M>,
        ends: [u32; 2],
    ) -> QueryResult {
        let QueryContext { customized, arc_costs } = *context;
        let HierarchyQuery { block, searches, upper_bound, estimates } = self;
        let BidirectionalSearch { forward, backward } = searches;
        let [from, to] = ends;
        let start = QueryEnd { rank: from, flow: Flow::FromSources };
        begin(context, start, block, forward);
        let goal = QueryEnd { rank: to, flow: Flow::ToSources };
        let within = begin(context, goal, block, backward);
        // Within one block a path need not go up at all.
        let within = within.map_or(OriginalCost::INFINITE, |search| search.inside(block, from));
        let mut path = HierarchyPath { ends, cost: within, meeting: None };
        let bounds = CostBounds::new(customized.tree(), arc_costs, ends, estimates);
        let mut relaxation = Relaxation { context, bounds, selection: Selection::Promising };
        if searches.arcs_ahead(customized.tree()) > WORTH_UPPER_BOUND {
            upper_bound.forward.copy(&searches.forward);
            upper_bound.backward.copy(&searches.backward);
            let mut promising = path;
            upper_bound.run(&mut relaxation, &mut promising);
        }
        relaxation.selection = Selection::Unpruned;
        searches.run(&mut relaxation, &mut path);
        if !is_certain(context, path.cost, [&searches.forward, &searches.backward]) {
            QueryResult::Overflow
        } else if path.cost.is_countable() {
            QueryResult::Path(path)
        } else {
            QueryResult::NoPath
        }
    }

    /// The costs of the cheapest paths between many ranks: a row for each start, infinite where
    /// there is no path. `None` if one is too large to be counted.
    pub(crate) fn table<M: CostModel + ?Sized>(
        &mut self,
        context: &QueryContext<M>,
        ranks: &TableRanks,
    ) -> Option<Vec<OriginalCost>> {
        let mut backward = Vec::with_capacity(ranks.to.len());
        for &rank in &ranks.to {
            let mut search = UpwardSearch::default();
            let goal = QueryEnd { rank, flow: Flow::ToSources };
            begin(context, goal, &mut self.block, &mut search);
            search.relax_to_root(context);
            backward.push(search);
        }
        let mut table = Vec::with_capacity(ranks.from.len() * ranks.to.len());
        for &rank in &ranks.from {
            let forward = &mut self.searches.forward;
            let start = QueryEnd { rank, flow: Flow::FromSources };
            let within = begin(context, start, &mut self.block, forward);
            forward.relax_to_root(context);
            for (&goal, backward) in ranks.to.iter().zip(&backward) {
                let within = within.as_ref();
                let within = within.map(|search| search.inside(&self.block, goal));
                let within = within.unwrap_or(OriginalCost::INFINITE);
                let cost = forward.meeting_cost(backward, context).min(within);
                if !is_certain(context, cost, [&*forward, backward]) {
                    return None;
                }
                table.push(cost);
            }
        }
        Some(table)
    }

    /// Fills in the shortcuts of the path that was found last, the last one first.
    pub(crate) fn shortcuts<M: CostModel + ?Sized>(
        &self,
        context: &QueryContext<M>,
        path: &HierarchyPath,
        shortcuts: &mut Vec<Shortcut>,
    ) {
        shortcuts.clear();
        let [from, to] = path.ends;
        let within_block = |ends: [u32; 2], cost| {
            (ends[0] != ends[1]).then_some(Shortcut { ends, cost, arc: None })
        };
        let Some(meeting) = path.meeting else {
            shortcuts.extend(within_block([from, to], path.cost));
            return;
        };
        let last = self.searches.backward.trace_back(context, meeting, shortcuts);
        shortcuts.extend(within_block([last.rank, to], last.cost));
        // Traced from the meeting vertex to the goal; the last one has to come first.
        shortcuts.reverse();
        let first = self.searches.forward.trace_back(context, meeting, shortcuts);
        shortcuts.extend(within_block([from, first.rank], first.cost));
    }
}

impl BidirectionalSearch {
    /// Searches upward on both sides, and lowers the path's cost to that over the best meeting
    /// vertex.
    fn run<M: CostModel + ?Sized>(
        &mut self,
        relaxation: &mut Relaxation<M>,
        path: &mut HierarchyPath,
    ) {
        let context = relaxation.context;
        let ends = context.spans(path.ends);
        if !self.ascend_to_common(relaxation) {
            return;
        }
        loop {
            self.forward.relax(relaxation);
            self.backward.relax(relaxation);
            let supernode = self.forward.supernode();
            let (forward, backward) =
                (self.forward.separator_costs(), self.backward.separator_costs());
            let (mut least, mut meeting) = (ReducedCost::INFINITE, None);
            for (index, (&there, &back)) in forward.iter().zip(backward).enumerate() {
                if there + back < least {
                    (least, meeting) = (there + back, Some(index));
                }
            }
            let cost = context.at(supernode).restore(least, ends);
            if cost < path.cost {
                path.cost = cost;
                path.meeting = meeting.map(|index| context.tree().rank_at(supernode, index));
            }
            if path.cost.is_countable() {
                relaxation.bounds.upper = relaxation.bounds.upper.min(path.cost);
            }
            if !self.forward.ascend(context) || !self.backward.ascend(context) {
                return;
            }
        }
    }

    /// Searches on both sides up to the first supernode that both lie in; false if there is none.
    fn ascend_to_common<M: CostModel + ?Sized>(&mut self, relaxation: &Relaxation<M>) -> bool {
        loop {
            let [forward, backward] = [self.forward.supernode(), self.backward.supernode()];
            if forward == backward {
                return true;
            }
            // Children come before their parents: the lower one cannot be an ancestor of the other.
            let lower = if forward < backward { &mut self.forward } else { &mut self.backward };
            lower.relax(relaxation);
            if !lower.ascend(relaxation.context) {
                return false;
            }
        }
    }

    /// The arcs of all supernodes on the way to the root.
    fn arcs_ahead(&self, tree: &EliminationTree) -> usize {
        let ahead = |search: &UpwardSearch| {
            let above = tree.path_to_root(search.supernode()).filter(|&at| !tree.is_in_block(at));
            above.map(|at| tree.separator_size(at) * tree.front_size(at)).sum::<usize>()
        };
        ahead(&self.forward) + ahead(&self.backward)
    }
}

/// Whether a cost that was found is that of the cheapest path, or there is none: no sum overflowed, or at
/// least none that belongs to a path as cheap.
fn is_certain<M: CostModel + ?Sized>(
    context: &QueryContext<M>,
    cost: OriginalCost,
    searches: [&UpwardSearch; 2],
) -> bool {
    let excess = context.arc_costs.most_excess(context.tree());
    if cost.is_countable() && i64::from(cost.0) + excess < ReducedCost::OVERFLOW.0.into() {
        return true;
    }
    let is_overflow = !cost.is_countable() && cost != OriginalCost::INFINITE;
    !is_overflow && is_countable(searches, context.customized.metric)
}

/// Whether no sum overflowed: in the metric, on the way up and where the searches meet.
fn is_countable(searches: [&UpwardSearch; 2], metric: &HierarchyMetric) -> bool {
    if !metric.is_countable() {
        return false;
    }
    let [there, back] = searches.map(UpwardSearch::largest);
    (there.max(back) + metric.largest).is_finite() && (there + back).is_finite()
}

/// Begins an upward search at one end. If that lies in a block, the block is searched first.
fn begin<'a, M: CostModel + ?Sized>(
    context: &QueryContext<'a, M>,
    end: QueryEnd,
    memory: &mut BlockMemory,
    search: &mut UpwardSearch,
) -> Option<BlockSearch<'a, M>> {
    let tree = context.tree();
    let Some(block) = tree.block(tree.supernode_of(end.rank)) else {
        search.begin_at(end, tree);
        return None;
    };
    let block_search = BlockSearch { tree, arc_costs: context.at(block), block, end };
    block_search.run(memory);
    search.begin_in_block(end, block, block_search.boundary(memory));
    Some(block_search)
}
