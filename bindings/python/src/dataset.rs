//! Making datasets (docs/datasets.md): `urlid.Index.build`, and what `urlid.spark` needs to make one of many.
//!
//! Wraps `dataset` of crate `urlid-store`. The interpreter's lock is given up while it works.

use std::collections::BTreeMap;
use std::path::Path;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;
use urlid::suffix::SuffixList;
use urlid::{Error, ErrorCode};
use urlid_store::dataset::{Added, BuildOptions, Builder};

use crate::arrow::is_column;
use crate::arrow::load::push_column;
use crate::error::{raise, raise_about};
use crate::texts;

/// Makes a dataset of texts or of a column, and returns the counts.
pub(crate) fn build<'py>(
    path: &Path,
    urls: &Bound<'py, PyAny>,
    list: &SuffixList,
    options: BuildOptions,
) -> PyResult<Bound<'py, PyDict>> {
    let py = urls.py();
    let begin = || Builder::begin(path, list, options);
    let builder = py.detach(begin).map_err(|error| raise_about(path, error))?;
    let mut refused = BTreeMap::new();
    let mut adder = builder.adder();
    let mut push = |url: &str| {
        if let Added::Refused(error) = adder.push(url)? {
            *refused.entry(error.code()).or_default() += 1;
        }
        Ok(())
    };
    let not_utf8 = match is_column(urls)? {
        true => push_column(py, urls.extract()?, &mut push)?,
        false => texts::for_each(urls, |url| push(url).map_err(|error: Error| raise_about(path, error)))?,
    };
    // Dropping hands over the last rows of the adder, which `finish` must have.
    drop(adder);
    let built = py.detach(|| builder.finish()).map_err(|error| raise_about(path, error))?;
    let counts = PyDict::new(py);
    // Rows that are not UTF-8 never reach the builder, but are rows that were given.
    counts.set_item("lines", built.lines + not_utf8)?;
    counts.set_item("blank", built.blank)?;
    counts.set_item("taken", built.taken)?;
    counts.set_item("rows", built.rows)?;
    counts.set_item("credentials", built.credentials)?;
    counts.set_item("bytes", built.bytes)?;
    counts.set_item("refused", by_code(refused, not_utf8))?;
    Ok(counts)
}

/// The place of a dataset among those that are joined, the name of a file there, and its new name.
type JoinedFile = (usize, String, String);

/// Joins datasets whose ranges of keys do not overlap, by the texts of their descriptions. Returns the files
/// in order, and the text of the new description.
#[pyfunction]
#[pyo3(name = "_join_datasets")]
pub(crate) fn join(descriptions: Vec<PyBackedBytes>) -> PyResult<(Vec<JoinedFile>, String)> {
    let joined = urlid_store::dataset::join(&descriptions).map_err(raise)?;
    let files = joined.files.into_iter().map(|file| (file.dataset, file.old_name, file.new_name));
    Ok((files.collect(), joined.description))
}

/// Returns the numbers of refused texts by code, with those that are not UTF-8.
pub(crate) fn by_code(refused: BTreeMap<ErrorCode, u64>, not_utf8: u64) -> BTreeMap<&'static str, u64> {
    let mut refused: BTreeMap<_, _> =
        refused.into_iter().map(|(code, count)| (code.as_str(), count)).collect();
    if not_utf8 > 0 {
        *refused.entry(ErrorCode::Utf8.as_str()).or_default() += not_utf8;
    }
    refused
}
