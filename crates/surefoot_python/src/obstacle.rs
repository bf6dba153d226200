//! Obstacles of an overlay.

use nalgebra::{Point3, Vector3};
use pyo3::prelude::*;
use surefoot::view::{Obstacle, ObstacleId};

use crate::arrays::{point, table};
use crate::errors::bad_value;

/// An upright shape that blocks agents: `Obstacle.box`, `Obstacle.cylinder` or `Obstacle.prism`.
#[pyclass(frozen, module = "surefoot", name = "Obstacle")]
pub struct PyObstacle {
    pub obstacle: Obstacle,
}

#[pymethods]
impl PyObstacle {
    /// A box, turned about the y axis.
    ///
    /// Parameters
    /// ----------
    /// center : (3,) array of float
    ///     [m]
    /// half_extents : (3,) array of float
    ///     Half its size along its own axes [m].
    /// yaw : float
    ///     The angle that it is turned by, from +x towards +z [rad].
    #[staticmethod]
    #[pyo3(signature = (center, half_extents, yaw = 0.0))]
    fn r#box(
        center: &Bound<'_, PyAny>,
        half_extents: &Bound<'_, PyAny>,
        yaw: f32,
    ) -> PyResult<Self> {
        let center = point(center, "center")?.into();
        let half = Vector3::from(point(half_extents, "half_extents")?);
        Ok(PyObstacle { obstacle: Obstacle::Box { center, half, yaw } })
    }

    /// A cylinder over the center of its lower side [m].
    #[staticmethod]
    fn cylinder(base: &Bound<'_, PyAny>, radius: f32, height: f32) -> PyResult<Self> {
        let base = Point3::from(point(base, "base")?);
        Ok(PyObstacle { obstacle: Obstacle::Cylinder { base, radius, height } })
    }

    /// A polygon with corners x, z: (n, 2) array of float, from a lower to an upper height [m].
    #[staticmethod]
    fn prism(corners: &Bound<'_, PyAny>, bottom: f32, top: f32) -> PyResult<Self> {
        let corners = table(corners, "corners")?;
        if corners.columns != 2 {
            return bad_value(format!(
                "corners has {} columns; it has to have x and z",
                corners.columns
            ));
        }
        let corners = corners.values.as_chunks().0.to_vec();
        Ok(PyObstacle { obstacle: Obstacle::Prism { corners, bottom, top } })
    }

    fn __repr__(&self) -> String {
        format!("Obstacle.{:?}", self.obstacle)
    }
}

/// The obstacles that are there, by the numbers that Python knows them by.
#[derive(Default)]
pub struct ObstacleNumbers {
    ids: Vec<Option<ObstacleId>>,
}

impl ObstacleNumbers {
    /// The number of another one.
    pub fn add(&mut self, id: ObstacleId) -> usize {
        self.ids.push(Some(id));
        self.ids.len() - 1
    }

    /// Forgets a number; `None` if it is unknown.
    pub fn take(&mut self, number: usize) -> Option<ObstacleId> {
        self.ids.get_mut(number)?.take()
    }
}
