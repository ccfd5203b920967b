//! `listed`: which rows of a column of URIs a hidden list names.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::Coded;
use urlid::hashed_uri::Key;
use urlid::list::{HiddenList, Matcher, Scratch};
use urlid::suffix;

use super::column::{Row, Texts};
use super::columns::PyColumns;
use super::rows::{Errors, NOT_UTF8, Refusals};
use super::{Kernel, run};
use crate::error::raise;
use crate::hashed_uri::read_key;
use crate::hidden_list::PyHiddenList;
use crate::suffix::PySuffixList;

/// Returns a column `listed`: the first entry of a hidden list that matches each URI, a text; null where none does.
///
/// A keyed list needs its key; a ladder of hosts follows `suffixes`. With `errors` a column `error` has the codes of refused rows.
#[pyfunction]
#[pyo3(signature = (column, hidden, *, key = None, suffixes = None, errors = false))]
pub(crate) fn listed(
    py: Python<'_>,
    column: AnyArray,
    hidden: &PyHiddenList,
    key: Option<&[u8]>,
    suffixes: Option<&PySuffixList>,
    errors: bool,
) -> PyResult<PyColumns> {
    let key = read_key(key)?;
    // A key that does not fit is refused here, whatever the rows are.
    Matcher::new(&hidden.inner, key.as_ref()).map_err(raise)?;
    let suffixes = PySuffixList::or_compiled(suffixes).clone();
    run(py, column, Listed { list: hidden.inner.clone(), key, suffixes, errors: Errors::of(errors) })
}

struct Listed {
    list: HiddenList,
    key: Option<Key>,
    suffixes: suffix::SuffixList,
    errors: Errors,
}

impl Kernel for Listed {
    fn schema(&self) -> Schema {
        let listed = Field::new("listed", DataType::Utf8, true);
        Schema::new([listed].into_iter().chain(self.errors.field()).collect::<Vec<_>>())
    }

    fn run(&mut self, chunk: &ArrayRef) -> Result<Vec<ArrayRef>, ArrowError> {
        let texts = Texts::of(chunk)?;
        let mut refusals = Refusals::new(self.errors, texts.len());
        let mut listed = StringBuilder::new();
        let mut scratch = Scratch::default();
        let matcher = Matcher::new(&self.list, self.key.as_ref())
            .map_err(|error| ArrowError::InvalidArgumentError(error.to_string()))?
            .with_suffixes(&self.suffixes);
        for (index, row) in texts.rows().enumerate() {
            let found = match row {
                Row::Null => Ok(None),
                Row::Text(text) => matcher.find(&mut scratch, text, None).map_err(|error| error.code()),
                Row::NotUtf8 => Err(NOT_UTF8),
            };
            match found {
                Ok(found) => listed.append_option(found.map(|found| found.entry.to_string())),
                Err(code) => {
                    refusals.note(index, code);
                    listed.append_null();
                }
            }
        }
        let mut columns: Vec<ArrayRef> = vec![Arc::new(listed.finish())];
        refusals.push_to(&mut columns);
        Ok(columns)
    }
}
