//! Provides [`RouteQuery`]: answers queries by prepared routes.

use crate::cost::{CostModel, Metric};
use crate::grid::SpanId;
use crate::path::{Corridor, ExternalResult};
use crate::search::Query;
use crate::view::View;

use super::arc_costs::{Pricing, TOO_DEAR};
use super::hierarchy::RouteIndex;
use super::metric::{RouteMetric, RouteRules};
use super::query::{Finder, Found, Map};
use super::unpack::Walker;

/// Prepared routes: an index, and costs worked out over it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Routes<'a> {
    /// The index.
    pub index: &'a RouteIndex,
    /// Its costs by one model.
    pub costs: &'a RouteMetric,
}

/// Between which spans a table holds the costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableEnds<'a> {
    pub from: &'a [SpanId],
    pub to: &'a [SpanId],
}

/// Finds the cheapest corridors by prepared routes: the same costs as a search, found many times
/// faster for long paths.
///
/// One for each thread; indices and costs are shared. It keeps 24 bytes a span from query to query;
/// after the first ones it allocates nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct RouteQuery {
    finder: Finder,
    walker: Walker,
}

impl RouteQuery {
    /// Finds the cheapest corridor between two spans, by routes that fit the query. It cannot tell
    /// when costs are too large to be counted.
    pub(crate) fn find<M: CostModel + ?Sized>(
        &mut self,
        routes: Routes,
        metric: &Metric<M>,
        ends: [SpanId; 2],
        corridor: &mut Corridor,
    ) -> ExternalResult {
        let RouteQuery { finder, walker } = self;
        let map = Map { shape: &routes.index.shape, costs: routes.costs };
        let pricing = Pricing::new(metric, routes.costs.rules().directions);
        if metric.coarseness != routes.costs.ground.coarseness {
            // The search has found out that what it met cannot be counted in such units.
            return ExternalResult::Unknown;
        }
        let [Some(from), Some(to)] = ends.map(|span| routes.index.rank(span)) else {
            return ExternalResult::Unknown;
        };
        let ranks = [from, to];
        match finder.find(map, &pricing, ranks) {
            Found::Way(cost, top) => {
                let original = pricing.told(cost, ends.map(|span| span.0));
                if original >= TOO_DEAR {
                    return ExternalResult::Unknown;
                }
                corridor.begin(ends[0], metric.cost(original));
                finder.pieces(map, (ranks, cost), (top, walker.pieces()));
                let walked = walker.walk(map, &pricing, corridor);
                let found = |looked_at| ExternalResult::Found { looked_at };
                walked.map_or(ExternalResult::Unknown, found)
            }
            Found::NoWay => ExternalResult::NoPath,
            Found::Unknown => ExternalResult::Unknown,
        }
    }

    /// The costs of the cheapest paths from every one of some spans to every one of others
    /// [metres-equivalent], a row for each start; infinite if there is none. `None` if the agent
    /// cannot stand on one of them, and if the routes are not those of the view or cannot count such
    /// costs. The work is that of as many queries as there are spans, not pairs.
    pub(crate) fn table<M: CostModel + ?Sized>(
        &mut self,
        routes: Routes,
        view: &View,
        model: &M,
        ends: TableEnds,
    ) -> Option<Vec<f32>> {
        let rules = routes.costs.rules();
        let map = Map { shape: &routes.index.shape, costs: routes.costs };
        let walkable = |span: &SpanId| view.is_walkable(*span);
        let known = routes.are_current(view) && routes.costs.are_countable();
        if !known || !ends.from.iter().chain(ends.to).all(walkable) {
            return None;
        }
        let parts = view.parts();
        let metric = super::hierarchy::metric(&parts, model, rules);
        let pricing = Pricing::new(&metric, rules.directions);
        let ranks = |spans: &[SpanId]| -> Option<Vec<u32>> {
            spans.iter().map(|&span| routes.index.rank(span)).collect()
        };
        let table = self.finder.table(map, &pricing, (&ranks(ends.from)?, &ranks(ends.to)?))?;
        let cost = |units: u32| if units < TOO_DEAR { metric.cost(units) } else { f32::INFINITY };
        Some(table.into_iter().map(cost).collect())
    }
}

impl Routes<'_> {
    /// Whether they answer a query on a view.
    pub(crate) fn fit(&self, view: &View, query: &Query) -> bool {
        self.are_current(view)
            && self.costs.rules() == RouteRules::of(query)
            && query.filter.is_empty()
            && !query.is_cancelled()
    }

    /// Whether they are those of a view as it is now.
    fn are_current(&self, view: &View) -> bool {
        self.index.fits(view)
            && self.costs.kept.len() == self.index.shape.districts.len()
            && self.costs.are_current(view)
    }
}
