//! Adds a column of URLs to a seen-set and returns which of its rows are new.

use std::sync::{Arc, Mutex};

use arrow_array::BooleanArray;
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

use super::column::{Row, Texts};
use super::columns::PyColumn;
use super::{external, run};
use crate::open_set::{Open, SetError};

/// Adds a column and returns a column `is_new`, with null for a row that is null, empty or not a URL.
pub(crate) fn add_column(py: Python<'_>, column: AnyArray, set: &Mutex<Open>) -> PyResult<PyColumn> {
    let field = Field::new("is_new", DataType::Boolean, true);
    let columns = run(py, column, false, [field], |chunk, _| {
        let texts = Texts::of(chunk)?;
        // One batch for each chunk, because the set syncs once for each call of `add`.
        let lines: Vec<Option<&str>> = texts
            .rows()
            .map(|row| match row {
                Row::Text(text) => Some(text),
                // A set ignores empty lines and does not answer them, so the row becomes null.
                Row::Null => Some(""),
                Row::NotUtf8 => None,
            })
            .collect();
        // After a panic in an earlier use, the stored URLs and the returned answers may differ.
        let cut_short = || ArrowError::ComputeError("an earlier use of this set was cut short".to_owned());
        let answers = set.lock().map_err(|_| cut_short())?.add(&lines).map_err(rejected)?;
        Ok(vec![Arc::new(BooleanArray::from(answers))])
    })?;
    Ok(columns.first())
}

/// Keeps the code of an error through Arrow's.
fn rejected(error: SetError) -> ArrowError {
    match error {
        SetError::Closed => ArrowError::ComputeError(error.to_string()),
        SetError::Failed(error) => external(&error),
    }
}
