//! `urlid.Templates`, the kinds of pages of a site.

use pyo3::prelude::*;
use pyo3::types::PyAny;
use urlid_canonical::Templates;

use crate::error::raise;

/// Templates of URLs from the text of a file, which `urlid templates` makes (docs/templates.md).
///
/// A template is a class of pages, never an identity. `str(templates)` is the canonical text.
///
/// >>> import urlid
/// >>> templates = urlid.Templates("urlid-templates 1\n[h.example]\n/users/{int}\n")
/// >>> templates.assign("https://www.h.example/users/7?utm_source=x")
/// 'h.example/users/{int}'
/// >>> templates.assign("https://g.example/")
#[pyclass(name = "Templates", module = "urlid", frozen)]
pub(crate) struct PyTemplates {
    inner: Templates,
}

#[pymethods]
impl PyTemplates {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        Ok(Self { inner: Templates::parse(text).map_err(raise)? })
    }

    /// `templates-` and 8 digits of the SHA-256 of the canonical text.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// Returns the template of a URL, or None if the file does not have its host.
    #[pyo3(signature = (url, /))]
    fn assign(&self, url: &str) -> PyResult<Option<String>> {
        self.inner.assign(url).map_err(raise)
    }

    fn __str__(&self) -> &str {
        self.inner.text()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    fn __hash__(&self) -> u64 {
        // The digits in the name come from a digest.
        let digits = self.inner.name().rsplit('-').next().unwrap_or_default();
        u64::from_str_radix(digits, 16).unwrap_or_default()
    }

    fn __repr__(&self) -> String {
        format!("<Templates {}>", self.name())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().inner.text().to_owned(),))
    }
}
