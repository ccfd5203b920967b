//! `urlid.SeenSet`: a crawler's memory of the URLs that it has seen (docs/seen-sets.md).
//!
//! Wraps `SeenSet` of crate `urlid-store`. The interpreter's lock is given up while it works.

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

/// A set of URLs that is looked up and added to in one step: which of these URLs are new?
///
/// It is a folder, which is made if nothing has the name, and keeps 16 bytes for each URL: the digest of its
/// canonical form. `form` is by default the recorded one, `web` in a new set; `tracking` is the list that it
/// names, if that is not part of urlid, and `rules` are the rules of sites that it names, which the set
/// carries. An answer is given when the URL is safely stored; a batch is synced as a whole, so large ones are
/// faster. One set at a time has the folder open: another one fails with the code `ERR_IN_USE`, and so does
/// this one in a process that was forked from its own.
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
/// With `at_least_once` a text that was new is kept as pending until `acknowledge` says that the answer was
/// of use. What a process that was killed has not acknowledged is pending for the next one:
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
        // Only in `detach`: waiting here with the interpreter's lock blocks a thread that raises with the
        // set.
        let lock = self.inner.lock();
        lock.map_err(|_| cut_short())
    }

    /// Locks the set for a thread that has the interpreter's lock, and gives that up while it waits: the
    /// thread that has the set may need it to raise an error.
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
                // A set carries the rules that its form names, so they need not be given again.
                let carried = if given.is_none() { file.site_rules().map_err(about)? } else { None };
                // Fingerprints are of no form; `SeenSet::open` then says what the set has.
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

    /// Adds URLs and returns a mask: True for those that were new, False for those that were there or came
    /// earlier, None for an empty text or one that is no URL.
    ///
    /// `urls` is an iterable of texts, and the mask a list; or it is a column as in `urlid.arrow`, and the
    /// mask a column of the same length.
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

    /// Adds URLs and returns how many were new.
    fn add(&self, py: Python<'_>, urls: &Bound<'_, PyAny>) -> PyResult<usize> {
        let urls = texts::all(urls)?;
        py.detach(|| {
            let lines: Vec<Option<&str>> = urls.iter().map(Option::as_deref).collect();
            let answers = self.lock()?.add(&lines).map_err(|error| error.about(&self.path))?;
            Ok(answers.into_iter().filter(|answer| *answer == Some(true)).count())
        })
    }

    /// Returns the texts that were new and are not acknowledged: those of sets that are gone, from now on for
    /// this one to acknowledge, and those of this one.
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

    /// Counts as delivered what was answered as new, or returned by `pending`, until now.
    ///
    /// That is recorded with the next change of the set, or when it is closed; a process that is killed
    /// before has those texts pending again. Without `at_least_once` only what `pending` returned can be
    /// acknowledged.
    fn acknowledge(&self, py: Python<'_>) -> PyResult<()> {
        let mut open = self.lock_attached(py)?;
        open.set().map_err(|error| error.about(&self.path))?.acknowledge();
        Ok(())
    }

    /// The texts that were rejected so far, by error code.
    #[getter]
    fn rejected(&self, py: Python<'_>) -> PyResult<BTreeMap<&'static str, u64>> {
        Ok(self.lock_attached(py)?.rejected.iter().map(|(code, count)| (code.as_str(), *count)).collect())
    }

    /// Closes the set; what was answered is kept without it too.
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
