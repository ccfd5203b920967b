//! `urlid.TrackingList`, query parameters that only track, and `urlid.Rules`, the rules of sites. They are
//! for the steps `+drop-tracking@NAME` and `+rules@NAME` of a canonical form.

use pyo3::prelude::*;
use pyo3::types::PyAny;
use urlid_canonical::{Form, Rules, TrackingList};

use crate::error::raise;

/// A list of tracking parameters, from its text in the format of Firefox's `StripOnShare.json`.
///
/// Its name is `firefox-` and the first 8 digits of the SHA-256 of the text, for a list of any origin.
///
/// >>> import urlid
/// >>> tracking = urlid.TrackingList('{"all": {"queryParams": ["ref"], "topLevelSites": ["*"]}}')
/// >>> tracking.name
/// 'firefox-a650fb3f'
/// >>> urlid.canon("https://docs.rs/?ref=1&q", f"web+drop-tracking@{tracking.name}", tracking=tracking)
/// 'https://docs.rs/?q'
#[pyclass(name = "TrackingList", module = "urlid", frozen)]
pub(crate) struct PyTrackingList {
    inner: TrackingList,
    // For pickles, because the parsed list does not keep its text.
    text: String,
}

#[pymethods]
impl PyTrackingList {
    #[new]
    fn new(text: String) -> PyResult<Self> {
        Ok(Self { inner: TrackingList::parse(&text).map_err(raise)?, text })
    }

    /// The name after `+drop-tracking@`.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    fn __hash__(&self) -> u64 {
        // The name ends in digits of the text's SHA-256, which are a hash.
        let digits = self.name().trim_start_matches("firefox-");
        u64::from_str_radix(digits, 16).unwrap_or_default()
    }

    fn __repr__(&self) -> String {
        format!("<TrackingList {}>", self.name())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().text.clone(),))
    }
}

/// Rules of sites, from the text of a file (docs/site-rules.md). They state which differences between URLs
/// do not matter on a host.
///
/// The name depends only on the rules, not on comments or the order of lines. `str(rules)` is the canonical
/// text.
///
/// >>> import urlid
/// >>> rules = urlid.Rules("urlid-rules 1\n[v.example]\nalias m.v.example\nkeep v\n")
/// >>> rules.name
/// 'rules-d9bf2261'
/// >>> urlid.canon("https://m.v.example/w?v=1&t=2", "web+rules", rules=rules)
/// 'https://v.example/w?v=1'
#[pyclass(name = "Rules", module = "urlid", frozen)]
pub(crate) struct PyRules {
    pub(crate) inner: Rules,
}

#[pymethods]
impl PyRules {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        Ok(Self { inner: Rules::parse(text).map_err(raise)? })
    }

    /// The name after `+rules@`.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// The SHA-256 of the canonical text, as hexadecimal digits.
    #[getter]
    fn sha256(&self) -> String {
        urlid::hex::encode(&self.inner.sha256())
    }

    fn __str__(&self) -> &str {
        self.inner.text()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    fn __hash__(&self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.inner.sha256();
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    fn __repr__(&self) -> String {
        format!("<Rules {}>", self.name())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().inner.text().to_owned(),))
    }
}

/// Parses the name of a form, which can refer to the given list and rules.
pub(crate) fn parse_form(
    name: &str,
    tracking: Option<&PyTrackingList>,
    rules: Option<&Rules>,
) -> Result<Form, urlid::Error> {
    let lists: Vec<TrackingList> = tracking.map(|list| list.inner.clone()).into_iter().collect();
    Form::parse_with_rules(name, &lists, rules)
}
