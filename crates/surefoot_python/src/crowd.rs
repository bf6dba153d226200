//! `Crowd`: many bodies, as arrays.

use std::sync::Mutex;

use nalgebra::Vector3;
use pyo3::prelude::*;
use surefoot::HeightCost;
use surefoot::crowd::{JoinError, Member, MemberId};
use surefoot::follow::FollowSettings;

use crate::arrays::{OutArray, Pairs, Point, indices, is_finite, points};
use crate::convert::from_python;
use crate::errors::{bad_value, check_length, read_count, refused};
use crate::grid::PyNavGrid;
use crate::interrupt::with_state;
use crate::obstacle::{ObstacleNumbers, PyObstacle};
use crate::outcome::{REMOVED, state_code};
use crate::pool::threads;

/// Many bodies of several sizes on one grid: each goes to its own goal and avoids the others. The crowd moves them
/// over the ground and never off it; the same bodies and goals give the same motion on any number of threads.
///
/// Each body has a row, which it keeps, also when it is removed: `positions`, `velocities`, `states` and the like are arrays over all rows.
///
/// Parameters
/// ----------
/// grid : NavGrid
/// ascend, descend : float
///     What a metre of rise or fall costs, beside the length of a path [metres-equivalent, >= 0].
#[pyclass(frozen, module = "surefoot", name = "Crowd")]
pub struct PyCrowd {
    state: Mutex<CrowdState>,
}

struct CrowdState {
    crowd: surefoot::Crowd,
    /// The member of each row; `None` once it was removed.
    rows: Vec<Option<MemberId>>,
    obstacles: ObstacleNumbers,
}

impl CrowdState {
    fn member(&self, row: usize) -> Option<&Member> {
        self.crowd.member((*self.rows.get(row)?)?)
    }

    /// The members of rows; all of them for `None`.
    fn members(&self, rows: Option<&[i64]>) -> PyResult<Vec<MemberId>> {
        let Some(rows) = rows else { return Ok(self.rows.iter().flatten().copied().collect()) };
        let member = |&row: &i64| {
            let known = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
            match known {
                Some(Some(id)) => Ok(*id),
                Some(None) => bad_value(format!("the body of row {row} was removed")),
                None => bad_value(format!("there is no row {row}; there are {}", self.rows.len())),
            }
        };
        rows.iter().map(member).collect()
    }
}

impl PyCrowd {
    fn with<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut CrowdState) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        with_state(py, &self.state, work)
    }

    /// A value for each row.
    fn each<T: Send>(
        &self,
        py: Python<'_>,
        value: impl Fn(Option<&Member>) -> T + Send + Sync,
    ) -> PyResult<Vec<T>> {
        self.with(py, |state| {
            Ok((0..state.rows.len()).map(|row| value(state.member(row))).collect())
        })
    }
}

#[pymethods]
impl PyCrowd {
    #[new]
    #[pyo3(signature = (grid, *, ascend = 1.0, descend = 0.0))]
    fn new(grid: &Bound<'_, PyNavGrid>, ascend: f32, descend: f32) -> PyResult<Self> {
        check_length("ascend", ascend)?;
        check_length("descend", descend)?;
        let model = HeightCost { ascend, descend };
        let crowd = surefoot::Crowd::new(grid.get().grid.clone(), model);
        let state = CrowdState { crowd, rows: Vec::new(), obstacles: ObstacleNumbers::default() };
        Ok(PyCrowd { state: Mutex::new(state) })
    }

    /// The number of rows.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |state| Ok(state.rows.len()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |state| Ok(format!("Crowd({} bodies)", state.crowd.len())))
    }

    /// Prepares routes for an agent, so that long paths over large grids are found many times faster.
    fn prepare(&self, py: Python<'_>, agent: &str) -> PyResult<()> {
        let pool = threads()?;
        self.with(py, |state| pool.install(|| state.crowd.prepare(agent)).map_err(refused))
    }

    /// Adds bodies at points, or on the nearest ground within two of their radii.
    ///
    /// Parameters
    /// ----------
    /// agent : str
    ///     The name of one of `NavGrid.agent_names`.
    /// points : (n, 3) array of float
    ///     [m]
    /// settings : FollowSettings, optional
    ///
    /// Returns
    /// -------
    /// (n,) array of int64
    ///     Their rows; -1 where the agent cannot stand.
    #[pyo3(signature = (agent, points, settings = None))]
    fn add<'py>(
        &self,
        py: Python<'py>,
        agent: &str,
        points: &Bound<'py, PyAny>,
        settings: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let places = self::points(points, "points")?;
        let settings: FollowSettings =
            settings.map(|given| from_python(given, "settings")).transpose()?.unwrap_or_default();
        let rows = self.with(py, |state| {
            let mut rows = Vec::with_capacity(places.len());
            for place in &places {
                rows.push(match state.crowd.add(agent, *place, settings.clone()) {
                    Ok(id) => {
                        state.rows.push(Some(id));
                        state.rows.len() as i64 - 1
                    }
                    Err(JoinError::OffGrid { .. }) => -1,
                    Err(error) => return Err(refused(error)),
                });
            }
            Ok(rows)
        })?;
        OutArray::rows(rows).array(py)
    }

    /// Removes bodies. Their rows stay, with NaN and the state `REMOVED`.
    fn remove(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<()> {
        let rows = indices(rows, "rows")?;
        self.with(py, |state| {
            state.members(Some(&rows))?;
            for &row in &rows {
                if let Some(id) = state.rows[row as usize].take() {
                    state.crowd.remove(id).map_err(refused)?;
                }
            }
            Ok(())
        })
    }

    /// Sends bodies to goals.
    ///
    /// Parameters
    /// ----------
    /// goals : (n, 3) array of float
    ///     [m]; a single one stands for all.
    /// rows : (n,) array of int, optional
    ///     All bodies if left out.
    /// moving : bool
    ///     Whether the goals are targets that move: a new path is found only once they have moved far enough.
    #[pyo3(signature = (goals, rows = None, *, moving = false))]
    fn set_goals(
        &self,
        py: Python<'_>,
        goals: &Bound<'_, PyAny>,
        rows: Option<&Bound<'_, PyAny>>,
        moving: bool,
    ) -> PyResult<()> {
        let goals = points(goals, "goals")?;
        if let Some(at) = goals.iter().position(|goal| !is_finite(goal)) {
            return bad_value(format!("goals: row {at} is not finite"));
        }
        let rows = rows.map(|rows| indices(rows, "rows")).transpose()?;
        self.with(py, |state| {
            let members = state.members(rows.as_deref())?;
            if goals.len() != members.len() && goals.len() != 1 {
                return bad_value(format!(
                    "goals has {} rows for {} bodies",
                    goals.len(),
                    members.len()
                ));
            }
            for (at, id) in members.into_iter().enumerate() {
                let goal = goals[if goals.len() == 1 { 0 } else { at }];
                let set =
                    if moving { surefoot::Crowd::set_target } else { surefoot::Crowd::set_goal };
                set(&mut state.crowd, id, goal).map_err(refused)?;
            }
            Ok(())
        })
    }

    /// Drops the goals of bodies, of all if `rows` is left out; they brake and stand.
    #[pyo3(signature = (rows = None))]
    fn stop(&self, py: Python<'_>, rows: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let rows = rows.map(|rows| indices(rows, "rows")).transpose()?;
        self.with(py, |state| {
            for id in state.members(rows.as_deref())? {
                state.crowd.stop(id).map_err(refused)?;
            }
            Ok(())
        })
    }

    /// Puts bodies where something else has moved them.
    ///
    /// Parameters
    /// ----------
    /// rows : (n,) array of int
    /// points : (n, 3) array of float
    ///     [m]
    /// velocities : (n, 3) array of float
    ///     [m/s]
    ///
    /// Returns
    /// -------
    /// (n,) array of bool
    ///     False for a body that has no ground near its point; it stays where it was.
    fn put<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        points: &Bound<'py, PyAny>,
        velocities: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = indices(rows, "rows")?;
        let pairs = Pairs::read([points, velocities], ["points", "velocities"])?;
        if let Some(at) = (0..pairs.len()).find(|&at| !is_finite(&pairs.ends(at)[1])) {
            return bad_value(format!("velocities: row {at} is not finite"));
        }
        let put = self.with(py, |state| {
            let members = state.members(Some(&rows))?;
            if pairs.len() != members.len() {
                return bad_value(format!(
                    "points has {} rows for {} bodies",
                    pairs.len(),
                    members.len()
                ));
            }
            let put = |(at, id): (usize, MemberId)| {
                let [point, velocity] = pairs.ends(at);
                state.crowd.put(id, point, Vector3::from(velocity)).is_ok()
            };
            Ok(members.into_iter().enumerate().map(put).collect())
        })?;
        OutArray::rows(put).array(py)
    }

    /// Steps the crowd.
    ///
    /// Parameters
    /// ----------
    /// dt : float
    ///     [s, > 0]
    /// steps : int
    ///     How many such steps.
    #[pyo3(signature = (dt, steps = 1))]
    fn step(&self, py: Python<'_>, dt: f32, steps: i64) -> PyResult<()> {
        let steps = read_count("steps", steps)?;
        if !(dt > 0.0 && dt.is_finite()) {
            return bad_value(format!("dt is {dt}; it has to be more than 0"));
        }
        let pool = threads()?;
        for _ in 0..steps {
            self.with(py, |state| {
                pool.install(|| state.crowd.step(dt));
                Ok(())
            })?;
            py.check_signals()?;
        }
        Ok(())
    }

    /// Where the bodies are: (n, 3) array of float32 [m]; NaN for those that were removed.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let at =
            |member: Option<&Member>| member.map_or(NOWHERE, |member| member.position().into());
        OutArray::points(self.each(py, at)?).array(py)
    }

    /// How fast they move: (n, 3) array of float32 [m/s].
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let of =
            |member: Option<&Member>| member.map_or(NOWHERE, |member| member.velocity().into());
        OutArray::points(self.each(py, of)?).array(py)
    }

    /// Where they look, from +x towards +z: (n,) array of float32 [rad].
    #[getter]
    fn facings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let of = |member: Option<&Member>| member.map_or(f32::NAN, Member::facing);
        OutArray::rows(self.each(py, of)?).array(py)
    }

    /// What they do, as a `State`: (n,) array of uint8.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let of =
            |member: Option<&Member>| member.map_or(REMOVED, |member| state_code(&member.state()));
        OutArray::rows(self.each(py, of)?).array(py)
    }

    /// How far they have still to go along their paths: (n,) array of float32 [m]; NaN without a path.
    #[getter]
    fn remaining_distances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let of = |member: Option<&Member>| {
            member.and_then(Member::remaining_distance).unwrap_or(f32::NAN)
        };
        OutArray::rows(self.each(py, of)?).array(py)
    }

    /// Goes on with another grid, baked for the same agents. Returns the rows of bodies that lost their ground.
    fn set_grid<'py>(
        &self,
        py: Python<'py>,
        grid: &Bound<'py, PyNavGrid>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let grid = grid.get().grid.clone();
        let pool = threads()?;
        let rows = self.with(py, |state| {
            let lost = pool.install(|| state.crowd.set_grid(&grid)).map_err(refused)?;
            let row = |id: &MemberId| state.rows.iter().position(|known| *known == Some(*id));
            Ok(lost.iter().filter_map(row).map(|row| row as i64).collect())
        })?;
        OutArray::rows(rows).array(py)
    }

    /// Places an obstacle, and returns its number.
    fn block(&self, py: Python<'_>, obstacle: &Bound<'_, PyObstacle>) -> PyResult<usize> {
        let obstacle = obstacle.get().obstacle.clone();
        self.with(py, |state| {
            let id = state.crowd.block(obstacle).map_err(refused)?;
            Ok(state.obstacles.add(id))
        })
    }

    /// Removes an obstacle by its number.
    fn unblock(&self, py: Python<'_>, number: usize) -> PyResult<()> {
        self.with(py, |state| match state.obstacles.take(number) {
            Some(id) => {
                state.crowd.unblock(id);
                Ok(())
            }
            None => bad_value(format!("there is no obstacle {number}")),
        })
    }

    /// Opens or closes a link, by its index in `NavGrid.links`.
    fn set_link_open(&self, py: Python<'_>, link: usize, open: bool) -> PyResult<()> {
        self.with(py, |state| state.crowd.set_link_open(link, open).map_err(refused))
    }
}

/// Where a body is that was removed.
const NOWHERE: Point = [f32::NAN; 3];
