//! Provides [`RouteQuery`]: answers queries by prepared routes.

use crate::cost::{CostModel, Metric};
use crate::grid::SpanId;
use crate::path::{Corridor, ExternalResult};
use crate::view::View;

use super::arc_costs::ArcCosts;
use super::hierarchy::{CustomizedHierarchy, bind};
use super::query::{HierarchyQuery, QueryResult, TableRanks};
use super::query_context::QueryContext;
use super::unpack::Unpacker;

/// Spans that a table holds the costs between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableEnds<'a> {
    pub from: &'a [SpanId],
    pub to: &'a [SpanId],
}

/// Finds the cheapest corridors by prepared routes: the same costs as a search, found many times
/// faster for long paths.
///
/// Use one a thread; hierarchies and metrics are shared. It keeps 24 bytes a span from query to
/// query; after the first ones it allocates nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct RouteQuery {
    query: HierarchyQuery,
    unpacker: Unpacker,
}

/// A [`RouteQuery`] on a customized hierarchy.
pub(crate) struct CustomizedQuery<'a> {
    memory: &'a mut RouteQuery,
    customized: CustomizedHierarchy<'a>,
    /// How many cells of corridors are laid out, at least.
    cells: u32,
}

impl RouteQuery {
    /// The query on a customized hierarchy.
    pub(crate) fn on<'a>(&'a mut self, customized: CustomizedHierarchy<'a>) -> CustomizedQuery<'a> {
        CustomizedQuery { memory: self, customized, cells: u32::MAX }
    }
}

impl CustomizedQuery<'_> {
    /// The query that lays out so many cells of corridors at once, and not all.
    pub(crate) fn laying_out(self, cells: u32) -> Self {
        CustomizedQuery { cells, ..self }
    }

    /// Finds the cheapest corridor between two spans, by routes that fit the query.
    pub(crate) fn find<M: CostModel + ?Sized>(
        &mut self,
        metric: &Metric<M>,
        ends: [SpanId; 2],
        corridor: &mut Corridor,
    ) -> ExternalResult {
        let CustomizedQuery { memory: RouteQuery { query, unpacker }, customized, cells } = self;
        let (customized, cells) = (*customized, *cells);
        if metric.unit_exponent != customized.metric.basis.unit_exponent {
            // The search has met costs that cannot be counted in such units.
            return ExternalResult::Unknown;
        }
        let ranks = ends.map(|span| customized.hierarchy.rank(span));
        let [Some(from), Some(to)] = ranks else { return ExternalResult::Unknown };
        let arc_costs = ArcCosts::new(metric, customized.metric.rules().directions);
        let context = QueryContext { customized, arc_costs: &arc_costs };
        match query.run(&context, [from, to]) {
            QueryResult::Path(path) => {
                corridor.begin(ends[0], metric.cost(path.cost.0));
                query.shortcuts(&context, &path, unpacker.shortcuts());
                let unpacked = unpacker.unpack(&context, corridor, cells);
                let found = |looked_at| ExternalResult::Found { looked_at };
                unpacked.map_or(ExternalResult::Unknown, found)
            }
            QueryResult::NoPath => ExternalResult::NoPath,
            QueryResult::Overflow => ExternalResult::Unknown,
        }
    }

    /// Lays out more of the corridor that was found last.
    pub(crate) fn go_on<M: CostModel + ?Sized>(
        &mut self,
        metric: &Metric<M>,
        corridor: &mut Corridor,
    ) {
        let arc_costs = ArcCosts::new(metric, self.customized.metric.rules().directions);
        let context = QueryContext { customized: self.customized, arc_costs: &arc_costs };
        let unpacked = self.memory.unpacker.unpack(&context, corridor, self.cells);
        debug_assert!(unpacked.is_some(), "the costs are those by which it was found");
    }

    /// The costs of the cheapest paths from every one of some spans to every one of others
    /// [metres-equivalent], a row for each start; infinite if there is none. The work is that of as
    /// many queries as there are spans, not pairs.
    ///
    /// `None` if the agent cannot stand on one of them, and if the routes are not those of the view
    /// or cannot count such costs.
    pub(crate) fn table<M: CostModel + ?Sized>(
        &mut self,
        view: &View,
        model: &M,
        ends: TableEnds,
    ) -> Option<Vec<f32>> {
        let customized = self.customized;
        let rules = customized.metric.rules();
        let is_walkable = |span: &SpanId| view.is_walkable(*span);
        let is_known = customized.is_current(view) && customized.metric.is_countable();
        if !is_known || !ends.from.iter().chain(ends.to).all(is_walkable) {
            return None;
        }
        let parts = view.parts();
        let metric = bind(&parts, model, rules);
        let arc_costs = ArcCosts::new(&metric, rules.directions);
        let ranks = |spans: &[SpanId]| -> Option<Vec<u32>> {
            spans.iter().map(|&span| customized.hierarchy.rank(span)).collect()
        };
        let ranks = TableRanks { from: ranks(ends.from)?, to: ranks(ends.to)? };
        let context = QueryContext { customized, arc_costs: &arc_costs };
        let table = self.memory.query.table(&context, &ranks)?;
        let costs = table.into_iter().map(|cost| match cost.is_countable() {
            true => metric.cost(cost.0),
            false => f32::INFINITY,
        });
        Some(costs.collect())
    }
}
