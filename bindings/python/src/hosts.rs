//! `urlid.host`, `urlid.registered_domain` and `urlid.split`: the common questions about a URL or a host.

use pyo3::prelude::*;
use urlid::suffix::SuffixList;
use urlid::web::Part;

use crate::choice::choose;
use crate::error::raise;
use crate::suffix::{SECTIONS, registered_domain_by, split_by};
use crate::text::Text;

/// Returns the host of a URL as browsers write it, or None if the URL has none.
///
/// A text that is not a URL raises its code. This includes a host without a scheme.
///
/// >>> import urlid
/// >>> urlid.host("https://user@WWW.Bücher.example:8080/a?b")
/// 'www.xn--bcher-kva.example'
/// >>> urlid.host("mailto:a@b.example") is None
/// True
#[pyfunction]
pub(crate) fn host(url: Text<'_>) -> PyResult<Option<String>> {
    Ok(Part::Host.of(&url, SuffixList::compiled()).map_err(raise)?.map(String::from))
}

/// Returns the public suffix of a host with the label before it. Returns None for an IP address and for a
/// host that is a public suffix.
///
/// The text is a URL, a host with or without a port or a path, or an e-mail address. A text that could be
/// read as different hosts raises its code. `sections` is `all`, or `icann` for only the suffixes of
/// registries, by which tldextract splits by default.
///
/// >>> import urlid
/// >>> urlid.registered_domain("https://www.Example.co.uk/page")
/// 'example.co.uk'
/// >>> urlid.registered_domain("WWW.Example.co.uk.:8080"), urlid.registered_domain("me@mail.example.co.uk")
/// ('example.co.uk', 'example.co.uk')
/// >>> urlid.registered_domain("www.a.github.io")
/// 'a.github.io'
/// >>> urlid.registered_domain("www.a.github.io", sections="icann")
/// 'github.io'
/// >>> urlid.registered_domain("127.0.0.1") is None
/// True
#[pyfunction]
#[pyo3(signature = (text, *, sections = "all"))]
pub(crate) fn registered_domain(text: Text<'_>, sections: &str) -> PyResult<Option<String>> {
    registered_domain_by(&text, SuffixList::compiled_with(choose("sections", sections, SECTIONS)?))
}

/// Returns subdomain, domain and public suffix of a host. Missing parts are empty, and all three are empty
/// for an IP address.
///
/// The text is read as `registered_domain` reads it.
///
/// >>> import urlid
/// >>> urlid.split("http://www.Example.co.uk/page")
/// ('www', 'example', 'co.uk')
/// >>> urlid.split("a.github.io:80", sections="icann")
/// ('a', 'github', 'io')
#[pyfunction]
#[pyo3(signature = (text, *, sections = "all"))]
pub(crate) fn split(text: Text<'_>, sections: &str) -> PyResult<(String, String, String)> {
    split_by(&text, SuffixList::compiled_with(choose("sections", sections, SECTIONS)?))
}
