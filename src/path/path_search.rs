//! Provides [`PathSearch`]: answers queries by A*, again and again, without allocating.

use std::sync::OnceLock;

use nalgebra::Point3;

use crate::cost::{COARSEST, CostModel, MOST, Metric, SlopeLimit};
use crate::grid::{CellOffset, SpanId};
use crate::search::{
    AStar, Endpoints, Engine, Estimate, EstimateParameters, ExpansionBudget, Goal, GoalMode,
    Outcome, PathError, Query, SearchTask, Stop,
};
use crate::view::{Flow, NavPoint, View, ViewRef};

use super::answer::Answer;
use super::builder::PathBuilder;
use super::corridor::{Corridor, CorridorFiller};
use super::found_corridor::FoundCorridor;
use super::segment::Segments;
use super::segment_walk::SegmentTarget;
use super::sight::{LineEnd, Sight};
use super::string_pulling::{TautPath, WantedWaypoints};

/// Finds the cheapest paths on a view, exactly: equal to Dijkstra's search on the same costs.
///
/// It keeps 8 bytes a span, and everything else it needs, from query to query, so that after the
/// first ones it allocates nothing. A search can be spread over time: [`PathSearch::begin`], then
/// [`PathSearch::advance`] until it is done, then [`PathSearch::straighten`].
#[derive(Clone, Debug, Default)]
pub(crate) struct PathSearch {
    /// The search under way.
    task: Option<SearchTask>,
    /// Something is known to be in the way of the straight line to its goal.
    is_line_blocked: bool,
    /// The query of a search that lost its view; it begins again.
    restart: Option<Query>,
    /// Between which points the corridor leads, once it is found.
    found: Option<FoundCorridor>,
    /// The corridor without gaps, once somebody has asked for it.
    whole_corridor: OnceLock<Corridor>,
    filler: CorridorFiller,
    /// What is left to its goal.
    estimate: Estimate,
    frontier: AStar,
    corridor: Corridor,
    taut: TautPath,
    answer: Answer,
}

/// How a corridor is straightened.
#[derive(Clone, Copy)]
pub(crate) struct Straightening<'a> {
    /// Confirms every segment.
    pub sight: Option<&'a dyn Sight>,
    pub wanted: WantedWaypoints,
}

impl<'a> Straightening<'a> {
    /// Of the whole corridor.
    pub(crate) fn whole(sight: Option<&'a dyn Sight>) -> Self {
        Straightening { sight, wanted: WantedWaypoints::ALL }
    }
}

/// Whether a search has more to do.
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

/// What another engine knows of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExternalResult {
    /// The corridor is the cheapest; this many spans were looked at for it.
    Found { looked_at: u32 },
    /// There is none.
    NoPath,
    /// It cannot tell.
    Unknown,
}

/// The straight line is the cheapest path if it costs no more than this part over the lower bound of
/// every path.
const ROUNDING: f64 = 1e-5;

impl PathSearch {
    /// Forgets the last query, and keeps the memory of its spans.
    pub(crate) fn forget(&mut self) {
        let mut frontier = std::mem::take(&mut self.frontier);
        frontier.forget();
        *self = PathSearch { frontier, ..PathSearch::default() };
    }

    /// The cheapest path from start to goal, straightened. The answer stays until the next query.
    #[cfg(test)]
    pub fn path<M: CostModel + ?Sized>(
        &mut self,
        view: &View,
        model: &M,
        query: &Query,
    ) -> &Answer {
        if self.begin(view, model, query) == Progress::Running && !self.go_straight(model, None) {
            while self.advance(view, model, u32::MAX) == Progress::Running {}
            self.straighten(view, model, Straightening::whole(None));
        }
        &self.answer
    }

    /// Begins a search: finds the ground at both ends, and answers at once if there can be no path.
    pub fn begin<M: CostModel + ?Sized>(
        &mut self,
        view: &View,
        model: &M,
        query: &Query,
    ) -> Progress {
        (self.task, self.restart, self.found) = (None, None, None);
        self.is_line_blocked = false;
        self.corridor.clear();
        self.whole_corridor.take();
        self.answer.path.clear(view.grid().areas().len());
        self.answer.expanded = 0;
        self.answer.engine = Engine::AStar;
        // What a caller gets that finishes a search before it is done.
        self.answer.outcome = Outcome::Failed(PathError::OutOfBudget);
        self.answer.bound = query.weight_in_256ths() as f32 / 256.0;
        if query.is_cancelled() {
            return self.fail(PathError::Cancelled);
        }
        let view = view.filtered(&query.filter).with_links(query.links);
        let ends = Endpoints { view: &view.parts(), query };
        match ends.start().and_then(|start| Ok((start, ends.goal(start)?))) {
            Ok((start, goal)) => {
                let unit_exponent = Metric::least_unit_exponent(&view.parts(), model);
                let query = query.clone();
                self.run(model, SearchTask { query, view, start, goal, unit_exponent })
            }
            Err(reason) => self.fail(reason),
        }
    }

    fn run<M: CostModel + ?Sized>(&mut self, model: &M, task: SearchTask) -> Progress {
        let view = task.view.parts();
        let metric = task.metric(&view, model);
        let (heuristic, directions) = (task.query.heuristic, task.query.directions);
        let parameters = EstimateParameters { heuristic, directions, flow: Flow::ToSources };
        self.estimate.begin(&metric, parameters);
        self.estimate.aim(&view, task.goal.nav_point.span);
        self.frontier.begin(&task.parameters(&metric, &self.estimate), task.start.span.0);
        self.task = Some(task);
        Progress::Running
    }

    /// Expands at most `expansions` more spans. If the view is not the one the search began on, it
    /// begins again on the new one.
    pub fn advance<M: CostModel + ?Sized>(
        &mut self,
        view: &View,
        model: &M,
        expansions: u32,
    ) -> Progress {
        if let Some(query) = self.restart.take() {
            return self.begin(view, model, &query);
        }
        let Some(task) = self.task.take() else { return Progress::Done };
        if task.view.stamp() != view.stamp() {
            return self.begin(view, model, &task.query);
        }
        let parts = task.view.parts();
        let metric = task.metric(&parts, model);
        let parameters = task.parameters(&metric, &self.estimate);
        let budget = ExpansionBudget { expanded: &mut self.answer.expanded, more: expansions };
        match task.expand(&parameters, &mut self.frontier, budget) {
            None => {
                self.task = Some(task);
                Progress::Running
            }
            Some(Stop::Goal | Stop::Short(PathError::Unreachable)) if self.is_too_fine(&task) => {
                self.run(model, SearchTask { unit_exponent: task.unit_exponent + 1, ..task })
            }
            Some(Stop::Goal) => self.arrive(&metric, &task, task.goal),
            Some(Stop::Short(reason)) => self.fall_short(&metric, &task, reason),
        }
    }

    /// Whether the path to the goal, or another one, may cross edges whose costs overflow in these
    /// units, so that larger ones are needed.
    fn is_too_fine(&self, task: &SearchTask) -> bool {
        let found = self.frontier.nodes.cost(task.goal.nav_point.span.0);
        self.frontier.overflowed && found > MOST && task.unit_exponent < COARSEST
    }

    /// Gives up the view of the search under way, so that the owner of the overlay can change it
    /// without a copy. The search begins again when it advances; a corridor that was found and not yet
    /// straightened is void.
    pub fn release_view<M: CostModel + ?Sized>(&mut self, model: &M) {
        if let Some(task) = self.task.take() {
            self.restart = Some(task.query);
        }
        self.fill_corridor(model);
        if self.found.take().is_some_and(|found| !found.is_answered) {
            self.fail(PathError::Cancelled);
        }
    }

    /// Straightens the corridor, once it is found; `sight`, if there is one, confirms every segment.
    /// If it confirms none, the steps of the corridor remain. If no corridor was found, the answer
    /// says why; if the view is not the one it was found on, it is void, and the answer is
    /// [`PathError::Cancelled`]. A search that is still running ends without a path.
    pub fn straighten<M: CostModel + ?Sized>(
        &mut self,
        view: &View,
        model: &M,
        straightening: Straightening,
    ) -> &Answer {
        let Straightening { sight, wanted } = straightening;
        (self.task, self.restart) = (None, None);
        if sight.is_some() {
            // Only the steps of the corridor are certain to be clear.
            self.fill_corridor(model);
        }
        if let Some(found) = &mut self.found {
            if found.is_answered {
                return &self.answer;
            }
            found.is_answered = true;
            if found.view.stamp() != view.stamp() {
                self.fail(PathError::Cancelled);
                return &self.answer;
            }
            if found.is_straight {
                return &self.answer;
            }
            let parts = found.view.parts();
            let metric = Metric::new(&parts, model, found.limit, 0);
            let segments = Segments { metric: &metric, sight };
            let ends = [found.start, found.end];
            let (corridor, is_line_blocked) = (&self.corridor, self.is_line_blocked);
            let builder = PathBuilder { segments, corridor, ends, is_line_blocked };
            builder.build(&mut self.taut, &mut self.answer.path, wanted);
        }
        &self.answer
    }

    /// Whether the path leads to its end, and not only part of the way.
    pub fn is_whole(&self) -> bool {
        let last = self.answer.path.waypoints().last();
        let end = self.found.as_ref().map(|found| found.end.point);
        last.is_some_and(|last| Some(last.point) == end)
    }

    /// Drops what was found: nobody wants its path.
    pub fn drop_path(&mut self) {
        self.found = None;
        self.corridor.clear();
        self.fail(PathError::Cancelled);
    }

    /// Lays out more of the corridor, if it is cut, to straighten it again. False if none was found.
    pub fn lay_out_more<M: CostModel + ?Sized>(
        &mut self,
        model: &M,
        go_on: impl FnOnce(&Metric<M>, &mut Corridor),
    ) -> bool {
        let Some(found) = &mut self.found else { return false };
        let parts = found.view.parts();
        if self.corridor.is_cut {
            go_on(&found.metric(&parts, model), &mut self.corridor);
        }
        self.answer.path.clear(parts.grid().areas().len());
        found.is_answered = false;
        true
    }

    /// What the corridor costs from cell to cell, or the path if it is straight [metres-equivalent].
    pub fn cost(&self) -> f32 {
        let is_straight = self.found.as_ref().is_none_or(|found| found.is_straight);
        if is_straight { self.answer.path.cost() } else { self.corridor.cost() }
    }

    /// Takes the straight line if it is certain to be the cheapest path and `sight`, if there is one,
    /// confirms it.
    pub fn go_straight<M: CostModel + ?Sized>(
        &mut self,
        model: &M,
        sight: Option<&dyn Sight>,
    ) -> bool {
        let Some(task) = &self.task else { return false };
        let SearchTask { query, view: own, start, goal, .. } = task;
        let view = own.parts();
        let limit = SlopeLimit::of(&view, query.slope_limit);
        let metric = Metric::new(&view, model, limit, 0);
        let segments = Segments { metric: &metric, sight };
        let ends = [*start, goal.nav_point];
        let least = metric.least_path(&ends);
        let most = least * (1.0 + ROUNDING) + ROUNDING;
        let segment = segments.try_clear(&ends[0], SegmentTarget::NavPoint(&ends[1]), most);
        self.is_line_blocked = matches!(segment, Err(LineEnd::Blocked(_)));
        let is_clear = segment.is_ok();
        if is_clear {
            self.answer.outcome = outcome_at(goal, query);
            let (corridor, is_line_blocked) = (&self.corridor, false);
            let builder = PathBuilder { segments, corridor, ends, is_line_blocked };
            builder.build_straight(&mut self.answer.path);
            self.answer.engine = Engine::Straight;
            let found = FoundCorridor::of(task, goal.nav_point);
            self.found = Some(FoundCorridor { is_straight: true, ..found });
            self.task = None;
        }
        is_clear
    }

    /// Ends a search that was begun by what another engine knows: `find` is asked for the corridor
    /// between two spans. The search goes on if the engine does not know, or does not know enough.
    pub fn finish_with<M: CostModel + ?Sized>(
        &mut self,
        model: &M,
        engine: Engine,
        find: impl FnOnce(&Metric<M>, [SpanId; 2], &mut Corridor) -> ExternalResult,
    ) -> Progress {
        let Some(task) = self.task.take() else { return Progress::Done };
        let view = task.view.parts();
        let metric = task.metric(&view, model);
        let ends = [task.start.span, task.goal.nav_point.span];
        match find(&metric, ends, &mut self.corridor) {
            ExternalResult::Found { looked_at } => {
                self.answer.expanded += looked_at;
                self.answer.engine = engine;
                self.finish(&task, task.goal)
            }
            ExternalResult::NoPath if task.query.goal == GoalMode::Fail => {
                self.answer.engine = engine;
                self.fail(PathError::Unreachable)
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
        end: Goal,
    ) -> Progress {
        self.corridor.trace(metric, &self.frontier, end.nav_point.span.0);
        self.finish(task, end)
    }

    fn finish(&mut self, task: &SearchTask, end: Goal) -> Progress {
        self.found = Some(FoundCorridor::of(task, end.nav_point));
        self.answer.outcome = outcome_at(&end, &task.query);
        Progress::Done
    }

    /// Ends without having reached the goal: with the path to the nearest point that was, if the
    /// query accepts less than its goal.
    fn fall_short<M: CostModel + ?Sized>(
        &mut self,
        metric: &Metric<M>,
        task: &SearchTask,
        reason: PathError,
    ) -> Progress {
        let (view, query) = (metric.view, &task.query);
        let nodes = &self.frontier.nodes;
        let instead = match query.goal {
            _ if reason == PathError::Cancelled => return self.fail(reason),
            GoalMode::Fail => return self.fail(reason),
            GoalMode::NearestByRing => self.nearest_expanded(view, query.to),
            GoalMode::NearestAlongLine => {
                let ends = Endpoints { view, query };
                ends.along_line(task.start, |span| nodes.is_closed(span.0))
            }
        };
        let nav_point = instead.unwrap_or(task.start);
        self.is_line_blocked = false;
        self.arrive(metric, task, Goal { nav_point, shortfall: Some(reason) })
    }

    /// The expanded span nearest to a point. O(spans of the grid).
    fn nearest_expanded(&self, view: &ViewRef, point: Point3<f32>) -> Option<NavPoint> {
        let nodes = &self.frontier.nodes;
        let closed = (0..view.spans().len() as u32).filter(|&span| nodes.is_closed(span));
        let centers = closed.map(|span| NavPoint::center(view, SpanId(span)));
        let off = |center: &NavPoint| (center.point - point).norm_squared();
        centers.min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    fn fail(&mut self, reason: PathError) -> Progress {
        self.answer.outcome = Outcome::Failed(reason);
        Progress::Done
    }

    /// The corridor that was found last; empty if none was, and if the straight line was the answer. It may
    /// leave out spans until it is filled.
    #[cfg(test)]
    pub fn corridor(&self) -> &Corridor {
        &self.corridor
    }

    /// The corridor without gaps.
    pub fn whole_corridor<M: CostModel + ?Sized>(&self, model: &M) -> &Corridor {
        match &self.found {
            Some(found) if self.corridor.has_gaps() => self.whole_corridor.get_or_init(|| {
                let mut whole = self.corridor.clone();
                found.fill_gaps(&mut whole, &mut CorridorFiller::default(), model);
                whole
            }),
            _ => &self.corridor,
        }
    }

    /// Lays out what the corridor leaves out.
    pub fn fill_corridor<M: CostModel + ?Sized>(&mut self, model: &M) {
        if let Some(found) = &self.found {
            found.fill_gaps(&mut self.corridor, &mut self.filler, model);
        }
    }

    /// The number of cells that the corridor leads over.
    pub fn corridor_cells(&self) -> u32 {
        self.found.as_ref().map_or(0, |found| self.corridor.cells(&found.view.parts()))
    }

    /// Between which spans the search under way leads; `None` if none is.
    pub fn ends(&self) -> Option<[SpanId; 2]> {
        let task = self.task.as_ref()?;
        Some([task.start.span, task.goal.nav_point.span])
    }

    /// How far apart the ends of the search under way are at least [cells].
    pub fn distance(&self) -> Option<f32> {
        let view = self.task.as_ref()?.view.parts();
        let [start, goal] = self.ends()?.map(|span| view.cell_offset(span.0));
        let CellOffset { x, z } = start.to(goal);
        let (x, z) = (x.abs() as f32, z.abs() as f32);
        Some(x.max(z) + (std::f32::consts::SQRT_2 - 1.0) * x.min(z))
    }

    /// Credits another engine with an answer that needed no search.
    pub fn credit(&mut self, engine: Engine) {
        self.answer.engine = engine;
    }

    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// How the last query ended; meaningless while a search is running.
    #[cfg(test)]
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
}

/// The outcome of a path that ends at a goal, or at what came instead of it.
fn outcome_at(end: &Goal, query: &Query) -> Outcome {
    let gap = || (query.to - end.nav_point.point).norm();
    match end.shortfall {
        Some(reason) => Outcome::Partial { reason, gap: gap() },
        None => Outcome::Complete,
    }
}
