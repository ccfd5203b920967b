//! `urlid.Index`: URLs that can be searched by part, in one SQLite file (docs/index-format.md) or as a
//! dataset (docs/datasets.md).
//!
//! Wraps `file` and `dataset` of crate `urlid-store`. The functions release the interpreter's lock while
//! they work.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use pyo3::exceptions::{PyNotImplementedError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyDict;
use urlid::sxurl::Sxurl;
use urlid_canonical::Form;
use urlid_store::Urls;
use urlid_store::dataset::{BuildOptions, is_dataset};
use urlid_store::file::{Index, Load, LoadOptions, Loaded, export_sqlite};
use urlid_store::question::{Group, GroupBy};

use crate::choice::choose;
use crate::dataset::{build, counts, push_all};
use crate::error::{raise, raise_about};
use crate::question::Conditions;
use crate::suffix::{PySnapshot, PySuffixList};
use crate::sxurl::PySxurl;
use crate::text::Text;
use crate::tracking::{PyRules, PyTrackingList, parse_form};

/// An index of URLs, opened for questions: a SQLite file that `load` fills, or the folder of a dataset that
/// `build` makes.
///
/// `also` are the folders of further datasets with the same suffix list and form. They are searched together
/// with the first, and a URL in several of them is returned once.
///
/// >>> import os, tempfile, urlid
/// >>> with tempfile.TemporaryDirectory() as directory:
/// ...     path = os.path.join(directory, "urls.db")
/// ...     loaded = urlid.Index.load(path, ["https://docs.rs/serde", "https://docs.rs/", "http://[::1]/", "x"])
/// ...     index = urlid.Index(path)
/// ...     [url for id, url in index.find(domain="docs", tld="rs")], index.find(host="[::1]"), loaded["rejected"]
/// (['https://docs.rs/', 'https://docs.rs/serde'], [(None, 'http://[::1]/')], {'ERR_URL_PARSE': 1})
#[pyclass(name = "Index", module = "urlid", frozen)]
pub(crate) struct PyIndex {
    // One question at a time, because a connection of SQLite is not `Sync`.
    inner: Mutex<Urls>,
    path: PathBuf,
    also: Vec<PathBuf>,
    tracking: Option<Py<PyTrackingList>>,
}

#[pymethods]
impl PyIndex {
    #[new]
    #[pyo3(signature = (path, *, also = vec![], tracking = None))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        also: Vec<PathBuf>,
        tracking: Option<Py<PyTrackingList>>,
    ) -> PyResult<Self> {
        let index = py.detach(|| Urls::open(&path, &also)).map_err(|error| raise_about(&path, error))?;
        Ok(Self { inner: Mutex::new(index), path, also, tracking })
    }

    /// Adds URLs to an index, which is created if the path does not exist. Returns the counts.
    ///
    /// `urls` is an iterable of texts, or a column as in `urlid.arrow`; None and null count as blank.
    ///
    /// URLs without an SXURL are also kept. A text that is not an absolute URL is rejected and counted by
    /// its code. A new index is empty until all URLs are stored.
    ///
    /// With `form`, URLs are stored in that canonical form, which the index records and keeps. `tracking` is
    /// the list that the form names if urlid does not include it. `rules` are the rules of sites that the
    /// form names, which the index stores.
    #[staticmethod]
    #[pyo3(signature = (path, urls, *, form = None, suffixes = None, tracking = None, rules = None))]
    fn load<'py>(
        py: Python<'py>,
        path: PathBuf,
        urls: &Bound<'py, PyAny>,
        form: Option<&str>,
        suffixes: Option<&PySuffixList>,
        tracking: Option<&PyTrackingList>,
        rules: Option<&PyRules>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let list = PySuffixList::or_compiled(suffixes).clone();
        let form = form
            .map(|name| parse_form(name, tracking, rules.map(|rules| &rules.inner)).map_err(raise))
            .transpose()?;
        let options = LoadOptions { form, ..LoadOptions::default() };
        let mut load =
            py.detach(|| Load::begin(&path, &list, options)).map_err(|error| raise_about(&path, error))?;
        let not_utf8 = push_all(&path, urls, &mut |url| load.push(url).map(drop))?;
        let finish = || load.finish();
        let loaded = py.detach(finish).map_err(|error| raise_about(&path, error))?;
        let Loaded { lines, blank, taken, new, without_sxurl, credentials, rejected, .. } = loaded;
        let numbers = [
            ("blank", blank),
            ("taken", taken),
            ("new", new),
            ("without_sxurl", without_sxurl),
            ("credentials", credentials),
        ];
        counts(py, lines, &numbers, rejected, not_utf8)
    }

    /// Makes a dataset of URLs: a folder of sorted Parquet files, for sets of URLs that are large and do not
    /// change. Returns the counts.
    ///
    /// `urls`, `form`, `suffixes`, `tracking` and `rules` are as in `load`. `ids` adds columns of ids and
    /// their slices. `memory` is the number of bytes for sorting. `threads` is the number of threads that
    /// encode, by default one for each core. A dataset is made once. The path must not exist, and appears
    /// when the dataset has all URLs.
    ///
    /// >>> import os, tempfile, urlid
    /// >>> with tempfile.TemporaryDirectory() as directory:
    /// ...     path = os.path.join(directory, "urls")
    /// ...     built = urlid.Index.build(path, ["https://docs.rs/serde", "https://docs.rs/", "https://docs.rs/"])
    /// ...     built["rows"], [url for id, url in urlid.Index(path).find(host="docs.rs")]
    /// (2, ['https://docs.rs/', 'https://docs.rs/serde'])
    #[staticmethod]
    #[pyo3(signature = (
        path, urls, *, form = None, suffixes = None, tracking = None, rules = None, ids = false, memory = 1 << 30, threads = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
    fn build<'py>(
        path: PathBuf,
        urls: &Bound<'py, PyAny>,
        form: Option<&str>,
        suffixes: Option<&PySuffixList>,
        tracking: Option<&PyTrackingList>,
        rules: Option<&PyRules>,
        ids: bool,
        memory: usize,
        threads: Option<NonZeroUsize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let form = form
            .map(|name| parse_form(name, tracking, rules.map(|rules| &rules.inner)).map_err(raise))
            .transpose()?;
        let default = BuildOptions::default();
        let threads = threads.unwrap_or(default.threads);
        build(
            &path,
            urls,
            PySuffixList::or_compiled(suffixes),
            BuildOptions { form, with_ids: ids, memory, threads },
        )
    }

    /// Returns the answers to a question as pairs of id and URL in the order of ids. Each answer is checked
    /// against its own URL. URLs without an SXURL come last and have None for the id. The answers of a
    /// dataset are in the order of reversed hosts.
    ///
    /// The keyword arguments are the conditions of `urlid.Question`, and `limit` is the maximum number of
    /// answers. If there are no answers, a warning names a likely mistake in the question: `query="?x"`
    /// finds nothing, because a query is written without its question mark.
    #[pyo3(signature = (*, limit = None, **parts))]
    fn find(
        &self,
        py: Python<'_>,
        limit: Option<usize>,
        parts: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<(Option<PySxurl>, String)>> {
        let conditions = Conditions::read(parts)?;
        let limit = limit.unwrap_or(usize::MAX);
        let rows = py.detach(|| self.rows_of(&conditions, limit))?;
        // With a limit of 0 an empty answer is not a sign of a mistake.
        if rows.is_empty() && limit > 0 {
            self.warn(py, &conditions)?;
        }
        Ok(rows.into_iter().map(|(id, url)| (id.map(PySxurl::of), url)).collect())
    }

    /// Returns the number of URLs that answer a question.
    #[pyo3(signature = (**parts))]
    fn count(&self, py: Python<'_>, parts: Option<&Bound<'_, PyDict>>) -> PyResult<u64> {
        let conditions = Conditions::read(parts)?;
        let rows = py.detach(|| {
            let index = self.lock()?;
            let question = conditions.question()?;
            Ok::<_, PyErr>(index.count(&question).map_err(raise)?.rows)
        })?;
        if rows == 0 {
            self.warn(py, &conditions)?;
        }
        Ok(rows)
    }

    /// Returns the values of a part among the answers and their counts, the most frequent first.
    ///
    /// `part` is `scheme`, `host`, `tld`, `domain`, `registered_domain`, `sub`, `port`, `first_directory`,
    /// `path`, `file`, `query` or `fragment`.
    #[pyo3(signature = (part, **parts))]
    fn group(
        &self,
        py: Python<'_>,
        part: &str,
        parts: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<(String, u64)>> {
        let part = choose("part", &part.replace('-', "_"), &GroupBy::ALL.map(|part| (part.name(), part)))?;
        let conditions = Conditions::read(parts)?;
        py.detach(|| {
            let index = self.lock()?;
            let question = conditions.question()?;
            let (groups, _) = index.group(&question, part).map_err(raise)?;
            Ok(groups.into_iter().map(|Group { name, rows }| (name, rows)).collect())
        })
    }

    /// Returns the URLs that have an id: usually one, and several if they collide. A dataset does not store
    /// ids and is read completely.
    fn get(&self, py: Python<'_>, id: &PySxurl) -> PyResult<Vec<String>> {
        let id = id.get();
        py.detach(|| {
            let index = self.lock()?;
            let mut urls = Vec::new();
            index
                .get_id(&id, &mut |row| {
                    urls.push(row.url.to_owned());
                    ControlFlow::Continue(())
                })
                .map_err(raise)?;
            Ok(urls)
        })
    }

    /// Writes all rows into a SQLite file with readable columns and returns their number. An existing file
    /// is not replaced.
    fn export_sqlite(&self, py: Python<'_>, path: PathBuf) -> PyResult<u64> {
        self.check_file()?;
        py.detach(|| {
            // A separate connection, because an export may take long, and questions need not wait for it.
            let index = Index::open(&self.path).map_err(|error| raise_about(&self.path, error))?;
            export_sqlite(&index, &path).map_err(|error| raise_about(&path, error))
        })
    }

    /// Returns whether a URL is in the index, by the text that is stored for it.
    fn __contains__(&self, py: Python<'_>, url: Text<'_>) -> PyResult<bool> {
        let form = self.given_form(py)?;
        py.detach(|| Ok(self.lock()?.get_url(&url, form.as_ref()).map_err(raise)?.is_stored))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let rows = py.detach(|| self.lock()?.rows().map_err(raise))?;
        Ok(usize::try_from(rows)?)
    }

    /// The data versions that the ids in the index depend on.
    #[getter]
    fn snapshot(&self, py: Python<'_>) -> PyResult<PySnapshot> {
        Ok(PySnapshot { inner: self.lock_attached(py)?.about().map_err(raise)?.snapshot })
    }

    /// The canonical form of the stored URLs, or None if they are stored unchanged.
    #[getter]
    fn form(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.lock_attached(py)?.about().map_err(raise)?.canonical_form)
    }

    /// The suffix list that the ids were made with.
    #[getter]
    fn suffixes(&self, py: Python<'_>) -> PyResult<PySuffixList> {
        Ok(PySuffixList::of(&self.lock_attached(py)?.about().map_err(raise)?.suffixes))
    }

    fn __repr__(&self) -> String {
        format!("<Index {}>", self.path.display())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (PathBuf,))> {
        let index = slf.get();
        let options = PyDict::new(slf.py());
        options.set_item("also", &index.also)?;
        options.set_item("tracking", &index.tracking)?;
        // `pickle` calls with positional arguments, and these options are keywords.
        let partial = slf.py().import("functools")?.getattr("partial")?;
        Ok((partial.call((slf.get_type(),), Some(&options))?, (index.path.clone(),)))
    }
}

impl PyIndex {
    /// Returns the form of the index if a tracking list is given for it. Other forms do not need a list, and
    /// the index parses them itself.
    fn given_form(&self, py: Python<'_>) -> PyResult<Option<Form>> {
        let Some(tracking) = &self.tracking else { return Ok(None) };
        let index = self.lock_attached(py)?;
        let Some(name) = index.about().map_err(raise)?.canonical_form else { return Ok(None) };
        let rules = index.site_rules().map_err(raise)?;
        parse_form(&name, Some(tracking.get()), rules.as_ref()).map(Some).map_err(raise)
    }

    /// Fails for a dataset, which never changes and is not copied.
    fn check_file(&self) -> PyResult<()> {
        if is_dataset(&self.path) {
            Err(PyNotImplementedError::new_err(
                "a dataset never changes, and its files are Parquet already: urlid.Index.load makes an index of one file",
            ))
        } else {
            Ok(())
        }
    }

    /// Warns of likely mistakes in conditions that did not match any URL.
    fn warn(&self, py: Python<'_>, conditions: &Conditions) -> PyResult<()> {
        let about = self.lock_attached(py)?.about().map_err(raise)?;
        conditions.warn(py, &about.suffixes, |condition| condition.name().replace('-', "_"))
    }

    fn lock(&self) -> PyResult<MutexGuard<'_, Urls>> {
        self.inner.lock().map_err(|_| cut_short())
    }

    /// Locks the index for a thread that has the interpreter's lock, and releases that lock while it waits.
    /// The thread that has the index may need the interpreter's lock to raise an error.
    fn lock_attached(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Urls>> {
        self.inner.lock_py_attached(py).map_err(|_| cut_short())
    }

    fn rows_of(&self, conditions: &Conditions, limit: usize) -> PyResult<Vec<(Option<Sxurl>, String)>> {
        let index = self.lock()?;
        let question = conditions.question()?;
        let mut rows = Vec::new();
        // The callback gets a row before it can stop, so with a limit of 0 the search must not start.
        if limit > 0 {
            index
                .find(&question, true, &mut |row| {
                    rows.push((row.id, row.url.to_owned()));
                    if rows.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                })
                .map_err(raise)?;
        }
        Ok(rows)
    }
}

fn cut_short() -> PyErr {
    PyRuntimeError::new_err("an earlier question to this index was cut short")
}
