//! Arrow kernels. They read columns of URLs and return columns of ids, slices, canonical forms, parts and
//! answers.
//!
//! `column` reads any object with the Arrow PyCapsule interface, and `columns` returns results by the same
//! interface. Between them, each kernel is a function from one chunk to arrays. Inputs are not copied, nulls
//! stay null, and a rejected row is null, with its code in a column `error` on request. The kernels run
//! without the interpreter's lock.

pub(crate) mod canon;
mod column;
pub(crate) mod columns;
mod encode;
pub(crate) mod functions;
pub(crate) mod hashed;
pub(crate) mod hosts;
pub(crate) mod ids;
pub(crate) mod listed;
pub(crate) mod load;
pub(crate) mod matches;
pub(crate) mod parts;
pub(crate) mod room;
mod rows;
pub(crate) mod seen;
pub(crate) mod slices;
pub(crate) mod sort_keys;

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::{Coded, ErrorCode};

use crate::error::rejected;
use columns::PyColumns;
use rows::Rejections;

/// A row without a value that stops the work.
#[derive(Debug)]
struct RejectedRow {
    code: ErrorCode,
    message: String,
}

impl std::fmt::Display for RejectedRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RejectedRow {}

/// Converts an error of a kernel to the exception.
fn raise_arrow(error: ArrowError) -> PyErr {
    match error {
        // Arrow's error lacks a field for a code, so a `RejectedRow` carries the code.
        ArrowError::ExternalError(error) => match error.downcast::<RejectedRow>() {
            Ok(row) => rejected(row.code, &row.message),
            Err(error) => PyValueError::new_err(error.to_string()),
        },
        error => PyValueError::new_err(error.to_string()),
    }
}

/// Runs a kernel over every chunk of a column, without the interpreter's lock. A kernel returns an array for
/// each field, as long as the chunk, and records the rejected rows. With `errors` their codes are the last
/// column.
fn run(
    py: Python<'_>,
    column: AnyArray,
    errors: bool,
    fields: impl IntoIterator<Item = Field>,
    mut kernel: impl FnMut(&ArrayRef, &mut Rejections) -> Result<Vec<ArrayRef>, ArrowError> + Send,
) -> PyResult<PyColumns> {
    let fields = fields.into_iter().chain(errors.then(|| text_field("error")));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let mut batches = Vec::new();
    each_chunk(py, column, |chunk| {
        let mut rejections = Rejections::new(errors, chunk.len());
        let mut columns = kernel(chunk, &mut rejections)?;
        rejections.push_to(&mut columns);
        batches.push(RecordBatch::try_new(Arc::clone(&schema), columns)?);
        Ok(())
    })?;
    Ok(PyColumns::new(schema, batches))
}

fn text_field(name: impl Into<String>) -> Field {
    Field::new(name, DataType::Utf8, true)
}

/// Calls `each` with every chunk of a column, without the interpreter's lock.
fn each_chunk(
    py: Python<'_>,
    column: AnyArray,
    mut each: impl FnMut(&ArrayRef) -> Result<(), ArrowError> + Send,
) -> PyResult<()> {
    let reader = column.into_reader()?;
    py.detach(move || {
        for chunk in reader {
            let chunk = column::only_column(chunk?)?;
            room::in_pieces(chunk.len(), &mut |rows| each(&chunk.slice(rows.start, rows.len())))?;
        }
        Ok(())
    })
    .map_err(raise_arrow)
}

/// Returns whether an object is a column of pyarrow, Polars or another library with Arrow's interface.
pub(crate) fn is_column(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    // Tests for the methods instead of the type, so that no library of columns has to be imported.
    Ok(object.hasattr("__arrow_c_array__")? || object.hasattr("__arrow_c_stream__")?)
}

/// Keeps the code of an error through Arrow's.
fn external(error: &impl Coded) -> ArrowError {
    ArrowError::ExternalError(Box::new(RejectedRow { code: error.code(), message: error.to_string() }))
}
