//! `WorldBake`: a world that is baked tile by tile.

use std::io::ErrorKind;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyType;
use surefoot::cch::find_order;
use surefoot::{AgentId, NavGrid};
use surefoot_bake::LinkProblem;
use surefoot_bake::{BakeSettings, WorldSource};
use surefoot_world::{JobError, TileOutcome, WorldJobs, WorldPlan, WorldRequest, WorldStore};

use crate::convert::from_python;
use crate::errors::{refused, system_error};
use crate::grid::PyNavGrid;
use crate::interrupt::{CancelFlag, interruptible};
use crate::pool::threads;

/// A planned world: the source, the plan, and the store where its tiles are.
///
/// Made by `surefoot.world.plan`, or by `WorldBake.open` of a store with a plan. Any number of processes may
/// work on one store.
#[pyclass(frozen, module = "surefoot", name = "WorldBake")]
pub struct PyWorldBake {
    source: Box<dyn WorldSource>,
    plan: WorldPlan,
    store: WorldStore,
}

impl PyWorldBake {
    /// Runs a job on the threads of this process.
    fn job<R: Send>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&WorldJobs, &CancelFlag) -> Result<R, JobError> + Send,
    ) -> PyResult<R> {
        let pool = threads()?;
        let run = |cancel: &CancelFlag| {
            let jobs = WorldJobs::new(self.source.as_ref(), &self.plan, &self.store)?;
            job(&jobs, cancel)
        };
        interruptible(py, |cancel| pool.install(|| run(cancel)))?.map_err(job_error)
    }
}

#[pymethods]
impl PyWorldBake {
    /// Plans a world: reads its source once, and writes the plan into the store.
    #[new]
    fn new(
        py: Python<'_>,
        source: PathBuf,
        store: PathBuf,
        settings: &Bound<'_, PyAny>,
        tile_side: u32,
    ) -> PyResult<Self> {
        let settings: BakeSettings = from_python(settings, "settings")?;
        settings.check().map_err(refused)?;
        let source = std::path::absolute(source)?;
        let request = WorldRequest { tile_side, ..WorldRequest::new(source, settings) };
        let pool = threads()?;
        let plan = |cancel: &CancelFlag| {
            let store = WorldStore::in_folder(&store)?;
            let source = request.open(cancel)?;
            let plan = WorldPlan::new(source.as_ref(), request.clone(), cancel)?;
            plan.write(&store)?;
            Ok(PyWorldBake { source, plan, store })
        };
        interruptible(py, |cancel| pool.install(|| plan(cancel)))?.map_err(job_error)
    }

    /// Opens a store with a plan, and the source that was planned.
    #[classmethod]
    fn open(_class: &Bound<'_, PyType>, py: Python<'_>, store: PathBuf) -> PyResult<Self> {
        let pool = threads()?;
        let open = |cancel: &CancelFlag| {
            let store = WorldStore::in_folder(&store)?;
            let plan = WorldPlan::read(&store)?;
            let source = plan.request.open(cancel)?;
            Ok(PyWorldBake { source, plan, store })
        };
        interruptible(py, |cancel| pool.install(|| open(cancel)))?.map_err(job_error)
    }

    /// The number of tiles that are not empty.
    #[getter]
    fn tiles(&self) -> usize {
        self.plan.tiles.len()
    }

    /// A hash of the plan: stores with one plan have the same tiles.
    #[getter]
    fn plan_id(&self) -> String {
        self.plan.id()
    }

    /// The indices of the tiles that are not in the store.
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        let status = py.detach(|| surefoot_world::status(&self.plan, &self.store));
        Ok(status.map_err(job_error)?.missing)
    }

    /// Bakes a tile, unless it is in the store. Returns the number of its spans; `None` if it was there.
    #[pyo3(signature = (index, *, again = false))]
    fn bake_tile(&self, py: Python<'_>, index: usize, again: bool) -> PyResult<Option<usize>> {
        let outcome = self.job(py, |jobs, cancel| match again {
            true => jobs.tile_again(index, cancel),
            false => jobs.tile(index, cancel),
        })?;
        Ok(match outcome {
            TileOutcome::AlreadyThere => None,
            TileOutcome::Baked { spans } => Some(spans),
        })
    }

    /// Bakes all tiles that are not in the store, and returns how many those were.
    fn bake_tiles(&self, py: Python<'_>) -> PyResult<usize> {
        self.job(py, |jobs, cancel| jobs.all_tiles(cancel))
    }

    /// The indices of the tiles that have to be baked before `seams` of one of them, itself among them.
    fn tiles_before_seams(&self, index: usize) -> PyResult<Vec<usize>> {
        self.plan.tiles_before_seams(index).map_err(job_error)
    }

    /// Computes what it costs to cross a tile, for far paths, unless it is in the store. Returns whether it did.
    fn seams(&self, py: Python<'_>, index: usize) -> PyResult<bool> {
        self.job(py, |_, _| surefoot_world::seams(&self.plan, &self.store, index))
    }

    /// Packs all tiles, the author's links, and what it costs to cross the tiles into one `.navworld` file. Returns
    /// what is wrong with links that some agent cannot take.
    fn pack(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
        let packed = self.job(py, |_, cancel| {
            surefoot_world::all_seams(&self.plan, &self.store, cancel)?;
            surefoot_world::pack(&self.plan, &self.store, &path, cancel)
        })?;
        let problems = packed.link_problems.into_iter();
        let words = problems.map(|LinkProblem { link, agent, problem }| {
            format!("{link}: agent {agent} cannot take this link: {problem}")
        });
        Ok(words.collect())
    }

    /// A tile of the store: a grid of its own cells and of those next to them; `None` if it is not there.
    fn tile(&self, py: Python<'_>, index: usize) -> PyResult<Option<PyNavGrid>> {
        let tile = self.job(py, |jobs, _| jobs.read_tile(index))?;
        Ok(tile.map(|grid| PyNavGrid { grid }))
    }

    /// Bakes tiles again, and returns the indices of those that are not the same in the store.
    fn verify(&self, py: Python<'_>, indices: Vec<usize>) -> PyResult<Vec<usize>> {
        let verified = self.job(py, |jobs, cancel| jobs.verify(&indices, cancel))?;
        let differing = verified.into_iter().filter(|tile| tile.problem.is_some());
        Ok(differing.map(|tile| tile.index).collect())
    }

    /// Merges all tiles into one grid: byte for byte that of baking the world whole.
    #[pyo3(signature = (*, routes = false))]
    fn merge(&self, py: Python<'_>, routes: bool) -> PyResult<PyNavGrid> {
        let grid = self.job(py, |jobs, cancel| Ok(jobs.merge(cancel)?.grid))?;
        if !routes {
            return Ok(PyNavGrid { grid });
        }
        let pool = threads()?;
        let prepared = interruptible(py, |cancel| pool.install(|| prepare(grid, cancel)))?;
        Ok(PyNavGrid { grid: prepared? })
    }

    fn __repr__(&self) -> String {
        let (source, store) = (self.plan.request.source.display(), self.store.place());
        format!("WorldBake({source}, {} tiles, store {store})", self.plan.tiles.len())
    }
}

/// Adds to a grid the orders that the routes of its agents are prepared by.
fn prepare(mut grid: NavGrid, cancel: &CancelFlag) -> PyResult<NavGrid> {
    for agent in (0..grid.layers().len() as u16).map(AgentId) {
        let order = find_order(&grid, agent, cancel).map_err(refused)?;
        grid = grid.with_order(agent, order).map_err(refused)?;
    }
    Ok(grid)
}

/// An error of a job, as an exception: an `OSError` if trying again may help.
fn job_error(error: JobError) -> PyErr {
    if error.is_temporary() {
        return system_error(ErrorKind::Other, error.to_string());
    }
    refused(error)
}
