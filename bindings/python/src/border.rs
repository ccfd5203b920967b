//! The border between Rust and Python: a panic becomes an exception that `except Exception` catches.
//!
//! PyO3 stops every panic at the border and raises its `PanicException`, which derives from `BaseException`
//! and so ends the interpreter like `SystemExit`. A fault in one row of a table does not justify this, so
//! the exception here is a `RuntimeError`.

use pyo3::exceptions::PyRuntimeError;
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Makes the exception of panics a `RuntimeError`. The class belongs to this module, so the change does not
/// affect other extensions.
pub(crate) fn make_panics_errors(py: Python<'_>) -> PyResult<()> {
    let bases = PyTuple::new(py, [py.get_type::<PyRuntimeError>()])?;
    py.get_type::<PanicException>().setattr("__bases__", bases)
}

/// Panics, for a test of the border.
#[pyfunction]
#[pyo3(name = "_panic")]
pub(crate) fn panic() {
    panic!("of a test");
}
