//! `sort_keys`: the keys by which datasets sort URLs.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::BinaryBuilder;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::suffix::SuffixList;
use urlid_canonical::Form;
use urlid_store::dataset::sort_key;

use super::column::Texts;
use super::columns::PyColumns;
use super::rows::{Errors, Refusals, one_by_one};
use super::{Kernel, room, run};
use crate::error::raise;
use crate::suffix::PySuffixList;
use crate::tracking::{PyTrackingList, parse_form};

/// Returns a column `sort_key`: the bytes by which a dataset sorts each URL (docs/datasets.md).
///
/// The order is that of the host with its labels reversed, the port, the path, the query and the whole URL, so the URLs of a domain are
/// neighbours. `form` and `suffixes` are those of the dataset. With `errors` a column `error` has the codes of refused rows.
#[pyfunction]
#[pyo3(signature = (column, *, form = None, suffixes = None, tracking = None, errors = false))]
pub(crate) fn sort_keys(
    py: Python<'_>,
    column: AnyArray,
    form: Option<&str>,
    suffixes: Option<&PySuffixList>,
    tracking: Option<&PyTrackingList>,
    errors: bool,
) -> PyResult<PyColumns> {
    let form = form.map(|name| parse_form(name, tracking).map_err(raise)).transpose()?;
    let list = PySuffixList::or_compiled(suffixes).clone();
    run(py, column, SortKeys { form, list, errors: Errors::of(errors) })
}

struct SortKeys {
    form: Option<Form>,
    list: SuffixList,
    errors: Errors,
}

impl Kernel for SortKeys {
    fn schema(&self) -> Schema {
        let keys = Field::new("sort_key", DataType::Binary, true);
        Schema::new([keys].into_iter().chain(self.errors.field()).collect::<Vec<_>>())
    }

    fn run(&mut self, chunk: &ArrayRef) -> Result<Vec<ArrayRef>, ArrowError> {
        let texts = Texts::of(chunk)?;
        let mut refusals = Refusals::new(self.errors, texts.len());
        let mut keys = BinaryBuilder::with_capacity(texts.len(), texts.len() * 64);
        let key = |text: &str| sort_key(text, &self.list, self.form.as_ref()).map_err(|error| error.code());
        for value in one_by_one(&texts, &mut refusals, key) {
            room::check(keys.values_slice().len() + value.as_ref().map_or(0, Vec::len))?;
            keys.append_option(value);
        }
        let mut columns: Vec<ArrayRef> = vec![Arc::new(keys.finish())];
        refusals.push_to(&mut columns);
        Ok(columns)
    }
}
