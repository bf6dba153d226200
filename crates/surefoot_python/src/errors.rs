//! Errors of the libraries as exceptions of Python.

use std::fmt::Display;
use std::io::ErrorKind;

use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyPermissionError, PyValueError};
use pyo3::{PyErr, PyResult, create_exception};
use surefoot::grid::FormatError;

create_exception!(
    surefoot,
    SurefootError,
    PyValueError,
    "What a grid, a scene, a bake, a query or a crowd refuses: the message says where and what to do."
);

/// An error of the libraries, as an exception with the same message.
pub fn refused(error: impl Display) -> PyErr {
    SurefootError::new_err(error.to_string())
}

/// As [`refused`], for files: those that the system does not give are an `OSError`.
pub fn file_error(error: FormatError) -> PyErr {
    let message = error.to_string();
    match error {
        FormatError::Io { source, .. } => system_error(source.kind(), message),
        _ => SurefootError::new_err(message),
    }
}

/// The exception for a failure of the file system.
pub fn system_error(kind: ErrorKind, message: String) -> PyErr {
    match kind {
        ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
        ErrorKind::PermissionDenied => PyPermissionError::new_err(message),
        _ => PyOSError::new_err(message),
    }
}

/// Refuses a number of things that is negative.
pub fn read_count(name: &str, count: i64) -> PyResult<usize> {
    let known = usize::try_from(count);
    known.or_else(|_| bad_value(format!("{name} is {count}; it has to be at least 0")))
}

/// Refuses a length, or what a metre costs, that is negative or NaN.
pub fn check_length(name: &str, value: f32) -> PyResult<()> {
    if value >= 0.0 {
        return Ok(());
    }
    bad_value(format!("{name} is {value}; it has to be at least 0"))
}

/// Fails with a `ValueError`.
pub fn bad_value<T>(message: String) -> PyResult<T> {
    Err(PyValueError::new_err(message))
}
