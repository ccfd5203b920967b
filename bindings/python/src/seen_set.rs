//! `urlid.SeenSet`: a crawler's memory, as an index (docs/index-format.md) or as digests (docs/seen-sets.md).
//!
//! Wraps `SeenSet` of the crates `urlid-index` and `urlid-seen`. The interpreter's lock is given up while they work.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyAny;
use pyo3_arrow::input::AnyArray;
use urlid::suffix::SuffixList;
use urlid_canonical::Form;
use urlid_index::{EncoderOptions, SeenSet};
use urlid_seen::{Keys, SeenFile, SeenSet as DigestSet, is_seen_set};

use crate::arrow::is_column;
use crate::arrow::seen::add_column;
use crate::choice::choose;
use crate::error::{raise, raise_about};
use crate::open_set::{Open, Set, SetError};
use crate::suffix::PySuffixList;
use crate::texts;
use crate::tracking::{PyTrackingList, parse_form};

/// A set of URLs that is looked up and added to in one step: which of these URLs are new?
///
/// It is an index, which is made if nothing has the name. An answer is given when the URL is safely stored; a batch is one transaction, so large ones
/// are faster. Other processes can read the index meanwhile. `tracking` is the list that `form` names, if that is not part of urlid.
///
/// >>> import os, tempfile, urlid
/// >>> with tempfile.TemporaryDirectory() as directory:
/// ...     with urlid.SeenSet(os.path.join(directory, "seen.db"), form="web+drop-fragment") as seen:
/// ...         seen.add_new(["https://docs.rs/#a", "https://DOCS.rs/#b", "no url"])
/// ...         seen.delete(["https://docs.rs/"])
/// [True, False, None]
/// 1
///
/// With `at_least_once` a text that was new is kept as pending until `acknowledge` says that the answer was of use. What a process that
/// was killed has not acknowledged is pending for the next one:
///
/// >>> with tempfile.TemporaryDirectory() as directory:
/// ...     path = os.path.join(directory, "seen.db")
/// ...     with urlid.SeenSet(path, at_least_once=True) as seen:
/// ...         seen.add_new(["https://docs.rs/"])
/// ...     with urlid.SeenSet(path, at_least_once=True) as seen:
/// ...         seen.pending(), seen.acknowledge(), seen.pending()
/// [True]
/// (['https://docs.rs/'], None, [])
///
/// With `keep="digests"` the set keeps 16 bytes for each URL and nothing else, in a folder that one process at a time may open. Its form is
/// the recorded one if `form` is left out, `web` in a new set.
///
/// >>> with tempfile.TemporaryDirectory() as directory:
/// ...     path = os.path.join(directory, "seen")
/// ...     with urlid.SeenSet(path, keep="digests", form="surt-0.3.1") as seen:
/// ...         seen.add_new(["http://www.docs.rs/", "https://docs.rs", ""])
/// ...     with urlid.SeenSet(path, keep="digests") as seen:
/// ...         seen.add_new(["https://docs.rs/"])
/// [True, False, None]
/// [False]
#[pyclass(name = "SeenSet", module = "urlid", frozen)]
pub(crate) struct PySeenSet {
    inner: Mutex<Open>,
    path: PathBuf,
}

impl PySeenSet {
    pub(crate) fn open(
        py: Python<'_>,
        path: PathBuf,
        form: Option<&Form>,
        list: &SuffixList,
        at_least_once: bool,
    ) -> PyResult<Self> {
        let opened = py.detach(|| {
            let set = SeenSet::open(&path, list, form, EncoderOptions::default())?;
            if at_least_once { set.at_least_once() } else { Ok(set) }
        });
        let set = opened.map_err(|error| raise_about(&path, error))?;
        Ok(Self::of(Set::Urls(Box::new(set)), path))
    }

    /// Opens a set of digests, in the form that it records if none is given.
    fn open_digests(
        py: Python<'_>,
        path: PathBuf,
        form: Option<Form>,
        tracking: Option<&PyTrackingList>,
        at_least_once: bool,
    ) -> PyResult<Self> {
        let recorded = || match is_seen_set(&path) {
            true => Ok(SeenFile::open(&path)?.keys().name().to_owned()),
            false => Ok("web".to_owned()),
        };
        let about = |error| raise_about(&path, error);
        let form = match form {
            Some(form) => form,
            None => parse_form(&recorded().map_err(about)?, tracking).map_err(raise)?,
        };
        let set = py.detach(|| DigestSet::open(&path, &Keys::of_form(&form))).map_err(about)?;
        let set = if at_least_once { set.at_least_once() } else { set };
        Ok(Self::of(Set::Digests(form, Box::new(set)), path))
    }

    fn of(set: Set, path: PathBuf) -> Self {
        Self { inner: Mutex::new(Open { set: Some(set), refused: BTreeMap::new() }), path }
    }

    fn lock(&self) -> PyResult<MutexGuard<'_, Open>> {
        let lock = self.inner.lock();
        lock.map_err(|_| cut_short())
    }

    /// Locks the set for a thread that has the interpreter's lock, and gives that up while it waits: the thread that has the set may
    /// need it to raise an error.
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
    #[pyo3(signature = (path, *, keep = "urls", form = None, suffixes = None, tracking = None, at_least_once = false))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        keep: &str,
        form: Option<&str>,
        suffixes: Option<&PySuffixList>,
        tracking: Option<&PyTrackingList>,
        at_least_once: bool,
    ) -> PyResult<Self> {
        let form = form.map(|name| parse_form(name, tracking).map_err(raise)).transpose()?;
        if choose("keep", keep, &[("urls", false), ("digests", true)])? {
            return match suffixes {
                None => Self::open_digests(py, path, form, tracking, at_least_once),
                Some(_) => Err(PyValueError::new_err("a set of digests has the suffixes of urlid")),
            };
        }
        Self::open(py, path, form.as_ref(), PySuffixList::or_compiled(suffixes), at_least_once)
    }

    /// Adds URLs and returns a mask: True for those that were new, False for those that were there or came earlier, None for an empty text
    /// or one that is no URL.
    ///
    /// `urls` is an iterable of texts, and the mask a list; or it is a column as in `urlid.arrow`, and the mask a column of the same
    /// length.
    fn add_new<'py>(&self, py: Python<'py>, urls: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if is_column(urls)? {
            let column: AnyArray = urls.extract()?;
            return Ok(add_column(py, column, &self.inner)?.into_pyobject(py)?.into_any());
        }
        let urls = texts::all(urls)?;
        let answers = py.detach(|| -> PyResult<_> {
            let lines: Vec<&str> = urls.iter().map(|url| url.as_deref().unwrap_or_default()).collect();
            Ok(self.lock()?.add(&lines)?)
        })?;
        Ok(answers.into_pyobject(py)?.into_any())
    }

    /// Adds URLs and returns how many were new.
    fn add(&self, py: Python<'_>, urls: &Bound<'_, PyAny>) -> PyResult<usize> {
        let urls = texts::all(urls)?;
        py.detach(|| {
            let lines: Vec<&str> = urls.iter().map(|url| url.as_deref().unwrap_or_default()).collect();
            Ok(self.lock()?.add(&lines)?.into_iter().filter(|answer| *answer == Some(true)).count())
        })
    }

    /// Deletes URLs, all of them or none, and returns how many were there.
    fn delete(&self, py: Python<'_>, urls: &Bound<'_, PyAny>) -> PyResult<u64> {
        let urls = texts::all(urls)?;
        py.detach(|| {
            let lines: Vec<&str> = urls.iter().map(|url| url.as_deref().unwrap_or_default()).collect();
            let mut open = self.lock()?;
            let set = open.set.as_mut().ok_or(SetError::Closed)?;
            Ok(set.delete(&lines)?)
        })
    }

    /// Returns the texts that were new and are not acknowledged: those of sets that are gone, from now on for this one to acknowledge, and
    /// those of this one. Empty without `at_least_once`. Texts of sets that are open elsewhere are not among them.
    fn pending(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        py.detach(|| {
            let mut texts = Vec::new();
            let mut open = self.lock()?;
            let set = open.set.as_mut().ok_or(SetError::Closed)?;
            set.pending(&mut |text| texts.push(text.to_owned())).map_err(SetError::from)?;
            Ok(texts)
        })
    }

    /// Counts as delivered what was answered as new, or returned by `pending`, until now.
    ///
    /// That is recorded with the next change of the set, or when it is closed; a process that is killed before has those texts pending
    /// again. Without `at_least_once` it does nothing.
    fn acknowledge(&self, py: Python<'_>) -> PyResult<()> {
        self.lock_attached(py)?.set.as_mut().ok_or(SetError::Closed)?.acknowledge();
        Ok(())
    }

    /// The texts that were refused so far, by error code.
    #[getter]
    fn refused(&self, py: Python<'_>) -> PyResult<BTreeMap<&'static str, u64>> {
        Ok(self.lock_attached(py)?.refused.iter().map(|(code, count)| (code.as_str(), *count)).collect())
    }

    /// Closes the set; what was answered is kept without it too.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| match self.lock()?.set.take() {
            Some(set) => set.close().map_err(raise),
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
