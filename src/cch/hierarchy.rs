//! Provides [`Hierarchy`]: the ground of one agent, prepared for any cost model, and
//! [`CustomizedHierarchy`]: with a metric.

use std::collections::BTreeSet;

use crate::cost::{CostModel, Metric, SlopeLimit};
use crate::grid::{AgentId, AreaId, NavGrid, RouteOrder, SpanId};
use crate::search::Query;
use crate::view::{Change, View, ViewRef};

use crate::cch::arc_costs::ArcCosts;
use crate::cch::customize::Customizer;
use crate::cch::dissect::dissect;
use crate::cch::elimination_tree::{EliminationTree, NONE};
use crate::cch::frontal_matrix::FrontalMatrix;
use crate::cch::metric::{HierarchyMetric, MetricBasis, RouteRules, SupernodeCosts, UpwardArcs};
use crate::cch::parameters::OrderParameters;
use crate::cch::subgraph::{Subgraph, neighbors};

/// What prepared routes of one agent have in common, whatever they cost: the elimination tree of
/// the ground as it was baked.
#[derive(Clone, Debug)]
pub(crate) struct Hierarchy {
    pub tree: EliminationTree,
    agent: AgentId,
    /// Fingerprint of the grid.
    grid: u64,
    /// The work of customization by the last order that was found anew [sums of two costs].
    pub(crate) fresh_work: u64,
}

/// A hierarchy and its costs by one model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CustomizedHierarchy<'a> {
    pub hierarchy: &'a Hierarchy,
    pub metric: &'a HierarchyMetric,
}

impl Hierarchy {
    /// Prepares a grid for one of its agents, by the order that the grid has for it if there is
    /// one. O(spans · log spans) without an order.
    ///
    /// `None` for an agent that the grid does not have, and for ground that does not come apart,
    /// which takes thousands of links from everywhere to everywhere.
    pub(crate) fn new(grid: &NavGrid, agent: AgentId) -> Option<Self> {
        let view = View::new(grid, agent).ok()?.without_overlay();
        let view = &view.parts();
        // A file's order was validated, but that makes it true, not good.
        let known = grid.order(agent);
        let known = known.map(|order| Self::with_order(view, order, OrderParameters::DEFAULT));
        let good = known
            .filter(|known| known.tree.widest_front() <= widest_good_front(known.tree.order.len()));
        let hierarchy =
            good.unwrap_or_else(|| Self::with_parameters(view, OrderParameters::DEFAULT));
        (hierarchy.tree.widest_front() <= WIDEST_FRONT).then_some(hierarchy)
    }

    /// Prepares the ground of a view as it was baked.
    pub(crate) fn with_parameters(baked: &ViewRef, parameters: OrderParameters) -> Self {
        let ground = Subgraph::of(baked, &());
        let order = ground.and_then(|ground| dissect(&ground, parameters, &()));
        // Nobody cancels it.
        Self::with_order(baked, &order.unwrap_or_default(), parameters)
    }

    fn with_order(baked: &ViewRef, order: &RouteOrder, parameters: OrderParameters) -> Self {
        let tree = EliminationTree::new(baked, order, parameters);
        let (agent, grid) = (baked.agent_id(), baked.grid().fingerprint());
        let hierarchy = Hierarchy { tree, agent, grid, fresh_work: 0 };
        Hierarchy { fresh_work: hierarchy.customization_work(), ..hierarchy }
    }

    /// The hierarchy of the next grid of a level, by a tree whose order was carried over.
    pub(super) fn of_next_grid(&self, tree: EliminationTree, view: &View) -> Self {
        let (agent, grid) = (view.agent_id(), view.grid().fingerprint());
        Hierarchy { tree, agent, grid, fresh_work: self.fresh_work }
    }

    /// Bytes of memory, without any metric.
    pub(crate) fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// Bytes of memory of a metric by a model, with the agent's own slope limit: about half as many
    /// by models that implement [`CostModel::level_cost`], but for cells with links.
    pub(crate) fn metric_bytes<M: CostModel + ?Sized>(&self, view: &View, model: &M) -> usize {
        let parts = view.parts();
        let has_symmetric = bind(&parts, model, RouteRules::default()).is_symmetric();
        let tree = &self.tree;
        let costs = |at: usize| {
            let is_symmetric = has_symmetric && !tree.is_directed(at);
            let boundary = tree.boundary(at).len();
            let contribution = FrontalMatrix::contribution_len(boundary, is_symmetric);
            let (separator, front_size) = (tree.separator_size(at), tree.front_size(at));
            let arcs = UpwardArcs::count(separator, front_size, is_symmetric);
            let is_within_block = tree.block(at).is_some_and(|block| block != at);
            let is_stored = tree.stores_contribution(at) && !is_within_block;
            (if tree.is_in_block(at) { 0 } else { arcs }) + if is_stored { contribution } else { 0 }
        };
        let supernodes = tree.supernodes.len();
        SupernodeCosts::bytes(supernodes, (0..supernodes).map(costs).sum())
    }

    /// Whether the hierarchy is for a view's grid, or one just like it, and its agent.
    pub(crate) fn fits(&self, view: &View) -> bool {
        self.agent == view.agent_id() && self.grid == view.grid().fingerprint()
    }

    /// Rows of the frontal matrices of all supernodes that a span lies in; 0 if the agent cannot stand
    /// on it.
    pub(crate) fn rows_to_root(&self, span: SpanId) -> u32 {
        let Some(rank) = self.rank(span) else { return 0 };
        let supernodes = self.tree.path_to_root(self.tree.supernode_of(rank));
        supernodes.map(|supernode| self.tree.front_size(supernode) as u32).sum()
    }

    /// The rank of a span of the hierarchy's grid; `None` if the agent cannot stand on it.
    pub(crate) fn rank(&self, span: SpanId) -> Option<u32> {
        self.tree.ranks.get(span.index()).copied().filter(|&rank| rank != NONE)
    }

    /// Customization: computes all costs on a view by a model. Empty for a view of another grid or
    /// agent. About O(spans · √spans) on open ground; levels with rooms take less.
    pub(crate) fn customize<M: CostModel + Sync + ?Sized>(
        &self,
        view: &View,
        model: &M,
        rules: RouteRules,
    ) -> HierarchyMetric {
        let parts = view.parts();
        let bound = bind(&parts, model, rules);
        let supernodes = match self.fits(view) {
            true => self.customizer(&bound, rules).customize(),
            false => Vec::new(),
        };
        let basis = basis(&bound);
        let mut metric = HierarchyMetric { supernodes, rules, basis, largest: Default::default() };
        metric.find_largest();
        metric
    }

    /// Partial customization: brings a metric up to date with what changed on a view since, by the
    /// same model. Returns the number of supernodes that were eliminated again; the smaller the
    /// cells around the changes, the fewer.
    pub(crate) fn update<M: CostModel + Sync + ?Sized>(
        &self,
        metric: &mut HierarchyMetric,
        view: &View,
        model: &M,
    ) -> usize {
        let parts = view.parts();
        let bound = bind(&parts, model, metric.rules);
        let basis = basis(&bound);
        let changes = parts.changes_since(metric.basis.state);
        let same_units = MetricBasis { state: basis.state, ..metric.basis } == basis;
        let Some(changes) = changes.filter(|_| same_units && self.fits(view)) else {
            *metric = self.customize(view, model, metric.rules);
            return self.tree.supernodes.len();
        };
        let affected = self.affected(&parts, changes);
        let customizer = self.customizer(&bound, metric.rules);
        let count = customizer.update(&mut metric.supernodes, affected);
        metric.basis = basis;
        metric.find_largest();
        count
    }

    /// An estimate of the work of [`Hierarchy::update`] [sums of two costs].
    pub(crate) fn update_work(&self, metric: &HierarchyMetric, view: &View) -> u64 {
        let parts = view.parts();
        let changes = parts.changes_since(metric.basis.state);
        let Some(changes) = changes.filter(|_| self.fits(view)) else {
            return self.customization_work();
        };
        let mut affected = self.affected(&parts, changes);
        let mut sum = 0;
        while let Some(supernode) = affected.pop_first() {
            sum += self.elimination_work(supernode);
            let parent = self.tree.supernodes[supernode].parent;
            affected.extend((parent != NONE).then_some(parent as usize));
        }
        sum
    }

    /// An estimate of the work of [`Hierarchy::customize`] [sums of two costs].
    pub(crate) fn customization_work(&self) -> u64 {
        (0..self.tree.supernodes.len()).map(|at| self.elimination_work(at)).sum()
    }

    pub(super) fn elimination_work(&self, supernode: usize) -> u64 {
        let front_size = self.tree.front_size(supernode) as u64;
        self.tree.separator_size(supernode) as u64 * front_size * front_size
    }

    pub(super) fn customizer<'a, M: CostModel + ?Sized>(
        &'a self,
        metric: &'a Metric<'a, M>,
        rules: RouteRules,
    ) -> Customizer<'a, M> {
        Customizer { tree: &self.tree, arc_costs: ArcCosts::new(metric, rules.directions) }
    }

    /// The supernodes whose own steps and links may cost something else after changes.
    pub(super) fn affected(&self, view: &ViewRef, changes: Vec<Change>) -> BTreeSet<usize> {
        let mut affected = BTreeSet::new();
        for change in changes {
            match change {
                Change::Ground(agent, cells) if agent == self.agent => {
                    let columns = (0..cells.cells()).map(|index| cells.cell(index));
                    let spans = columns.flat_map(|cell| view.grid().column_spans(cell));
                    spans.for_each(|span| self.add_span_and_links(view, span, &mut affected));
                }
                Change::Ground(..) => {}
                Change::Area(area) => self.add_area(view, area, &mut affected),
                Change::Link(link) => {
                    let link = &view.grid().links()[link as usize];
                    let lanes = link.lanes_of(self.agent.index());
                    let ends = lanes.iter().flat_map(|lane| lane.spans);
                    ends.for_each(|SpanId(span)| self.add_span(span, &mut affected));
                }
            }
        }
        affected
    }

    pub(super) fn add_span(&self, span: u32, affected: &mut BTreeSet<usize>) {
        let rank = self.tree.ranks[span as usize];
        if rank != NONE {
            affected.insert(self.tree.supernode_of(rank));
        }
    }

    /// A link is of no use if either end is blocked, so it counts at its far end, too.
    fn add_span_and_links(&self, view: &ViewRef, span: u32, affected: &mut BTreeSet<usize>) {
        self.add_span(span, affected);
        let link_edges = view.grid().link_edges(self.agent);
        let far = [link_edges.leaving(SpanId(span)), link_edges.entering(SpanId(span))];
        let far = far.into_iter().flatten();
        far.for_each(|link_edge| self.add_span(link_edge.other.0, affected));
    }

    /// The area of a span counts for the steps to it as well as from it.
    fn add_area(&self, view: &ViewRef, area: AreaId, affected: &mut BTreeSet<usize>) {
        for &span in &self.tree.order {
            if view.spans()[span as usize].area() == area {
                self.add_span(span, affected);
                neighbors(view, span, |other| self.add_span(other, affected));
            }
        }
    }
}

impl<'a> CustomizedHierarchy<'a> {
    pub(crate) fn tree(&self) -> &'a EliminationTree {
        &self.hierarchy.tree
    }

    /// The upward arcs of a supernode's separator.
    #[inline]
    pub(crate) fn upward_arcs(&self, supernode: usize) -> UpwardArcs<'a> {
        let front_size = self.tree().front_size(supernode);
        let HierarchyMetric { supernodes, basis, .. } = self.metric;
        let is_symmetric = basis.is_symmetric && !self.tree().is_directed(supernode);
        supernodes[supernode].upward_arcs(front_size, is_symmetric)
    }

    /// Whether it answers a query on a view.
    pub(crate) fn fits(&self, view: &View, query: &Query) -> bool {
        self.is_current(view)
            && self.metric.rules() == RouteRules::of(query)
            && query.filter.is_empty()
            && query.links.among(view.grid().links()).is_all()
            && !query.is_cancelled()
    }

    /// Whether its costs are those on a view as it is now.
    pub(crate) fn is_current(&self, view: &View) -> bool {
        self.hierarchy.fits(view)
            && self.metric.supernodes.len() == self.tree().supernodes.len()
            && self.metric.is_current(view)
    }
}

/// The largest frontal matrix that is eliminated [rows]: its costs take 1 GiB.
pub(super) const WIDEST_FRONT: usize = 1 << 14;

/// The largest frontal matrix to be expected of a good order [rows]. Open ground is dissected along
/// lines as long as it is wide, and its cells have four sides.
fn widest_good_front(spans: usize) -> usize {
    500 + 12 * spans.isqrt()
}

/// Binds a model to a view in the units of prepared routes.
pub(crate) fn bind<'a, M: CostModel + ?Sized>(
    view: &'a ViewRef<'a>,
    model: &'a M,
    rules: RouteRules,
) -> Metric<'a, M> {
    let unit_exponent = Metric::least_unit_exponent(view, model);
    Metric::new(view, model, SlopeLimit::of(view, rules.slope_limit), unit_exponent)
}

pub(super) fn basis<M: CostModel + ?Sized>(metric: &Metric<M>) -> MetricBasis {
    MetricBasis {
        grid: metric.view.grid().fingerprint(),
        state: metric.view.state(),
        unit_exponent: metric.unit_exponent,
        least: metric.least,
        is_symmetric: metric.is_symmetric(),
    }
}
