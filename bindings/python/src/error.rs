//! The one map from errors of the library to Python's `urlid.UrlidError`.
//!
//! Every error enum has a stable `code()` and a one-line message; both are handed on as they are. The exception itself is
//! a Python class (`urlid/_error.py`), so that it can be pickled and subclassed there.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use urlid::Coded;

/// Turns an error of the library into the exception.
pub(crate) fn raise(error: impl Coded) -> PyErr {
    refused(error.code().as_str(), &error.to_string())
}

/// Returns the exception with a code and a message.
pub(crate) fn refused(code: &str, message: &str) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    Python::attach(|py| match CLASS.import(py, "urlid._error", "UrlidError") {
        Ok(class) => PyErr::from_type(class.clone(), (code.to_owned(), message.to_owned())),
        Err(error) => {
            let lost = PyRuntimeError::new_err(format!("{code}: {message}"));
            lost.set_cause(py, Some(error));
            lost
        }
    })
}
