//! `urlid.host` and `urlid.registered_domain`: what most programs ask of a URL.

use pyo3::prelude::*;
use urlid::suffix::{Sections, SuffixList};
use urlid::web::Part;

use crate::choice::choose;
use crate::error::raise;
use crate::suffix::SECTIONS;
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
    part(&url, Part::Host, Sections::All)
}

/// Returns the public suffix of the host of a URL with the label before it, or None: an IP address has none,
/// nor has a host that is a public suffix itself.
///
/// `sections` is `all`, or `icann` for the suffixes of registries alone, by which tldextract splits unless it
/// is told otherwise. A text that is no URL raises its code; `SuffixList.split` takes a host alone.
///
/// >>> import urlid
/// >>> urlid.registered_domain("https://www.Example.co.uk/page")
/// 'example.co.uk'
/// >>> urlid.registered_domain("https://www.a.github.io/")
/// 'a.github.io'
/// >>> urlid.registered_domain("https://www.a.github.io/", sections="icann")
/// 'github.io'
/// >>> urlid.registered_domain("http://127.0.0.1/") is None
/// True
#[pyfunction]
#[pyo3(signature = (url, *, sections = "all"))]
pub(crate) fn registered_domain(url: Text<'_>, sections: &str) -> PyResult<Option<String>> {
    part(&url, Part::RegisteredDomain, choose("sections", sections, SECTIONS)?)
}

fn part(url: &str, part: Part, sections: Sections) -> PyResult<Option<String>> {
    let found = part.of(url, SuffixList::compiled_with(sections)).map_err(raise)?;
    Ok(found.map(String::from))
}
