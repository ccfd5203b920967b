//! What the drop-ins of `urlid.compat` call: functions of other packages with all their parameters.

use std::cell::RefCell;

use pyo3::exceptions::{PyNotImplementedError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use urlid::canonical::packages::{
    self, AllowedParams, HandyPart, HandyUrl, SurtOptions, UrlNormalizeOptions, Urlcanon, UrlcanonPart,
    W3libOptions,
};

use crate::choice::choose;
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
        return Err(no_public_suffix("public_suffix"));
    }
    let mut options = defaults;
    for (name, option) in SURT_OPTIONS {
        if let Some(value) = given.get_item(name)? {
            *option(&mut options) = value.is_truthy()?;
        }
    }
    Ok(options)
}

/// Names what cannot be frozen: the list that the package takes suffixes from is the newest that it can fetch.
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

/// A URL in the parts that the canonicalizers of surt change; all are bytes, or None, and the port is a number.
///
/// >>> from urlid.compat.surt import GoogleURLCanonicalizer, handyurl
/// >>> url = handyurl.parse("http://www.Example.com:80/a/../b")
/// >>> url.host, url.port, url.path
/// (b'www.example.com', 80, b'/a/../b')
/// >>> GoogleURLCanonicalizer.canonicalize(url).geturl()
/// 'http://www.example.com:80/b'
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

/// `w3lib.url.canonicalize_url` of a text. `encoding` is the name of a codec, or None for UTF-8.
#[pyfunction]
#[pyo3(name = "_canonicalize_url")]
pub(crate) fn canonicalize_url(
    py: Python<'_>,
    url: &str,
    keep_blank_values: bool,
    keep_fragments: bool,
    query_separator: &str,
    encoding: Option<&str>,
) -> PyResult<String> {
    let failure: RefCell<Option<PyErr>> = RefCell::new(None);
    let by_codec = |text: &str| {
        let encoded = PyString::new(py, text).call_method1("encode", (encoding,));
        let encoded = encoded.and_then(|bytes| Ok(bytes.cast::<PyBytes>()?.as_bytes().to_vec()));
        encoded.map_err(|error| failure.replace(Some(error))).ok()
    };
    let options = W3libOptions {
        keep_blank_values,
        keep_fragment: keep_fragments,
        query_separator,
        encode: if encoding.is_some() { Some(&by_codec) } else { None },
    };
    let canonical = packages::canonicalize_url(url, &options);
    canonical.map_err(|error| failure.take().unwrap_or_else(|| raise(error)))
}

/// `urlunparse` of w3lib.
#[pyfunction]
#[pyo3(name = "_unparse_url")]
pub(crate) fn unparse_url(
    scheme: &str,
    authority: &str,
    path: &str,
    params: &str,
    query: &str,
    fragment: &str,
) -> String {
    packages::unparse_url(scheme, authority, path, params, query, fragment)
}

/// The names of parameters that stay: of any host, or of each domain.
#[derive(FromPyObject)]
pub(crate) enum Allowlist {
    Everywhere(Vec<String>),
    ByDomain(Vec<(String, Vec<String>)>),
}

/// `url_normalize.url_normalize` of a text.
#[pyfunction]
#[pyo3(name = "_url_normalize")]
pub(crate) fn url_normalize(
    url: &str,
    default_scheme: &str,
    default_domain: Option<&str>,
    filter_params: bool,
    param_allowlist: Option<Allowlist>,
) -> PyResult<String> {
    let allowed_params = match &param_allowlist {
        _ if !filter_params => AllowedParams::All,
        None => AllowedParams::OfPackage,
        Some(Allowlist::Everywhere(names)) => AllowedParams::Everywhere(names),
        Some(Allowlist::ByDomain(names)) => AllowedParams::ByDomain(names),
    };
    let options = UrlNormalizeOptions { default_scheme, default_domain, allowed_params };
    packages::url_normalize(url, &options).map_err(raise)
}

/// The parts of a URL that a canonicalizer of urlcanon has changed; None is a part without its delimiter.
type UrlcanonParts<'py> = [Option<Bound<'py, PyBytes>>; 7];

const CANONICALIZERS: &[(&str, Urlcanon)] = &[
    ("whatwg", Urlcanon::Whatwg),
    ("google", Urlcanon::Google),
    ("semantic_precise", Urlcanon::SemanticPrecise),
    ("semantic", Urlcanon::Semantic),
    ("aggressive", Urlcanon::Aggressive),
];

/// A canonicalizer of urlcanon: the parts of what it makes of a URL.
#[pyfunction]
#[pyo3(name = "_urlcanon")]
pub(crate) fn urlcanon<'py>(py: Python<'py>, name: &str, url: &[u8]) -> PyResult<UrlcanonParts<'py>> {
    let url = choose("canonicalizer", name, CANONICALIZERS)?.canonicalize(url).map_err(raise)?;
    let parts = [
        UrlcanonPart::Scheme,
        UrlcanonPart::Userinfo,
        UrlcanonPart::Host,
        UrlcanonPart::Port,
        UrlcanonPart::Path,
        UrlcanonPart::Query,
        UrlcanonPart::Fragment,
    ];
    Ok(parts.map(|part| url.part(part).map(|bytes| PyBytes::new(py, bytes))))
}
