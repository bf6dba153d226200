//! Provides [`PreparedRoutes`]: what a navigator has prepared for long paths.

use std::sync::Arc;

use crate::cch::{CustomizedHierarchy, GridStep, Hierarchy, RouteQuery, RouteRules, TableEnds};
use crate::cost::SharedModel;
use crate::path::{PathSearch, Progress};
use crate::search::Engine;
use crate::view::View;

use super::context::EngineContext;
use super::updater::RouteUpdater;

/// Prepared routes of one agent, and their costs by one model.
#[derive(Clone, Debug)]
pub(super) struct PreparedRoutes {
    hierarchy: Arc<Hierarchy>,
    updater: RouteUpdater,
    query: RouteQuery,
}

impl PreparedRoutes {
    /// Prepares the ground of a view; `None` for ground that nested dissection cannot take apart.
    pub(super) fn new(view: &View, model: &SharedModel, rules: RouteRules) -> Option<Self> {
        let hierarchy = Hierarchy::new(view.grid(), view.agent_id())?;
        let updater = RouteUpdater::new(hierarchy.customize(view, model, rules));
        let query = RouteQuery::default();
        Some(PreparedRoutes { hierarchy: Arc::new(hierarchy), updater, query })
    }

    /// The routes of the next grid of a level, with as much of these as still holds there: of the view
    /// that they were used on, and that of the new grid. `None` for ground that cannot be taken apart.
    pub(super) fn follow(self, views: [&View; 2], model: &SharedModel) -> Option<Self> {
        let rules = self.rules();
        let Some(step) = GridStep::new(&self.hierarchy, views) else {
            return PreparedRoutes::new(views[1], model, rules);
        };
        let metric = match self.updater.into_metric() {
            Some(metric) => step.customize(metric, model),
            None => step.hierarchy.customize(views[1], model, rules),
        };
        let (hierarchy, updater) = (Arc::new(step.hierarchy), RouteUpdater::new(metric));
        Some(PreparedRoutes { hierarchy, updater, query: self.query })
    }

    /// Answers a search that was begun, or leaves it to go on if the routes do not fit the query or
    /// are being updated. Between ends near each other the search goes first.
    pub(super) fn answer(&mut self, search: &mut PathSearch, context: &EngineContext) -> Progress {
        let EngineContext { view, model, query, cells } = *context;
        let Some(metric) = self.updater.current(&self.hierarchy, model, view) else {
            return Progress::Running;
        };
        let routes = CustomizedHierarchy { hierarchy: &self.hierarchy, metric };
        if !routes.fits(view, query) {
            return Progress::Running;
        }
        let is_chosen = query.engine == Some(Engine::Routes);
        if !is_chosen && search_nearby(search, &self.hierarchy, view, model) == Progress::Done {
            return Progress::Done;
        }
        search.finish_with(model, Engine::Routes, |metric, ends, corridor| {
            self.query.on(routes).laying_out(cells).find(metric, ends, corridor)
        })
    }

    /// Lays out more of the corridor that they answered with last: so many cells, or all. False if the routes
    /// are no longer those by which it was found.
    pub(super) fn lay_out_more(
        &mut self,
        search: &mut PathSearch,
        context: &EngineContext,
    ) -> bool {
        let EngineContext { view, model, cells, .. } = *context;
        let Some(metric) = self.updater.current(&self.hierarchy, model, view) else { return false };
        let routes = CustomizedHierarchy { hierarchy: &self.hierarchy, metric };
        search.lay_out_more(model, |metric, corridor| {
            self.query.on(routes).laying_out(cells).go_on(metric, corridor);
        })
    }

    /// What the queries are like that they answer.
    pub(super) fn rules(&self) -> RouteRules {
        self.updater.rules()
    }

    /// Prices the routes again, by another model.
    pub(super) fn price_again(&mut self, view: &View, model: &SharedModel) {
        let rules = self.updater.rules();
        self.updater = RouteUpdater::new(self.hierarchy.customize(view, model, rules));
    }

    /// Brings the routes up to date with a view before it returns.
    pub(super) fn catch_up(&mut self, view: &View, model: &SharedModel) {
        self.updater.catch_up(&self.hierarchy, model, view);
    }

    /// Counts the work of a search that answered in place of the routes.
    pub(super) fn count_search(&mut self, expanded: u32) {
        self.updater.count_search(expanded);
    }

    /// Counts a step of a crowd.
    pub(super) fn count_step(&mut self) {
        self.updater.count_step();
    }

    /// The costs of the cheapest paths from every one of some spans to every one of others; `None`
    /// if the routes are not up to date, or cannot count such costs.
    pub(super) fn table(
        &mut self,
        view: &View,
        model: &SharedModel,
        ends: TableEnds,
    ) -> Option<Vec<f32>> {
        let metric = self.updater.current(&self.hierarchy, model, view)?;
        let routes = CustomizedHierarchy { hierarchy: &self.hierarchy, metric };
        self.query.on(routes).table(view, model, ends)
    }

    /// Bytes of memory of the hierarchy and, unless an update is under way, of its costs.
    pub(super) fn bytes(&self) -> usize {
        self.hierarchy.bytes() + self.updater.bytes()
    }
}

/// A search goes first if the ends are at most this far apart [cells]...
const NEARBY_CELLS: f32 = 32.0;
/// ...or if it may expand this many spans for each cell between them.
const EXPANSIONS_PER_CELL: f32 = 16.0;
/// A goal that is not found after so many, at least, is far away by foot, as on the other side of a wall
/// [spans].
const LEAST_EXPANSIONS: u32 = 100;
/// Rows of frontal matrices that a query of prepared routes passes while a search expands a span.
const ROWS_PER_EXPANSION: u32 = 8;

/// Continues a search for a short while if its goal is nearby: for about as long as prepared routes take
/// to begin with. They pass the frontal matrices between both ends and the root, which are small where
/// walls divide the ground, and large on open slopes: a limit that is the same for both was five times
/// slower on a mountain, at 16 cells, than the search alone.
///
/// Everything is counted, nothing is timed, so that the same query is always answered in the same way.
fn search_nearby(
    search: &mut PathSearch,
    hierarchy: &Hierarchy,
    view: &View,
    model: &SharedModel,
) -> Progress {
    let (Some(ends), Some(cells)) = (search.ends(), search.distance()) else {
        return Progress::Running;
    };
    let rows: u32 = ends.into_iter().map(|span| hierarchy.rows_to_root(span)).sum();
    let expansions = (rows / ROWS_PER_EXPANSION).max(LEAST_EXPANSIONS);
    if cells >= NEARBY_CELLS.max(expansions as f32 / EXPANSIONS_PER_CELL) {
        return Progress::Running;
    }
    search.advance(view, model, expansions)
}
