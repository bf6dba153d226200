//! Provides [`RouteSearch`]: answers queries by prepared routes.

use crate::cost::CostModel;
use crate::grid::SpanId;
use crate::path::{Answer, Corridor, ExternalResult, PathSearch, Progress, Sight};
use crate::search::{Engine, Outcome, Query};
use crate::view::ViewRef;

use crate::cch::arc_costs::{Pricing, TOO_DEAR};
use crate::cch::hierarchy::{RouteIndex, metric};
use crate::cch::metric::{RouteMetric, RouteRules};
use crate::cch::query::{Finder, Found, Map};
use crate::cch::unpack::Walker;

/// Prepared routes: an index, and costs worked out over it.
#[derive(Clone, Copy, Debug)]
pub struct Routes<'a> {
    /// The index.
    pub index: &'a RouteIndex,
    /// Its costs by one model.
    pub costs: &'a RouteMetric,
}

/// Finds the cheapest ways by prepared routes: the same costs as [`PathSearch`], found many times
/// faster where ways are long.
///
/// One for each thread; indices and costs are shared. It keeps 24 bytes a span from query to query;
/// after the first ones it allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct RouteSearch {
    pub(crate) search: PathSearch,
    finder: Finder,
    walker: Walker,
}

impl RouteSearch {
    /// The cheapest way from start to goal, straightened, by the model that the routes were priced
    /// by. What routes do not know, a search finds: where costs are not those of the terrain, or
    /// not for such a query; or how near one comes to a goal that cannot be reached. A query's
    /// budget bounds that search only.
    pub fn path<M: CostModel + ?Sized>(
        &mut self,
        routes: Routes,
        (view, model): (&ViewRef, &M),
        query: &Query,
    ) -> &Answer {
        if self.search.begin(view, model, query) == Progress::Done {
            self.search.credit(Engine::Index);
        } else if !self.search.go_straight(view, model, None) {
            self.finish_with(routes, (view, model), query);
            self.search.straighten(view, model, None);
        }
        self.search.answer()
    }

    /// The corridor of the cheapest way, and nothing else, with its outcome.
    pub fn find<M: CostModel + ?Sized>(
        &mut self,
        routes: Routes,
        (view, model): (&ViewRef, &M),
        query: &Query,
    ) -> Outcome {
        match self.search.begin(view, model, query) {
            Progress::Done => self.search.credit(Engine::Index),
            Progress::Running => self.finish_with(routes, (view, model), query),
        }
        self.search.outcome()
    }

    /// The costs of the cheapest ways from every one of some spans to every one of others
    /// [metres-equivalent], a row for each start; infinite where there is none. `None` where the
    /// agent cannot stand on one of them, and where the routes are not those of the terrain or
    /// cannot count such costs. The work is that of so many queries as there are spans, not pairs.
    pub fn table<M: CostModel + ?Sized>(
        &mut self,
        routes: Routes,
        (view, model): (&ViewRef, &M),
        (from, to): (&[SpanId], &[SpanId]),
    ) -> Option<Vec<f32>> {
        let rules = routes.costs.rules();
        let map = Map { shape: &routes.index.shape, costs: routes.costs };
        let walkable = |span: &SpanId| view.is_walkable(*span);
        let known = routes.are_current(view) && routes.costs.are_countable();
        if !known || !from.iter().chain(to).all(walkable) {
            return None;
        }
        let metric = metric(view, model, rules);
        let pricing = Pricing::new(&metric, rules.directions);
        let ranks = |spans: &[SpanId]| -> Option<Vec<u32>> {
            spans.iter().map(|&span| routes.index.rank(span)).collect()
        };
        let table = self.finder.table(map, &pricing, (&ranks(from)?, &ranks(to)?))?;
        let cost = |units: u32| if units < TOO_DEAR { metric.cost(units) } else { f32::INFINITY };
        Some(table.into_iter().map(cost).collect())
    }

    /// Straightens the corridor that was found; every leg is one that `sight` has confirmed, if
    /// there is one.
    pub fn straighten<M: CostModel + ?Sized>(
        &mut self,
        view: &ViewRef,
        model: &M,
        sight: Option<&dyn Sight>,
    ) -> &Answer {
        self.search.straighten(view, model, sight)
    }

    /// Ends a search that was begun.
    pub(crate) fn finish_with<M: CostModel + ?Sized>(
        &mut self,
        routes: Routes,
        (view, model): (&ViewRef, &M),
        query: &Query,
    ) {
        let mut progress = Progress::Running;
        if routes.fit(view, query) {
            let RouteSearch { search, finder, walker } = self;
            progress =
                search.finish_with((view, model), Engine::Index, |metric, ends, corridor| {
                    let map = Map { shape: &routes.index.shape, costs: routes.costs };
                    let pricing = Pricing::new(metric, query.directions);
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
                            let told = pricing.told(cost, ends.map(|span| span.0));
                            if told >= TOO_DEAR {
                                return ExternalResult::Unknown;
                            }
                            corridor.begin(ends[0], metric.cost(told));
                            finder.pieces(map, (ranks, cost), (top, walker.pieces()));
                            let walked = walker.walk(map, &pricing, corridor);
                            walked.map_or(ExternalResult::Unknown, |looked_at| {
                                ExternalResult::Found { looked_at }
                            })
                        }
                        Found::NoWay => ExternalResult::NoPath,
                        Found::Unknown => ExternalResult::Unknown,
                    }
                });
        }
        while progress == Progress::Running {
            progress = self.search.advance(view, model, u32::MAX);
        }
    }

    /// What found the last answer.
    pub fn engine(&self) -> Engine {
        self.search.answer().engine
    }

    /// The corridor that was found last; empty where none was, and where the straight line was
    /// the answer.
    pub fn corridor(&self) -> &Corridor {
        self.search.corridor()
    }
}

impl Routes<'_> {
    /// Whether they answer a query on a terrain.
    pub(crate) fn fit(&self, view: &ViewRef, query: &Query) -> bool {
        self.are_current(view)
            && self.costs.rules() == RouteRules::of(query)
            && !query.is_cancelled()
    }

    /// Whether they are those of a terrain as it is now.
    fn are_current(&self, view: &ViewRef) -> bool {
        self.index.fits(view)
            && self.costs.kept.len() == self.index.shape.districts.len()
            && self.costs.are_current(view)
    }
}
