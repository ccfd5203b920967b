//! Makes datasets (docs/datasets.md) for `urlid.Index.build`, and joins them for `urlid.spark`.
//!
//! Wraps `dataset` of crate `urlid-store`. The functions release the interpreter's lock while they work.

use std::collections::BTreeMap;
use std::path::Path;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;
use urlid::suffix::SuffixList;
use urlid::{Error, ErrorCode};
use urlid_store::dataset::{Added, BuildOptions, Builder, Built};

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
    let mut rejected = BTreeMap::new();
    let mut adder = builder.adder();
    let mut push = |url: &str| {
        if let Added::Rejected(error) = adder.push(url)? {
            *rejected.entry(error.code()).or_default() += 1;
        }
        Ok(())
    };
    let not_utf8 = push_all(path, urls, &mut push)?;
    // Dropping the adder hands over its last rows, which `finish` needs.
    drop(adder);
    let built = py.detach(|| builder.finish()).map_err(|error| raise_about(path, error))?;
    let Built { lines, blank, taken, rows, credentials, bytes, .. } = built;
    let numbers =
        [("blank", blank), ("taken", taken), ("rows", rows), ("credentials", credentials), ("bytes", bytes)];
    counts(py, lines, &numbers, rejected, not_utf8)
}

/// Passes texts or the rows of a column to `push`, and returns how many are not UTF-8.
pub(crate) fn push_all(
    path: &Path,
    urls: &Bound<'_, PyAny>,
    push: &mut (dyn FnMut(&str) -> Result<(), Error> + Send),
) -> PyResult<u64> {
    match is_column(urls)? {
        true => push_column(urls.py(), urls.extract()?, push),
        false => texts::for_each(urls, |url| push(url).map_err(|error| raise_about(path, error))),
    }
}

/// Returns the counts of added texts. They include texts that are not UTF-8, which never reach the store.
pub(crate) fn counts<'py>(
    py: Python<'py>,
    lines: u64,
    numbers: &[(&str, u64)],
    rejected: BTreeMap<ErrorCode, u64>,
    not_utf8: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let counts = PyDict::new(py);
    counts.set_item("lines", lines + not_utf8)?;
    numbers.iter().try_for_each(|(name, number)| counts.set_item(name, number))?;
    let mut rejected: BTreeMap<_, _> =
        rejected.into_iter().map(|(code, count)| (code.as_str(), count)).collect();
    if not_utf8 > 0 {
        *rejected.entry(ErrorCode::Utf8.as_str()).or_default() += not_utf8;
    }
    counts.set_item("rejected", rejected)?;
    Ok(counts)
}

/// The index of a dataset among the joined ones, the name of a file in it, and the file's new name.
type JoinedFile = (usize, String, String);

/// Joins datasets whose key ranges do not overlap, by the texts of their descriptions. Returns the files in
/// order and the text of the new description.
#[pyfunction]
#[pyo3(name = "_join_datasets")]
pub(crate) fn join(descriptions: Vec<PyBackedBytes>) -> PyResult<(Vec<JoinedFile>, String)> {
    let joined = urlid_store::dataset::join(&descriptions).map_err(raise)?;
    let files = joined.files.into_iter().map(|file| (file.dataset, file.old_name, file.new_name));
    Ok((files.collect(), joined.description))
}
