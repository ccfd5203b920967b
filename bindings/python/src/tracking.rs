//! `urlid.TrackingList`: query parameters that only track, for the step `+drop-tracking@NAME` of a canonical form.

use pyo3::prelude::*;
use pyo3::types::PyAny;
use urlid_canonical::{Form, TrackingList};

use crate::error::raise;

/// A list of tracking parameters, from its text in the format of Firefox's `StripOnShare.json`.
///
/// Its name is `firefox-` and the first 8 digits of the SHA-256 of the text, whatever its origin.
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

/// Reads the name of a form, which may name the list that is given.
pub(crate) fn parse_form(name: &str, tracking: Option<&PyTrackingList>) -> Result<Form, urlid::Error> {
    let lists: Vec<TrackingList> = tracking.map(|list| list.inner.clone()).into_iter().collect();
    Form::parse_with(name, &lists)
}
