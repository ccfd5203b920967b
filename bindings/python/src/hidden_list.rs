//! `urlid.HiddenList`: URIs published to be recognised, not read (docs/lists.md).
//!
//! Wraps [`urlid::list::HiddenList`] and makes a matcher when it is asked.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use urlid::hashed_uri::{Algorithm, Keep};
use urlid::list::{Builder, Date, HiddenList, Ladder, Matcher, Reader, Rules, Scratch};

use crate::choice::{choose, word_of};
use crate::error::raise;
use crate::hashed_uri::{VARIANTS, read_key};
use crate::suffix::PySuffixList;
use crate::texts;

const LADDERS: &[(&str, Ladder)] =
    &[("none", Ladder::None), ("path", Ladder::Path), ("hosts", Ladder::Hosts)];

/// A hidden list, from its text form: a header and a Hashed URI a line.
///
/// >>> from urlid import HiddenList
/// >>> hidden = HiddenList.make(["http://example.com/secret/"], ladder="path")
/// >>> hidden.find("http://EXAMPLE.com/secret/page?x=1")[1]
/// 'http://example.com/secret/'
/// >>> hidden.find("http://example.com/public/") is None
/// True
/// >>> HiddenList(hidden.to_text()) == hidden == HiddenList.from_compiled(hidden.to_compiled())
/// True
#[pyclass(name = "HiddenList", module = "urlid", frozen)]
pub(crate) struct PyHiddenList {
    pub(crate) inner: HiddenList,
}

#[pymethods]
impl PyHiddenList {
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Self> {
        let inner = py.detach(|| {
            let mut reader = Reader::new();
            for line in text.split_terminator('\n') {
                reader.line(line.strip_suffix('\r').unwrap_or(line)).map_err(raise)?;
            }
            reader.finish().map_err(raise)
        })?;
        Ok(Self { inner })
    }

    /// Makes a list of URIs.
    ///
    /// `algorithms`, `variant` and what entries may keep are those of `urlid.hashed_uri`. `ladder` says which parents of a candidate
    /// an entry matches: `none`, `path` (directories above it) or `hosts` (those, and the domains above its host, by the suffix list).
    /// `x-hmac-sha256` needs a `key` of 32 bytes or more. A text that is no URI raises its code, or is left out with `skip_refused`.
    #[staticmethod]
    #[pyo3(signature = (
        uris, *, algorithms = vec!["sha1".to_owned()], variant = "n", keep_query = false, keep_fragment = false, ladder = "none",
        key = None, date = None, suffixes = None, skip_refused = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
    fn make(
        uris: &Bound<'_, PyAny>,
        algorithms: Vec<String>,
        variant: &str,
        keep_query: bool,
        keep_fragment: bool,
        ladder: &str,
        key: Option<&[u8]>,
        date: Option<&str>,
        suffixes: Option<&PySuffixList>,
        skip_refused: bool,
    ) -> PyResult<Self> {
        let rules = Rules {
            variant: choose("variant", variant, VARIANTS)?,
            keep: Keep { query: keep_query, fragment: keep_fragment },
            ladder: choose("ladder", ladder, LADDERS)?,
        };
        let algorithms = algorithms
            .iter()
            .map(|name| name.parse().map_err(raise))
            .collect::<PyResult<Vec<Algorithm>>>()?;
        let key = read_key(key)?;
        let mut builder = Builder::new(rules, &algorithms, key.as_ref()).map_err(raise)?;
        builder = builder.with_suffixes(PySuffixList::or_compiled(suffixes));
        if let Some(date) = date {
            let date: Date = date.parse().map_err(|error| PyValueError::new_err(format!("date: {error}")))?;
            builder = builder.with_date(date);
        }
        texts::for_each(uris, |uri| match builder.add(uri, None) {
            Err(error) if !skip_refused => Err(raise(error)),
            Ok(()) | Err(_) => Ok(()),
        })?;
        Ok(Self { inner: builder.finish() })
    }

    /// Reads the compiled form.
    #[staticmethod]
    fn from_compiled(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let bytes = bytes.to_vec();
        Ok(Self { inner: py.detach(|| HiddenList::from_compiled(bytes)).map_err(raise)? })
    }

    /// Returns the text form; equal lists have equal texts.
    fn to_text(&self, py: Python<'_>) -> PyResult<String> {
        let text = py.detach(|| {
            let mut text = Vec::new();
            self.inner.write_text(&mut text).map(|()| text)
        })?;
        String::from_utf8(text).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Returns the compiled form, which is read whole and needs no parsing.
    fn to_compiled<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| {
            let mut bytes = Vec::new();
            self.inner.write_compiled(&mut bytes).map(|()| bytes)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns the first entry that matches a URI, with the canonical text that it is the digest of, or None.
    ///
    /// The URI's own entry comes before those of its parents. A keyed list needs its key; a ladder of hosts follows `suffixes`.
    #[pyo3(signature = (uri, *, key = None, suffixes = None))]
    fn find(
        &self,
        uri: &str,
        key: Option<&[u8]>,
        suffixes: Option<&PySuffixList>,
    ) -> PyResult<Option<(String, String)>> {
        let key = read_key(key)?;
        let matcher = Matcher::new(&self.inner, key.as_ref()).map_err(raise)?;
        let matcher = matcher.with_suffixes(PySuffixList::or_compiled(suffixes));
        let found = matcher.find(&mut Scratch::default(), uri, None).map_err(raise)?;
        Ok(found.map(|found| (found.entry.to_string(), found.canonical)))
    }

    /// Returns the entries, texts of Hashed URIs in order.
    fn entries(&self) -> Vec<String> {
        self.inner.entries().map(|entry| entry.to_string()).collect()
    }

    /// The algorithms of the entries.
    #[getter]
    fn algorithms(&self) -> Vec<String> {
        self.inner.header().algorithms().iter().map(Algorithm::to_string).collect()
    }

    /// The variant of the canonical form: `n`, `p` or `none`.
    #[getter]
    fn variant(&self) -> &'static str {
        word_of(&self.inner.header().rules().variant, VARIANTS)
    }

    /// Which parents of a candidate an entry matches: `none`, `path` or `hosts`.
    #[getter]
    fn ladder(&self) -> &'static str {
        word_of(&self.inner.header().rules().ladder, LADDERS)
    }

    /// The date that the publisher gave the list.
    #[getter]
    fn date(&self) -> Option<String> {
        self.inner.header().date().map(|date| date.to_string())
    }

    /// The name of the key that the list needs.
    #[getter]
    fn key_id(&self) -> Option<String> {
        self.inner.header().key_id().map(|id| id.to_string())
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.inner.len()).unwrap_or(usize::MAX)
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.inner.len() == other.inner.len() && self.to_text(py)? == other.to_text(py)?)
    }

    fn __hash__(&self) -> u64 {
        self.inner.len()
    }

    fn __repr__(&self) -> String {
        format!("<HiddenList of {} entries>", self.inner.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let read = slf.get_type().getattr("from_compiled")?;
        Ok((read, (slf.get().to_compiled(slf.py())?,)))
    }
}
