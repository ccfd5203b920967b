//! `sort_keys`: the keys by which datasets sort URLs.

use std::sync::Arc;

use arrow_array::builder::BinaryBuilder;
use arrow_schema::{DataType, Field};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid_store::dataset::sort_key;

use super::column::Texts;
use super::columns::PyColumns;
use super::rows::one_by_one;
use super::{room, run};
use crate::error::raise;
use crate::suffix::PySuffixList;
use crate::tracking::{PyRules, PyTrackingList, parse_form};

/// Returns a column `sort_key` with the bytes by which a dataset sorts each URL (docs/datasets.md).
///
/// URLs are sorted by the host with its labels reversed, the port, the path, the query and the whole URL, so
/// the URLs of a domain are neighbours. `form` and `suffixes` are the dataset's. With `errors` a column
/// `error` has the codes of rejected rows.
#[pyfunction]
#[pyo3(signature = (column, *, form = None, suffixes = None, tracking = None, rules = None, errors = false))]
pub(crate) fn sort_keys(
    py: Python<'_>,
    column: AnyArray,
    form: Option<&str>,
    suffixes: Option<&PySuffixList>,
    tracking: Option<&PyTrackingList>,
    rules: Option<&PyRules>,
    errors: bool,
) -> PyResult<PyColumns> {
    let form = form
        .map(|name| parse_form(name, tracking, rules.map(|rules| &rules.inner)).map_err(raise))
        .transpose()?;
    let list = PySuffixList::or_compiled(suffixes);
    let field = Field::new("sort_key", DataType::Binary, true);
    run(py, column, errors, [field], |chunk, rejections| {
        let texts = Texts::of(chunk)?;
        let mut keys = BinaryBuilder::with_capacity(texts.len(), texts.len() * 64);
        let key = |text: &str| sort_key(text, list, form.as_ref()).map_err(|error| error.code());
        for value in one_by_one(&texts, rejections, key) {
            // Checked first, because the builder panics when its offsets overflow.
            room::check(keys.values_slice().len() + value.as_ref().map_or(0, Vec::len))?;
            keys.append_option(value);
        }
        Ok(vec![Arc::new(keys.finish())])
    })
}
