//! `urlid.NoVarySearch`: the equivalence of URLs by a field of HTTP.

use pyo3::prelude::*;
use pyo3::types::PyAny;
use urlid_canonical::{NoVarySearch, NoVarySearchSyntax};

use crate::error::raise;

/// A field `No-Vary-Search` of HTTP, which states the differences of the query that do not matter for a
/// response.
///
/// The values of several fields are joined with commas. An invalid field is the default, which compares
/// queries as texts. With `browsers` the syntax that browsers shipped first is also read. `form` is the name
/// of the canonical form that is equal for equivalent URLs, and `str(field)` is the field's canonical text.
///
/// >>> import urlid
/// >>> field = urlid.NoVarySearch('params=("utm_source"), key-order')
/// >>> field.equivalent("https://h/?a=1&b=2&utm_source=x", "https://h/?b=2&a=%31")
/// True
/// >>> urlid.canon("https://h/?b&a=+&utm_source=x#f", field.form)
/// 'https://h/?a=+&b='
#[pyclass(name = "NoVarySearch", module = "urlid", frozen)]
pub(crate) struct PyNoVarySearch {
    inner: NoVarySearch,
}

#[pymethods]
impl PyNoVarySearch {
    #[new]
    #[pyo3(signature = (field, *, browsers = false))]
    fn new(field: &str, browsers: bool) -> Self {
        let syntax = if browsers { NoVarySearchSyntax::Browsers } else { NoVarySearchSyntax::Ietf };
        Self { inner: NoVarySearch::parse_as(field, syntax) }
    }

    /// The name of the canonical form: `web` and the step `+no-vary-search-05=`.
    #[getter]
    fn form(&self) -> String {
        self.inner.to_form().to_string()
    }

    /// Whether queries are compared as texts.
    #[getter]
    fn is_default(&self) -> bool {
        self.inner.is_default()
    }

    /// Returns whether two URLs are equivalent.
    fn equivalent(&self, a: &str, b: &str) -> PyResult<bool> {
        self.inner.are_equivalent(a, b).map_err(raise)
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<NoVarySearch {}>", self.inner)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    fn __hash__(&self) -> u64 {
        // Hashes the canonical text, so that equal fields have equal hashes.
        let digest = urlid::internal::digest::sha256(&[self.inner.to_string().as_bytes()]);
        let [a, b, c, d, e, f, g, h, ..] = digest;
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().inner.to_string(),))
    }
}
