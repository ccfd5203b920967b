//! Adds a column of URLs to an index or a dataset.

use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::Error;

use super::column::{Row, Texts};
use super::{each_chunk, external};

/// Passes the texts of a column to `push` and returns the number of rows that were not UTF-8. A null counts
/// as a blank line.
pub(crate) fn push_column(
    py: Python<'_>,
    column: AnyArray,
    push: &mut (dyn FnMut(&str) -> Result<(), Error> + Send),
) -> PyResult<u64> {
    let mut not_utf8 = 0;
    each_chunk(py, column, |chunk| {
        for row in Texts::of(chunk)?.rows() {
            let text = match row {
                Row::Text(text) => text,
                // Passed on instead of skipped, so that the counts of a load equal the counts of the rows.
                Row::Null => "",
                Row::NotUtf8 => {
                    not_utf8 += 1;
                    continue;
                }
            };
            push(text).map_err(|error| external(&error))?;
        }
        Ok(())
    })?;
    Ok(not_utf8)
}
