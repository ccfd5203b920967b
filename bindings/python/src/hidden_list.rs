//! `urlid.HiddenList`: published URIs that can be recognised but not read (docs/lists.md).
//!
//! Wraps [`urlid_lists::HiddenList`]. Each look-up makes a matcher.

use std::ffi::CString;

use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use urlid::ErrorCode;
use urlid::hashed_uri::{Algorithm, Keep};
use urlid_lists::{
    Audit, Covers, Date, Difference, Edition, Findings, HiddenList, Intake, InvalidAs, ListBuilder, ListKind,
    ListMatcher, ListReader, ListRules, Padding, Scratch, Store, UserInfo, rejection_marker,
};

use crate::choice::{choose, word_of};
use crate::error::{raise, rejected};
use crate::hashed_uri::{VARIANTS, read_key};
use crate::text::Text;
use crate::texts;

const INTAKES: &[(&str, Intake)] = &[("web", Intake::Web(UserInfo::Drop)), ("rfc3986", Intake::Rfc3986)];
const USER_INFO: &[(&str, UserInfo)] = &[("drop", UserInfo::Drop), ("keep", UserInfo::Keep)];
pub(crate) const INVALID_AS: &[(&str, InvalidAs)] =
    &[("error", InvalidAs::Error), ("match", InvalidAs::Match), ("no-match", InvalidAs::NoMatch)];
const COVERS: &[(&str, Covers)] =
    &[("url", Covers::Url), ("directory", Covers::Directory), ("subdomains", Covers::Subdomains)];

/// A hidden list, from its text form: a header, and a Hashed URI on each line.
///
/// A line that is not an entry is skipped. `rejected` has its number, code and reason, and a warning is
/// issued. A header that is invalid or contradicts the entries raises ERR_LIST_HEADER.
///
/// >>> from urlid import HiddenList
/// >>> hidden = HiddenList.make(["http://example.com/secret/"], covers="directory")
/// >>> hidden.find("http://EXAMPLE.com/secret/page?x=1")[1]
/// 'http://example.com/secret/'
/// >>> hidden.find("http://example.com/public/") is None
/// True
/// >>> HiddenList(hidden.to_text()) == hidden == HiddenList.from_compiled(hidden.to_compiled())
/// True
#[pyclass(name = "HiddenList", module = "urlid", frozen)]
pub(crate) struct PyHiddenList {
    pub(crate) inner: HiddenList,
    /// The skipped lines of the text: number, code and reason.
    rejected: Vec<(u64, String, String)>,
}

impl From<HiddenList> for PyHiddenList {
    fn from(inner: HiddenList) -> Self {
        Self { inner, rejected: Vec::new() }
    }
}

/// Fails if texts are not UTF-8 and may not be skipped.
fn check_utf8(not_utf8: u64, skip_invalid: bool) -> PyResult<()> {
    match not_utf8 > 0 && !skip_invalid {
        true => Err(rejected(ErrorCode::Utf8, "text is not UTF-8")),
        false => Ok(()),
    }
}

#[pymethods]
impl PyHiddenList {
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Self> {
        let (inner, rejected) = py.detach(|| {
            let mut reader = ListReader::new();
            let mut rejected = Vec::new();
            for (number, line) in (1..).zip(text.split_terminator('\n')) {
                match reader.line(line.strip_suffix('\r').unwrap_or(line)) {
                    Ok(()) => {}
                    // A line that is not an entry invalidates only itself. Any other fault puts all entries
                    // in doubt.
                    Err(error) if error.code() == ErrorCode::ListLine => {
                        rejected.push((number, error.code().to_string(), error.to_string()));
                    }
                    Err(error) => return Err(raise(error)),
                }
            }
            Ok((reader.finish().map_err(raise)?, rejected))
        })?;
        // Can raise, because Python can be configured to turn warnings into errors.
        warn_of(py, &rejected)?;
        Ok(Self { inner, rejected })
    }

    /// Makes a list from URIs.
    ///
    /// `algorithms`, `variant` and the kept parts of entries are as in `urlid.hashed_uri`. `intake` is `web`
    /// (URLs as a browser reads them, the default for variants `n` and `p`) or `rfc3986` (URIs by the
    /// generic syntax, also for variant `none`). `user_info` is `drop` (ignores user information and one dot
    /// at the end of a host, the default with `web`) or `keep`.
    ///
    /// `covers` selects the URIs that an entry matches: its own `url`, also its `directory` if it ends with
    /// a slash, or this directory also on `subdomains`. `x-hmac-sha256` needs a `key` of 32 bytes or more. A
    /// text that is not a URI raises its code, or is skipped with `skip_invalid`.
    #[staticmethod]
    #[pyo3(signature = (
        uris, *, algorithms = vec!["sha1".to_owned()], variant = "n", intake = None, user_info = None, keep_query = false, keep_fragment = false,
        covers = "url", key = None, date = None, skip_invalid = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
    fn make(
        uris: &Bound<'_, PyAny>,
        algorithms: Vec<String>,
        variant: &str,
        intake: Option<&str>,
        user_info: Option<&str>,
        keep_query: bool,
        keep_fragment: bool,
        covers: &str,
        key: Option<&[u8]>,
        date: Option<&str>,
        skip_invalid: bool,
    ) -> PyResult<Self> {
        let usual = ListRules::of_variant(choose("variant", variant, VARIANTS)?);
        let mut intake = intake.map_or(Ok(usual.intake), |intake| choose("intake", intake, INTAKES))?;
        if let Some(user_info) = user_info {
            let chosen = intake.with_user_info(choose("user_info", user_info, USER_INFO)?);
            intake = chosen.map_err(|error| PyValueError::new_err(format!("user_info: {error}")))?;
        }
        let rules = ListRules {
            variant: usual.variant,
            intake,
            keep: Keep { query: keep_query, fragment: keep_fragment },
            covers: choose("covers", covers, COVERS)?,
        };
        let algorithms = algorithms
            .iter()
            .map(|name| name.parse().map_err(raise))
            .collect::<PyResult<Vec<Algorithm>>>()?;
        let key = read_key(key)?;
        let mut builder = ListBuilder::new(rules, &algorithms, key.as_ref()).map_err(raise)?;
        if let Some(date) = date {
            let date: Date = date.parse().map_err(|error| PyValueError::new_err(format!("date: {error}")))?;
            builder = builder.with_edition(Edition { made: Some(date), ..Edition::default() });
        }
        let not_utf8 = texts::for_each(uris, |uri| match builder.add(uri, None) {
            Err(error) if !skip_invalid => Err(raise(error)),
            Ok(()) | Err(_) => Ok(()),
        })?;
        check_utf8(not_utf8, skip_invalid)?;
        Ok(builder.finish().into())
    }

    /// Reads the compiled form.
    #[staticmethod]
    fn from_compiled(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        // Copied, because the list keeps the bytes and Python may free its own after the call.
        let bytes = bytes.to_vec();
        Ok(py.detach(|| HiddenList::from_compiled(bytes)).map_err(raise)?.into())
    }

    /// Returns the text form. Equal lists have equal texts. A list that keeps only a part of its digests
    /// does not have a text form.
    fn to_text(&self, py: Python<'_>) -> PyResult<String> {
        let text = py.detach(|| {
            let mut text = Vec::new();
            self.inner.write_text(&mut text).map(|()| text)
        })?;
        String::from_utf8(text).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Returns the compiled form, which is read as a whole and needs no parsing.
    fn to_compiled<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| {
            let mut bytes = Vec::new();
            self.inner.write_compiled(&mut bytes).map(|()| bytes)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Splits a list that covers only URLs into 2 to the power of `bits` shards. Returns the names and bytes
    /// of the files. Digests are cut to 80 bits. With `pad` all shards have the same size.
    #[pyo3(signature = (bits, *, pad = false))]
    fn shards<'py>(&self, py: Python<'py>, bits: u32, pad: bool) -> PyResult<Bound<'py, PyDict>> {
        let padding = if pad { Padding::Equal } else { Padding::None };
        let shards = py.detach(|| {
            let exact =
                // A list with cut digests has lost the other bits, so it keeps its store.
                if self.inner.is_whole() { Store::usual(ListKind::Exact) } else { self.inner.header().store() };
            self.inner.compile(exact)?.shards(bits, None, padding)
        });
        let shards = shards.map_err(raise)?;
        let files = PyDict::new(py);
        files.set_item("index", PyBytes::new(py, shards.index()))?;
        for number in 0..shards.count() {
            let mut bytes = Vec::new();
            shards.write(number, &mut bytes)?;
            files.set_item(shards.file_name(number), PyBytes::new(py, &bytes))?;
        }
        Ok(files)
    }

    /// Makes a list with the entries of several lists, which must have the same rules.
    #[staticmethod]
    fn merge(lists: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        let lists: Vec<HiddenList> = lists.iter().map(|list| list.inner.clone()).collect();
        Ok(HiddenList::merge(&lists).map_err(raise)?.into())
    }

    /// Returns the entries that only this list has and the entries that only the other has.
    fn differences(&self, py: Python<'_>, other: &Self) -> PyResult<(Vec<String>, Vec<String>)> {
        py.detach(|| {
            let (mut removed, mut added) = (Vec::new(), Vec::new());
            for difference in self.inner.differences(&other.inner).map_err(raise)? {
                match difference {
                    Difference::Removed(entry) => removed.push(entry.to_string()),
                    Difference::Added(entry) => added.push(entry.to_string()),
                }
            }
            Ok((removed, added))
        })
    }

    /// Returns the first entry that matches a URI, and the canonical text that the entry is the digest of.
    /// Returns None if no entry matches.
    ///
    /// The URI's own entry precedes the entries of its parents. A keyed list needs its key. It is unknown
    /// whether a text without a canonical form is listed, so `invalid_as` decides. `error` raises its code,
    /// `match` counts it as listed and returns `!` and the code instead of an entry, and `no-match` counts it
    /// as not listed.
    #[pyo3(signature = (uri, *, key = None, invalid_as = "error"))]
    fn find(
        &self,
        uri: Text<'_>,
        key: Option<&[u8]>,
        invalid_as: &str,
    ) -> PyResult<Option<(String, String)>> {
        let invalid_as = choose("invalid_as", invalid_as, INVALID_AS)?;
        let matcher = self.matcher(key)?;
        match (matcher.find(&mut Scratch::default(), &uri, None), invalid_as) {
            (Ok(found), _) => Ok(found.map(|found| (found.entry.to_string(), found.canonical))),
            (Err(error), InvalidAs::Error) => Err(raise(error)),
            // The URI replaces the canonical text, which it does not have.
            (Err(error), InvalidAs::Match) => Ok(Some((rejection_marker(error.code()), uri.to_string()))),
            (Err(_), InvalidAs::NoMatch) => Ok(None),
        }
    }

    /// Tries a dictionary of URIs, or of domains with `domains`, and returns the entries that it reveals.
    ///
    /// `revealed` maps each revealed entry to its canonical text. The other keys are numbers. A text without
    /// a canonical form raises its code, or is skipped with `skip_invalid`.
    #[pyo3(signature = (uris, *, domains = false, key = None, skip_invalid = false))]
    fn audit<'py>(
        &self,
        uris: &Bound<'py, PyAny>,
        domains: bool,
        key: Option<&[u8]>,
        skip_invalid: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let matcher = self.matcher(key)?;
        let mut audit = Audit::new(&matcher);
        let not_utf8 = texts::for_each(uris, |text| {
            let guessed = if domains { audit.guess_domain(text) } else { audit.guess(text, None) };
            match guessed {
                Err(error) if !skip_invalid => Err(raise(error)),
                Ok(()) | Err(_) => Ok(()),
            }
        })?;
        check_utf8(not_utf8, skip_invalid)?;
        let Findings { entries, not_checkable, candidates, digests, home_pages, .. } = audit.findings();
        let revealed = PyDict::new(uris.py());
        for (entry, canonical) in audit.revealed() {
            revealed.set_item(entry.to_string(), canonical)?;
        }
        let findings = PyDict::new(uris.py());
        findings.set_item("revealed", revealed)?;
        let numbers = [
            ("entries", entries),
            ("not_checkable", not_checkable),
            ("candidates", candidates),
            ("digests", digests),
            ("home_pages", home_pages),
        ];
        numbers.into_iter().try_for_each(|(name, number)| findings.set_item(name, number))?;
        Ok(findings)
    }

    /// Returns the entries, as texts of Hashed URIs in order.
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

    /// The syntax by which texts are read before they become canonical: `web` or `rfc3986`.
    #[getter]
    fn intake(&self) -> &'static str {
        match self.inner.header().rules().intake {
            Intake::Rfc3986 => "rfc3986",
            _ => "web",
        }
    }

    /// Whether user information and a dot at the end of a host are ignored (`drop`) or count (`keep`).
    #[getter]
    fn user_info(&self) -> &'static str {
        word_of(&self.inner.header().rules().intake.user_info(), USER_INFO)
    }

    /// The skipped lines of the text, which are not entries: number, code and reason.
    #[getter]
    fn rejected(&self) -> Vec<(u64, String, String)> {
        self.rejected.clone()
    }

    /// The URIs that an entry covers: its `url`, its `directory`, or the directory also on `subdomains`.
    #[getter]
    fn covers(&self) -> &'static str {
        word_of(&self.inner.header().rules().covers, COVERS)
    }

    /// The date that the publisher gave the list.
    #[getter]
    fn date(&self) -> Option<String> {
        self.inner.header().edition().made.map(|date| date.to_string())
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
        // Without complete digests there is no text form to compare.
        if !self.inner.is_whole() || !other.inner.is_whole() {
            return Ok(py.detach(|| self.inner.checksum() == other.inner.checksum()));
        }
        Ok(self.inner.len() == other.inner.len() && self.to_text(py)? == other.to_text(py)?)
    }

    // Equal lists have equal lengths. A better hash would need a pass over all entries.
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

impl PyHiddenList {
    /// Makes the matcher of the list.
    pub(crate) fn matcher(&self, key: Option<&[u8]>) -> PyResult<ListMatcher> {
        ListMatcher::new(&self.inner, read_key(key)?.as_ref()).map_err(raise)
    }
}

/// Warns of skipped lines, because the URIs that they list are not found.
fn warn_of(py: Python<'_>, rejected: &[(u64, String, String)]) -> PyResult<()> {
    const SHOWN: usize = 10;
    if rejected.is_empty() {
        return Ok(());
    }
    let numbers: Vec<String> = rejected.iter().take(SHOWN).map(|(number, ..)| number.to_string()).collect();
    let more = if rejected.len() > SHOWN { " and others" } else { "" };
    let message =
        format!("hidden list: lines that are not entries were left out: {}{more}", numbers.join(", "));
    let message = CString::new(message).expect("numbers and words have no zero byte");
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)
}
