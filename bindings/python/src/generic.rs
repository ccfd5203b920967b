//! Resolution and normalisation as functions of texts.

use pyo3::prelude::*;
use urlid::generic::{self, Mode};
use urlid::web::Url;

use crate::choice::choose;
use crate::error::raise;
use crate::text::Text;

/// The rules by name; `None` selects the rules of the URL Standard.
const MODES: &[(&str, Option<Mode>)] = &[
    ("web", None),
    ("strict", Some(Mode::Strict)),
    ("nonstrict", Some(Mode::Nonstrict)),
    ("rfc2396", Some(Mode::Rfc2396)),
];

/// Resolves `reference` against the absolute `base`.
///
/// `mode` is `web` (the URL Standard, as browsers do, with a result in normal form), `strict` or `nonstrict`
/// (RFC 3986), or `rfc2396`.
///
/// >>> import urlid
/// >>> urlid.resolve("http://a/b/c/d;p?q", "../g")
/// 'http://a/b/g'
/// >>> urlid.resolve("http://a/b/c/d;p?q", "http:g", mode="nonstrict")
/// 'http://a/b/c/g'
#[pyfunction]
#[pyo3(signature = (base, reference, mode = "web"))]
pub(crate) fn resolve(base: Text<'_>, reference: Text<'_>, mode: &str) -> PyResult<String> {
    match choose("mode", mode, MODES)? {
        None => Ok(Url::parse(&base).and_then(|base| base.join(&reference)).map_err(raise)?.into_string()),
        Some(mode) => generic::resolve(&base, &reference, mode).map_err(raise),
    }
}

/// Removes the dot segments of a path (RFC 3986, section 5.2.4).
///
/// >>> import urlid
/// >>> urlid.remove_dot_segments("/a/b/c/./../../g")
/// '/a/g'
#[pyfunction]
pub(crate) fn remove_dot_segments(path: Text<'_>) -> String {
    generic::remove_dot_segments(&path).into_owned()
}

/// Normalises the syntax of a URI (RFC 3986, section 6.2.2). Raises ERR_NOT_URI for a text that is not a
/// URI.
///
/// >>> import urlid
/// >>> urlid.normalise("HTTP://Example.com/%7euser/./a")
/// 'http://example.com/~user/a'
#[pyfunction]
pub(crate) fn normalise(uri: Text<'_>) -> PyResult<String> {
    Ok(generic::normalise(&uri).map_err(raise)?.to_string())
}
