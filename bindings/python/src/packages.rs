//! Functions for the drop-ins of `urlid.compat`: the functions of w3lib and url-normalize with all their
//! parameters. The functions of surt are in `surt`.

use std::cell::RefCell;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use urlid_canonical::packages::{self, AllowedParams, UrlNormalizeOptions, W3libOptions};

use crate::error::raise;

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
    // The library only receives the fact that the codec failed. The codec's exception is kept here and
    // raised at the end.
    let by_codec = |text: &str| {
        let encoded = PyString::new(py, text).call_method1("encode", (encoding,));
        let encoded = encoded.and_then(|bytes| Ok(bytes.cast::<PyBytes>()?.as_bytes().to_vec()));
        encoded.map_err(|error| failure.replace(Some(error))).ok()
    };
    let options = W3libOptions {
        keep_blank_values,
        keep_fragment: keep_fragments,
        query_separator,
        // For UTF-8 the library encodes by itself, without a call into Python for each text.
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

/// The names of parameters that are kept: for any host, or for each domain.
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
        // The package ignores its allowlist unless filtering is on.
        _ if !filter_params => AllowedParams::All,
        None => AllowedParams::OfPackage,
        Some(Allowlist::Everywhere(names)) => AllowedParams::Everywhere(names),
        Some(Allowlist::ByDomain(names)) => AllowedParams::ByDomain(names),
    };
    let options = UrlNormalizeOptions { default_scheme, default_domain, allowed_params };
    packages::url_normalize(url, &options).map_err(raise)
}
