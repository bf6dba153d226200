//! Questions about single points: where they are on the ground, and what is round them.

use nalgebra::Point3;
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use surefoot::SpanId;
use surefoot::follow::slide;
use surefoot::search::Query;
use surefoot::view::{NavPoint, View};

use crate::arrays::{OutArray, Pairs, Point, is_finite, point, points};
use crate::errors::{bad_value, check_length, read_count};
use crate::navigator::PyNavigator;

/// How far a point may be from where the body touches nothing, and count as being there [m].
const PLACE_TOLERANCE: f32 = 1e-3;
/// Looking farther than this may take long [m].
const NEAR: f32 = 8.0;
/// Random points keep a little off the borders of their cells [cells].
const JITTER: f32 = 0.499;

#[pymethods]
impl PyNavigator {
    /// Moves points to the ground: to the floor below them where the agent can stand there; or to the nearest
    /// place within `radius`, twice the agent's radius if left out. Its body touches nothing there.
    ///
    /// Returns
    /// -------
    /// (n, 3) array of float32
    ///     [m]; NaN where the agent can stand nowhere near.
    #[pyo3(signature = (points, radius = None, *, out = None))]
    fn snap<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        radius: Option<f32>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        radius.map_or(Ok(()), |radius| check_length("radius", radius))?;
        let snap = |navigator: &mut surefoot::Navigator, point: Point| {
            let query = Query { snap_radius: radius, ..Query::new(point, point) };
            coordinates(navigator.snap_by(&query).ok())
        };
        OutArray::points(self.far_rows(py, points, radius, snap)?).into(py, out)
    }

    /// Whether the agent can stand at each point, on the floor below it.
    ///
    /// Returns
    /// -------
    /// (n,) array of bool
    #[pyo3(signature = (points, *, out = None))]
    fn is_walkable<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let is_walkable = |navigator: &mut surefoot::Navigator, point: Point| {
            let query = Query { snap_radius: Some(0.0), ..Query::new(point, point) };
            navigator.snap_by(&query).is_ok_and(|at| {
                let off = [at.point.x - point[0], at.point.z - point[2]];
                off.iter().all(|off| off.abs() <= PLACE_TOLERANCE)
            })
        };
        OutArray::rows(self.rows(py, points, is_walkable)?).into(py, out)
    }

    /// Random points on the ground, every walkable cell as likely as another.
    ///
    /// Parameters
    /// ----------
    /// count : int
    /// seed : int or numpy.random.Generator, optional
    ///     The same seed gives the same points.
    /// reachable_from : (3,) array of float, optional
    ///     Only points that a path leads to from there.
    /// near : (3,) array of float, optional
    /// radius : float
    ///     With `near`, only points in cells whose centers are at most this far from there [m].
    ///
    /// Returns
    /// -------
    /// (count, 3) array of float32
    ///     [m]
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     There is no such ground.
    #[pyo3(signature = (
        count, seed = None, *, reachable_from = None, near = None, radius = f32::INFINITY
    ))]
    fn random<'py>(
        &self,
        py: Python<'py>,
        count: i64,
        seed: Option<Bound<'py, PyAny>>,
        reachable_from: Option<&Bound<'py, PyAny>>,
        near: Option<&Bound<'py, PyAny>>,
        radius: f32,
    ) -> PyResult<Bound<'py, PyAny>> {
        let count = read_count("count", count)?;
        check_length("radius", radius)?;
        let from = reachable_from.map(|from| point(from, "reachable_from")).transpose()?;
        let near = near.map(|near| point(near, "near")).transpose()?.map(Point3::from);
        let spans = self.with(py, |state, _| {
            let navigator = state.batch.navigator();
            let is_near = |span: &SpanId| {
                let center = navigator.grid().point(*span);
                near.is_none_or(|near| center.is_some_and(|at| (at - near).norm() <= radius))
            };
            Ok(open_spans(navigator, from).into_iter().filter(is_near).collect::<Vec<_>>())
        })?;
        if spans.is_empty() {
            return bad_value("there is no ground that the agent can stand on there".to_owned());
        }
        let random = py.import("numpy.random")?.call_method1("default_rng", (seed,))?;
        let picks = random.call_method1("integers", (0, spans.len(), count))?;
        let picks = picks.cast::<PyArrayDyn<i64>>()?.readonly();
        let keywords = PyDict::new(py);
        keywords.set_item("dtype", "float32")?;
        let jitter = random.call_method("random", ((count, 2),), Some(&keywords))?;
        let jitter = jitter.cast::<PyArrayDyn<f32>>()?.readonly();
        let (picks, jitter) = (picks.as_slice()?.to_vec(), jitter.as_slice()?.to_vec());
        let rows = self.batch(py, count, |navigator, row| {
            let span = spans[picks[row] as usize];
            place_in(navigator, span, [jitter[2 * row], jitter[2 * row + 1]])
        })?;
        OutArray::points(rows).array(py)
    }

    /// Moves points over the ground as far as it leads, along what is in their way: as a character that walks.
    ///
    /// Parameters
    /// ----------
    /// points : (n, 3) array of float
    ///     [m]; they are moved to the ground first.
    /// by : (n, 3) array of float
    ///     [m]; heights do not count. Over more than a million cells nothing moves.
    ///
    /// Returns
    /// -------
    /// (n, 3) array of float32
    ///     [m]; NaN where the agent cannot stand at the point.
    #[pyo3(signature = (points, by, *, out = None))]
    fn slide<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        by: &Bound<'py, PyAny>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pairs = Pairs::read([points, by], ["points", "by"])?;
        let rows = self.batch(py, pairs.len(), |navigator, row| {
            let [point, by] = pairs.ends(row);
            let start = navigator.snap(point).ok().filter(|_| is_finite(&by));
            coordinates(start.map(|start| slide(navigator.view(), start, [by[0], by[2]])))
        })?;
        OutArray::points(rows).into(py, out)
    }

    /// How far the agent gets straight over the ground.
    ///
    /// Parameters
    /// ----------
    /// starts, ends : (n, 3) array of float
    ///     [m]
    ///
    /// Returns
    /// -------
    /// points : (n, 3) array of float32
    ///     Where each line ends: its end, or where something is in the way [m]; NaN where the agent cannot stand
    ///     at the start.
    /// clear : (n,) array of bool
    ///     Whether nothing is in the way.
    fn raycast<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        ends: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let pairs = Pairs::read([starts, ends], ["starts", "ends"])?;
        let rows = self.batch(py, pairs.len(), |navigator, row| {
            let [start, end] = pairs.ends(row);
            let hit = navigator.raycast(start, end).ok().filter(|_| is_finite(&end));
            (coordinates(hit.map(|hit| hit.end)), hit.is_some_and(|hit| hit.is_clear))
        })?;
        let (points, clear) = rows.into_iter().unzip();
        Ok((OutArray::points(points).array(py)?, OutArray::rows(clear).array(py)?))
    }

    /// How far the agent's center is from where it may not stand, as the bake measured it at the center of the
    /// cell, from cell to cell: up to half a cell too large where walls do not lie between cells, up to two
    /// diagonals of a cell too small, and never more than 31.875 cells. `nearest_wall` is exact.
    ///
    /// Returns
    /// -------
    /// (n,) array of float32
    ///     [m]; 0 where it cannot stand, NaN where there is no floor.
    #[pyo3(signature = (points, *, out = None))]
    fn clearance<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let clearance = |navigator: &mut surefoot::Navigator, point: Point| {
            let view = navigator.view();
            let clearance = span_of(view, point).and_then(|span| {
                let center = view.grid().point(span)?;
                let off = (center.x - point[0]).hypot(center.z - point[2]);
                Some((view.clearance(span)? - off).max(0.0))
            });
            clearance.unwrap_or(f32::NAN)
        };
        OutArray::rows(self.rows(py, points, clearance)?).into(py, out)
    }

    /// The nearest place where the agent may not stand.
    ///
    /// Parameters
    /// ----------
    /// points : (n, 3) array of float
    ///     [m]; they are moved to the ground first.
    /// radius : float
    ///     How far to look [m].
    ///
    /// Returns
    /// -------
    /// distance : (n,) array of float32
    ///     [m]; infinite if there is none within the radius, NaN where the agent cannot stand.
    /// points : (n, 3) array of float32
    ///     Where it is [m], or NaN.
    /// normals : (n, 3) array of float32
    ///     From there towards the point, level, of length 1; or NaN.
    fn nearest_wall<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        radius: f32,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        check_length("radius", radius)?;
        let none = [f32::NAN; 3];
        let nearest = |navigator: &mut surefoot::Navigator, point: Point| match navigator
            .nearest_wall(point, radius)
        {
            Ok(Some(wall)) => (wall.distance, wall.point.into(), wall.normal.into()),
            Ok(None) => (f32::INFINITY, none, none),
            Err(_) => (f32::NAN, none, none),
        };
        let rows = self.far_rows(py, points, Some(radius), nearest)?;
        let distances = rows.iter().map(|row| row.0).collect();
        let (points, normals) = rows.into_iter().map(|(_, point, normal)| (point, normal)).unzip();
        Ok((
            OutArray::rows(distances).array(py)?,
            OutArray::points(points).array(py)?,
            OutArray::points(normals).array(py)?,
        ))
    }

    /// Which spans of the grid the agent can stand on now, in the order of `NavGrid.spans`.
    ///
    /// Returns
    /// -------
    /// (spans,) array of bool
    fn walkable_spans<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let view = self.with(py, |state, _| Ok(state.batch.navigator().view().clone()))?;
        let spans = (0..view.grid().spans().len() as u32).map(SpanId);
        OutArray::rows(spans.map(|span| view.is_walkable(span)).collect()).array(py)
    }

    /// The region of the floor below each point: points of one region reach each other on foot.
    ///
    /// Returns
    /// -------
    /// (n,) array of int32
    ///     0 is the largest; -1 where the agent cannot stand.
    #[pyo3(signature = (points, *, out = None))]
    fn region<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let region = |navigator: &mut surefoot::Navigator, point: Point| {
            let query = Query { snap_radius: Some(0.0), ..Query::new(point, point) };
            let (view, place) = (navigator.view(), navigator.snap_by(&query).ok());
            let region = place.and_then(|at| view.grid().region(view.agent_id(), at.span));
            region.map_or(-1, |region| region.0 as i32)
        };
        OutArray::rows(self.rows(py, points, region)?).into(py, out)
    }
}

impl PyNavigator {
    /// Answers a row for each point; one with a radius may take long, and can be interrupted.
    fn far_rows<R: Send>(
        &self,
        py: Python<'_>,
        places: &Bound<'_, PyAny>,
        radius: Option<f32>,
        answer: impl Fn(&mut surefoot::Navigator, Point) -> R + Sync + Send,
    ) -> PyResult<Vec<R>> {
        if radius.is_none_or(|radius| radius <= NEAR) {
            return self.rows(py, places, answer);
        }
        let places = points(places, "points")?;
        self.search(py, places.len(), None, |navigator, _, row| answer(navigator, places[row]))
    }
}

/// The span that a point belongs to.
fn span_of(view: &View, point: Point) -> Option<SpanId> {
    view.grid().span_at(point, view.agent().height)
}

fn coordinates(place: Option<NavPoint>) -> Point {
    place.map_or([f32::NAN; 3], |place| place.point.into())
}

/// The spans that the agent can stand on; with a point, those that a path leads to from there.
fn open_spans(navigator: &surefoot::Navigator, from: Option<Point>) -> Vec<SpanId> {
    let view = navigator.view();
    let all = (0..view.grid().spans().len() as u32).map(SpanId);
    let Some(from) = from else {
        return all.filter(|&span| view.is_walkable(span)).collect();
    };
    let Ok(start) = navigator.snap(from) else { return Vec::new() };
    let field = navigator.field(&surefoot::search::FieldQuery::from(&[start.span]));
    all.filter(|&span| field.cost(span).is_some()).collect()
}

/// A point over the cell of a span, on the ground, where the body touches nothing.
fn place_in(navigator: &surefoot::Navigator, span: SpanId, jitter: [f32; 2]) -> Point {
    let grid = navigator.grid();
    let Some(center) = grid.point(span) else { return [f32::NAN; 3] };
    let aside = jitter.map(|part| (2.0 * part - 1.0) * JITTER * grid.frame().cell_size);
    let [x, z] = [center.x + aside[0], center.z + aside[1]];
    let y = grid.ground_height(x, z, span).unwrap_or(center.y);
    navigator.snap([x, y, z]).map_or(center.into(), |place| place.point.into())
}
