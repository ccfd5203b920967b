//! Runs files of test vectors over the Python surface. `urlid.vectors` has the operations, and crate
//! `urlid-ops` compares the results.

use pyo3::prelude::*;
use serde_json::Value;
use urlid_ops::vectors::{Surface, Values, VectorFault};

use crate::error::code_of;

/// Runs every vector of a file. Returns the number of passed vectors, and the id and the reason of each
/// failed one.
///
/// `call` runs an operation. It receives the operation's name and inputs and returns the results, both as
/// objects of JSON.
#[pyfunction]
#[pyo3(name = "_run_vectors")]
pub(crate) fn run_vectors(text: &str, call: &Bound<'_, PyAny>) -> (usize, Vec<(String, String)>) {
    let report = urlid_ops::vectors::run_over(&PythonSurface(call), text);
    let failures = report.failures().iter().map(|failure| (failure.id.clone(), failure.reason.clone()));
    (report.passed(), failures.collect())
}

struct PythonSurface<'c, 'py>(&'c Bound<'py, PyAny>);

impl Surface for PythonSurface<'_, '_> {
    fn run(&self, op: &str, input: &Values) -> Result<Values, VectorFault> {
        // JSON in both directions, so that vectors need no conversion for each Python type.
        let given = Value::from(input.clone()).to_string();
        let found = self.0.call1((op, given)).and_then(|found| found.extract::<String>());
        let found = found.map_err(|error| fault(self.0.py(), &error))?;
        serde_json::from_str(&found).map_err(|error| VectorFault::Failed(error.to_string()))
    }
}

fn fault(py: Python<'_>, error: &PyErr) -> VectorFault {
    match code_of(py, error) {
        Ok(Some(code)) => VectorFault::Rejected(code),
        // Only an exception with a code is a rejection. Accepting others would let a broken surface pass.
        Ok(None) => VectorFault::Failed(error.to_string()),
        Err(error) => VectorFault::Failed(error.to_string()),
    }
}
