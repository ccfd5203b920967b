//! Resolution and normalisation by RFC 3986 and RFC 2396, as functions of texts.

use pyo3::prelude::*;
use urlid::generic::{self, Mode};

use crate::choice::choose;
use crate::error::raise;

const MODES: &[(&str, Mode)] =
    &[("strict", Mode::Strict), ("nonstrict", Mode::Nonstrict), ("rfc2396", Mode::Rfc2396)];

/// Resolves `reference` against the absolute `base`. `mode` is `strict` or `nonstrict` (RFC 3986) or `rfc2396`.
///
/// >>> import urlid
/// >>> urlid.resolve("http://a/b/c/d;p?q", "../g")
/// 'http://a/b/g'
/// >>> urlid.resolve("http://a/b/c/d;p?q", "http:g", mode="nonstrict")
/// 'http://a/b/c/g'
#[pyfunction]
#[pyo3(signature = (base, reference, mode = "strict"))]
pub(crate) fn resolve(base: &str, reference: &str, mode: &str) -> PyResult<String> {
    generic::resolve(base, reference, choose("mode", mode, MODES)?).map_err(raise)
}

/// Removes the dot segments of a path (RFC 3986, section 5.2.4).
///
/// >>> import urlid
/// >>> urlid.remove_dot_segments("/a/b/c/./../../g")
/// '/a/g'
#[pyfunction]
pub(crate) fn remove_dot_segments(path: &str) -> String {
    generic::remove_dot_segments(path).into_owned()
}

/// Normalises the syntax of a URI (RFC 3986, section 6.2.2). Raises ERR_NOT_URI for a text that is none.
///
/// >>> import urlid
/// >>> urlid.normalise("HTTP://Example.com/%7euser/./a")
/// 'http://example.com/~user/a'
#[pyfunction]
pub(crate) fn normalise(uri: &str) -> PyResult<String> {
    Ok(generic::normalise(uri).map_err(raise)?.to_string())
}
