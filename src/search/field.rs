//! Provides [`CostField`]: the least costs between a few spans and everything around them (a flow field,
//! or Dijkstra map).
//!
//! One search answers many questions: the path to a goal that many agents share, everything within
//! reach, the nearest of many goals.
//! Based on: Dijkstra, "A note on two problems in connexion with graphs", 1959.

use nalgebra::Point3;

use crate::grid::{SpanAddress, SpanId};

use crate::cost::CostModel;
use crate::cost::MOST;
use crate::cost::{COARSEST, Metric, SearchNode, SlopeLimit};
use crate::search::Random;
use crate::search::expander::{Expander, Visitor};
use crate::search::nodes::{Nodes, Parent};
use crate::search::open_list::OpenList;
use crate::view::{Directions, Flow, LinkFilter, NavPoint, View, ViewRef};

/// What a field holds.
#[derive(Clone, Debug)]
pub struct FieldQuery<'a> {
    /// Where it spreads from; spans the agent cannot stand on are ignored.
    pub sources: &'a [SpanId],
    /// Goals for [`CostField::nearest`], which stops at the cheapest of them.
    pub until: &'a [SpanId],
    /// In which direction costs count.
    pub flow: Flow,
    /// The most a path may cost [metres-equivalent].
    pub within: f32,
    /// Only spans whose centers lie in this circle: center, radius [m].
    pub circle: Option<(Point3<f32>, f32)>,
    /// The steepest ground to cross [rad]; `None` means the agent's own slope limit.
    pub slope_limit: Option<f32>,
    /// Which kinds of links to take.
    pub links: LinkFilter,
    /// In how many directions to step.
    pub directions: Directions,
}

impl<'a> FieldQuery<'a> {
    /// The costs from everywhere to the nearest of these spans.
    pub fn to(sources: &'a [SpanId]) -> Self {
        FieldQuery {
            sources,
            until: &[],
            flow: Flow::ToSources,
            within: f32::INFINITY,
            circle: None,
            slope_limit: None,
            links: LinkFilter::ALL,
            directions: Directions::Eight,
        }
    }

    /// The costs from the nearest of these spans to everywhere.
    pub fn from(sources: &'a [SpanId]) -> Self {
        FieldQuery { flow: Flow::FromSources, ..FieldQuery::to(sources) }
    }
}

/// The least costs between some spans and everything around them. A field that is filled again
/// allocates nothing.
///
/// ```
/// use surefoot::{NavGrid, Navigator};
/// use surefoot::grid::SpanId;
/// use surefoot::search::FieldQuery;
/// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 4\nmap\n....\n", 1.0, &[])?;
/// let nav = Navigator::new(grid, "human")?;
/// let field = nav.field(&FieldQuery::to(&[SpanId(0)]));
/// assert_eq!(field.cost(SpanId(3)), Some(3.0));
/// assert_eq!(field.next(SpanId(3)), Some(SpanId(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CostField {
    nodes: Nodes,
    open: OpenList,
    reached: Vec<SpanId>,
    /// For each reached span, the next one towards its source.
    next: Vec<u32>,
    /// Metres-equivalent of one unit.
    unit: f64,
    /// Spans whose costs overflow in that unit, counted in a larger one.
    beyond: Option<Box<CostField>>,
    /// Whether `beyond` is in use.
    has_beyond: bool,
}

/// A span that a field reaches.
struct Reached {
    address: SpanAddress,
    /// [units]
    cost: u32,
    /// The next span towards the source.
    next: u32,
    parent: Parent,
}

/// A field that is being filled.
struct Spread<'a> {
    field: &'a mut CostField,
    view: &'a ViewRef<'a>,
    query: &'a FieldQuery<'a>,
    /// Spans that cost more are not reached [units].
    most: u32,
    /// The span that is being expanded.
    from: u32,
    /// A cost overflowed: spans behind it are missing, or cost too much.
    overflowed: bool,
}

impl CostField {
    /// Spreads from the sources as far as the query says. O(spans reached).
    pub fn fill<M: CostModel + ?Sized>(&mut self, view: &View, model: &M, query: &FieldQuery) {
        let view = view.with_links(query.links);
        self.spread(&view.parts(), model, &FieldQuery { until: &[], ..*query });
    }

    /// Spreads from the sources until the cheapest of the goals in [`FieldQuery::until`] is reached, and
    /// returns its index there; `None` if none can be. Ties go to the first in the list. The field then
    /// is complete up to that goal's cost; costs beyond may be too high.
    pub fn nearest<M: CostModel + ?Sized>(
        &mut self,
        view: &View,
        model: &M,
        query: &FieldQuery,
    ) -> Option<usize> {
        self.spread(&view.with_links(query.links).parts(), model, query);
        let costs = query.until.iter().map(|&goal| self.cost(goal)).enumerate();
        let reached = costs.filter_map(|(at, cost)| Some((at, cost?)));
        reached.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(at, _)| at)
    }

    /// Cost of the path between a span and its nearest source [metres-equivalent]; `None` if the field
    /// did not reach it. O(1).
    pub fn cost(&self, span: SpanId) -> Option<f32> {
        let level = self.level(span);
        let cost = level.nodes.cost_if_any(span.0);
        (cost < u32::MAX).then(|| (f64::from(cost) * level.unit) as f32)
    }

    /// The level that counts the cost of a span: this one, or one in larger units.
    fn level(&self, span: SpanId) -> &CostField {
        let mut level = self;
        while level.has_beyond
            && level.nodes.cost_if_any(span.0) > MOST
            && let Some(beyond) = &level.beyond
        {
            level = beyond;
        }
        level
    }

    /// The next span on the path from a span to its nearest source; `None` at a source, and where the field
    /// did not reach. O(1).
    pub fn next(&self, span: SpanId) -> Option<SpanId> {
        let level = self.level(span);
        match level.nodes.parent(span.0)? {
            Parent::Start | Parent::Border => None,
            Parent::Step(_) | Parent::Link => {
                level.next.get(span.index()).map(|&next| SpanId(next))
            }
        }
    }

    /// Cost of a span in whole units; `None` if the field did not reach it, or if it counts in other units
    /// than the metric.
    pub(crate) fn units_from<M: CostModel + ?Sized>(
        &self,
        metric: &Metric<M>,
        span: SpanId,
    ) -> Option<u32> {
        let cost = self.nodes.cost_if_any(span.0);
        (cost <= MOST && self.unit == metric.unit()).then_some(cost)
    }

    /// Whether the path on from a span begins with a link.
    pub(crate) fn is_left_by_link(&self, span: SpanId) -> bool {
        self.nodes.parent(span.0) == Some(Parent::Link)
    }

    /// Every span the field reached, once each, nearly in the order of cost.
    pub fn reached(&self) -> &[SpanId] {
        &self.reached
    }

    /// A random point among all reached spans, each equally likely; the same seed gives the same point.
    /// `None` if nothing was reached, or on a view of another grid.
    pub fn random_place(&self, view: &View, seed: u64) -> Option<NavPoint> {
        let view = &view.parts();
        let mut random = Random(seed);
        let span = *self.reached.get(random.below(self.reached.len()))?;
        view.standing(span)?;
        let center = NavPoint::center(view, span).point;
        // A little inside the cell: its far border is the neighbor's.
        let most = 0.499 * view.cell_size();
        let mut aside = || random.between(-most, most);
        let point = Point3::new(center.x + aside(), center.y, center.z + aside());
        Some(NavPoint::at(view, span, point))
    }

    fn spread<M: CostModel + ?Sized>(&mut self, view: &ViewRef, model: &M, query: &FieldQuery) {
        let unit_exponent = Metric::least_unit_exponent(view, model);
        let limit = SlopeLimit::of(view, query.slope_limit);
        self.spread_by(&Metric::new(view, model, limit, unit_exponent), query);
    }

    /// Spreads in the units of a metric, and in coarser ones beyond costs that overflow.
    fn spread_by<M: CostModel + ?Sized>(&mut self, metric: &Metric<M>, query: &FieldQuery) {
        let view = metric.view;
        self.unit = metric.unit();
        // Ways round a span may lead out of a circle.
        let uniform_ground =
            metric.uniform_ground(query.directions).filter(|_| query.circle.is_none());
        let direction_codes = query.directions.step_codes();
        let expander = Expander { metric, flow: query.flow, direction_codes, uniform_ground };
        let most = metric.units_within(query.within);
        let mut spread = Spread { field: self, view, query, most, from: 0, overflowed: false };
        self.has_beyond = !spread.run(&expander) && metric.unit_exponent < COARSEST;
        if self.has_beyond {
            let beyond = self.beyond.get_or_insert_default();
            beyond.spread_by(&metric.coarser(), query);
            let is_new = |span: &&SpanId| self.nodes.cost(span.0) == u32::MAX;
            self.reached.extend(beyond.reached.iter().filter(is_new));
        }
    }

    fn begin(&mut self, view: &ViewRef, step: [u32; 2], sources: &[SpanId]) {
        let spans = view.spans().len();
        self.nodes.clear(spans);
        self.next.resize(spans, 0);
        self.reached.clear();
        self.open.clear_for_steps(step);
        for &source in sources.iter().filter(|&&source| view.is_walkable(source)) {
            if self.nodes.cost(source.0) > 0 {
                let address = view.address(source.0);
                self.reach(Reached { address, cost: 0, next: source.0, parent: Parent::Start });
            }
        }
    }

    /// Keeps a path to a span, which is cheaper than the one known.
    #[inline(always)]
    fn reach(&mut self, to: Reached) {
        let Reached { address, cost, next, parent } = to;
        let span = address.span;
        let known = self.nodes.cost(span);
        if known == u32::MAX {
            self.reached.push(SpanId(span));
        }
        // If it waits in that bucket already, it need not be put there again.
        if !self.open.are_as_one(known, cost) || self.nodes.is_closed(span) {
            self.open.push(cost, address);
        }
        self.nodes.reach(span, cost, parent);
        self.next[span as usize] = next;
    }
}

impl Spread<'_> {
    /// Returns false if a cost overflowed.
    fn run<M: CostModel + ?Sized>(&mut self, expander: &Expander<M>) -> bool {
        let goals = self.query.until;
        let [straight, diagonal] = expander.metric.least.flat_costs();
        let step = [straight.min(diagonal), expander.metric.reach()];
        self.field.begin(self.view, step, self.query.sources);
        let mut found = u32::MAX;
        while let Some(address) = self.field.open.pop() {
            let span = address.span;
            if self.field.open.base() > found {
                break;
            }
            if self.field.nodes.is_closed(span) {
                continue;
            }
            self.field.nodes.close(span);
            self.from = span;
            let so_far = self.field.nodes.cost(span);
            if !goals.is_empty() && goals.contains(&SpanId(span)) {
                found = found.min(so_far);
            }
            expander.expand(self, address);
            for (link_edge, cost) in expander.links(span, so_far) {
                self.relax(self.view.address(link_edge.other.0), cost, Parent::Link);
            }
        }
        // What costs more than the limit, or than a goal that was found, is not missed.
        !self.overflowed || self.most.min(found) <= MOST
    }

    /// Relaxes an edge: keeps the path to a span if it is the cheapest so far and within the limits.
    #[inline(always)]
    fn relax(&mut self, to: SpanAddress, cost: u32, parent: Parent) {
        self.overflowed |= cost == u32::MAX;
        let field = &mut *self.field;
        if cost < field.nodes.cost(to.span)
            && cost <= self.most
            && is_inside(self.query, to, self.view)
        {
            field.reach(Reached { address: to, cost, next: self.from, parent });
        }
    }
}

impl Visitor for Spread<'_> {
    #[inline(always)]
    fn nodes(&self) -> &Nodes {
        &self.field.nodes
    }

    #[inline(always)]
    fn visit(&mut self, to: &SearchNode, cost: u32, parent: Parent) {
        self.relax(to.address, cost, parent);
    }
}

/// Whether a span lies in the query's circle.
#[inline(always)]
fn is_inside(query: &FieldQuery, address: SpanAddress, view: &ViewRef) -> bool {
    query.circle.is_none_or(|(middle, radius)| {
        let frame = view.frame();
        let [x, z] = frame.center(frame.cell(address.column as usize));
        let (x, z) = (x - middle.x, z - middle.z);
        x * x + z * z <= radius * radius
    })
}
