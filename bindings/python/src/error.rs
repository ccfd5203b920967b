//! Converts errors of the library to Python's `urlid.UrlidError`, with their code and message.
//!
//! The exception is a Python class (`urlid/_error.py`), so that it can be pickled and subclassed.

use std::io;
use std::path::Path;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use urlid::{Coded, ErrorCode};

/// Converts an error of the library to the exception.
pub(crate) fn raise(error: impl Coded) -> PyErr {
    rejected(error.code(), &with_causes(&error))
}

/// Converts an error about a file to the exception. An error of the system is also an `OSError` with its
/// number.
pub(crate) fn raise_about(path: &Path, error: impl Coded) -> PyErr {
    // The innermost cause with a number. An error of the system without a number can wrap it.
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    let number = causes.filter_map(|cause| cause.downcast_ref::<io::Error>()?.raw_os_error()).last();
    match number {
        Some(number) => rejected_by_system(error.code(), &with_causes(&error), number, path),
        None => raise(error),
    }
}

/// Returns the message of an error and those of its causes.
fn with_causes(error: &dyn Coded) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |message, cause| format!("{message}: {cause}"))
}

/// Any error of the library, for a function with several kinds of errors. Callers read the code or raise it.
pub(crate) struct Rejection(Box<dyn Coded>);

impl Rejection {
    pub(crate) fn code(&self) -> ErrorCode {
        self.0.code()
    }
}

impl<E: Coded + 'static> From<E> for Rejection {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl From<Rejection> for PyErr {
    fn from(Rejection(error): Rejection) -> Self {
        rejected(error.code(), &with_causes(&*error))
    }
}

/// Returns the exception with a code and a message.
pub(crate) fn rejected(code: ErrorCode, message: &str) -> PyErr {
    // Attached here, because work without the interpreter's lock also raises.
    Python::attach(|py| match class(py) {
        Ok(class) => PyErr::from_type(class.clone(), (code.as_str(), message.to_owned())),
        Err(error) => {
            // Without its class the exception cannot be made, but its message must not be lost.
            let lost = PyRuntimeError::new_err(format!("{code}: {message}"));
            lost.set_cause(py, Some(error));
            lost
        }
    })
}

fn rejected_by_system(code: ErrorCode, message: &str, number: i32, path: &Path) -> PyErr {
    let raised = Python::attach(|py| {
        // Made in Python, where a class can be derived from `UrlidError` and `OSError` at run time.
        let make = py.import("urlid._error")?.getattr("os_error")?;
        Ok(PyErr::from_value(make.call1((code.as_str(), message, number, path.to_string_lossy()))?))
    });
    raised.unwrap_or_else(|error: PyErr| error)
}

/// Returns the code of an exception, if it is a `UrlidError`.
pub(crate) fn code_of(py: Python<'_>, error: &PyErr) -> PyResult<Option<String>> {
    if error.is_instance(py, class(py)?) {
        Ok(Some(error.value(py).getattr("code")?.extract()?))
    } else {
        Ok(None)
    }
}

fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    // Cached, so that a loop over rejected URLs does not import the class for each of them.
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "urlid._error", "UrlidError")
}
