//! Provides [`GridStep`]: prepared routes on their way from one grid of a level to the next.
//!
//! In: a hierarchy of the old grid with its costs, and views of both grids. Out: a hierarchy of the new
//! grid by an order that was carried over, and costs that are computed again only where something
//! changed: for supernodes whose spans, boundary, steps or links are not those that they were, and for
//! the ancestors that this makes a difference to. Costs are stored by index, not by span, so those of
//! all other supernodes stay as they are.

use std::collections::BTreeSet;

use crate::cost::{CostModel, Metric};
use crate::grid::AreaId;
use crate::view::{View, ViewRef};

use crate::cch::carried_order::CarriedOrder;
use crate::cch::elimination_tree::{EliminationTree, NONE};
use crate::cch::hierarchy::{Hierarchy, WIDEST_FRONT, basis, bind};
use crate::cch::known_supernodes::{ChangedGround, KnownSupernodes};
use crate::cch::metric::{HierarchyMetric, MetricBasis, SupernodeCosts};
use crate::cch::span_match::{NO_SPAN, SpanMatch};
use crate::cch::subgraph::neighbors;

/// A hierarchy of a new grid, and what it has to do with that of the old one.
pub(crate) struct GridStep<'a> {
    old: &'a Hierarchy,
    /// The old grid, and the new one.
    views: [&'a View; 2],
    /// The hierarchy of the new grid.
    pub hierarchy: Hierarchy,
    spans: SpanMatch,
    carried: CarriedOrder,
    /// For each supernode of the new hierarchy, whether its separator or boundary may have changed.
    is_changed: Vec<bool>,
}

/// A carried order is used until customization would take this many times the work that it took by the
/// last order found anew. Work grows with the cube of a separator, so separators may be wider by a
/// quarter.
const MOST_WORK: u64 = 2;

/// A link in one direction: its ends in the new grid, and what it costs.
type LinkArc = (u32, u32, Option<u32>);

impl<'a> GridStep<'a> {
    /// Makes the hierarchy of a new grid from that of an old one; `None` where a new order is better, or
    /// comes with the grid, and where the grids have not the same frame and agent. O(spans).
    pub(crate) fn new(old: &'a Hierarchy, views: [&'a View; 2]) -> Option<Self> {
        let [_, new] = views;
        if !old.fits(views[0]) || new.grid().order(new.agent_id()).is_some() {
            return None;
        }
        let parts = views.map(View::parts);
        let spans = SpanMatch::new([&parts[0], &parts[1]])?;
        let baked = new.without_overlay();
        let baked = &baked.parts();
        let carried = CarriedOrder::new(&old.tree, &spans, baked)?;
        let tree = EliminationTree::without_boundaries(baked, &carried.order, old.tree.parameters);
        let mut changed = spans.changed.clone();
        let before = views[0].without_overlay();
        changed.extend(changed_ends([&before.parts(), baked], &spans));
        let known =
            KnownSupernodes::new(&old.tree, &tree, &carried, &ChangedGround { baked, changed });
        let is_changed = known.is_changed.clone();
        let tree = tree.carried_over(baked, &known);
        let hierarchy = old.of_next_grid(tree, new);
        let is_good = hierarchy.tree.widest_front() <= WIDEST_FRONT
            && hierarchy.customization_work() <= MOST_WORK * hierarchy.fresh_work;
        is_good.then_some(GridStep { old, views, hierarchy, spans, carried, is_changed })
    }

    /// The costs on the new view, from those that were computed on the old one by the same model, as it
    /// was then or at an earlier state.
    pub(crate) fn customize<M: CostModel + Sync + ?Sized>(
        &self,
        metric: HierarchyMetric,
        model: &M,
    ) -> HierarchyMetric {
        let parts = self.views.map(View::parts);
        let rules = metric.rules;
        let [old, new] = parts.each_ref().map(|view| bind(view, model, rules));
        let affected = self.affected(&metric, [&old, &new]);
        let tree = &self.hierarchy.tree;
        let Some((mut supernodes, affected)) =
            affected.map(|affected| self.carry_costs(metric, affected))
        else {
            return self.hierarchy.customize(self.views[1], model, rules);
        };
        let work = |supernodes: &mut dyn Iterator<Item = usize>| -> u64 {
            supernodes.map(|at| self.hierarchy.elimination_work(at)).sum()
        };
        // Only a whole customization uses two threads.
        if 2 * work(&mut affected.iter().copied()) > work(&mut (0..tree.supernodes.len())) {
            return self.hierarchy.customize(self.views[1], model, rules);
        }
        self.hierarchy.customizer(&new, rules).update(&mut supernodes, affected);
        let (basis, largest) = (basis(&new), Default::default());
        let mut metric = HierarchyMetric { supernodes, rules, basis, largest };
        metric.find_largest();
        metric
    }

    /// The supernodes that stay, and whose steps or links may cost something else than by a metric on the
    /// old view; `None` if that may be all.
    fn affected<M: CostModel + ?Sized>(
        &self,
        metric: &HierarchyMetric,
        bound: [&Metric<M>; 2],
    ) -> Option<BTreeSet<usize>> {
        let [old, new] = bound.map(|bound| bound.view);
        let basis = basis(bound[1]);
        let known = MetricBasis { grid: basis.grid, state: basis.state, ..metric.basis };
        let has_costs = metric.supernodes.len() == self.old.tree.supernodes.len();
        let mut areas = (0..=u8::MAX).map(AreaId);
        let same_factors = areas.all(|area| old.factor(area) == new.factor(area));
        if !has_costs || known != basis || !same_factors {
            return None;
        }
        let changes = old.changes_since(metric.basis.state)?;
        let earlier = self.old.affected(old, changes);
        let is_earlier = |at: &usize| {
            let old = self.carried.old_of[*at];
            old != NONE && earlier.contains(&(old as usize))
        };
        let mut affected: BTreeSet<usize> =
            (0..self.carried.old_of.len()).filter(is_earlier).collect();
        for &span in &self.spans.changed {
            self.hierarchy.add_span(span, &mut affected);
            neighbors(new, span, |other| self.hierarchy.add_span(other, &mut affected));
        }
        self.add_changed_links(bound, &mut affected);
        Some(affected)
    }

    /// Adds the supernodes of the ends of links that were not there before, are gone, or cost something
    /// else.
    fn add_changed_links<M: CostModel + ?Sized>(
        &self,
        [old, new]: [&Metric<M>; 2],
        affected: &mut BTreeSet<usize>,
    ) {
        let before = link_arcs(old, |span| self.spans.new_of[span as usize]);
        for (at, other, _) in differences(before, link_arcs(new, |span| span)) {
            let ends = [at, other].into_iter().filter(|&span| span != NO_SPAN);
            ends.for_each(|span| self.hierarchy.add_span(span, affected));
        }
    }

    /// The costs of all supernodes that are what they were, and which others have to be eliminated.
    fn carry_costs(
        &self,
        mut metric: HierarchyMetric,
        mut affected: BTreeSet<usize>,
    ) -> (Vec<SupernodeCosts>, BTreeSet<usize>) {
        let [before, after] = [&self.old.tree, &self.hierarchy.tree];
        let new_of = self.carried.new_of(before);
        let mut supernodes = vec![SupernodeCosts::default(); after.supernodes.len()];
        for (at, &old) in self.carried.old_of.iter().enumerate() {
            if self.is_as_before(at) {
                supernodes[at] = std::mem::take(&mut metric.supernodes[old as usize]);
            } else {
                // Its contribution may be the same numbers for other spans.
                let parent = after.supernodes[at].parent;
                affected
                    .extend([at, parent as usize].into_iter().filter(|&at| at != NONE as usize));
            }
        }
        for old in (0..new_of.len()).filter(|&old| new_of[old] == NONE) {
            let mut above = before.path_to_root(old).map(|at| new_of[at]);
            let above = above.find(|&above| above != NONE);
            affected.extend(above.map(|above| above as usize));
        }
        (supernodes, affected)
    }

    /// Whether a supernode has the spans, the boundary and the kind of costs that it had.
    fn is_as_before(&self, at: usize) -> bool {
        let [before, after] = [&self.old.tree, &self.hierarchy.tree];
        let kind = |tree: &EliminationTree, at: usize| {
            let is_block = tree.block(at) == Some(at);
            (tree.is_directed(at), tree.stores_contribution(at), tree.is_in_block(at), is_block)
        };
        !self.is_changed[at] && kind(before, self.carried.old_of[at] as usize) == kind(after, at)
    }
}

/// The ends of links that come or go between two views as baked, in the new grid.
fn changed_ends(views: [&ViewRef; 2], spans: &SpanMatch) -> Vec<u32> {
    let [before, after] = views.map(|view| {
        let links = view.open_links().map(|link_edge| [link_edge.at.0, link_edge.other.0]);
        links.collect::<Vec<_>>()
    });
    let before = before.into_iter().map(|ends| ends.map(|span| spans.new_of[span as usize]));
    let mut before: Vec<[u32; 2]> = before.collect();
    before.sort_unstable();
    differences(before, after).into_iter().flatten().filter(|&span| span != NO_SPAN).collect()
}

/// What one of two sorted lists has and the other has not.
fn differences<T: Copy + Ord>(before: Vec<T>, after: Vec<T>) -> Vec<T> {
    let mut after = after.into_iter().peekable();
    let mut differences = Vec::new();
    for one in before {
        while let Some(new) = after.next_if(|new| *new < one) {
            differences.push(new);
        }
        if after.next_if_eq(&one).is_none() {
            differences.push(one);
        }
    }
    differences.extend(after);
    differences
}

/// The open links of a view, sorted.
fn link_arcs<M: CostModel + ?Sized>(
    metric: &Metric<M>,
    new_of: impl Fn(u32) -> u32,
) -> Vec<LinkArc> {
    let view: &ViewRef = metric.view;
    let arcs = view.open_links().map(|link_edge| {
        (new_of(link_edge.at.0), new_of(link_edge.other.0), metric.link(link_edge))
    });
    let mut arcs: Vec<LinkArc> = arcs.collect();
    arcs.sort_unstable();
    arcs
}
