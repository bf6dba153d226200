//! `bake`, and `LiveBake` for levels that change.

use std::sync::Mutex;

use pyo3::prelude::*;
use surefoot::Agent;
use surefoot::Observer;
use surefoot::follow::FollowSettings;
use surefoot_bake::{BakeSettings, ColliderId, LiveError};

use crate::convert::{from_python, pose, to_python};
use crate::errors::{bad_value, refused};
use crate::grid::PyNavGrid;
use crate::interrupt::{CancelFlag, interruptible, lock_unless, with_state};
use crate::pool::threads;
use crate::scene::PyScene;

/// Bakes a scene by settings; the package's `bake` makes them of its arguments.
#[pyfunction]
pub fn bake_scene(
    py: Python<'_>,
    scene: &Bound<'_, PyScene>,
    settings: &Bound<'_, PyAny>,
) -> PyResult<PyNavGrid> {
    let settings: BakeSettings = from_python(settings, "settings")?;
    let (scene, pool) = (scene.get().finished()?, threads()?);
    let bake = |cancel: &CancelFlag| surefoot_bake::bake(&scene, &settings, cancel);
    Ok(PyNavGrid {
        grid: interruptible(py, |cancel| pool.install(|| bake(cancel)))?.map_err(refused)?.grid,
    })
}

/// The settings of the libraries where nothing is given; a test holds the package's against them.
#[pyfunction]
pub fn default_settings(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let settings = serde_json::json!({
        "Agent": Agent::new("human"),
        "FollowSettings": FollowSettings::default(),
        "LinkCosts": BakeSettings::default().link_costs,
    });
    to_python(py, &settings)
}

/// A level that changes: keeps its scene and what was baked of it, so that an update bakes only what changed.
/// The grid is the same, byte for byte, as that of baking everything again.
///
/// Made by `live_bake`.
#[pyclass(frozen, module = "surefoot", name = "LiveBake")]
pub struct PyLiveBake {
    state: Mutex<LiveState>,
}

struct LiveState {
    live: surefoot_bake::LiveBake,
    /// By the numbers that Python knows them by.
    colliders: Vec<ColliderId>,
}

impl LiveState {
    fn number(&mut self, id: ColliderId) -> usize {
        let known = self.colliders.iter().position(|&other| other == id);
        known.unwrap_or_else(|| {
            self.colliders.push(id);
            self.colliders.len() - 1
        })
    }

    fn id(&self, number: usize) -> PyResult<ColliderId> {
        match self.colliders.get(number) {
            Some(&id) => Ok(id),
            None => bad_value(format!("there is no collider {number}")),
        }
    }
}

impl PyLiveBake {
    fn with<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut LiveState) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        with_state(py, &self.state, work)
    }
}

#[pymethods]
impl PyLiveBake {
    #[new]
    fn new(
        py: Python<'_>,
        scene: &Bound<'_, PyScene>,
        settings: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let settings: BakeSettings = from_python(settings, "settings")?;
        let (scene, pool) = (scene.get().finished()?, threads()?);
        let bake =
            |cancel: &CancelFlag| surefoot_bake::LiveBake::new((*scene).clone(), &settings, cancel);
        let live = interruptible(py, |cancel| pool.install(|| bake(cancel)))?.map_err(refused)?;
        Ok(PyLiveBake { state: Mutex::new(LiveState { live, colliders: Vec::new() }) })
    }

    /// The grid of the last update.
    #[getter]
    fn grid(&self, py: Python<'_>) -> PyResult<PyNavGrid> {
        self.with(py, |state| Ok(PyNavGrid { grid: state.live.grid().clone() }))
    }

    /// The numbers of the colliders of a name.
    fn colliders(&self, py: Python<'_>, name: &str) -> PyResult<Vec<usize>> {
        self.with(py, |state| {
            let ids: Vec<ColliderId> = state.live.colliders(name).collect();
            Ok(ids.into_iter().map(|id| state.number(id)).collect())
        })
    }

    /// An empty scene that knows the areas of the level: add parts to it, then it to `add`.
    fn parts(&self, py: Python<'_>) -> PyResult<PyScene> {
        self.with(py, |state| Ok(PyScene::of(state.live.builder())))
    }

    /// Adds the parts of a scene that `parts` began. Returns the numbers of its colliders, in the order of their
    /// names. The grid follows with the next update.
    fn add(&self, py: Python<'_>, parts: &Bound<'_, PyScene>) -> PyResult<Vec<usize>> {
        let parts = parts.get().parts()?;
        self.with(py, |state| {
            let ids = state.live.add(parts).map_err(|error| match error {
                LiveError::OtherAreas => refused(
                    "the parts were begun for a level with other areas; begin them by parts()",
                ),
                error => refused(error),
            })?;
            Ok(ids.into_iter().map(|id| state.number(id)).collect())
        })
    }

    /// Moves a collider to a pose: a (4, 4) matrix that turns and moves, or a position (3,) [m].
    fn move_to(&self, py: Python<'_>, collider: usize, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let pose = self::pose(Some(pose))?;
        self.with(py, |state| {
            let id = state.id(collider)?;
            state.live.move_to(id, pose).map_err(refused)
        })
    }

    /// Removes a collider.
    fn remove(&self, py: Python<'_>, collider: usize) -> PyResult<()> {
        self.with(py, |state| {
            let id = state.id(collider)?;
            state.live.remove(id).map_err(refused)
        })
    }

    /// Bakes what changed since the last update, and returns the number of cells that were cast again.
    fn update(&self, py: Python<'_>) -> PyResult<usize> {
        let pool = threads()?;
        interruptible(py, |cancel| {
            let state = lock_unless(&self.state, || cancel.is_cancelled());
            let Some(mut state) = state else { return Ok(0) };
            let live = &mut state.live;
            pool.install(|| live.update(cancel)).map(|update| update.cells_baked)
        })?
        .map_err(refused)
    }
}
