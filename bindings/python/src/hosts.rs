//! `urlid.host`, `urlid.registered_domain` and `urlid.split`: what most programs ask of a URL or a host.

use pyo3::prelude::*;
use urlid::suffix::SuffixList;
use urlid::web::Part;

use crate::choice::choose;
use crate::error::raise;
use crate::suffix::{SECTIONS, registered_domain_by, split_by};
use crate::text::Text;

/// Returns the host of a URL as browsers write it, or None if the URL has none.
///
/// A text that is no URL raises its code, a host alone too.
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

/// Returns the public suffix of a host with the label before it, or None: an IP address has none, nor has a
/// host that is a public suffix itself.
///
/// The text is a URL, a host with or without a port or a path, or an e-mail address. One that could be read
/// as different hosts raises its code. `sections` is `all`, or `icann` for the suffixes of registries alone,
/// by which tldextract splits unless it is told otherwise.
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

/// Returns subdomain, domain and public suffix of a host. What it lacks is empty: an IP address has none of
/// the three.
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
