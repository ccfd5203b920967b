//! `urlid.Components`: the parts from which an SXURL is made (docs/spec/sxurl.md).

use pyo3::prelude::*;
use pyo3::types::PyString;
use urlid::sxurl::{Components, Sxurl};

use crate::error::raise;
use crate::suffix::PySuffixList;
use crate::sxurl::PySxurl;
use crate::text::Text;

/// The parts from which an SXURL is made. The host is split at its public suffix.
///
/// Path, query and fragment are as written. An empty path is `/`, and a missing query or fragment is empty.
///
/// >>> from urlid import Components
/// >>> parts = Components("http://user@Www.Example.co.uk:80/a?b#c")
/// >>> parts.sub, parts.domain, parts.tld, parts.port, parts.path
/// ('www', 'example', 'co.uk', 80, '/a')
/// >>> parts.normal_text
/// 'http://www.example.co.uk:80/a?b#c'
#[pyclass(name = "Components", module = "urlid", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyComponents {
    // Owned parts, because a Python object cannot borrow from the text.
    normal_text: String,
    scheme: &'static str,
    host: String,
    tld: String,
    domain: String,
    sub: String,
    port: Option<u16>,
    path: String,
    query: String,
    fragment: String,
    has_userinfo: bool,
    id: Sxurl,
}

#[pymethods]
impl PyComponents {
    #[new]
    #[pyo3(signature = (url, *, suffixes = None))]
    fn new(url: Text<'_>, suffixes: Option<&PySuffixList>) -> PyResult<Self> {
        let parts = Components::parse(&url, PySuffixList::or_compiled(suffixes)).map_err(raise)?;
        Ok(Self {
            normal_text: parts.to_normal_text(),
            scheme: parts.scheme().name(),
            host: parts.host().to_owned(),
            tld: parts.tld().to_owned(),
            domain: parts.domain().to_owned(),
            sub: parts.sub().to_owned(),
            port: parts.port(),
            path: parts.path().to_owned(),
            query: parts.query().to_owned(),
            fragment: parts.fragment().to_owned(),
            has_userinfo: parts.has_userinfo(),
            // Computed now, while the suffix list is available.
            id: parts.encode(),
        })
    }

    /// The scheme, in lower case.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.scheme
    }

    /// The whole host in ASCII.
    #[getter]
    fn host(&self) -> &str {
        &self.host
    }

    /// The public suffix.
    #[getter]
    fn tld(&self) -> &str {
        &self.tld
    }

    /// The label left of the public suffix, or an empty text if the host is a public suffix.
    #[getter]
    fn domain(&self) -> &str {
        &self.domain
    }

    /// Everything left of the domain.
    #[getter]
    fn sub(&self) -> &str {
        &self.sub
    }

    /// The port, if one is written.
    #[getter]
    fn port(&self) -> Option<u16> {
        self.port
    }

    /// The path.
    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    /// The query, without its `?`.
    #[getter]
    fn query(&self) -> &str {
        &self.query
    }

    /// The fragment, without its `#`.
    #[getter]
    fn fragment(&self) -> &str {
        &self.fragment
    }

    /// Whether a user was written. No slice contains it.
    #[getter]
    fn has_userinfo(&self) -> bool {
        self.has_userinfo
    }

    /// The SXURL normal text, which an index stores.
    #[getter]
    fn normal_text(&self) -> &str {
        &self.normal_text
    }

    /// Returns the identifier.
    fn encode(&self) -> PySxurl {
        PySxurl::of(self.id)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        // Quoted by Python, because its escapes differ from Rust's.
        Ok(format!("Components({})", PyString::new(py, &self.normal_text).repr()?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Reduced)> {
        let make = slf.py().import("urlid._urlid")?.getattr("_components")?;
        let this = slf.get();
        let host = (this.host.clone(), this.tld.clone(), this.domain.clone(), this.sub.clone());
        let rest = (this.port, this.path.clone(), this.query.clone(), this.fragment.clone());
        Ok((make, (this.normal_text.clone(), host, rest, this.has_userinfo, this.id.to_hex())))
    }
}

/// The contents of a pickle: the normal text, the parts of the host, the parts after it, whether there is a
/// user, and the identifier. The suffix list that split the host is left out because it is not needed again.
type Reduced = (String, Host, Rest, bool, String);
type Host = (String, String, String, String);
type Rest = (Option<u16>, String, String, String);

/// Restores components from a pickle.
#[pyfunction]
#[pyo3(name = "_components")]
pub(crate) fn components(
    normal_text: String,
    host: Host,
    rest: Rest,
    has_userinfo: bool,
    id: &str,
) -> PyResult<PyComponents> {
    let (host, tld, domain, sub) = host;
    let (port, path, query, fragment) = rest;
    let id = Sxurl::from_hex(id).map_err(raise)?;
    let scheme = id.scheme().name();
    Ok(PyComponents {
        normal_text,
        scheme,
        host,
        tld,
        domain,
        sub,
        port,
        path,
        query,
        fragment,
        has_userinfo,
        id,
    })
}
