//! Provides [`Router`]: answers every query by whatever finds the way soonest.

use std::sync::Arc;

use crate::grid::{AgentId, NavGrid};
use crate::solve::{
    Answer, Corridor, CostField, CostModel, Engine, FieldQuery, Overlay, Progress, Query, Search,
    Settled, Stamp, Terrain,
};

use super::choice::Choice;
use super::costs::RouteRules;
use super::index::RouteIndex;
use super::search::{RouteSearch, Routes};
use super::supply::{Supply, Update};

/// Answers queries on one grid for one agent: short ones by [`Search`], long ones by prepared
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
    supply: Supply,
    choice: Choice,
    search: RouteSearch,
    shared: SharedGoal,
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
        let terrain = Terrain::new(&grid, agent)?;
        let supply = Supply::new(index.price(&terrain, &model, rules));
        let choice = Choice::new(&index.shape, &terrain, &model);
        let (index, model) = (Arc::new(index), Arc::new(model));
        let (search, shared) = (RouteSearch::default(), SharedGoal::default());
        Some(Router { grid, index, model, supply, choice, search, shared })
    }

    /// Brings the routes up to date with what changed; call it whenever something has, or once a
    /// tick: where nothing changed it takes no time.
    pub fn update(&mut self, overlay: &Overlay) -> Update {
        let agent = self.index.agent();
        match Terrain::changed(&self.grid, agent, overlay) {
            Some(terrain) => {
                let parts = (&self.grid, &self.index, &self.model);
                self.supply.update(parts, (overlay, &terrain))
            }
            None => Update::OtherGrid,
        }
    }

    /// The cheapest way from start to goal, straightened. A terrain with other changes than those
    /// of the last update, or of another grid, is searched.
    pub fn path(&mut self, terrain: &Terrain, query: &Query) -> &Answer {
        self.supply.collect();
        let model = self.model.clone();
        let model = &*model;
        let search = &mut self.search.search;
        if search.begin(terrain, model, query) == Progress::Running
            && !search.go_straight(terrain, model)
        {
            let shared = self.shared.settle(search, (terrain, model), query);
            if shared == Progress::Running {
                self.follow_or_search((terrain, model), query);
            }
            self.search.search.straighten(terrain, model, None);
        }
        self.search.search.answer()
    }

    fn follow_or_search(&mut self, (terrain, model): (&Terrain, &M), query: &Query) {
        let costs = self.supply.ready();
        let routes = costs.map(|costs| Routes { index: &self.index, costs });
        if let Some(routes) = routes.filter(|routes| routes.fit(terrain, query))
            && let Some((ends, cells)) = self.search.search.distance(terrain)
            && let [Some(from), Some(to)] = ends.map(|span| self.index.rank(span))
            && self.choice.prefers_routes(&self.index.shape, [from, to], cells)
        {
            return self.search.settle(routes, (terrain, model), query);
        }
        let search = &mut self.search.search;
        while search.advance(terrain, model, u32::MAX) == Progress::Running {}
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

/// A goal that one query after another has asked for.
#[derive(Clone, Debug, Default)]
struct SharedGoal {
    goal: Option<(Stamp, u32, RouteRules)>,
    /// Queries in a row that asked for it.
    count: usize,
    /// The field is that of the goal.
    is_filled: bool,
    field: CostField,
}

/// A field is filled once a goal has been asked for so often in a row: one query for this many
/// spans. By then it would have paid.
const SPANS_A_QUERY: usize = 2000;
/// Goals are not shared before so many queries in a row, however small the grid.
const SHARED: usize = 4;

impl SharedGoal {
    /// Ends a search that was begun, where its goal is one that many share.
    fn settle<M: CostModel + ?Sized>(
        &mut self,
        search: &mut Search,
        (terrain, model): (&Terrain, &M),
        query: &Query,
    ) -> Progress {
        let Some(([_, goal], _)) = search.distance(terrain) else { return Progress::Running };
        let asked = Some((terrain.stamp(), goal.0, RouteRules::of(query)));
        if self.goal != asked {
            (self.goal, self.count, self.is_filled) = (asked, 0, false);
        }
        self.count += 1;
        let paid = self.count * SPANS_A_QUERY >= terrain.spans().len();
        if self.count < SHARED || !paid || query.is_cancelled() {
            return Progress::Running;
        }
        if !self.is_filled {
            let sources = [goal];
            let field = FieldQuery {
                slope_limit: query.slope_limit,
                directions: query.directions,
                ..FieldQuery::to(&sources)
            };
            self.field.fill(terrain, model, &field);
            self.is_filled = true;
        }
        search.settle((terrain, model), Engine::Field, |tariff, [start, _], corridor| {
            let way = Settled::Way { looked_at: 0 };
            self.field.follow(tariff, start, corridor).map_or(Settled::Unknown, |()| way)
        })
    }
}
