//! `CostField`: the costs from everywhere to a few goals.

use pyo3::prelude::*;
use rayon::prelude::*;
use surefoot::view::{NavPoint, View};
use surefoot::{NavGrid, SpanId};

use crate::arrays::{OutArray, Point, is_finite, points};
use crate::errors::read_count;
use crate::pool::threads;

/// The least costs from everywhere to the nearest of some goals (a flow field, or Dijkstra map); made by
/// `Navigator.field`. It stays as it is when the navigator's overlay changes.
#[pyclass(frozen, module = "surefoot", name = "CostField")]
pub struct PyCostField {
    field: surefoot::search::CostField,
    view: View,
    /// The goals on the ground, by span.
    goals: Vec<NavPoint>,
}

/// Fewer points than this are not divided among threads.
const LEAST_ROWS: usize = 512;

impl PyCostField {
    pub fn new(field: surefoot::search::CostField, view: View, mut goals: Vec<NavPoint>) -> Self {
        goals.sort_by_key(|goal| goal.span);
        PyCostField { field, view, goals }
    }

    fn grid(&self) -> &NavGrid {
        self.view.grid()
    }

    /// The span that a point belongs to, or the nearest within twice the agent's radius.
    fn span(&self, point: &Point) -> Option<SpanId> {
        let agent = self.view.agent();
        let exact = self.grid().span_at(*point, agent.height);
        exact.filter(|&span| self.view.is_walkable(span)).or_else(|| {
            let near = self.view.nearest_walkable(*point, 2.0 * agent.radius);
            let is_level = |y: f32| (y - point[1]).abs() <= agent.height;
            near.filter(|(_, near)| is_level(near.y)).map(|(span, _)| span)
        })
    }

    fn cost(&self, point: &Point) -> f32 {
        if !is_finite(point) {
            return f32::NAN;
        }
        self.span(point).and_then(|span| self.field.cost(span)).unwrap_or(f32::INFINITY)
    }

    /// The point so many steps ahead; a goal itself, once it is reached.
    fn ahead(&self, point: &Point, steps: u32) -> Option<Point> {
        let mut span = self.span(point).filter(|_| is_finite(point))?;
        self.field.cost(span)?;
        for _ in 0..steps {
            let Some(next) = self.field.next(span) else { break };
            span = next;
        }
        let goal = self.goals.binary_search_by_key(&span, |goal| goal.span).ok();
        match goal {
            Some(at) => Some(self.goals[at].point.into()),
            None => self.grid().point(span).map(Into::into),
        }
    }

    /// Answers each row, on all threads.
    fn rows<R: Send>(
        &self,
        py: Python<'_>,
        places: &Bound<'_, PyAny>,
        answer: impl Fn(&Point) -> R + Sync + Send,
    ) -> PyResult<Vec<R>> {
        let (places, pool) = (points(places, "points")?, threads()?);
        let all = || places.par_iter().with_min_len(LEAST_ROWS).map(answer).collect();
        Ok(py.detach(|| pool.install(all)))
    }
}

#[pymethods]
impl PyCostField {
    /// The least cost of a path from each point to the nearest goal, as `Navigator.table` counts it: by steps in
    /// eight directions, from the center of the cell of the one to that of the other.
    ///
    /// Returns
    /// -------
    /// (n,) array of float32
    ///     [metres-equivalent]; infinite where no path leads to a goal, NaN for a point that is not finite.
    #[pyo3(signature = (points, *, out = None))]
    fn at<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        OutArray::rows(self.rows(py, points, |point| self.cost(point))?).into(py, out)
    }

    /// Where to go from each point: the center of the cell so many steps ahead on the cheapest path, and the
    /// goal itself at its end.
    ///
    /// Parameters
    /// ----------
    /// points : (n, 3) array of float
    ///     [m]
    /// steps : int
    ///     A step leads to a neighboring cell, or over a link.
    /// out : (n, 3) array of float32, optional
    ///
    /// Returns
    /// -------
    /// (n, 3) array of float32
    ///     [m]; NaN where no path leads to a goal.
    #[pyo3(signature = (points, steps = 1, *, out = None))]
    fn next<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        steps: i64,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let steps = read_count("steps", steps)?.try_into().unwrap_or(u32::MAX);
        let ahead = |point: &Point| self.ahead(point, steps).unwrap_or([f32::NAN; 3]);
        OutArray::points(self.rows(py, points, ahead)?).into(py, out)
    }

    /// The cost of every span of the grid: (spans,) array of float32 [metres-equivalent]; infinite where the
    /// field does not reach.
    fn costs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let cost = |span| self.field.cost(SpanId(span)).unwrap_or(f32::INFINITY);
        OutArray::rows((0..self.grid().spans().len() as u32).map(cost).collect()).array(py)
    }

    /// The number of spans that the field reaches.
    fn __len__(&self) -> usize {
        self.field.reached().len()
    }

    fn __repr__(&self) -> String {
        format!(
            "CostField({} goals, {} spans reached)",
            self.goals.len(),
            self.field.reached().len()
        )
    }
}
