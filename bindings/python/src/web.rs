//! `urlid.Url`: a URL in its WHATWG normal form.

use pyo3::prelude::*;
use pyo3::types::PyString;
use urlid::host::Host;
use urlid::suffix::SuffixList;
use urlid::web::Url;

use crate::error::raise;
use crate::text::Text;

/// A URL in the normal form of the URL standard, relative to `base` if there is one.
///
/// Raises ERR_URL_PARSE for every text for which the standard returns failure.
///
/// >>> from urlid import Url
/// >>> url = Url("HTTPS://Example.COM:443/a/../b c?q#f")
/// >>> str(url), url.host, url.port
/// ('https://example.com/b%20c?q#f', 'example.com', None)
/// >>> url.join("../d") == Url("https://example.com/d")
/// True
#[pyclass(name = "Url", module = "urlid", frozen, eq, ord, hash)]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PyUrl {
    pub(crate) inner: Url,
}

#[pymethods]
impl PyUrl {
    #[new]
    #[pyo3(signature = (text, base = None))]
    fn new(text: Text<'_>, base: Option<Text<'_>>) -> PyResult<Self> {
        let inner = match base {
            Some(base) => Url::parse(&base).and_then(|base| base.join(&text)),
            None => Url::parse(&text),
        };
        Ok(Self { inner: inner.map_err(raise)? })
    }

    /// Parses a URL relative to this one.
    fn join(&self, text: Text<'_>) -> PyResult<Self> {
        Ok(Self { inner: self.inner.join(&text).map_err(raise)? })
    }

    /// The scheme, in lower case and without its colon.
    #[getter]
    fn scheme(&self) -> &str {
        self.inner.scheme()
    }

    /// The user, percent-encoded, or an empty text.
    #[getter]
    fn username(&self) -> &str {
        self.inner.username()
    }

    /// The password, percent-encoded.
    #[getter]
    fn password(&self) -> Option<&str> {
        self.inner.password()
    }

    /// The host in ASCII. An IPv6 address is in brackets.
    #[getter]
    fn host(&self) -> Option<&str> {
        self.inner.host_str()
    }

    /// The public suffix of the host with the label before it, by all sections of the list, if it has one.
    #[getter]
    fn registered_domain(&self) -> Option<&str> {
        self.inner.registered_domain(SuffixList::compiled())
    }

    /// The kind of the host: `domain`, `ipv4`, `ipv6`, `opaque` or `empty`.
    #[getter]
    fn host_kind(&self) -> Option<&'static str> {
        self.inner.host().map(|host| match host {
            Host::Empty => "empty",
            Host::Domain(_) => "domain",
            Host::Ipv4(_) => "ipv4",
            Host::Ipv6(_) => "ipv6",
            Host::Opaque(_) => "opaque",
        })
    }

    /// The port, if it is not the scheme's default.
    #[getter]
    fn port(&self) -> Option<u16> {
        self.inner.port()
    }

    /// The path.
    #[getter]
    fn path(&self) -> &str {
        self.inner.path()
    }

    /// The query, without its `?`.
    #[getter]
    fn query(&self) -> Option<&str> {
        self.inner.query()
    }

    /// The fragment, without its `#`.
    #[getter]
    fn fragment(&self) -> Option<&str> {
        self.inner.fragment()
    }

    fn __str__(&self) -> &str {
        self.inner.as_str()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("Url({})", PyString::new(slf.py(), slf.get().__str__()).repr()?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().__str__().to_owned(),))
    }
}
