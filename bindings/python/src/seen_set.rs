//! `urlid.SeenSet`: a crawler's memory of the URLs that it has seen (docs/seen-sets.md).
//!
//! Wraps `SeenSet` of crate `urlid-store`. The functions release the interpreter's lock while they work.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyAny;
use pyo3_arrow::input::AnyArray;
use urlid_store::seen::{Keys, SeenFile, SeenSet, is_seen_set};

use crate::arrow::is_column;
use crate::arrow::seen::add_column;
use crate::error::{raise, raise_about};
use crate::open_set::{Open, SetError};
use crate::texts;
use crate::tracking::{PyRules, PyTrackingList, parse_form};

/// A set of seen URLs. One call adds URLs and reports which of them are new.
///
/// The set is a folder, which is created if the path does not exist. It keeps 16 bytes for each URL, the
/// digest of its canonical form. `form` is by default the recorded form, and `web` in a new set. `tracking`
/// is the list that the form names if urlid does not include it. `rules` are the rules of sites that the
/// form names, which the set stores.
///
/// An answer is returned when the URL is safely stored. A batch is synced as a whole, so large batches are
/// faster. Only one set can have the folder open. A second one fails with the code `ERR_IN_USE`, and so does
/// this set in a forked process.
///
/// >>> import os, tempfile, urlid
/// >>> with tempfile.TemporaryDirectory() as directory:
/// ...     path = os.path.join(directory, "seen")
/// ...     with urlid.SeenSet(path, form="web+drop-fragment") as seen:
/// ...         seen.add_new(["https://docs.rs/#a", "https://DOCS.rs/#b", "no url"])
/// ...     with urlid.SeenSet(path) as seen:
/// ...         seen.add_new(["https://docs.rs/"])
/// [True, False, None]
/// [False]
///
/// With `at_least_once` a new text is kept as pending until `acknowledge` confirms that the answer was used.
/// Texts that a killed process has not acknowledged are pending in the next one:
///
/// >>> with tempfile.TemporaryDirectory() as directory:
/// ...     path = os.path.join(directory, "seen")
/// ...     with urlid.SeenSet(path, at_least_once=True) as seen:
/// ...         seen.add_new(["https://docs.rs/"])
/// ...     with urlid.SeenSet(path, at_least_once=True) as seen:
/// ...         seen.pending(), seen.acknowledge(), seen.pending()
/// [True]
/// (['https://docs.rs/'], None, [])
#[pyclass(name = "SeenSet", module = "urlid", frozen)]
pub(crate) struct PySeenSet {
    inner: Mutex<Open>,
    path: PathBuf,
}

impl PySeenSet {
    fn lock(&self) -> PyResult<MutexGuard<'_, Open>> {
        // Only in `detach`, because waiting here with the interpreter's lock blocks a thread that raises an
        // error while it has the set.
        let lock = self.inner.lock();
        lock.map_err(|_| cut_short())
    }

    /// Locks the set for a thread that has the interpreter's lock, and releases that lock while it waits.
    /// The thread that has the set may need the interpreter's lock to raise an error.
    fn lock_attached(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Open>> {
        self.inner.lock_py_attached(py).map_err(|_| cut_short())
    }
}

fn cut_short() -> PyErr {
    PyRuntimeError::new_err("an earlier use of this set was cut short")
}

#[pymethods]
impl PySeenSet {
    #[new]
    #[pyo3(signature = (path, *, form = None, tracking = None, rules = None, at_least_once = false))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        form: Option<&str>,
        tracking: Option<&PyTrackingList>,
        rules: Option<&PyRules>,
        at_least_once: bool,
    ) -> PyResult<Self> {
        let about = |error| raise_about(&path, error);
        let given = rules.map(|rules| &rules.inner);
        let form = match form {
            Some(form) => parse_form(form, tracking, given),
            None if is_seen_set(&path) => {
                let file = SeenFile::open(&path).map_err(about)?;
                // A set stores the rules that its form names, so they need not be passed again.
                let carried = if given.is_none() { file.site_rules().map_err(about)? } else { None };
                // Fingerprints do not have a form. `SeenSet::open` then reports the contents of the set.
                let is_of_form = file.keys().of() == "canonical form";
                let name = if is_of_form { file.keys().name() } else { "web" };
                parse_form(name, tracking, given.or(carried.as_ref()))
            }
            None => parse_form("web", tracking, given),
        };
        let form = form.map_err(raise)?;
        let set = py.detach(|| SeenSet::open(&path, &Keys::of_form(&form))).map_err(about)?;
        let set = Some(if at_least_once { set.at_least_once() } else { set });
        Ok(Self { inner: Mutex::new(Open { form, set, rejected: BTreeMap::new() }), path })
    }

    /// Adds URLs and returns a mask: True for a new URL, False for a URL that was in the set or came
    /// earlier, None for a text that is empty or not a URL.
    ///
    /// `urls` is an iterable of texts, and the mask is a list. For a column as in `urlid.arrow`, the mask is
    /// a column of the same length.
    fn add_new<'py>(&self, py: Python<'py>, urls: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if is_column(urls)? {
            let column: AnyArray = urls.extract()?;
            return Ok(add_column(py, column, &self.inner)?.into_pyobject(py)?.into_any());
        }
        let urls = texts::all(urls)?;
        let answers = py.detach(|| -> PyResult<_> {
            let lines: Vec<Option<&str>> = urls.iter().map(Option::as_deref).collect();
            self.lock()?.add(&lines).map_err(|error| error.about(&self.path))
        })?;
        Ok(answers.into_pyobject(py)?.into_any())
    }

    /// Adds URLs and returns the number of new ones.
    fn add(&self, py: Python<'_>, urls: &Bound<'_, PyAny>) -> PyResult<usize> {
        let urls = texts::all(urls)?;
        py.detach(|| {
            let lines: Vec<Option<&str>> = urls.iter().map(Option::as_deref).collect();
            let answers = self.lock()?.add(&lines).map_err(|error| error.about(&self.path))?;
            Ok(answers.into_iter().filter(|answer| *answer == Some(true)).count())
        })
    }

    /// Returns the new texts that are not acknowledged: texts of this set, and texts of earlier sets, which
    /// this set can acknowledge from now on.
    fn pending(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        py.detach(|| {
            let mut texts = Vec::new();
            let mut open = self.lock()?;
            let pending = open
                .set()
                .and_then(|set| set.pending(&mut |text| texts.push(text.to_owned())).map_err(SetError::from));
            pending.map_err(|error| error.about(&self.path))?;
            Ok(texts)
        })
    }

    /// Marks all texts as delivered that were answered as new or returned by `pending` until now.
    ///
    /// The mark is recorded with the next change of the set or when the set is closed. If the process is
    /// killed before, these texts are pending again. Without `at_least_once` only texts that `pending`
    /// returned can be acknowledged.
    fn acknowledge(&self, py: Python<'_>) -> PyResult<()> {
        let mut open = self.lock_attached(py)?;
        open.set().map_err(|error| error.about(&self.path))?.acknowledge();
        Ok(())
    }

    /// The number of rejected texts so far, by error code.
    #[getter]
    fn rejected(&self, py: Python<'_>) -> PyResult<BTreeMap<&'static str, u64>> {
        Ok(self.lock_attached(py)?.rejected.iter().map(|(code, count)| (code.as_str(), *count)).collect())
    }

    /// Closes the set. Answers that were returned are also kept without it.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| match self.lock()?.set.take() {
            Some(set) => set.close().map_err(|error| raise_about(&self.path, error)),
            None => Ok(()),
        })
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        format!("<SeenSet {}>", self.path.display())
    }
}
