//! Functions for the drop-in `urlid.compat.surt`: the package's function with all its options, and its class
//! `handyurl`.

use pyo3::exceptions::{PyNotImplementedError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use urlid_canonical::packages::{self, HandyPart, HandyUrl, SurtOptions};

use crate::error::raise;

/// An option of surt, by its name.
type SurtOption = fn(&mut SurtOptions) -> &mut bool;

const SURT_OPTIONS: [(&str, SurtOption); 16] = [
    ("surt", |options| &mut options.reverse_host),
    ("with_scheme", |options| &mut options.with_scheme),
    ("trailing_comma", |options| &mut options.trailing_comma),
    ("reverse_ipaddr", |options| &mut options.reverse_addresses),
    ("host_lowercase", |options| &mut options.lower_case_host),
    ("host_massage", |options| &mut options.strip_www),
    ("auth_strip_user", |options| &mut options.strip_user),
    ("port_strip_default", |options| &mut options.strip_default_port),
    ("path_lowercase", |options| &mut options.lower_case_path),
    ("path_strip_session_id", |options| &mut options.strip_path_session),
    ("path_strip_empty", |options| &mut options.strip_empty_path),
    ("path_strip_trailing_slash_unless_empty", |options| &mut options.strip_trailing_slash),
    ("query_lowercase", |options| &mut options.lower_case_query),
    ("query_strip_session_id", |options| &mut options.strip_query_session),
    ("query_strip_empty", |options| &mut options.strip_empty_query),
    ("query_alpha_reorder", |options| &mut options.sort_query),
];

/// Reads options by their names. As in the package, other names are ignored.
fn surt_options(defaults: SurtOptions, given: &Bound<'_, PyDict>) -> PyResult<SurtOptions> {
    if given.get_item("public_suffix")?.map_or(Ok(false), |value| value.is_truthy())? {
        // Not ignored: the key would silently differ from that of the package.
        return Err(no_public_suffix("public_suffix"));
    }
    let mut options = defaults;
    for (name, option) in SURT_OPTIONS {
        if let Some(value) = given.get_item(name)? {
            // The package tests options for truth, so any object is one.
            *option(&mut options) = value.is_truthy()?;
        }
    }
    Ok(options)
}

/// Makes the error of an option that cannot be frozen: the package takes suffixes from the newest list that
/// it can fetch.
fn no_public_suffix(name: &str) -> PyErr {
    PyNotImplementedError::new_err(format!(
        "{name}: surt takes suffixes from a list that it fetches; see urlid.SuffixList"
    ))
}

/// `surt.surt` with the canonicalizers that it has by default: a text for a text, bytes for bytes.
#[pyfunction]
#[pyo3(name = "_surt")]
pub(crate) fn surt<'py>(
    url: &Bound<'py, PyAny>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = surt_options(SurtOptions::default(), options)?;
    if let Ok(url) = url.cast::<PyBytes>() {
        let key = packages::surt_bytes(url.as_bytes(), options).map_err(raise)?;
        return Ok(PyBytes::new(url.py(), &key).into_any());
    }
    let text = url.cast::<PyString>().map_err(|_| {
        PyTypeError::new_err(format!("expected str, bytes or None, found {}", url.get_type()))
    })?;
    let key = packages::surt(text.to_str()?, options).map_err(raise)?;
    Ok(PyString::new(url.py(), &key).into_any())
}

/// A URL in the parts that the canonicalizers of surt change; all are bytes, or None, and the port is a
/// number.
///
/// >>> from urlid.compat.surt import GoogleURLCanonicalizer, handyurl
/// >>> url = handyurl.parse("http://www.Example.com:80/a/../b")
/// >>> url.host, url.port, url.path
/// (b'www.example.com', 80, b'/a/../b')
/// >>> GoogleURLCanonicalizer.canonicalize(url).geturl()
/// 'http://www.example.com:80/b'
// Not frozen, unlike other classes: the canonicalizers of the package change the URL that they are given.
#[pyclass(name = "handyurl", module = "urlid.compat.surt")]
#[derive(Clone)]
pub(crate) struct PyHandyUrl {
    inner: HandyUrl,
}

impl PyHandyUrl {
    fn part<'py>(&self, py: Python<'py>, part: HandyPart) -> Option<Bound<'py, PyBytes>> {
        self.inner.part(part).map(|bytes| PyBytes::new(py, bytes))
    }

    fn url_bytes(&self, options: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<u8>> {
        // The defaults of `handyurl.getURLString`, which differ from those of `surt.surt`.
        let defaults = SurtOptions { reverse_host: false, with_scheme: true, ..SurtOptions::default() };
        let options = options.map_or(Ok(defaults), |given| surt_options(defaults, given))?;
        self.inner.to_bytes(options).map_err(raise)
    }
}

#[pymethods]
impl PyHandyUrl {
    #[new]
    #[pyo3(signature = (
        scheme = None, authUser = None, authPass = None, host = None, port = None, path = None, query = None, hash = None,
        last_delimiter = None,
    ))]
    #[expect(non_snake_case, reason = "names of the package")]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
    fn new(
        scheme: Option<&[u8]>,
        authUser: Option<&[u8]>,
        authPass: Option<&[u8]>,
        host: Option<&[u8]>,
        port: Option<u64>,
        path: Option<&[u8]>,
        query: Option<&[u8]>,
        hash: Option<&[u8]>,
        last_delimiter: Option<&[u8]>,
    ) -> Self {
        let mut url = Self { inner: HandyUrl::default() };
        for (part, bytes) in [
            (HandyPart::Scheme, scheme),
            (HandyPart::User, authUser),
            (HandyPart::Password, authPass),
            (HandyPart::Host, host),
            (HandyPart::Path, path),
            (HandyPart::Query, query),
            (HandyPart::Hash, hash),
            (HandyPart::LastDelimiter, last_delimiter),
        ] {
            url.inner.set_part(part, bytes);
        }
        url.set_port(port);
        url
    }

    /// Takes a URL apart.
    #[staticmethod]
    fn parse(url: &Bound<'_, PyAny>) -> PyResult<Self> {
        let inner = match url.cast::<PyBytes>() {
            Ok(url) => HandyUrl::parse(url.as_bytes()),
            Err(_) => HandyUrl::parse(url.extract::<&str>()?.as_bytes()),
        };
        Ok(Self { inner: inner.map_err(raise)? })
    }

    /// The scheme as written.
    #[getter]
    fn scheme<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.part(py, HandyPart::Scheme)
    }

    #[setter]
    fn set_scheme(&mut self, value: Option<&[u8]>) {
        self.inner.set_part(HandyPart::Scheme, value);
    }

    /// The user, which `parse` leaves out.
    #[getter(authUser)]
    fn user<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.part(py, HandyPart::User)
    }

    #[setter(authUser)]
    fn set_user(&mut self, value: Option<&[u8]>) {
        self.inner.set_part(HandyPart::User, value);
    }

    /// The password, which `parse` leaves out.
    #[getter(authPass)]
    fn password<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.part(py, HandyPart::Password)
    }

    #[setter(authPass)]
    fn set_password(&mut self, value: Option<&[u8]>) {
        self.inner.set_part(HandyPart::Password, value);
    }

    /// The host.
    #[getter]
    fn host<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.part(py, HandyPart::Host)
    }

    #[setter]
    fn set_host(&mut self, value: Option<&[u8]>) {
        self.inner.set_part(HandyPart::Host, value);
    }

    /// The port, a number.
    #[getter]
    fn port(&self) -> Option<u64> {
        let digits = self.inner.part(HandyPart::Port)?;
        core::str::from_utf8(digits).ok()?.parse().ok()
    }

    #[setter]
    fn set_port(&mut self, value: Option<u64>) {
        let digits = value.map(|port| port.to_string());
        self.inner.set_part(HandyPart::Port, digits.as_deref().map(str::as_bytes));
    }

    /// The path; None if it is empty.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.part(py, HandyPart::Path)
    }

    #[setter]
    fn set_path(&mut self, value: Option<&[u8]>) {
        self.inner.set_part(HandyPart::Path, value);
    }

    /// The query, without its `?`.
    #[getter]
    fn query<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.part(py, HandyPart::Query)
    }

    #[setter]
    fn set_query(&mut self, value: Option<&[u8]>) {
        self.inner.set_part(HandyPart::Query, value);
    }

    /// The fragment, without its `#`.
    #[getter]
    fn hash<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.part(py, HandyPart::Hash)
    }

    #[setter]
    fn set_hash(&mut self, value: Option<&[u8]>) {
        self.inner.set_part(HandyPart::Hash, value);
    }

    /// A `?` that ends a URL without a query.
    #[getter]
    fn last_delimiter<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.part(py, HandyPart::LastDelimiter)
    }

    #[setter]
    fn set_last_delimiter(&mut self, value: Option<&[u8]>) {
        self.inner.set_part(HandyPart::LastDelimiter, value);
    }

    /// Returns the URL, a text.
    fn geturl(&self) -> PyResult<String> {
        Ok(String::from_utf8(self.url_bytes(None)?)?)
    }

    /// Returns the URL, a text, with the options of `surt`.
    #[pyo3(name = "getURLString", signature = (**options))]
    fn url_string(&self, options: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        Ok(String::from_utf8(self.url_bytes(options)?)?)
    }

    /// Returns the URL, bytes, with the options of `surt`.
    #[pyo3(signature = (**options))]
    fn geturl_bytes<'py>(
        &self,
        py: Python<'py>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.url_bytes(options)?))
    }

    /// Raises NotImplementedError: `urlid.SuffixList` splits hosts.
    #[pyo3(name = "getPublicSuffix")]
    fn public_suffix(&self) -> PyResult<()> {
        Err(no_public_suffix("getPublicSuffix"))
    }

    /// Raises NotImplementedError: `urlid.SuffixList` splits hosts.
    #[pyo3(name = "getPublicPrefix")]
    fn public_prefix(&self) -> PyResult<()> {
        Err(no_public_suffix("getPublicPrefix"))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, url) = (slf.py(), slf.borrow());
        let part = |part| url.part(py, part).into_pyobject(py);
        // In the order of the arguments of `new`, which `pickle` calls.
        let parts = [
            part(HandyPart::Scheme)?,
            part(HandyPart::User)?,
            part(HandyPart::Password)?,
            part(HandyPart::Host)?,
            url.port().into_pyobject(py)?,
            part(HandyPart::Path)?,
            part(HandyPart::Query)?,
            part(HandyPart::Hash)?,
            part(HandyPart::LastDelimiter)?,
        ];
        Ok((slf.get_type().into_any(), PyTuple::new(py, parts)?))
    }

    /// `GoogleURLCanonicalizer.canonicalize`, in place.
    fn _google(&mut self) {
        self.inner.canonicalize_as_google();
    }

    /// `IAURLCanonicalizer.canonicalize`, in place.
    fn _archive(&mut self, options: &Bound<'_, PyDict>) -> PyResult<()> {
        self.inner.canonicalize_as_archive(surt_options(SurtOptions::default(), options)?);
        Ok(())
    }
}
