//! Provides [`PathSearch`]: asks a terrain for ways, again and again, without allocating.

use nalgebra::Point3;

use crate::grid::SpanId;

use crate::cost::CostModel;
use crate::cost::MOST;
use crate::cost::{COARSEST, Metric, SlopeLimit};
use crate::path::answer::Answer;
use crate::path::builder::PathBuilder;
use crate::path::corridor::Corridor;
use crate::path::segment::Segments;
use crate::path::sight::Sight;
use crate::path::string_pulling::TautPath;
use crate::search::AStar;
use crate::search::Estimate;
use crate::search::{Endpoints, Goal};
use crate::search::{Engine, Outcome, Shortfall};
use crate::search::{GoalMode, Query};
use crate::search::{SearchTask, Stop};
use crate::view::Flow;
use crate::view::NavPoint;
use crate::view::{Stamp, ViewRef};

/// Finds the cheapest ways over a terrain, exactly: equal to Dijkstra's on the same costs.
///
/// One for each thread; grids are shared. It keeps 8 bytes a span, and everything else it needs,
/// from query to query, so that after the first ones it allocates nothing.
///
/// ```
/// use surefoot::{NavGrid, solve::{HeightCost, Query, Search, Terrain}};
/// let map = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n";
/// let grid = NavGrid::from_map(map, 1.0, &[])?;
/// let human = grid.agent_id("human").ok_or("no such agent")?;
/// let terrain = Terrain::new(&grid, human).ok_or("no such agent")?;
/// let mut search = Search::default();
/// let query = Query::new([0.5, 0.0, 0.5], [4.5, 0.0, 0.5]);
/// let answer = search.path(&terrain, &HeightCost::default(), &query);
/// let path = answer.path().ok_or("no way")?;
/// assert_eq!(path.waypoints().len(), 4);
/// assert!(path.length() < 6.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A search can be spread over time, or watched: [`PathSearch::begin`], then [`PathSearch::advance`] until
/// it is done, then [`PathSearch::straighten`].
#[derive(Clone, Debug, Default)]
pub struct PathSearch {
    /// The search under way.
    task: Option<SearchTask>,
    /// Between which places the corridor leads, once it is found.
    found: Option<Found>,
    /// What is left to its goal.
    estimate: Estimate,
    frontier: AStar,
    corridor: Corridor,
    taut: TautPath,
    answer: Answer,
}

/// Whether a search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to expand.
    Running,
    /// The outcome is known.
    Done,
}

/// What a search knows of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanState {
    /// It has not been reached.
    Unseen,
    /// It was reached and not yet expanded.
    Open,
    /// It was expanded.
    Closed,
}

/// What someone else knows of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExternalResult {
    /// The corridor is the cheapest; so many spans were looked at for it.
    Found { looked_at: u32 },
    /// There is none.
    NoPath,
    /// They cannot tell.
    Unknown,
}

/// Between which places a corridor leads.
#[derive(Clone, Copy, Debug)]
struct Found {
    stamp: Stamp,
    limit: Option<SlopeLimit>,
    start: NavPoint,
    end: NavPoint,
}

/// The straight line is the cheapest way where it costs no more than this part over what any way
/// costs.
const ROUNDING: f64 = 1e-5;

impl PathSearch {
    /// The cheapest way from start to goal, straightened. The answer stays until the next query.
    pub fn path<M: CostModel + ?Sized>(
        &mut self,
        view: &ViewRef,
        model: &M,
        query: &Query,
    ) -> &Answer {
        if self.begin(view, model, query) == Progress::Running
            && !self.go_straight(view, model, None)
        {
            while self.advance(view, model, u32::MAX) == Progress::Running {}
            self.straighten(view, model, None);
        }
        &self.answer
    }

    /// Begins a search: finds the ground at both ends, and tells at once where no way can be.
    pub fn begin<M: CostModel + ?Sized>(
        &mut self,
        view: &ViewRef,
        model: &M,
        query: &Query,
    ) -> Progress {
        (self.task, self.found) = (None, None);
        self.corridor.clear();
        self.answer.path.clear(view.grid().areas().len());
        self.answer.expanded = 0;
        self.answer.engine = Engine::AStar;
        self.answer.bound = query.weight_in_256ths() as f32 / 256.0;
        if query.is_cancelled() {
            return self.end(Outcome::Cancelled);
        }
        let ends = Endpoints { view, query };
        match ends.start().and_then(|start| Ok((start, ends.goal(start)?))) {
            Ok((start, goal)) => {
                let coarseness = Metric::least_coarseness(view, model);
                self.set_out(view, model, (query.clone(), coarseness, start, goal))
            }
            Err(outcome) => self.end(outcome),
        }
    }

    fn set_out<M: CostModel + ?Sized>(
        &mut self,
        view: &ViewRef,
        model: &M,
        (query, coarseness, start, goal): (Query, i32, NavPoint, Goal),
    ) -> Progress {
        let metric = Metric::new(view, model, SlopeLimit::of(view, query.slope_limit), coarseness);
        self.estimate.begin(&metric, query.heuristic, (query.directions, Flow::ToSources));
        self.estimate.aim(view, goal.nav_point.span);
        let is_exact = query.weight_in_256ths() == 256;
        let is_pruned = is_exact && metric.uniform_ground(query.directions).is_some();
        let closes_once = !is_exact;
        let stamp = view.stamp();
        let task = SearchTask { query, stamp, start, goal, coarseness, is_pruned, closes_once };
        self.frontier.begin(&task.parameters((&metric, &self.estimate)), start.span.0);
        self.task = Some(task);
        Progress::Running
    }

    /// Expands at most so many spans more. Where the terrain is not the one the search began on,
    /// it begins again on the new one.
    pub fn advance<M: CostModel + ?Sized>(
        &mut self,
        view: &ViewRef,
        model: &M,
        expansions: u32,
    ) -> Progress {
        let Some(task) = self.task.take() else { return Progress::Done };
        if task.stamp != view.stamp() {
            return self.begin(view, model, &task.query);
        }
        let limit = SlopeLimit::of(view, task.query.slope_limit);
        let metric = Metric::new(view, model, limit, task.coarseness);
        let so_far = &mut self.answer.expanded;
        match task.expand((&metric, &self.estimate), &mut self.frontier, (so_far, expansions)) {
            None => {
                self.task = Some(task);
                Progress::Running
            }
            Some(Stop::Goal | Stop::Short(Shortfall::Unreachable)) if self.is_too_fine(&task) => {
                let SearchTask { query, start, goal, coarseness, .. } = task;
                self.set_out(view, model, (query, coarseness + 1, start, goal))
            }
            Some(Stop::Goal) => self.arrive(&metric, &task, (task.goal.nav_point, None)),
            Some(Stop::Cancelled) => self.end(Outcome::Cancelled),
            Some(Stop::Short(shortfall)) => self.fall_short(&metric, &task, shortfall),
        }
    }

    /// Whether the way to the goal, or another one, may lead where costs are too large to add up, so that
    /// they have to be counted in larger units.
    fn is_too_fine(&self, task: &SearchTask) -> bool {
        let found = self.frontier.nodes.cost(task.goal.nav_point.span.0);
        self.frontier.overflowed && found > MOST && task.coarseness < COARSEST
    }

    /// Straightens the corridor, once it is found; every leg is one that `sight` has confirmed, if
    /// there is one. Where it confirms none, the steps of the corridor remain. Where no corridor
    /// was found, the answer says why; where the terrain is not the one it was found on, it is void, and
    /// the outcome [`Outcome::Cancelled`].
    pub fn straighten<M: CostModel + ?Sized>(
        &mut self,
        view: &ViewRef,
        model: &M,
        sight: Option<&dyn Sight>,
    ) -> &Answer {
        if let Some(found) = self.found.take() {
            if found.stamp != view.stamp() {
                self.answer.outcome = Outcome::Cancelled;
                return &self.answer;
            }
            let metric = Metric::new(view, model, found.limit, 0);
            let segments = Segments { metric: &metric, sight };
            let way =
                PathBuilder { segments, corridor: &self.corridor, ends: [found.start, found.end] };
            way.build(&mut self.taut, &mut self.answer.path);
        }
        &self.answer
    }

    /// The corridor that was found last; empty where none was, and where the straight line was
    /// the answer.
    pub fn corridor(&self) -> &Corridor {
        &self.corridor
    }

    /// Between which spans the search under way leads; `None` where none is.
    pub(crate) fn ends(&self) -> Option<[SpanId; 2]> {
        let task = self.task.as_ref()?;
        Some([task.start.span, task.goal.nav_point.span])
    }

    /// The same, and how far they are apart at least [cells].
    pub(crate) fn distance(&self, view: &ViewRef) -> Option<([SpanId; 2], f32)> {
        let ends = self.ends()?;
        let [(x, z), (to_x, to_z)] = ends.map(|span| view.place(span.0));
        let (x, z) = (x.abs_diff(to_x) as f32, z.abs_diff(to_z) as f32);
        Some((ends, x.max(z) + (std::f32::consts::SQRT_2 - 1.0) * x.min(z)))
    }

    /// Credits someone else with an answer that needed no search.
    pub(crate) fn credit(&mut self, engine: Engine) {
        self.answer.engine = engine;
    }

    pub(crate) fn answer(&self) -> &Answer {
        &self.answer
    }

    /// How the last query ended; of no meaning while a search is running.
    pub fn outcome(&self) -> Outcome {
        self.answer.outcome
    }

    /// Spans expanded so far.
    pub fn expanded(&self) -> u32 {
        self.answer.expanded
    }

    /// The span that was expanded last; `None` before the first.
    pub fn last_expanded(&self) -> Option<SpanId> {
        self.frontier.last.map(SpanId)
    }

    /// What the search knows of a span.
    pub fn state(&self, span: SpanId) -> SpanState {
        let nodes = &self.frontier.nodes;
        match nodes.parent(span.0) {
            None => SpanState::Unseen,
            Some(_) if nodes.is_closed(span.0) => SpanState::Closed,
            Some(_) => SpanState::Open,
        }
    }

    /// Takes the straight line where it is certain to be the cheapest way and `sight`, if there is
    /// one, confirms it.
    pub(crate) fn go_straight<M: CostModel + ?Sized>(
        &mut self,
        view: &ViewRef,
        model: &M,
        sight: Option<&dyn Sight>,
    ) -> bool {
        let Some(SearchTask { query, start, goal, .. }) = &self.task else { return false };
        let metric = Metric::new(view, model, SlopeLimit::of(view, query.slope_limit), 0);
        let segments = Segments { metric: &metric, sight };
        let ends = [*start, goal.nav_point];
        let least = metric.least_way(&ends);
        let segment = segments.clear(&ends[0], &ends[1], least * (1.0 + ROUNDING) + ROUNDING);
        if segment.is_some() {
            self.answer.outcome = outcome_at(goal.shortfall, (goal.nav_point, query));
            let way = PathBuilder { segments, corridor: &self.corridor, ends };
            way.build_straight(&mut self.answer.path);
            self.answer.engine = Engine::Straight;
            self.task = None;
        }
        segment.is_some()
    }

    /// Ends a search that was begun by what someone else knows: they are asked for the corridor
    /// between two spans. The search goes on where they do not know, or do not know enough.
    pub(crate) fn finish_with<M: CostModel + ?Sized>(
        &mut self,
        (view, model): (&ViewRef, &M),
        engine: Engine,
        find: impl FnOnce(&Metric<M>, [SpanId; 2], &mut Corridor) -> ExternalResult,
    ) -> Progress {
        let Some(task) = self.task.take_if(|task| task.stamp == view.stamp()) else {
            return self.advance(view, model, 0);
        };
        let limit = SlopeLimit::of(view, task.query.slope_limit);
        let metric = Metric::new(view, model, limit, task.coarseness);
        let ends = [task.start.span, task.goal.nav_point.span];
        match find(&metric, ends, &mut self.corridor) {
            ExternalResult::Found { looked_at } => {
                self.answer.expanded += looked_at;
                let end = task.goal.nav_point;
                self.found = Some(Found { stamp: task.stamp, limit, start: task.start, end });
                self.answer.engine = engine;
                self.end(outcome_at(task.goal.shortfall, (end, &task.query)))
            }
            ExternalResult::NoPath if task.query.goal == GoalMode::Fail => {
                self.answer.engine = engine;
                self.end(Outcome::Unreachable)
            }
            ExternalResult::NoPath | ExternalResult::Unknown => {
                self.corridor.clear();
                self.task = Some(task);
                Progress::Running
            }
        }
    }

    fn arrive<M: CostModel + ?Sized>(
        &mut self,
        metric: &Metric<M>,
        task: &SearchTask,
        (end, shortfall): (NavPoint, Option<Shortfall>),
    ) -> Progress {
        let outcome = outcome_at(shortfall.or(task.goal.shortfall), (end, &task.query));
        self.corridor.trace(metric, &self.frontier, end.span.0);
        let limit = SlopeLimit::of(metric.view, task.query.slope_limit);
        self.found = Some(Found { stamp: task.stamp, limit, start: task.start, end });
        self.end(outcome)
    }

    /// Ends without having reached the goal: with the way to the nearest place that was, where
    /// the query takes less than its goal.
    fn fall_short<M: CostModel + ?Sized>(
        &mut self,
        metric: &Metric<M>,
        task: &SearchTask,
        shortfall: Shortfall,
    ) -> Progress {
        let (view, query) = (metric.view, &task.query);
        let nodes = &self.frontier.nodes;
        let instead = match query.goal {
            GoalMode::Fail => return self.end(shortfall.outcome()),
            GoalMode::NearestByRing => self.nearest_expanded(view, query.to),
            GoalMode::NearestAlongLine => {
                let ends = Endpoints { view, query };
                ends.along_line(task.start, |span| nodes.is_closed(span.0))
            }
        };
        let end = instead.unwrap_or(task.start);
        self.arrive(metric, task, (end, Some(shortfall)))
    }

    /// Of the spans that were expanded the one nearest to a point. O(spans of the grid).
    fn nearest_expanded(&self, view: &ViewRef, point: Point3<f32>) -> Option<NavPoint> {
        let nodes = &self.frontier.nodes;
        let closed = (0..view.spans().len() as u32).filter(|&span| nodes.is_closed(span));
        let places = closed.map(|span| NavPoint::center(view, SpanId(span)));
        let off = |place: &NavPoint| (place.point - point).norm_squared();
        places.min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    fn end(&mut self, outcome: Outcome) -> Progress {
        self.answer.outcome = outcome;
        Progress::Done
    }
}

/// The outcome of a way that ends at a place.
fn outcome_at(shortfall: Option<Shortfall>, (end, query): (NavPoint, &Query)) -> Outcome {
    match shortfall {
        Some(reason) => Outcome::Partial { reason, gap: (query.to - end.point).norm() },
        None => Outcome::Complete,
    }
}
