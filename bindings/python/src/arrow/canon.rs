//! `canon`: a column of URLs in a canonical form.

use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

use super::column::Texts;
use super::columns::PyColumns;
use super::rows::{TextColumn, one_by_one};
use super::{run, text_field};
use crate::canon::Canon;
use crate::tracking::{PyRules, PyTrackingList};

/// Returns a column `canonical`: each URL in a canonical form.
///
/// The forms are those of `urlid.canon`. With `errors` a column `error` has the codes of rejected rows.
#[pyfunction]
#[pyo3(name = "canon_column", signature = (
    column, form = "web", *, keep_query = false, keep_fragment = false, tracking = None, rules = None, errors = false
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
pub(crate) fn canon(
    py: Python<'_>,
    column: AnyArray,
    form: &str,
    keep_query: bool,
    keep_fragment: bool,
    tracking: Option<&PyTrackingList>,
    rules: Option<&PyRules>,
    errors: bool,
) -> PyResult<PyColumns> {
    let canon = Canon::new(form, keep_query, keep_fragment, tracking, rules)?;
    run(py, column, errors, [text_field("canonical")], |chunk, rejections| {
        let mut canonical = TextColumn::new(chunk.len(), 64);
        let of = |text: &str| canon.of(text, None).map_err(|rejection| rejection.code());
        for value in one_by_one(&Texts::of(chunk)?, rejections, of) {
            canonical.push(value.as_deref())?;
        }
        Ok(vec![canonical.finish()])
    })
}
