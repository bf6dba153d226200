//! Provides [`RouteIndex`]: the ground of one agent, prepared for routes by any costs.

use std::collections::BTreeSet;

use crate::cost::{CostModel, Metric, SlopeLimit};
use crate::grid::{AgentId, AreaId, NavGrid, RouteOrder, SpanId};
use crate::view::{Change, View, ViewRef};

use crate::cch::arc_costs::{Pricing, is_symmetric};
use crate::cch::customize::Workshop;
use crate::cch::dissect::dissect;
use crate::cch::elimination_tree::{NONE, Shape};
use crate::cch::frontal_matrix::Front;
use crate::cch::metric::Rows;
use crate::cch::metric::{Ground, Kept, RouteMetric, RouteRules};
use crate::cch::parameters::Grain;
use crate::cch::subgraph::{Part, neighbors};

/// What prepared routes of one agent have in common, whatever ways cost: districts within
/// districts, and the spans between them.
///
/// ```
/// use surefoot::{NavGrid, routes::{RouteIndex, RouteRules, RouteSearch, Routes}};
/// use surefoot::solve::{HeightCost, Query, Terrain};
/// let map = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n";
/// let grid = NavGrid::from_map(map, 1.0, &[])?;
/// let human = grid.agent_id("human").ok_or("no such agent")?;
/// let terrain = Terrain::new(&grid, human).ok_or("no such agent")?;
/// let model = HeightCost::default();
/// let index = RouteIndex::new(&grid, human).ok_or("no such agent")?;
/// let costs = index.price(&terrain, &model, RouteRules::default());
/// let mut search = RouteSearch::default();
/// let query = Query::new([0.5, 0.0, 0.5], [4.5, 0.0, 0.5]);
/// let routes = Routes { index: &index, costs: &costs };
/// let answer = search.path(routes, (&terrain, &model), &query);
/// assert_eq!(answer.path().ok_or("no way")?.waypoints().len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RouteIndex {
    pub(crate) shape: Shape,
    agent: AgentId,
    /// Fingerprint of the grid.
    grid: u64,
}

impl RouteIndex {
    /// Prepares a grid for one of its agents, by the order that the grid has for it if there is
    /// one; `None` for an agent it does not have, and for ground that does not come apart, which
    /// takes thousands of links from everywhere to everywhere. O(spans · log spans) without an
    /// order.
    pub fn new(grid: &NavGrid, agent: AgentId) -> Option<Self> {
        let view = View::new(grid, agent).ok()?;
        let view = &view.parts();
        // An order need only be true; whoever made it may not have made it good.
        let known = grid.order(agent).map(|order| RouteIndex::of(view, order, Grain::USUAL));
        let good = known.filter(|index| index.shape.widest() <= widest(index.shape.order.len()));
        let index = good.unwrap_or_else(|| RouteIndex::of_grain(view, Grain::USUAL));
        (index.shape.widest() <= WIDEST).then_some(index)
    }

    /// Prepares the ground of a terrain as it was baked.
    pub(crate) fn of_grain(baked: &ViewRef, grain: Grain) -> Self {
        RouteIndex::of(baked, &dissect(&Part::of(baked), grain), grain)
    }

    fn of(baked: &ViewRef, order: &RouteOrder, grain: Grain) -> Self {
        let shape = Shape::new(baked, order, grain);
        RouteIndex { shape, agent: baked.agent_id(), grid: baked.grid().fingerprint() }
    }

    /// Finds the order to prepare the ground of a view by. O(spans · log spans).
    pub fn order(view: &View) -> RouteOrder {
        dissect(&Part::of(&view.parts()), Grain::USUAL)
    }

    /// Whose routes they are.
    pub fn agent(&self) -> AgentId {
        self.agent
    }

    /// Bytes of memory, without any costs.
    pub fn bytes(&self) -> usize {
        self.shape.bytes()
    }

    /// Bytes of memory that the costs by one model take, with the agent's own slope limit: about half
    /// as many on grids without links by models that tell their [`CostModel::level`].
    pub fn cost_bytes<M: CostModel + ?Sized>(&self, view: &View, model: &M) -> usize {
        let parts = view.parts();
        let metric = metric(&parts, model, RouteRules::default());
        let (shape, is_symmetric) = (&self.shape, is_symmetric(&metric));
        let costs = |district: usize| {
            let through = Front::ways(shape.border(district).len(), is_symmetric);
            let rows = Rows::count(shape.own(district), shape.front(district), is_symmetric);
            (if shape.is_block(district) { 0 } else { rows })
                + if shape.keeps_through(district) { through } else { 0 }
        };
        let districts = shape.districts.len();
        Kept::bytes(districts, (0..districts).map(costs).sum())
    }

    /// Whether the index is for a terrain's grid, or one just like it, and its agent.
    pub(crate) fn fits(&self, view: &View) -> bool {
        self.agent == view.agent_id() && self.grid == view.grid().fingerprint()
    }

    /// The rank of a span; `None` where nobody walks on it, on the grid that the index was made for.
    pub(crate) fn rank(&self, span: SpanId) -> Option<u32> {
        self.shape.ranks.get(span.index()).copied().filter(|&rank| rank != NONE)
    }

    /// Works out what ways cost on a terrain by a model. A terrain of another grid or agent has no
    /// ways here. About O(spans · √spans) on open ground; levels with rooms take less.
    pub fn price<M: CostModel + Sync + ?Sized>(
        &self,
        view: &View,
        model: &M,
        rules: RouteRules,
    ) -> RouteMetric {
        let parts = view.parts();
        let metric = metric(&parts, model, rules);
        let kept = if self.fits(view) { self.workshop(&metric, rules).all() } else { Vec::new() };
        let ground = ground(&parts, &metric);
        let mut costs = RouteMetric { kept, rules, ground, largest: 0 };
        costs.find_largest();
        costs
    }

    /// Brings costs up to date with what changed on a terrain since, by the same model. Returns
    /// how many districts were worked out again; the fewer, the smaller those are that lie around
    /// the changes.
    pub fn refresh<M: CostModel + Sync + ?Sized>(
        &self,
        costs: &mut RouteMetric,
        view: &View,
        model: &M,
    ) -> usize {
        let parts = view.parts();
        let metric = metric(&parts, model, costs.rules);
        let ground = ground(&parts, &metric);
        let changes = parts.changes_since(costs.ground.state);
        let same_units = Ground { state: ground.state, ..costs.ground } == ground;
        let Some(changes) = changes.filter(|_| same_units && self.fits(view)) else {
            *costs = self.price(view, model, costs.rules);
            return self.shape.districts.len();
        };
        let districts = self.touched(&parts, changes);
        let count = self.workshop(&metric, costs.rules).again(&mut costs.kept, districts);
        costs.ground = ground;
        costs.find_largest();
        count
    }

    /// About how much there is to do to bring costs up to date: sums of two costs.
    pub(crate) fn work(&self, costs: &RouteMetric, view: &View) -> u64 {
        let parts = view.parts();
        let changes = parts.changes_since(costs.ground.state);
        let Some(changes) = changes.filter(|_| self.fits(view)) else {
            return self.whole_work();
        };
        let mut districts = self.touched(&parts, changes);
        let mut sum = 0;
        while let Some(district) = districts.pop_first() {
            sum += self.work_in(district);
            let parent = self.shape.districts[district].parent;
            districts.extend((parent != NONE).then_some(parent as usize));
        }
        sum
    }

    /// As [`RouteIndex::work`] for costs from nothing.
    pub(crate) fn whole_work(&self) -> u64 {
        (0..self.shape.districts.len()).map(|district| self.work_in(district)).sum()
    }

    fn work_in(&self, district: usize) -> u64 {
        let front = self.shape.front(district) as u64;
        self.shape.own(district) as u64 * front * front
    }

    fn workshop<'a, M: CostModel + ?Sized>(
        &'a self,
        metric: &'a Metric<'a, M>,
        rules: RouteRules,
    ) -> Workshop<'a, M> {
        Workshop { shape: &self.shape, pricing: Pricing::new(metric, rules.directions) }
    }

    /// The districts whose own steps and links cost something else since some changes.
    fn touched(&self, view: &ViewRef, changes: Vec<Change>) -> BTreeSet<usize> {
        let mut districts = BTreeSet::new();
        for change in changes {
            match change {
                Change::Ground(agent, cells) if agent == self.agent => {
                    let columns = (0..cells.cells()).map(|index| cells.cell(index));
                    let spans = columns.flat_map(|cell| view.grid().column_spans(cell));
                    for span in spans {
                        self.touch(span, &mut districts);
                        // A link is of no use where one end is blocked.
                        let link_edges = view.grid().link_edges(agent);
                        let far =
                            [link_edges.leaving(SpanId(span)), link_edges.entering(SpanId(span))];
                        let far = far.into_iter().flatten();
                        far.for_each(|link_edge| self.touch(link_edge.other.0, &mut districts));
                    }
                }
                Change::Ground(..) => {}
                Change::Area(area) => self.touch_area(view, area, &mut districts),
                Change::Link(link) => {
                    let link = &view.grid().links()[link as usize];
                    let ends = link.ends[self.agent.index()].into_iter().flatten();
                    ends.for_each(|SpanId(span)| self.touch(span, &mut districts));
                }
            }
        }
        districts
    }

    fn touch(&self, span: u32, districts: &mut BTreeSet<usize>) {
        let rank = self.shape.ranks[span as usize];
        if rank != NONE {
            districts.insert(self.shape.owner(rank));
        }
    }

    /// A kind of ground counts for the steps to it, too.
    fn touch_area(&self, view: &ViewRef, area: AreaId, districts: &mut BTreeSet<usize>) {
        for &span in &self.shape.order {
            if view.spans()[span as usize].area() == area {
                self.touch(span, districts);
                neighbors(view, span, |other| self.touch(other, districts));
            }
        }
    }
}

/// The widest front that can be worked out: its costs take 1 GiB [spans].
const WIDEST: usize = 1 << 14;

/// The widest front to be expected of a good order. Open ground is cut along lines as long as it is
/// wide, and its districts have four sides.
fn widest(spans: usize) -> usize {
    500 + 12 * spans.isqrt()
}

pub(crate) fn metric<'a, M: CostModel + ?Sized>(
    view: &'a ViewRef<'a>,
    model: &'a M,
    rules: RouteRules,
) -> Metric<'a, M> {
    let coarseness = Metric::least_coarseness(view, model);
    Metric::new(view, model, SlopeLimit::of(view, rules.slope_limit), coarseness)
}

fn ground<M: CostModel + ?Sized>(view: &ViewRef, metric: &Metric<M>) -> Ground {
    Ground {
        grid: view.grid().fingerprint(),
        state: view.state(),
        coarseness: metric.coarseness,
        least: metric.least,
        is_symmetric: is_symmetric(metric),
    }
}
