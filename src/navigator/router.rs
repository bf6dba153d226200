//! Provides [`Router`]: answers every query by whatever finds the way soonest.

use std::sync::Arc;

use crate::cost::CostModel;
use crate::grid::{AgentId, NavGrid};
use crate::path::{Answer, Corridor, Progress, Sight};
use crate::search::Query;
use crate::view::{Overlay, ViewRef};

use crate::cch::RouteIndex;
use crate::cch::RouteRules;
use crate::cch::{RouteSearch, Routes};
use crate::navigator::engine_choice::EngineChoice;
use crate::navigator::field_cache::{FieldCache, FieldKey};
use crate::navigator::updater::{RouteUpdater, Update};

/// Answers queries on one grid for one agent: short ones by [`PathSearch`], long ones by prepared
/// routes, and those for a goal that many share by a [`CostField`]. The ways cost the same whoever
/// finds them; [`Answer::engine`] tells who did.
///
/// After changes of the ground [`Router::update`] brings the routes up to date, large changes on a
/// thread of its own. Until that is done queries are answered by searches.
///
/// ```
/// use std::sync::Arc;
/// use surefoot::{NavGrid, routes::Router, solve::{HeightCost, Overlay, Query, Terrain}};
/// let map = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n";
/// let grid = Arc::new(NavGrid::from_map(map, 1.0, &[])?);
/// let human = grid.agent_id("human").ok_or("no such agent")?;
/// let mut router = Router::new(grid.clone(), human, HeightCost::default()).ok_or("no agent")?;
/// let overlay = Overlay::new(&grid);
/// router.update(&overlay);
/// let terrain = Terrain::changed(&grid, human, &overlay).ok_or("another grid")?;
/// let answer = router.path(&terrain, &Query::new([0.5, 0.0, 0.5], [4.5, 0.0, 0.5]));
/// assert_eq!(answer.path().ok_or("no way")?.waypoints().len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Router<M> {
    grid: Arc<NavGrid>,
    index: Arc<RouteIndex>,
    model: Arc<M>,
    supply: RouteUpdater,
    choice: EngineChoice,
    search: RouteSearch,
    asked: Asked,
    shared: FieldCache,
}

impl<M: CostModel + Send + Sync + 'static> Router<M> {
    /// Prepares a grid for an agent and a cost model; `None` where [`RouteIndex::new`] is. With an
    /// order that was kept with the grid this is several times faster.
    pub fn new(grid: Arc<NavGrid>, agent: AgentId, model: M) -> Option<Self> {
        Router::with_rules(grid, agent, (model, RouteRules::default()))
    }

    /// As [`Router::new`], for queries with other rules.
    pub fn with_rules(
        grid: Arc<NavGrid>,
        agent: AgentId,
        (model, rules): (M, RouteRules),
    ) -> Option<Self> {
        let index = RouteIndex::new(&grid, agent)?;
        let view = ViewRef::new(&grid, agent)?;
        let supply = RouteUpdater::new(index.price(&view, &model, rules));
        let choice = EngineChoice::new(&index.shape, &view, &model);
        let (index, model) = (Arc::new(index), Arc::new(model));
        let (search, shared) = (RouteSearch::default(), FieldCache::new(1));
        let asked = Asked::default();
        Some(Router { grid, index, model, supply, choice, search, asked, shared })
    }

    /// Brings the routes up to date with what changed; call it whenever something has, or once a
    /// tick: where nothing changed it takes no time.
    pub fn update(&mut self, overlay: &Overlay) -> Update {
        let agent = self.index.agent();
        match ViewRef::changed(&self.grid, agent, overlay) {
            Some(view) => {
                let parts = (&self.grid, &self.index, &self.model);
                self.supply.update(parts, (overlay, &view))
            }
            None => Update::OtherGrid,
        }
    }

    /// The cheapest way from start to goal, straightened. A terrain with other changes than those
    /// of the last update, or of another grid, is searched.
    pub fn path(&mut self, view: &ViewRef, query: &Query) -> &Answer {
        self.find(view, query, None)
    }

    /// As [`Router::path`], straightened by legs that `sight` confirms. The corridor is the same;
    /// where no leg is confirmed, its steps remain.
    pub fn path_with_sight(&mut self, view: &ViewRef, query: &Query, sight: &dyn Sight) -> &Answer {
        self.find(view, query, Some(sight))
    }

    fn find(&mut self, view: &ViewRef, query: &Query, sight: Option<&dyn Sight>) -> &Answer {
        self.supply.collect();
        let model = self.model.clone();
        let model = &*model;
        let search = &mut self.search.search;
        if search.begin(view, model, query) == Progress::Running
            && !search.go_straight(view, model, sight)
        {
            let asked = self.asked.again(FieldKey::of(search, view, query));
            let (shared, _) = self.shared.finish_with(search, (view, model), (query, asked));
            if shared == Progress::Running {
                self.follow_or_search((view, model), query);
            }
            self.search.search.straighten(view, model, sight);
        }
        self.search.search.answer()
    }

    fn follow_or_search(&mut self, (view, model): (&ViewRef, &M), query: &Query) {
        let costs = self.supply.ready();
        let routes = costs.map(|costs| Routes { index: &self.index, costs });
        let search = &mut self.search.search;
        if let Some(routes) = routes.filter(|routes| routes.fit(view, query)) {
            let searched = self.choice.search_first(search, (view, model), &self.index);
            if searched == Progress::Running {
                self.search.finish_with(routes, (view, model), query);
            }
            return;
        }
        while search.advance(view, model, u32::MAX) == Progress::Running {}
    }

    /// The corridor that was found last; empty where none was, and where the straight line was
    /// the answer.
    pub fn corridor(&self) -> &Corridor {
        self.search.corridor()
    }

    /// The index below.
    pub fn index(&self) -> &RouteIndex {
        &self.index
    }
}

/// How often in a row one goal was asked for.
#[derive(Clone, Debug, Default)]
struct Asked {
    key: Option<FieldKey>,
    count: usize,
}

impl Asked {
    /// Counts a query that a search was begun for.
    fn again(&mut self, key: Option<FieldKey>) -> usize {
        if self.key != key {
            (self.key, self.count) = (key, 0);
        }
        self.count += 1;
        self.count
    }
}
