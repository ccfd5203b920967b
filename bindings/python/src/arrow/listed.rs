//! `listed`: looks up a column of URIs in a hidden list.

use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::ErrorCode;
use urlid_lists::{InvalidAs, Scratch, rejection_marker};

use super::column::{Row, Texts};
use super::columns::PyColumns;
use super::rows::{NOT_UTF8, TextColumn};
use super::{RejectedRow, run, text_field};
use crate::choice::choose;
use crate::hidden_list::{INVALID_AS, PyHiddenList};

/// Returns a column `listed` with the first entry of a hidden list that matches each URI, as a text, or
/// null.
///
/// A keyed list needs its key. It is unknown whether a row without a canonical form is listed, so
/// `invalid_as` decides. With `error` the first such row raises its code. With `match` it counts as listed,
/// and `!` and the code replace the entry. With `no-match` it is null. With `errors` a column `error` has the
/// codes of rejected rows, and `invalid_as="error"` does not raise but leaves these rows null in `listed`.
/// An empty text is not a URI, so it is rejected. A null is not checked.
#[pyfunction]
#[pyo3(signature = (column, hidden, *, key = None, invalid_as = "error", errors = false))]
pub(crate) fn listed(
    py: Python<'_>,
    column: AnyArray,
    hidden: &PyHiddenList,
    key: Option<&[u8]>,
    invalid_as: &str,
    errors: bool,
) -> PyResult<PyColumns> {
    let invalid_as = choose("invalid_as", invalid_as, INVALID_AS)?;
    let matcher = hidden.matcher(key)?;
    // The value of a rejected row.
    let rejected = |code: ErrorCode, message: &dyn Fn() -> String| match invalid_as {
        InvalidAs::Match => Ok(Some(rejection_marker(code))),
        // With a column of codes the caller sees every rejection, so the first one need not stop the work.
        InvalidAs::Error if !errors => {
            Err(ArrowError::ExternalError(Box::new(RejectedRow { code, message: message() })))
        }
        InvalidAs::Error | InvalidAs::NoMatch => Ok(None),
    };
    run(py, column, errors, [text_field("listed")], |chunk, rejections| {
        let texts = Texts::of(chunk)?;
        // Without reserved space, because most rows are not listed.
        let mut listed = TextColumn::new(texts.len(), 0);
        let mut scratch = Scratch::default();
        for (index, row) in texts.rows().enumerate() {
            let found = match row {
                Row::Null => None,
                Row::Text(text) => match matcher.find(&mut scratch, text, None) {
                    Ok(found) => found.map(|found| found.entry.to_string()),
                    Err(error) => {
                        rejections.note(index, error.code());
                        rejected(error.code(), &|| error.to_string())?
                    }
                },
                Row::NotUtf8 => {
                    rejections.note(index, NOT_UTF8);
                    rejected(NOT_UTF8, &|| "row is not UTF-8".to_owned())?
                }
            };
            listed.push(found.as_deref())?;
        }
        Ok(vec![listed.finish()])
    })
}
