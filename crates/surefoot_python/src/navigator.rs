//! `Navigator`: batches of queries of one agent on a grid.

use std::sync::Mutex;

use pyo3::prelude::*;
use rayon::ThreadPool;
use surefoot::search::{Engine, FieldQuery, PathError, Query};
use surefoot::{HeightCost, Observer, SpanId};
use surefoot_report::{SeparationReport, StandingQuestion};

use crate::arrays::{OutArray, Pairs, Point, is_finite, point, points};
use crate::batch::{BatchCall, BatchNavigator};
use crate::convert::{from_json, to_json, to_python};
use crate::errors::{bad_value, check_length, refused};
use crate::field::PyCostField;
use crate::grid::PyNavGrid;
use crate::interrupt::{CancelFlag, interruptible, lock_unless, with_state};
use crate::obstacle::{ObstacleNumbers, PyObstacle};
use crate::options::{PathOptions, between};
use crate::paths::{PathRow, Paths};
use crate::pool::threads;

/// Answers queries for one agent of a grid, thousands at once.
///
/// Batches run on all threads without holding Python's lock, and give the same bits on any number of threads.
/// Points are arrays of the shape (n, 3): x, y, z [m], y up. Where a function takes two of them, one may have a
/// single row, which stands for all.
///
/// Parameters
/// ----------
/// grid : NavGrid
/// agent : str
///     The name of one of `grid.agent_names`.
/// ascend, descend : float
///     What a metre of rise or fall costs, beside the length of the path [metres-equivalent, >= 0].
#[pyclass(frozen, module = "surefoot", name = "Navigator")]
pub struct PyNavigator {
    state: Mutex<NavigatorState>,
}

/// More rows than this may take so long that somebody presses ctrl-C.
const MANY_ROWS: usize = 1 << 12;

/// What a call has to itself.
pub struct NavigatorState {
    pub batch: BatchNavigator,
    pub obstacles: ObstacleNumbers,
}

impl NavigatorState {
    /// What queries are like by default: whichever engine answers, it is the same for all rows of a batch.
    fn query(&self, options: Option<&PathOptions>) -> PyResult<Query> {
        let navigator = self.batch.navigator();
        let query = options.cloned().unwrap_or_default().query(navigator.grid())?;
        let engine = if navigator.is_prepared() { Engine::Routes } else { Engine::AStar };
        Ok(Query { engine: Some(engine), ..query })
    }
}

impl PyNavigator {
    /// Works without Python's lock on the state, once it is free.
    pub fn with<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut NavigatorState, &ThreadPool) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        let pool = threads()?;
        with_state(py, &self.state, |state| work(state, &pool))
    }

    /// Answers a row for each point.
    pub fn rows<R: Send>(
        &self,
        py: Python<'_>,
        places: &Bound<'_, PyAny>,
        answer: impl Fn(&mut surefoot::Navigator, Point) -> R + Sync + Send,
    ) -> PyResult<Vec<R>> {
        let places = points(places, "points")?;
        self.batch(py, places.len(), |navigator, row| answer(navigator, places[row]))
    }

    /// Answers rows that take about a microsecond each.
    pub fn batch<R: Send>(
        &self,
        py: Python<'_>,
        count: usize,
        answer: impl Fn(&mut surefoot::Navigator, usize) -> R + Sync + Send,
    ) -> PyResult<Vec<R>> {
        if count > MANY_ROWS {
            return self.search(py, count, None, |navigator, _, row| answer(navigator, row));
        }
        self.with(py, |state, pool| {
            let call = BatchCall { pool, cancel: &CancelFlag::default() };
            Ok(state.batch.rows(&call, count, answer).unwrap_or_default())
        })
    }

    /// Answers rows that may take long, each by a query with these options: ctrl-C ends them.
    pub fn search<R: Send>(
        &self,
        py: Python<'_>,
        count: usize,
        options: Option<&Bound<'_, PathOptions>>,
        answer: impl Fn(&mut surefoot::Navigator, &Query, usize) -> R + Sync + Send,
    ) -> PyResult<Vec<R>> {
        let options = options.map(|options| options.get().clone());
        let pool = threads()?;
        interruptible(py, |cancel| {
            let state = lock_unless(&self.state, || cancel.is_cancelled());
            let Some(mut state) = state else { return Ok(Vec::new()) };
            let query = state.query(options.as_ref())?;
            let call = BatchCall { pool: &pool, cancel };
            let answer = |navigator: &mut _, row| answer(navigator, &query, row);
            Ok(state.batch.rows(&call, count, answer).unwrap_or_default())
        })?
    }
}

#[pymethods]
impl PyNavigator {
    #[new]
    #[pyo3(signature = (grid, agent, *, ascend = 1.0, descend = 0.0))]
    fn new(grid: &Bound<'_, PyNavGrid>, agent: &str, ascend: f32, descend: f32) -> PyResult<Self> {
        check_length("ascend", ascend)?;
        check_length("descend", descend)?;
        let model = HeightCost { ascend, descend };
        let grid = grid.get().grid.clone();
        let navigator = surefoot::Navigator::with_model(grid, agent, model).map_err(refused)?;
        let batch = BatchNavigator::new(navigator);
        let state = NavigatorState { batch, obstacles: ObstacleNumbers::default() };
        Ok(PyNavigator { state: Mutex::new(state) })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |state, _| {
            let navigator = state.batch.navigator();
            let spans = navigator.grid().spans().len();
            let routes = if navigator.is_prepared() { ", prepared" } else { "" };
            Ok(format!("Navigator({}, {spans} spans{routes})", navigator.view().agent().name))
        })
    }

    /// The grid.
    #[getter]
    fn grid(&self, py: Python<'_>) -> PyResult<PyNavGrid> {
        self.with(py, |state, _| Ok(PyNavGrid { grid: state.batch.navigator().grid().clone() }))
    }

    /// The agent, with all its fields, as a dict.
    #[getter]
    fn agent<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let agent = self.with(py, |state, _| Ok(state.batch.navigator().view().agent().clone()))?;
        to_python(py, &agent)
    }

    /// Prepares routes: long paths are found many times faster then, and `distance` answers exactly as before;
    /// straightened paths may be others of about the same cost. Takes a second or less for most levels. Routes
    /// follow changes of the overlay.
    fn prepare(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |state, pool| {
            let navigator = state.batch.change();
            pool.install(|| navigator.prepare()).map_err(refused)
        })
    }

    /// Whether routes are prepared.
    #[getter]
    fn is_prepared(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |state, _| Ok(state.batch.navigator().is_prepared()))
    }

    /// Finds the cheapest paths, straightened.
    ///
    /// Parameters
    /// ----------
    /// starts, goals : (n, 3) array of float
    ///     [m]
    /// options : PathOptions, optional
    ///
    /// Returns
    /// -------
    /// Paths
    ///     A row without a path says why in `outcome`; no row fails the batch.
    #[pyo3(signature = (starts, goals, options = None))]
    fn paths(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PathOptions>>,
    ) -> PyResult<Paths> {
        let pairs = Pairs::read([starts, goals], ["starts", "goals"])?;
        let rows = self.search(py, pairs.len(), options, |navigator, query, row| {
            let ends = pairs.ends(row);
            if !ends.iter().all(is_finite) {
                return PathRow::invalid();
            }
            PathRow::of(navigator.find(&between(query, ends)))
        })?;
        Paths::new(py, rows)
    }

    /// The costs of the cheapest paths: of the straight line where that is clear and the cheapest; else by steps in
    /// eight directions, exact from cell to cell. By the default model that is the geodesic distance, and a metre
    /// for each metre of rise; with `ascend=0` the distance alone. `Paths.length` is that of the straightened path,
    /// up to 8 % shorter, and takes a few times as long to find.
    ///
    /// Returns
    /// -------
    /// (n,) array of float32
    ///     [metres-equivalent]; infinite where there is no path, NaN for a point that is not finite.
    #[pyo3(signature = (starts, goals, options = None, *, out = None))]
    fn distance<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PathOptions>>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pairs = Pairs::read([starts, goals], ["starts", "goals"])?;
        let costs = self.search(py, pairs.len(), options, |navigator, query, row| {
            let ends = pairs.ends(row);
            if !ends.iter().all(is_finite) {
                return f32::NAN;
            }
            navigator.find_cost(&between(query, ends)).unwrap_or(f32::INFINITY)
        })?;
        OutArray::rows(costs).into(py, out)
    }

    /// The costs from every start to every goal by steps in eight directions, by prepared routes. The work is that of as many queries as there
    /// are points, not pairs.
    ///
    /// Returns
    /// -------
    /// (starts, goals) array of float32
    ///     [metres-equivalent]; infinite where there is no path, and where the agent cannot stand.
    fn table<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ends = [points(starts, "starts")?, points(goals, "goals")?];
        let shape = vec![ends[0].len(), ends[1].len()];
        let values = self.with(py, |state, pool| {
            if !state.batch.navigator().is_prepared() {
                return bad_value("table needs prepared routes; call prepare() first".to_owned());
            }
            Ok(cost_table(state.batch.up_to_date(pool), &ends))
        })?;
        match values {
            Some(values) => OutArray { values, shape }.array(py),
            None => Err(refused(
                "the costs between these points cannot be counted by a table; use distance",
            )),
        }
    }

    /// The costs from everywhere to the nearest of some goals, by one search over the ground; ask it for
    /// thousands of points then.
    ///
    /// Parameters
    /// ----------
    /// goals : (n, 3) array of float
    ///     [m]
    /// options : PathOptions, optional
    ///     Of these, `slope_limit` and `links` count, and the tolerances of the goals.
    /// within : float
    ///     The most that a path may cost [metres-equivalent].
    ///
    /// Raises
    /// ------
    /// SurefootError
    ///     The agent can stand at none of the goals.
    #[pyo3(signature = (goals, options = None, *, within = f32::INFINITY))]
    fn field(
        &self,
        py: Python<'_>,
        goals: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PathOptions>>,
        within: f32,
    ) -> PyResult<PyCostField> {
        let places = points(goals, "goals")?;
        check_length("within", within)?;
        let options = options.map(|options| options.get().clone());
        self.with(py, |state, _| {
            let query = state.query(options.as_ref())?;
            if !query.filter.is_empty() {
                return bad_value("a field knows no factors of areas; use set_factor".to_owned());
            }
            let navigator = state.batch.navigator();
            let snapped = places.iter().map(|&goal| navigator.snap_by(&between(&query, [goal; 2])));
            let goals: Vec<_> = snapped.filter_map(Result::ok).collect();
            if goals.is_empty() {
                return Err(refused(
                    "the agent can stand at none of the goals, or anywhere near them",
                ));
            }
            let sources: Vec<SpanId> = goals.iter().map(|goal| goal.span).collect();
            let Query { slope_limit, links, .. } = query;
            let to = FieldQuery { within, slope_limit, links, ..FieldQuery::to(&sources) };
            Ok(PyCostField::new(navigator.field(&to), navigator.view().clone(), goals))
        })
    }

    /// Says why there is no path, or why the agent cannot stand somewhere, as `surefoot why --json` does.
    ///
    /// Parameters
    /// ----------
    /// start : (3,) array of float
    ///     [m]
    /// goal : (3,) array of float, optional
    ///     Without it, the question is whether the agent can stand at the start.
    ///
    /// Returns
    /// -------
    /// dict
    ///     `words` has all of it; between two points, `connected` says whether a path leads there, and `blockers`
    ///     what would have to give, in order.
    #[pyo3(signature = (start, goal = None))]
    fn why<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        goal: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let from = point(start, "start")?;
        let to = goal.map(|goal| point(goal, "goal")).transpose()?;
        let report = self.with(py, |state, _| {
            let navigator = state.batch.navigator();
            let (grid, agent) = (navigator.grid(), navigator.view().agent_id());
            match to {
                None => to_json(&StandingQuestion { grid, agent, at: from.into() }.report()),
                Some(to) => to_json(&SeparationReport::new(navigator, [from, to])),
            }
        })?;
        from_json(py, &report)
    }

    /// Goes on with another grid, such as the next one of a `LiveBake`: for the agent of the same name, with the
    /// changes of the overlay. Prepared routes follow.
    fn set_grid(&self, py: Python<'_>, grid: &Bound<'_, PyNavGrid>) -> PyResult<()> {
        let grid = grid.get().grid.clone();
        self.with(py, |state, pool| {
            let navigator = state.batch.change();
            pool.install(|| navigator.set_grid(&grid)).map_err(refused)
        })
    }

    /// Places an obstacle, and returns its number.
    fn block(&self, py: Python<'_>, obstacle: &Bound<'_, PyObstacle>) -> PyResult<usize> {
        let obstacle = obstacle.get().obstacle.clone();
        self.with(py, |state, _| {
            let id = state.batch.change().block(obstacle).map_err(refused)?;
            Ok(state.obstacles.add(id))
        })
    }

    /// Removes an obstacle by its number.
    fn unblock(&self, py: Python<'_>, number: usize) -> PyResult<()> {
        self.with(py, |state, _| match state.obstacles.take(number) {
            Some(id) => {
                state.batch.change().unblock(id);
                Ok(())
            }
            None => bad_value(format!("there is no obstacle {number}")),
        })
    }

    /// Sets the cost factor of a kind of ground, by its name [> 0].
    fn set_factor(&self, py: Python<'_>, area: &str, factor: f32) -> PyResult<()> {
        self.with(py, |state, _| {
            let area = state.batch.navigator().grid().area_id(area).map_err(refused)?;
            state.batch.change().set_factor(area, factor).map_err(refused)
        })
    }

    /// Opens or closes a link, by its index in `NavGrid.links`.
    fn set_link_open(&self, py: Python<'_>, link: usize, open: bool) -> PyResult<()> {
        self.with(py, |state, _| state.batch.change().set_link_open(link, open).map_err(refused))
    }

    /// Tells at which stop a link that moves is now, such as a lift; `None` while it is at none.
    #[pyo3(signature = (link, stop))]
    fn set_link_stop(&self, py: Python<'_>, link: usize, stop: Option<u32>) -> PyResult<()> {
        self.with(py, |state, _| state.batch.change().set_link_stop(link, stop).map_err(refused))
    }
}

/// The costs between all starts and goals, row by row; infinite for those that are not on the ground.
fn cost_table(navigator: &mut surefoot::Navigator, ends: &[Vec<Point>; 2]) -> Option<Vec<f32>> {
    let snap = |point: &Point| -> Result<SpanId, PathError> { Ok(navigator.snap(*point)?.span) };
    let spans =
        ends.each_ref().map(|side| side.iter().map(snap).map(Result::ok).collect::<Vec<_>>());
    let known = spans.each_ref().map(|side| side.iter().copied().flatten().collect::<Vec<_>>());
    let mut costs = navigator.table(&known[0], &known[1])?.into_iter();
    let mut table = Vec::with_capacity(spans[0].len() * spans[1].len());
    for from in &spans[0] {
        for to in &spans[1] {
            let is_known = from.is_some() && to.is_some();
            table.push(if is_known { costs.next()? } else { f32::INFINITY });
        }
    }
    Some(table)
}
