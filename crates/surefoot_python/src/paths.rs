//! `Paths`: the answers of a batch.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use surefoot::path::Answer;

use crate::arrays::{OutArray, Point, indices};
use crate::errors::bad_value;
use crate::outcome::{INVALID, outcome_codes};

/// The answer of a row.
pub struct PathRow {
    /// As in `Outcome`: how it ended, and why.
    codes: [u8; 2],
    /// Cost, length, climb and descent.
    figures: [f32; 4],
    points: Vec<Point>,
    links: Vec<i32>,
}

impl PathRow {
    /// The row of points that are not finite.
    pub fn invalid() -> Self {
        PathRow::without_path([INVALID; 2])
    }

    pub fn of(answer: &Answer) -> Self {
        let codes = outcome_codes(&answer.outcome);
        let Ok(path) = answer.path() else { return PathRow::without_path(codes) };
        let waypoints = path.waypoints();
        let link = |link: Option<u32>| link.and_then(|link| i32::try_from(link).ok()).unwrap_or(-1);
        PathRow {
            codes,
            figures: [path.cost(), path.length(), path.climb(), path.descent()],
            points: waypoints.iter().map(|waypoint| waypoint.point.into()).collect(),
            links: waypoints.iter().map(|waypoint| link(waypoint.link)).collect(),
        }
    }

    fn without_path(codes: [u8; 2]) -> Self {
        let nothing = if codes[0] == INVALID { f32::NAN } else { f32::INFINITY };
        let figures = [nothing, nothing, f32::NAN, f32::NAN];
        PathRow { codes, figures, points: Vec::new(), links: Vec::new() }
    }
}

/// The paths of a batch, as arrays. Row i of each has to do with row i of the starts and goals; its waypoints are
/// `points[offsets[i]:offsets[i + 1]]`, or `paths[i]`.
#[pyclass(frozen, module = "surefoot")]
pub struct Paths {
    /// All waypoints, row after row: (m, 3) array of float32 [m].
    #[pyo3(get)]
    points: Py<PyAny>,
    /// Where the waypoints of each row begin, and the number of all: (n + 1,) array of int64.
    #[pyo3(get)]
    offsets: Py<PyAny>,
    /// For each waypoint the index of the link that leads on from it in `NavGrid.links`, or -1: (m,) array of
    /// int32.
    #[pyo3(get)]
    links: Py<PyAny>,
    /// By the navigator's cost model [metres-equivalent]; infinite where there is no path, NaN where a point is
    /// not finite: (n,) array of float32.
    #[pyo3(get)]
    cost: Py<PyAny>,
    /// Along the ground [m]; infinite where there is no path: (n,) array of float32.
    #[pyo3(get)]
    length: Py<PyAny>,
    /// How far each goes up [m]; NaN where there is no path: (n,) array of float32.
    #[pyo3(get)]
    climb: Py<PyAny>,
    /// How far each goes down [m]; NaN where there is no path: (n,) array of float32.
    #[pyo3(get)]
    descent: Py<PyAny>,
    /// How each row ended, as an `Outcome`: (n,) array of uint8.
    #[pyo3(get)]
    outcome: Py<PyAny>,
    /// Why: for a partial path, why it does not lead to the goal; else as `outcome`: (n,) array of uint8.
    #[pyo3(get)]
    reason: Py<PyAny>,
    starts: Vec<i64>,
}

impl Paths {
    pub fn new(py: Python<'_>, rows: Vec<PathRow>) -> PyResult<Self> {
        let mut starts = Vec::with_capacity(rows.len() + 1);
        let mut count = 0;
        for row in &rows {
            starts.push(count as i64);
            count += row.points.len();
        }
        starts.push(count as i64);
        let mut points = Vec::with_capacity(count);
        let mut links = Vec::with_capacity(count);
        for row in &rows {
            points.extend_from_slice(&row.points);
            links.extend_from_slice(&row.links);
        }
        let array = |at: usize| -> PyResult<Py<PyAny>> {
            Ok(OutArray::rows(rows.iter().map(|row| row.figures[at]).collect()).array(py)?.unbind())
        };
        let codes = |at: usize| -> PyResult<Py<PyAny>> {
            Ok(OutArray::rows(rows.iter().map(|row| row.codes[at]).collect()).array(py)?.unbind())
        };
        Ok(Paths {
            points: OutArray::points(points).array(py)?.unbind(),
            offsets: OutArray::rows(starts.clone()).array(py)?.unbind(),
            links: OutArray::rows(links).array(py)?.unbind(),
            cost: array(0)?,
            length: array(1)?,
            climb: array(2)?,
            descent: array(3)?,
            outcome: codes(0)?,
            reason: codes(1)?,
            starts,
        })
    }
}

/// The arrays of [`Paths`], in the order of its fields.
type PathArrays<'py> = [Bound<'py, PyAny>; 9];

#[pymethods]
impl Paths {
    /// Paths of their arrays, for copies and pickles.
    #[staticmethod]
    fn _of(arrays: PathArrays<'_>) -> PyResult<Self> {
        let starts = indices(&arrays[1], "offsets")?;
        let count = arrays[0].len()? as i64;
        if starts.first() != Some(&0) || starts.last() != Some(&count) || !starts.is_sorted() {
            return bad_value("the offsets are not those of the points".to_owned());
        }
        let [points, offsets, links, cost, length, climb, descent, outcome, reason] =
            arrays.map(Bound::unbind);
        Ok(Paths { points, offsets, links, cost, length, climb, descent, outcome, reason, starts })
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (PathArrays<'py>,))> {
        let Paths { points, offsets, links, cost, length, climb, descent, outcome, reason, .. } =
            slf.get();
        let arrays = [points, offsets, links, cost, length, climb, descent, outcome, reason];
        let arrays = arrays.map(|array| array.bind(slf.py()).clone());
        Ok((slf.get_type().getattr("_of")?, (arrays,)))
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.starts.len() - 1
    }

    /// The waypoints of a row: (k, 3) array of float32; empty where there is no path.
    fn __getitem__<'py>(&self, py: Python<'py>, row: isize) -> PyResult<Bound<'py, PyAny>> {
        let count = self.__len__();
        let at = if row < 0 { row + count as isize } else { row };
        let Some(at) = usize::try_from(at).ok().filter(|&at| at < count) else {
            return Err(PyIndexError::new_err(format!("there is no row {row}; there are {count}")));
        };
        let slice = pyo3::types::PySlice::new(
            py,
            self.starts[at] as isize,
            self.starts[at + 1] as isize,
            1,
        );
        self.points.bind(py).get_item(slice)
    }

    fn __repr__(&self) -> String {
        format!("Paths({} rows, {} waypoints)", self.__len__(), self.starts[self.__len__()])
    }
}
