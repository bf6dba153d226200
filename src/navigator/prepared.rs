//! Provides [`PreparedRoutes`]: what a navigator has prepared for long paths.

use std::sync::Arc;

use crate::cch::{CustomizedHierarchy, Hierarchy, RouteQuery, RouteRules, TableEnds};
use crate::cost::CostModel;
use crate::path::{PathSearch, Progress};
use crate::search::Engine;
use crate::view::View;

use super::context::{EngineContext, NavigatorModel};
use super::updater::RouteUpdater;

/// Prepared routes of one agent, and their costs by one model.
#[derive(Debug)]
pub(super) struct PreparedRoutes {
    hierarchy: Arc<Hierarchy>,
    updater: RouteUpdater,
    query: RouteQuery,
}

impl PreparedRoutes {
    /// Prepares the ground of a view; `None` for ground that nested dissection cannot take apart.
    pub(super) fn new<M: CostModel + Sync>(
        view: &View,
        model: &M,
        rules: RouteRules,
    ) -> Option<Self> {
        let hierarchy = Hierarchy::new(view.grid(), view.agent_id())?;
        let updater = RouteUpdater::new(hierarchy.customize(view, model, rules));
        let query = RouteQuery::default();
        Some(PreparedRoutes { hierarchy: Arc::new(hierarchy), updater, query })
    }

    /// Answers a search that was begun, or leaves it to go on if the routes do not fit the query or
    /// are being updated. Between ends near each other the search goes first.
    pub(super) fn answer<M: NavigatorModel>(
        &mut self,
        search: &mut PathSearch,
        context: &EngineContext<M>,
    ) -> Progress {
        let EngineContext { view, model, query } = *context;
        let Some(metric) = self.updater.current(&self.hierarchy, model, view) else {
            return Progress::Running;
        };
        let routes = CustomizedHierarchy { hierarchy: &self.hierarchy, metric };
        if !routes.fits(view, query) {
            return Progress::Running;
        }
        let is_chosen = query.engine == Some(Engine::Routes);
        if !is_chosen && search_nearby(search, view, &**model) == Progress::Done {
            return Progress::Done;
        }
        search.finish_with(&**model, Engine::Routes, |metric, ends, corridor| {
            self.query.on(routes).find(metric, ends, corridor)
        })
    }

    /// Prices the routes again, by another model.
    pub(super) fn price_again<M: CostModel + Sync>(&mut self, view: &View, model: &M) {
        let rules = self.updater.rules();
        self.updater = RouteUpdater::new(self.hierarchy.customize(view, model, rules));
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
    pub(super) fn table<M: NavigatorModel>(
        &mut self,
        view: &View,
        model: &Arc<M>,
        ends: TableEnds,
    ) -> Option<Vec<f32>> {
        let metric = self.updater.current(&self.hierarchy, model, view)?;
        let routes = CustomizedHierarchy { hierarchy: &self.hierarchy, metric };
        self.query.on(routes).table(view, &**model, ends)
    }

    /// Bytes of memory of the hierarchy and, unless an update is under way, of its costs.
    pub(super) fn bytes(&self) -> usize {
        self.hierarchy.bytes() + self.updater.bytes()
    }
}

/// Ends at most this far apart are searched first [cells]: a query of prepared routes takes longer
/// to begin with.
const NEARBY_CELLS: f32 = 16.0;
/// A nearby goal that is not found by then is far away by foot, as on the other side of a wall
/// [spans].
const NEARBY_EXPANSIONS: u32 = 100;

/// Continues a search for a short while if its goal is nearby.
///
/// Both limits are counted, not timed, so that the same query is always answered in the same way.
/// Predicting the work of both engines, from sample searches of the level and the fronts on the way
/// to the root, was tried: it was no faster than this rule on levels, and slower on open ground.
fn search_nearby<M: CostModel + ?Sized>(
    search: &mut PathSearch,
    view: &View,
    model: &M,
) -> Progress {
    match search.distance() {
        Some(cells) if cells < NEARBY_CELLS => search.advance(view, model, NEARBY_EXPANSIONS),
        _ => Progress::Running,
    }
}
