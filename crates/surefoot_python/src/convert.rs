//! Settings and reports: what Python writes as dataclasses, dicts and lists, and Rust as structs that serde
//! knows.

use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::arrays::shape_text;
use crate::errors::{bad_value, refused};

/// Reads a dataclass, a dict, or a list of them.
pub fn from_python<T: DeserializeOwned>(value: &Bound<'_, PyAny>, name: &str) -> PyResult<T> {
    let py = value.py();
    let json = py.import("surefoot._settings")?.call_method1("to_json", (value, name));
    let json = json.map_err(|error| {
        let is_value = error.is_instance_of::<PyValueError>(py);
        if is_value { refused(error.value(py)) } else { error }
    })?;
    // Where in the text it is says nothing to who wrote a dataclass.
    let problem = |error: serde_json::Error| {
        let text = error.to_string();
        let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
        refused(format!("{name}: {text}"))
    };
    serde_json::from_str(json.extract()?).map_err(problem)
}

/// Returns a report as dicts and lists.
pub fn to_python<'py, T: Serialize>(py: Python<'py>, value: &T) -> PyResult<Bound<'py, PyAny>> {
    from_json(py, &to_json(value)?)
}

/// Returns a report as JSON, for [`from_json`].
pub fn to_json<T: Serialize>(value: &T) -> PyResult<String> {
    serde_json::to_string(value).map_err(refused)
}

/// Reads JSON as dicts and lists.
pub fn from_json<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}

/// How far the columns of a rotation may be from lengths of 1 and right angles.
const RIGID_TOLERANCE: f64 = 1e-4;

/// Reads a pose: a 4 by 4 matrix that turns and moves, or a position (3,); `None` for the origin.
pub fn pose(value: Option<&Bound<'_, PyAny>>) -> PyResult<Isometry3<f32>> {
    let Some(value) = value else { return Ok(Isometry3::identity()) };
    let numpy = value.py().import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (value, "float64"))?;
    let array = array.cast::<PyArrayDyn<f64>>()?.readonly();
    let values = array.as_slice()?;
    match *array.shape() {
        [3] => Ok(Translation3::new(values[0] as f32, values[1] as f32, values[2] as f32).into()),
        [4, 4] => rigid(values),
        ref shape => bad_value(format!(
            "pose has the shape {}; it has to be (4, 4), or (3,) for a position",
            shape_text(shape)
        )),
    }
}

fn rigid(values: &[f64]) -> PyResult<Isometry3<f32>> {
    let turn = Matrix3::from_fn(|row, column| values[4 * row + column]);
    let off = (turn.transpose() * turn - Matrix3::identity()).abs().max();
    let is_rigid = off <= RIGID_TOLERANCE && turn.determinant() > 0.0;
    if !is_rigid || values[12..] != [0.0, 0.0, 0.0, 1.0] {
        return bad_value(
            "pose has to turn and move only; scale, mirror or shear the vertices instead"
                .to_owned(),
        );
    }
    let rotation = Rotation3::from_matrix_unchecked(turn);
    let place = Vector3::new(values[3], values[7], values[11]).cast::<f32>();
    let rotation = UnitQuaternion::from_rotation_matrix(&rotation).cast::<f32>();
    Ok(Isometry3::from_parts(place.into(), rotation))
}
