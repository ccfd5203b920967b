//! `split_host`: a column of hosts cut at their public suffixes.

use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::Coded;
use urlid::suffix::SuffixList;
use urlid::sxurl::HostPart;

use super::column::{Row, Texts};
use super::columns::PyColumns;
use super::rows::{Errors, NOT_UTF8, Refusals, TextColumns};
use super::{Kernel, run};
use crate::suffix::PySuffixList;

/// Returns columns `sub`, `domain` and `tld`: each host, mapped as a URL's host is, cut at its public suffix.
///
/// A host that is a public suffix itself is all `tld`; the other two are then empty. With `errors` a column `error` has the
/// codes of refused rows.
#[pyfunction]
#[pyo3(signature = (column, *, suffixes = None, errors = false))]
pub(crate) fn split_host(
    py: Python<'_>,
    column: AnyArray,
    suffixes: Option<&PySuffixList>,
    errors: bool,
) -> PyResult<PyColumns> {
    let list = PySuffixList::or_compiled(suffixes).clone();
    run(py, column, SplitHost { list, errors: Errors::of(errors) })
}

struct SplitHost {
    list: SuffixList,
    errors: Errors,
}

impl Kernel for SplitHost {
    fn schema(&self) -> Schema {
        let parts = ["sub", "domain", "tld"].map(|name| Field::new(name, DataType::Utf8, true));
        Schema::new(parts.into_iter().chain(self.errors.field()).collect::<Vec<_>>())
    }

    fn run(&mut self, chunk: &ArrayRef) -> Result<Vec<ArrayRef>, ArrowError> {
        let texts = Texts::of(chunk)?;
        let mut refusals = Refusals::new(self.errors, texts.len());
        let mut parts = TextColumns::<3>::new(texts.len());
        for (index, row) in texts.rows().enumerate() {
            let host = match row {
                Row::Null => None,
                Row::Text(text) => {
                    HostPart::map(text).map_err(|error| refusals.note(index, error.code())).ok()
                }
                Row::NotUtf8 => {
                    refusals.note(index, NOT_UTF8);
                    None
                }
            };
            let split = host.as_ref().map(|host| self.list.split(host.as_str()));
            parts.push([
                split.map(|split| split.sub),
                split.map(|split| split.domain),
                split.map(|split| split.tld),
            ]);
        }
        let mut columns = parts.finish();
        refusals.push_to(&mut columns);
        Ok(columns)
    }
}
