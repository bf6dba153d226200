//! `World`: a `.navworld` file, of which the part that is needed is in memory.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use nalgebra::Point3;
use pyo3::prelude::*;
use pyo3::types::PyType;
use serde::Serialize;
use surefoot::far::FarRoutes;
use surefoot::world::{World, WorldBudget, WorldError, WorldInfo, WorldRegion};

use crate::arrays::{self, OutArray, Point, point};
use crate::convert::to_python;
use crate::errors::{bad_value, refused, system_error};
use crate::grid::{PyNavGrid, load_options};
use crate::interrupt::with_state;

/// A world that is too large for one grid: the file that `WorldBake.pack` or `surefoot world` writes.
///
/// Threads may share it; they take turns. Y is up; lengths are in metres.
#[pyclass(frozen, module = "surefoot", name = "World")]
pub struct PyWorld {
    info: WorldInfo,
    tiles: u64,
    state: Mutex<WorldState>,
}

/// What is in memory.
struct WorldState {
    world: World,
    /// Of the agents that were asked for, by name.
    routes: BTreeMap<String, FarRoutes>,
}

/// A path over tiles that need not be in memory.
#[pyclass(frozen, module = "surefoot", name = "FarPath")]
pub struct PyFarPath {
    path: surefoot::far::FarPath,
}

/// A region of a world.
#[derive(Serialize)]
struct RegionFields {
    spans: u64,
    area_m2: f64,
    at: Point,
    min: Point,
    max: Point,
}

#[pymethods]
impl PyWorld {
    /// Opens a `.navworld` file. Reads its directory only.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    /// memory_limit : int, optional
    ///     The most memory that one load may take [bytes].
    #[classmethod]
    #[pyo3(signature = (path, *, memory_limit = None))]
    fn open(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        path: PathBuf,
        memory_limit: Option<u64>,
    ) -> PyResult<Self> {
        let options = load_options(memory_limit);
        let world = py.detach(|| World::open_with(path, &options)).map_err(world_error)?;
        let (info, tiles) = (world.info().clone(), world.tiles().unwrap_or_default());
        let state = Mutex::new(WorldState { world, routes: BTreeMap::new() });
        Ok(PyWorld { info, tiles, state })
    }

    /// The world's name.
    #[getter]
    fn name(&self) -> &str {
        &self.info.name
    }

    /// How many tiles it has.
    #[getter]
    fn tiles(&self) -> u64 {
        self.tiles
    }

    /// Side of a cell [m].
    #[getter]
    fn cell_size(&self) -> f32 {
        self.info.frame.cell_size
    }

    /// The least and the greatest corner, each x and z [m].
    #[getter]
    fn bounds(&self) -> ((f32, f32), (f32, f32)) {
        let (min, max) = self.info.frame.bounds();
        (min.into(), max.into())
    }

    /// The names of the agents that the world was baked for.
    #[getter]
    fn agent_names(&self) -> Vec<String> {
        self.info.agents.iter().map(|agent| agent.name.clone()).collect()
    }

    /// Loads all tiles in a rectangle, and makes one grid of them.
    ///
    /// Parameters
    /// ----------
    /// rect : (float, float, float, float), optional
    ///     The least x and z, and the greatest x and z [m]; the whole world if left out.
    #[pyo3(signature = (rect = None))]
    fn load(&self, py: Python<'_>, rect: Option<[f32; 4]>) -> PyResult<PyNavGrid> {
        let rect = rect.unwrap_or_else(|| {
            let ([x0, z0], [x1, z1]) = self.info.frame.bounds();
            [x0, z0, x1, z1]
        });
        let load = |state: &mut WorldState| state.world.load(rect).map_err(world_error);
        Ok(PyNavGrid { grid: with_state(py, &self.state, load)? })
    }

    /// Returns a grid of the tiles near some points, as many as a budget holds: those under the points, then all
    /// around those, ring by ring. Tiles that the last window had are not read again.
    ///
    /// Parameters
    /// ----------
    /// points : (n, 3) array of float
    ///     [m]
    /// budget : int
    ///     What the tiles may take [bytes]; the grid takes as much again. 64 MiB if left out.
    ///
    /// Returns
    /// -------
    /// NavGrid or None
    ///     `None` if there is no ground near.
    #[pyo3(signature = (points, *, budget = 64 << 20))]
    fn window(
        &self,
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        budget: u64,
    ) -> PyResult<Option<PyNavGrid>> {
        let rows = arrays::points(points, "points")?;
        let rows: Vec<Point3<f32>> = rows.into_iter().map(Into::into).collect();
        if rows.is_empty() {
            return bad_value("points is empty; it has to have at least one row".to_owned());
        }
        let grid = with_state(py, &self.state, |WorldState { world, .. }| {
            world.set_budget(WorldBudget { bytes: budget, ..WorldBudget::default() });
            world.set_interest(&rows).map_err(world_error)?;
            let next = world.wait();
            match world.take_faults().into_iter().next() {
                Some(fault) => Err(world_error(fault)),
                None => Ok(next.or_else(|| world.grid().cloned())),
            }
        })?;
        Ok(grid.map(|grid| PyNavGrid { grid }))
    }

    /// Finds what a path costs over any number of tiles, of which only those of its ends are loaded. The costs of
    /// crossing the others are read when an agent is asked for first.
    ///
    /// Returns
    /// -------
    /// FarPath or None
    ///     `None` if no path leads there.
    ///
    /// Raises
    /// ------
    /// SurefootError
    ///     The agent cannot stand near an end; the world has no such agent, or no border costs.
    fn far_path(
        &self,
        py: Python<'_>,
        agent: &str,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
    ) -> PyResult<Option<PyFarPath>> {
        let ends = [point(start, "start")?, point(goal, "goal")?];
        let path = with_state(py, &self.state, |WorldState { world, routes }| {
            if !routes.contains_key(agent) {
                routes.insert(agent.to_owned(), world.far_routes(agent).map_err(world_error)?);
            }
            match world.far_path(&routes[agent], ends[0], ends[1]) {
                Ok(path) => Ok(Some(path)),
                Err(WorldError::Far(surefoot::far::FarError::Unreachable)) => Ok(None),
                Err(error) => Err(world_error(error)),
            }
        })?;
        Ok(path.map(|path| PyFarPath { path }))
    }

    /// The regions of the whole world for an agent, the largest first: dicts of `spans`, `area_m2`, a place `at`
    /// with much room, and the least and greatest coordinates `min` and `max` [m]. `None` if the file does not have
    /// them.
    fn regions<'py>(&self, py: Python<'py>, agent: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let regions = |state: &mut WorldState| state.world.regions(agent).map_err(world_error);
        let Some(index) = with_state(py, &self.state, regions)? else { return Ok(None) };
        let fields = |region: &WorldRegion| RegionFields {
            spans: region.spans,
            area_m2: region.area(self.info.frame.cell_size),
            at: region.at.into(),
            min: region.min.into(),
            max: region.max.into(),
        };
        let fields: Vec<RegionFields> = index.regions.iter().map(fields).collect();
        to_python(py, &fields).map(Some)
    }

    fn __repr__(&self) -> String {
        let WorldInfo { name, frame, .. } = &self.info;
        let (low, high) = frame.bounds();
        format!(
            "World({name:?}, {} x {} m, {} tiles)",
            high[0] - low[0],
            high[1] - low[1],
            self.tiles
        )
    }
}

#[pymethods]
impl PyFarPath {
    /// What it costs [metres of plain ground].
    #[getter]
    fn cost(&self) -> f32 {
        self.path.cost
    }

    /// Where it crosses the borders of tiles: an array (n, 3) of float32 [m], before and behind each.
    #[getter]
    fn gates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        OutArray::points(self.path.gates.iter().map(|&gate| gate.into()).collect()).array(py)
    }

    /// The indices of the gates from which a link leads to the next one.
    #[getter]
    fn links(&self) -> Vec<usize> {
        self.path.links.clone()
    }

    fn __repr__(&self) -> String {
        format!("FarPath(cost {}, {} gates)", self.path.cost, self.path.gates.len())
    }
}

/// An error of a world, as an exception: an `OSError` if the system does not give the file.
fn world_error(error: WorldError) -> PyErr {
    let message = error.to_string();
    match error {
        WorldError::Io { source, .. } | WorldError::Read { source, .. } => {
            system_error(source.kind(), message)
        }
        _ => refused(message),
    }
}
