//! `split_host`: splits a column of hosts at their public suffixes.

use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

use super::column::{Row, Texts};
use super::columns::PyColumns;
use super::rows::{NOT_UTF8, TextColumns};
use super::{run, text_field};
use crate::suffix::PySuffixList;

/// Returns columns `sub`, `domain` and `tld`. Each text is read as by `urlid.split` and split at its public
/// suffix.
///
/// Missing parts are null. A host that is a public suffix has only a `tld`, and an IP address has none of
/// the three. With `errors` a column `error` has the codes of rejected rows.
#[pyfunction]
#[pyo3(signature = (column, *, suffixes = None, errors = false))]
pub(crate) fn split_host(
    py: Python<'_>,
    column: AnyArray,
    suffixes: Option<&PySuffixList>,
    errors: bool,
) -> PyResult<PyColumns> {
    let list = PySuffixList::or_compiled(suffixes);
    run(py, column, errors, ["sub", "domain", "tld"].map(text_field), |chunk, rejections| {
        let texts = Texts::of(chunk)?;
        let mut parts = TextColumns::<3>::new(texts.len());
        for (index, row) in texts.rows().enumerate() {
            let rejected = match row {
                Row::Null => None,
                Row::Text(text) => match list.split(text) {
                    Ok(split) => {
                        parts.push([split.sub(), split.domain(), split.tld()])?;
                        continue;
                    }
                    Err(error) => Some(error.code()),
                },
                Row::NotUtf8 => Some(NOT_UTF8),
            };
            rejected.into_iter().for_each(|code| rejections.note(index, code));
            parts.push([None; 3])?;
        }
        Ok(parts.finish())
    })
}
