//! The door: [`Navigator`] answers every query by whatever finds the path soonest.
//!
//! ```text
//! NavGrid + agent ─► Navigator ─► Path
//! ```
//!
//! It owns what a caller needs: the view of a grid with its overlay, the cost model, the search's
//! memory, prepared routes if there are any, and a cache of cost fields.

mod another_grid;
mod changes;
mod context;
pub(crate) mod field_cache;
mod ground;
mod path_start;
mod prepared;
pub(crate) mod updater;

use std::sync::Arc;

use nalgebra::Point3;

use crate::cch::{RouteRules, TableEnds};
use crate::cost::{CostModel, HeightCost, SharedModel};
use crate::diagnosis::{Separation, separation};
use crate::grid::{AgentKey, NavGrid, SpanId, UnknownAgent};
use crate::path::{Answer, Corridor, Path, PathSearch, Progress, Sight, SpanState, Straightening};
use crate::search::{CostField, Engine, FieldQuery, PathError, Query};
use crate::view::{Overlay, View, WallSearch};

pub use context::NavigatorModel;
pub use path_start::PathStart;

use context::EngineContext;
use field_cache::{FieldCache, FieldKey, FieldRequest};
use prepared::PreparedRoutes;

/// Finds paths for one agent on a grid.
///
/// ```
/// use surefoot::{NavGrid, Navigator};
/// let map = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n";
/// let grid = NavGrid::from_map(map, 1.0, &[])?;
/// let mut nav = Navigator::new(grid, "human")?;
/// let path = nav.path([0.5, 0.0, 0.5], [4.5, 0.0, 0.5])?;
/// assert_eq!(path.waypoints().len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Paths are exact: what they cost from cell to cell equals what Dijkstra's search finds, whichever
/// [`Engine`] answers. Memory is kept from query to query, so that after the first ones a query
/// allocates nothing. Use one navigator a thread: a clone shares the grid, the overlay, the model and
/// prepared routes, and has its own memory for searches.
#[derive(Debug)]
pub struct Navigator {
    view: View,
    overlay: Arc<Overlay>,
    model: SharedModel,
    search: PathSearch,
    routes: Option<PreparedRoutes>,
    fields: FieldCache,
    repeats: RepeatedGoal,
    walls: WallSearch,
}

/// A navigator, and the line of sight that confirms the segments of its paths if there is one.
///
/// Made from `&mut Navigator`, or by [`Navigator::with_sight`].
pub struct Guide<'a> {
    pub(crate) nav: &'a mut Navigator,
    pub(crate) sight: Option<&'a dyn Sight>,
}

impl<'a> From<&'a mut Navigator> for Guide<'a> {
    fn from(nav: &'a mut Navigator) -> Self {
        Guide { nav, sight: None }
    }
}

impl<'a> Guide<'a> {
    /// As [`Navigator::find`]. The corridor is the same for every line of sight; where no segment is
    /// confirmed, its steps remain.
    pub fn find(self, query: &Query) -> &'a Answer {
        self.nav.find_by(query, self.sight)
    }

    /// As [`Navigator::path`].
    ///
    /// # Errors
    /// Why there is no path.
    pub fn path(
        self,
        from: impl Into<Point3<f32>>,
        to: impl Into<Point3<f32>>,
    ) -> Result<&'a Path, PathError> {
        self.find(&Query::new(from, to)).path()
    }
}

/// The ground cannot be prepared: thousands of links join everything with everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the grid's ground does not come apart into cells for prepared routes; use searches instead"
)]
pub struct CannotPrepare;

/// How often in a row one goal was asked for.
#[derive(Clone, Debug, Default)]
struct RepeatedGoal {
    key: Option<FieldKey>,
    count: usize,
}

impl RepeatedGoal {
    /// Counts a query.
    fn count(&mut self, key: FieldKey) -> usize {
        if self.key != Some(key) {
            (self.key, self.count) = (Some(key), 0);
        }
        self.count += 1;
        self.count
    }
}

/// How a query begins.
struct BeginParameters<'a> {
    /// So many ask for the same goal; counted if that is not known.
    asked: Option<usize>,
    sight: Option<&'a dyn Sight>,
    /// How many cells of the corridor are wanted at once, if its engine can leave out the rest.
    cells: u32,
}

/// What the begin of a query led to.
pub(crate) struct Begun {
    pub progress: Progress,
    /// Spans that were looked at beside those that the answer counts.
    pub looked_at: u32,
}

impl Clone for Navigator {
    fn clone(&self) -> Self {
        Navigator {
            view: self.view.clone(),
            overlay: self.overlay.clone(),
            model: self.model.clone(),
            search: PathSearch::default(),
            routes: self.routes.clone(),
            fields: FieldCache::new(self.fields.most()),
            repeats: RepeatedGoal::default(),
            walls: WallSearch::default(),
        }
    }
}

impl Navigator {
    /// A navigator for an agent of a grid, by name or id, that counts length, rise and area by
    /// [`HeightCost::default`].
    ///
    /// # Errors
    /// The grid has no such agent; the error lists those it has.
    pub fn new(grid: NavGrid, agent: impl AgentKey) -> Result<Self, UnknownAgent> {
        Navigator::with_model(grid, agent, HeightCost::default())
    }

    /// A navigator that counts costs by a model.
    ///
    /// # Errors
    /// The grid has no such agent.
    pub fn with_model(
        grid: NavGrid,
        agent: impl AgentKey,
        model: impl NavigatorModel,
    ) -> Result<Self, UnknownAgent> {
        Ok(Navigator::of(View::new(&grid, agent)?, SharedModel::new(model)))
    }

    pub(crate) fn of(view: View, model: SharedModel) -> Self {
        Navigator {
            overlay: view.shared_overlay().unwrap_or_else(|| Arc::new(Overlay::new(view.grid()))),
            view,
            model,
            search: PathSearch::default(),
            routes: None,
            fields: FieldCache::new(1),
            repeats: RepeatedGoal::default(),
            walls: WallSearch::default(),
        }
    }

    /// Keeps cost fields for so many goals.
    pub(crate) fn with_fields(self, most: usize) -> Self {
        Navigator { fields: FieldCache::new(most), ..self }
    }

    /// The cheapest path from one point to another, straightened.
    ///
    /// # Errors
    /// Why there is none, and for ends off the grid what is nearest.
    pub fn path(
        &mut self,
        from: impl Into<Point3<f32>>,
        to: impl Into<Point3<f32>>,
    ) -> Result<&Path, PathError> {
        self.find(&Query::new(from, to)).path()
    }

    /// Answers a query. The answer stays until the next one.
    pub fn find(&mut self, query: &Query) -> &Answer {
        self.find_by(query, None)
    }

    /// What separates two places: the path on which the least would have to give, and what that is,
    /// with its place and its size. Empty if the agent gets from one to the other.
    ///
    /// Looks at all floors, the overlay's obstacles and closed links. It allocates a few bytes for
    /// each span of the grid and takes longer than a search: ask after a query has failed.
    /// O(spans · log spans).
    ///
    /// ```
    /// use surefoot::{Agent, NavGrid, Navigator};
    /// use surefoot::diagnosis::Shortfall;
    /// let map = "type octile\nheight 1\nwidth 5\nmap\n..@..\n";
    /// let grid = NavGrid::from_map(map, 1.0, &[Agent::new("human")])?;
    /// let nav = Navigator::new(grid, "human")?;
    /// let separation = nav.why_not([0.5, 0.0, 0.5], [4.5, 0.0, 0.5])?;
    /// assert_eq!(separation.blockers.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The agent cannot stand at an end, or anywhere near it.
    pub fn why_not(
        &self,
        from: impl Into<Point3<f32>>,
        to: impl Into<Point3<f32>>,
    ) -> Result<Separation, PathError> {
        self.why_not_by(&Query::new(from, to))
    }

    /// As [`Navigator::why_not`], with the tolerances and the area filter of a query.
    ///
    /// # Errors
    /// The agent cannot stand at an end, or anywhere near it.
    pub fn why_not_by(&self, query: &Query) -> Result<Separation, PathError> {
        separation(&self.view, query)
    }

    /// The navigator with a line of sight that confirms every segment, such as a cast of the body
    /// through a physics world.
    pub fn with_sight<'a>(&'a mut self, sight: &'a dyn Sight) -> Guide<'a> {
        Guide { nav: self, sight: Some(sight) }
    }

    pub(crate) fn find_by(&mut self, query: &Query, sight: Option<&dyn Sight>) -> &Answer {
        if self.begin_by(query, None, sight).progress == Progress::Running {
            while self.advance(u32::MAX) == Progress::Running {}
        }
        self.finish_by(sight)
    }

    /// Begins a query that is answered over several calls: then [`Navigator::advance`] until it is
    /// done, then [`Navigator::finish`]. If the ground or the costs change meanwhile, it begins again.
    pub fn begin(&mut self, query: &Query) -> Progress {
        self.begin_by(query, None, None).progress
    }

    /// As [`Navigator::begin`], by a search from the start, even if the straight line or another engine
    /// would have answered at once: to watch how A* goes about it.
    pub fn begin_search(&mut self, query: &Query) -> Progress {
        self.search.begin(&self.view, &self.model, query)
    }

    /// Begins a query, of which `asked` ask for the same goal; counted here if that is not known.
    pub(crate) fn begin_by(
        &mut self,
        query: &Query,
        asked: Option<usize>,
        sight: Option<&dyn Sight>,
    ) -> Begun {
        self.begin_with(query, BeginParameters { asked, sight, cells: u32::MAX })
    }

    fn begin_with(&mut self, query: &Query, parameters: BeginParameters) -> Begun {
        let BeginParameters { asked, sight, cells } = parameters;
        let Navigator { view, model, search, .. } = self;
        let mut begun = Begun { progress: Progress::Done, looked_at: 0 };
        if search.begin(view, model, query) == Progress::Done {
            if query.engine == Some(Engine::Routes) {
                search.credit(Engine::Routes);
            }
            return begun;
        }
        if search.go_straight(model, sight) {
            return begun;
        }
        begun.progress = Progress::Running;
        let context = EngineContext { view, model, query, cells };
        if query.engine.is_none_or(|engine| engine == Engine::Field)
            && let Some(key) = FieldKey::of(search, view, query)
        {
            let asked = asked.unwrap_or_else(|| self.repeats.count(key));
            let answer = self.fields.answer(search, &context, FieldRequest { key, asked });
            (begun.progress, begun.looked_at) = (answer.progress, answer.looked_at);
        }
        let may_use_routes = query.engine.is_none_or(|engine| engine == Engine::Routes);
        if begun.progress == Progress::Running
            && may_use_routes
            && let Some(routes) = &mut self.routes
        {
            begun.progress = routes.answer(search, &context);
        }
        begun
    }

    /// Expands at most `expansions` more spans of the query that was begun.
    pub fn advance(&mut self, expansions: u32) -> Progress {
        let before = self.search.expanded();
        let progress = self.search.advance(&self.view, &self.model, expansions);
        if let Some(routes) = &mut self.routes {
            routes.count_search(self.search.expanded().saturating_sub(before));
        }
        progress
    }

    /// Straightens what was found, and answers.
    pub fn finish(&mut self) -> &Answer {
        self.finish_by(None)
    }

    pub(crate) fn finish_by(&mut self, sight: Option<&dyn Sight>) -> &Answer {
        self.search.straighten(&self.view, &self.model, Straightening::whole(sight))
    }

    /// The last answer.
    pub fn answer(&self) -> &Answer {
        self.search.answer()
    }

    /// The corridor of the last answer: the spans that the path was straightened from. Empty if there
    /// was none, and if the straight line was the answer.
    ///
    /// Prepared routes lay out only what straightening needs. The rest is laid out when this is called for
    /// the first time after a query, by searches, and that allocates.
    pub fn corridor(&self) -> &Corridor {
        self.search.whole_corridor(&self.model)
    }

    /// The number of cells that the corridor of the last answer leads over.
    pub(crate) fn corridor_cells(&self) -> u32 {
        self.search.corridor_cells()
    }

    /// How many spans the search has expanded so far.
    pub fn expanded(&self) -> u32 {
        self.search.expanded()
    }

    /// The span that the search expanded last; `None` before the first.
    pub fn last_expanded(&self) -> Option<SpanId> {
        self.search.last_expanded()
    }

    /// What the last search knows of a span.
    pub fn span_state(&self, span: SpanId) -> SpanState {
        self.search.state(span)
    }

    /// The view that queries run on.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The grid below.
    pub fn grid(&self) -> &NavGrid {
        self.view.grid()
    }

    /// The rule that counts costs.
    pub fn model(&self) -> &(dyn CostModel + Send + Sync) {
        self.model.given()
    }

    pub(crate) fn shared_model(&self) -> &SharedModel {
        &self.model
    }

    /// Prepares routes, so that long paths are found many times faster, and exactly as before. With an
    /// order that was baked into the grid (`bake --routes`) this is several times faster. Takes a
    /// second or less for most levels.
    ///
    /// # Errors
    /// Ground that does not come apart; queries are answered by searches as before.
    pub fn prepare(&mut self) -> Result<(), CannotPrepare> {
        self.prepare_for(RouteRules::default())
    }

    /// As [`Navigator::prepare`], for queries with another slope limit or other directions.
    ///
    /// # Errors
    /// Ground that does not come apart.
    pub fn prepare_for(&mut self, rules: RouteRules) -> Result<(), CannotPrepare> {
        let routes = PreparedRoutes::new(&self.view, &self.model, rules);
        self.routes = Some(routes.ok_or(CannotPrepare)?);
        Ok(())
    }

    /// Brings prepared routes up to date with the overlay before it returns, however long that takes.
    /// Without this, large updates go to a thread, and searches answer meanwhile.
    pub fn update_routes(&mut self) {
        if let Some(routes) = &mut self.routes {
            routes.catch_up(&self.view, &self.model);
        }
    }

    /// Whether routes are prepared.
    pub fn is_prepared(&self) -> bool {
        self.routes.is_some()
    }

    /// Bytes of memory that prepared routes take; 0 without any.
    pub fn route_bytes(&self) -> usize {
        self.routes.as_ref().map_or(0, PreparedRoutes::bytes)
    }

    /// The costs of the cheapest paths from every one of some spans to every one of others
    /// [metres-equivalent], a row for each start; infinite if there is none. The work is that of as
    /// many queries as there are spans, not pairs. `None` if no routes are prepared, while they are
    /// being updated, if the agent cannot stand on one of the spans, and if such costs cannot be
    /// counted.
    pub fn table(&mut self, from: &[SpanId], to: &[SpanId]) -> Option<Vec<f32>> {
        self.routes.as_mut()?.table(&self.view, &self.model, TableEnds { from, to })
    }

    /// Fills a cost field: the costs between some spans and everything around them. A field that is
    /// filled again allocates nothing.
    pub fn fill(&self, field: &mut CostField, query: &FieldQuery) {
        field.fill(&self.view, &self.model, query);
    }

    /// A new cost field.
    pub fn field(&self, query: &FieldQuery) -> CostField {
        let mut field = CostField::default();
        self.fill(&mut field, query);
        field
    }

    /// Counts a step of a crowd, for updates of prepared routes.
    pub(crate) fn count_step(&mut self) {
        if let Some(routes) = &mut self.routes {
            routes.count_step();
        }
    }
}
