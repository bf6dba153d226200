//! `NavGrid`: a baked level.

use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyType};
use rayon::prelude::*;
use surefoot::grid::{GridFrame, LoadOptions};
use surefoot::{Agent, Cell, SpanId};

use crate::arrays::{OutArray, indices, points, table};
use crate::convert::{from_python, to_python};
use crate::errors::{bad_value, check_length, file_error, refused};
use crate::height_scan::{HeightScan, ScanShape};
use crate::pool::threads;

/// Fewer points than this are not divided among threads.
const LEAST_ROWS: usize = 512;

/// A baked level: its floors, and what each agent may do on them.
///
/// Made by `bake`, `NavGrid.load`, `NavGrid.from_heights` or `NavGrid.from_map`. It never changes; copies and
/// pickles are equal. Y is up; lengths are in metres.
#[pyclass(frozen, module = "surefoot", name = "NavGrid")]
pub struct PyNavGrid {
    pub grid: surefoot::NavGrid,
}

#[pymethods]
impl PyNavGrid {
    /// Loads a `.navgrid` file.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    /// memory_limit : int, optional
    ///     The most memory that loading may take [bytes].
    ///
    /// Raises
    /// ------
    /// OSError
    ///     The file cannot be read.
    /// SurefootError
    ///     It is no such file, it is damaged, or a newer program wrote it: the message names section and byte.
    #[classmethod]
    #[pyo3(signature = (path, *, memory_limit = None))]
    fn load(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        path: PathBuf,
        memory_limit: Option<u64>,
    ) -> PyResult<Self> {
        let options = load_options(memory_limit);
        let pool = threads()?;
        let load = || pool.install(|| surefoot::NavGrid::load_with(path, &options));
        Ok(PyNavGrid { grid: py.detach(load).map_err(file_error)? })
    }

    /// Reads a grid from the bytes of a `.navgrid` file.
    #[classmethod]
    #[pyo3(signature = (data, *, memory_limit = None))]
    fn from_bytes(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        memory_limit: Option<u64>,
    ) -> PyResult<Self> {
        if data.extract::<i64>().is_ok() || data.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("data has to be bytes"));
        }
        let bytes = py.get_type::<PyBytes>().call1((data,))?;
        let data: &[u8] = bytes.extract()?;
        let options = load_options(memory_limit);
        let pool = threads()?;
        let read = || pool.install(|| surefoot::NavGrid::from_bytes_with(data, &options));
        Ok(PyNavGrid { grid: py.detach(read).map_err(file_error)? })
    }

    /// Makes a grid of a map in the format of the Moving AI benchmarks.
    ///
    /// Parameters
    /// ----------
    /// text : str
    /// cell_size : float
    ///     [m]
    /// agents : sequence of Agent, optional
    #[classmethod]
    #[pyo3(signature = (text, cell_size = 1.0, agents = None))]
    fn from_map(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        text: &str,
        cell_size: f32,
        agents: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let agents = read_agents(agents)?.unwrap_or_default();
        let read = || surefoot::NavGrid::from_map(text, cell_size, &agents);
        Ok(PyNavGrid { grid: py.detach(read).map_err(refused)? })
    }

    /// Makes a grid of heights, one for each cell, without a bake: slope limit and max climb alone decide
    /// where agents walk. For terrain with obstacles, bake a `Scene` instead.
    ///
    /// Parameters
    /// ----------
    /// heights : (rows, columns) array of float
    ///     [m]; rows along z, columns along x; NaN for no floor.
    /// cell_size : float
    ///     [m]
    /// agents : sequence of Agent, optional
    /// origin : (int, int)
    ///     The address x, z of the first cell: its corner lies at `cell_size` times that.
    #[classmethod]
    #[pyo3(signature = (heights, cell_size, agents = None, origin = (0, 0)))]
    fn from_heights(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        heights: &Bound<'_, PyAny>,
        cell_size: f32,
        agents: Option<&Bound<'_, PyAny>>,
        origin: (i32, i32),
    ) -> PyResult<Self> {
        let heights = table(heights, "heights")?;
        let size = |count: usize| u32::try_from(count).map_err(refused);
        let frame = GridFrame {
            cell_size,
            min: Cell::new(origin.0, origin.1),
            size_x: size(heights.columns)?,
            size_z: size(heights.rows)?,
        };
        let agents = read_agents(agents)?.unwrap_or_else(Agent::default_set);
        let build = || surefoot::NavGrid::from_heights(frame, &heights.values, &agents);
        Ok(PyNavGrid { grid: py.detach(build).map_err(refused)? })
    }

    /// Saves the grid. An interrupted save leaves an older file as it was.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.grid.save(path)).map_err(file_error)
    }

    /// Returns the bytes of a `.navgrid` file; the same grid always gives the same ones.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.grid.to_bytes()).map_err(file_error)?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = slf.get().to_bytes(slf.py())?;
        Ok((slf.get_type().getattr("from_bytes")?, (bytes,)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.grid == other.grid
    }

    /// The number of spans.
    fn __len__(&self) -> usize {
        self.grid.spans().len()
    }

    fn __repr__(&self) -> String {
        let frame = self.grid.frame();
        let agents = self.grid.layers().iter().map(|layer| layer.agent.name.as_str());
        format!(
            "NavGrid({} x {} cells of {} m, {} spans, agents: {})",
            frame.size_x,
            frame.size_z,
            frame.cell_size,
            self.grid.spans().len(),
            agents.collect::<Vec<_>>().join(", ")
        )
    }

    /// Side of a cell [m].
    #[getter]
    fn cell_size(&self) -> f32 {
        self.grid.frame().cell_size
    }

    /// The number of cells along x and z.
    #[getter]
    fn size(&self) -> (u32, u32) {
        (self.grid.frame().size_x, self.grid.frame().size_z)
    }

    /// The least and greatest x and z: ((x0, z0), (x1, z1)) [m].
    #[getter]
    fn bounds(&self) -> ((f32, f32), (f32, f32)) {
        let (min, max) = self.grid.frame().bounds();
        (min.into(), max.into())
    }

    /// The names of the agents that the grid was baked for.
    #[getter]
    fn agent_names(&self) -> Vec<String> {
        self.grid.layers().iter().map(|layer| layer.agent.name.clone()).collect()
    }

    /// The agents, with all their fields, as dicts.
    #[getter]
    fn agents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let agents: Vec<&Agent> = self.grid.layers().iter().map(|layer| &layer.agent).collect();
        to_python(py, &agents)
    }

    /// The kinds of ground, as dicts: name, cost, forbidden. Their indices are what `area` of a span says.
    #[getter]
    fn areas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.grid.areas())
    }

    /// The off-mesh connections, as dicts: id, name, kind, from, to, cost, two_way...
    #[getter]
    fn links<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.grid.links())
    }

    /// What the grid holds, in numbers, as `surefoot info --json` prints it.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.grid.summary())
    }

    /// All spans, column by column, low to high: a structured array over the memory of the grid, read-only.
    ///
    /// Fields: `floor` and `ceiling` [m] at the center of the cell (infinite under open sky); `normal_x` and
    /// `normal_z`, in units of 1/32767; `ground`, whose lowest 8 bits are the index of the area.
    #[getter]
    fn spans<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let of = SharedArray { grid: slf.get().grid.clone(), what: SharedPart::Spans };
        slf.py().import("numpy")?.call_method1("asarray", (Bound::new(slf.py(), of)?,))
    }

    /// For each cell, row by row along x, the index of its first span; one more entry closes the list. An array
    /// of uint32 over the memory of the grid, read-only.
    #[getter]
    fn first_spans<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let of = SharedArray { grid: slf.get().grid.clone(), what: SharedPart::First };
        slf.py().import("numpy")?.call_method1("asarray", (Bound::new(slf.py(), of)?,))
    }

    /// The points on the floors of spans, at the centers of their cells.
    ///
    /// Parameters
    /// ----------
    /// spans : (n,) array of int
    ///
    /// Returns
    /// -------
    /// (n, 3) array of float32
    ///     [m]; NaN for a span that does not exist.
    fn span_points<'py>(
        &self,
        py: Python<'py>,
        spans: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let point = |span: &i64| {
            let id = u32::try_from(*span).ok().map(SpanId);
            id.and_then(|id| self.grid.point(id)).map_or([f32::NAN; 3], Into::into)
        };
        OutArray::points(indices(spans, "spans")?.iter().map(point).collect()).array(py)
    }

    /// Scans the heights of the floors round each point, as a robot's height map: casts down over a
    /// rectangle of samples that turns with it.
    ///
    /// Parameters
    /// ----------
    /// points : (n, 3) array of float
    ///     [m]
    /// yaw : (n,) array of float, or one
    ///     Where forward is, from +x towards +z [rad].
    /// size : (float, float)
    ///     Length forward and width [m]; the point lies in the middle.
    /// resolution : float
    ///     Between samples [m].
    /// above : float
    ///     From how far above the point the casts start [m].
    /// out : (n, rows, columns) array of float32, optional
    ///
    /// Returns
    /// -------
    /// (n, rows, columns) array of float32
    ///     Height of the floor over the point [m], from the back to the front, and from the side towards which
    ///     yaw decreases to the other; NaN where there is no floor.
    #[pyo3(signature = (points, yaw, size = (1.6, 1.0), resolution = 0.1, above = 1.0, *, out = None))]
    fn heights<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        yaw: &Bound<'py, PyAny>,
        size: (f32, f32),
        resolution: f32,
        above: f32,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let shape = ScanShape { size: size.into(), resolution, above };
        HeightScan::read(points, yaw, shape)?.run(py, &self.grid)?.into(py, out)
    }

    /// The height of the ground at each point, on the floor that it belongs to.
    ///
    /// Returns
    /// -------
    /// (n,) array of float32
    ///     [m]; NaN where there is no floor within `tolerance` above or below the point.
    #[pyo3(signature = (points, tolerance = 2.0, *, out = None))]
    fn ground_height<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        tolerance: f32,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let places = self::points(points, "points")?;
        check_length("tolerance", tolerance)?;
        let height = |&[x, y, z]: &[f32; 3]| {
            let span = self.grid.span_at([x, y, z], tolerance);
            span.and_then(|span| self.grid.ground_height(x, z, span)).unwrap_or(f32::NAN)
        };
        let pool = threads()?;
        let all = || places.par_iter().with_min_len(LEAST_ROWS).map(height).collect();
        OutArray::rows(py.detach(|| pool.install(all))).into(py, out)
    }
}

pub fn load_options(memory_limit: Option<u64>) -> LoadOptions {
    memory_limit.map_or_else(LoadOptions::default, |memory_limit| LoadOptions { memory_limit })
}

/// Reads a list of agents, if there is one.
pub fn read_agents(agents: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<Agent>>> {
    let Some(agents) = agents else { return Ok(None) };
    let agents: Vec<Agent> = from_python(agents, "agents")?;
    if agents.is_empty() {
        return bad_value("agents is empty; leave it out for the default ones".to_owned());
    }
    Ok(Some(agents))
}

/// An array in the memory of a grid, for numpy to read in place.
#[pyclass(frozen, module = "surefoot._surefoot", name = "_SharedArray")]
pub struct SharedArray {
    grid: surefoot::NavGrid,
    what: SharedPart,
}

enum SharedPart {
    Spans,
    First,
}

/// The fields of a span, as numpy names their types.
const SPAN_FIELDS: [(&str, &str); 5] = [
    ("floor", "<f4"),
    ("ceiling", "<f4"),
    ("normal_x", "<i2"),
    ("normal_z", "<i2"),
    ("ground", "<u4"),
];

#[pymethods]
impl SharedArray {
    /// Where the array is: numpy keeps this object, and so the grid, for as long as an array reads it.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        let (address, length) = match self.what {
            SharedPart::Spans => {
                interface.set_item("typestr", "|V16")?;
                interface.set_item("descr", SPAN_FIELDS.to_vec())?;
                (self.grid.spans().as_ptr() as usize, self.grid.spans().len())
            }
            SharedPart::First => {
                interface.set_item("typestr", "<u4")?;
                let first = &self.grid.parts().first;
                (first.as_ptr() as usize, first.len())
            }
        };
        interface.set_item("data", (address, true))?;
        interface.set_item("shape", (length,))?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }
}
