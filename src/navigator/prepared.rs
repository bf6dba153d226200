//! Provides [`PreparedRoutes`]: what a navigator has prepared for long paths.

use std::sync::Arc;

use crate::cch::{CustomizedHierarchy, Hierarchy, RouteQuery, RouteRules, TableEnds};
use crate::cost::CostModel;
use crate::path::{PathSearch, Progress};
use crate::search::{Engine, Query};
use crate::view::View;

use super::NavigatorModel;
use super::engine_choice::EngineChoice;
use super::updater::RouteUpdater;

/// Prepared routes of one agent, and what knows when to use them.
#[derive(Debug)]
pub(super) struct PreparedRoutes {
    hierarchy: Arc<Hierarchy>,
    updater: RouteUpdater,
    choice: EngineChoice,
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
        let choice = EngineChoice::new(&hierarchy.tree, &view.without_overlay(), model);
        let query = RouteQuery::default();
        Some(PreparedRoutes { hierarchy: Arc::new(hierarchy), updater, choice, query })
    }

    /// Answers a search that was begun, or leaves it to go on: if the routes do not fit the query or
    /// are being updated, and if the search is likely to be faster.
    pub(super) fn answer<M: NavigatorModel>(
        &mut self,
        search: &mut PathSearch,
        view: &View,
        model: &Arc<M>,
        query: &Query,
    ) -> Progress {
        let Some(metric) = self.updater.current(&self.hierarchy, model, view) else {
            return Progress::Running;
        };
        let routes = CustomizedHierarchy { hierarchy: &self.hierarchy, metric };
        if !routes.fit(view, query) {
            return Progress::Running;
        }
        let is_chosen = query.engine == Some(Engine::Routes);
        if !is_chosen
            && self.choice.search_first(search, view, &**model, &self.hierarchy) == Progress::Done
        {
            return Progress::Done;
        }
        search.finish_with(&**model, Engine::Routes, |metric, ends, corridor| {
            self.query.find(routes, metric, ends, corridor)
        })
    }

    /// Prices the routes again, by another model.
    pub(super) fn price_again<M: CostModel + Sync>(&mut self, view: &View, model: &M) {
        let rules = self.updater.rules();
        self.updater = RouteUpdater::new(self.hierarchy.customize(view, model, rules));
        self.choice = EngineChoice::new(&self.hierarchy.tree, &view.without_overlay(), model);
    }

    /// Counts the work of a search that answered in place of the routes.
    pub(super) fn count_search(&mut self, expanded: u32) {
        self.updater.count_search(expanded);
    }

    /// Counts a step of a crowd.
    pub(super) fn count_step(&mut self) {
        self.updater.count_step();
    }

    /// The costs of the cheapest paths from every one of some spans to every one of others; `None` if
    /// the routes are not up to date, or cannot count such costs.
    pub(super) fn table<M: NavigatorModel>(
        &mut self,
        view: &View,
        model: &Arc<M>,
        ends: TableEnds,
    ) -> Option<Vec<f32>> {
        let metric = self.updater.current(&self.hierarchy, model, view)?;
        let routes = CustomizedHierarchy { hierarchy: &self.hierarchy, metric };
        self.query.table(routes, view, &**model, ends)
    }

    /// Bytes of memory of the hierarchy and, unless an update is under way, of its costs.
    pub(super) fn bytes(&self) -> usize {
        self.hierarchy.bytes() + self.updater.bytes()
    }
}
