//! Arrays of numpy: points and numbers that come in, and buffers for what goes out.
//!
//! What comes in is copied before a batch begins, so that other threads of Python may go on with their
//! arrays meanwhile.

use numpy::{Element, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::bad_value;

/// A point: x, y, z [m].
pub type Point = [f32; 3];

/// An array of any numbers as 32-bit floats, with its shape.
struct Floats {
    values: Vec<f32>,
    shape: Vec<usize>,
}

impl Floats {
    /// Reads what numpy can make an array of numbers of.
    fn read(array: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let py = array.py();
        let numpy = py.import("numpy")?;
        if numpy.getattr("ma")?.call_method1("is_masked", (array,))?.is_truthy()? {
            return bad_value(format!("{name} has masked values; fill or leave them out"));
        }
        let array = numpy.call_method1("asarray", (array,)).map_err(|error| {
            PyTypeError::new_err(format!("{name}: not an array of numbers ({error})"))
        })?;
        let dtype = array.getattr("dtype")?;
        let kind: String = dtype.getattr("kind")?.extract()?;
        if !matches!(kind.as_str(), "f" | "i" | "u") {
            let message = format!("{name} is an array of {dtype}; it has to be one of numbers");
            return Err(PyTypeError::new_err(message));
        }
        // Contiguous, and aligned.
        let array = numpy.call_method1("require", (array, "float32", vec!["C", "A"]))?;
        let array = array.cast::<PyArrayDyn<f32>>()?.readonly();
        Ok(Floats { values: array.as_slice()?.to_vec(), shape: array.shape().to_vec() })
    }
}

/// Reads points: an array of the shape (n, 3), or (3,) for one.
pub fn points(array: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Point>> {
    if let Ok(exact) = array.cast_exact::<PyArray2<f32>>()
        && let Ok(array) = exact.try_readonly()
        && array.shape()[1] == 3
        && array.is_c_contiguous()
        && let Ok(values) = array.as_slice()
    {
        return Ok(values.as_chunks().0.to_vec());
    }
    let Floats { values, shape } = Floats::read(array, name)?;
    match shape[..] {
        [0] | [3] | [_, 3] => Ok(values.as_chunks().0.to_vec()),
        _ => bad_value(format!(
            "{name} has the shape {}; it has to be (n, 3): x, y, z in metres",
            shape_text(&shape)
        )),
    }
}

/// Reads one point.
pub fn point(array: &Bound<'_, PyAny>, name: &str) -> PyResult<Point> {
    match points(array, name)?[..] {
        [point] => Ok(point),
        ref rows => bad_value(format!("{name} has {} rows; it has to be one point", rows.len())),
    }
}

/// Reads a number for each of `count` rows; one number stands for all of them.
pub fn numbers(array: &Bound<'_, PyAny>, name: &str, count: usize) -> PyResult<Vec<f32>> {
    let Floats { values, shape } = Floats::read(array, name)?;
    match shape[..] {
        [] | [1] => Ok(vec![values[0]; count]),
        [n] if n == count => Ok(values),
        _ => bad_value(format!(
            "{name} has the shape {}; it has to be ({count},), or one number",
            shape_text(&shape)
        )),
    }
}

/// An array of two dimensions.
pub struct Table {
    /// Row by row.
    pub values: Vec<f32>,
    pub rows: usize,
    pub columns: usize,
}

/// Reads an array of two dimensions.
pub fn table(array: &Bound<'_, PyAny>, name: &str) -> PyResult<Table> {
    let Floats { values, shape } = Floats::read(array, name)?;
    match shape[..] {
        [rows, columns] => Ok(Table { values, rows, columns }),
        _ => bad_value(format!(
            "{name} has the shape {}; it has to have two dimensions",
            shape_text(&shape)
        )),
    }
}

/// Reads whole numbers of one dimension, or one.
pub fn indices(array: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<i64>> {
    let numpy = array.py().import("numpy")?;
    let array = numpy.call_method1("atleast_1d", (array,))?;
    let dtype = array.getattr("dtype")?;
    let (kind, size): (String, usize) =
        (dtype.getattr("kind")?.extract()?, array.getattr("size")?.extract()?);
    if !matches!(kind.as_str(), "i" | "u") && size > 0 {
        let message = format!("{name} is an array of {dtype}; it has to be one of whole numbers");
        return Err(PyTypeError::new_err(message));
    }
    let array = numpy.call_method1("ascontiguousarray", (array, "int64"))?;
    let array = array.cast::<PyArrayDyn<i64>>()?.readonly();
    match array.shape() {
        [_] => Ok(array.as_slice()?.to_vec()),
        shape => {
            bad_value(format!("{name} has the shape {}; it has to be (n,)", shape_text(shape)))
        }
    }
}

/// Both ends of each row of a batch. Where one side has a single row, it stands for all.
pub struct Pairs {
    from: Vec<Point>,
    to: Vec<Point>,
}

impl Pairs {
    /// Reads both sides.
    pub fn read([from, to]: [&Bound<'_, PyAny>; 2], names: [&str; 2]) -> PyResult<Self> {
        let pairs = Pairs { from: points(from, names[0])?, to: points(to, names[1])? };
        let [from, to] = [pairs.from.len(), pairs.to.len()];
        if from == to || from == 1 || to == 1 {
            return Ok(pairs);
        }
        bad_value(format!(
            "{} has {from} rows and {} has {to}; they have to have as many, or one of them one",
            names[0], names[1]
        ))
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match [self.from.len(), self.to.len()] {
            [1, others] => others,
            [others, _] => others,
        }
    }

    /// Both ends of a row.
    pub fn ends(&self, row: usize) -> [Point; 2] {
        let of = |side: &[Point]| side[if side.len() == 1 { 0 } else { row }];
        [of(&self.from), of(&self.to)]
    }
}

/// Whether all numbers of a point are finite.
pub fn is_finite(point: &Point) -> bool {
    point.iter().all(|value| value.is_finite())
}

/// What a batch found, and the shape it has in Python.
pub struct OutArray<T> {
    pub values: Vec<T>,
    pub shape: Vec<usize>,
}

impl OutArray<f32> {
    /// Rows of three numbers.
    pub fn points(rows: Vec<Point>) -> Self {
        let shape = vec![rows.len(), 3];
        OutArray { values: rows.into_flattened(), shape }
    }
}

impl<T: Element + Copy> OutArray<T> {
    /// One number for each row.
    pub fn rows(values: Vec<T>) -> Self {
        let shape = vec![values.len()];
        OutArray { values, shape }
    }

    /// A new array.
    pub fn array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let array = PyArray1::from_vec(py, self.values);
        Ok(array.reshape(self.shape)?.into_any())
    }

    /// The caller's buffer, filled; or a new array.
    pub fn into<'py>(
        self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(out) = out else { return self.array(py) };
        let dtype = numpy::dtype::<T>(py);
        let array = out
            .cast::<PyArrayDyn<T>>()
            .map_err(|_| PyTypeError::new_err(format!("out has to be a numpy array of {dtype}")))?;
        if array.shape() != self.shape {
            let [is, wanted] = [array.shape(), &self.shape].map(shape_text);
            return bad_value(format!("out has the shape {is}; it has to be {wanted}"));
        }
        if !array.is_c_contiguous() {
            return bad_value("out has to be contiguous in memory, row by row".to_owned());
        }
        let mut buffer = array
            .try_readwrite()
            .map_err(|error| PyValueError::new_err(format!("out cannot be written to: {error}")))?;
        buffer.as_slice_mut()?.copy_from_slice(&self.values);
        drop(buffer);
        Ok(out)
    }
}

/// An array of one value, where there is memory for it.
pub fn filled<T: Copy>(count: usize, value: T) -> PyResult<Vec<T>> {
    let mut values = Vec::new();
    if values.try_reserve_exact(count).is_err() {
        let bytes = count.saturating_mul(size_of::<T>());
        return Err(PyMemoryError::new_err(format!("the answer would take {bytes} bytes")));
    }
    values.resize(count, value);
    Ok(values)
}

/// A shape as numpy writes it.
pub fn shape_text(shape: &[usize]) -> String {
    match shape {
        [only] => format!("({only},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}
