//! Canonical forms by their names, of a text and for the kernel of columns.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use urlid::canonical::{self, HostSuffixes, NameError, RequestFingerprinter, SurtOptions, W3lib};
use urlid::generic;
use urlid::hashed_uri::{Keep, Variant, canonicalize};
use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid::web::Url;

use crate::choice::choose;
use crate::error::{Refusal, raise};
use crate::suffix::PySuffixList;

/// A canonical form.
#[derive(Clone, Debug)]
enum Form {
    Web,
    Generic,
    Sxurl,
    Hashed(Variant),
    Named(canonical::Form),
}

const FORMS: &[(&str, Form)] = &[
    ("web", Form::Web),
    ("generic", Form::Generic),
    ("sxurl", Form::Sxurl),
    ("hashed-none", Form::Hashed(Variant::None)),
    ("hashed-n", Form::Hashed(Variant::N)),
    ("hashed-p", Form::Hashed(Variant::P)),
];

/// The form that a text is converted to.
pub(crate) struct Canon {
    form: Form,
    keep: Keep,
    list: SuffixList,
}

impl Canon {
    pub(crate) fn new(
        form: &str,
        keep_query: bool,
        keep_fragment: bool,
        suffixes: Option<&PySuffixList>,
    ) -> PyResult<Self> {
        Ok(Self {
            form: named(form)?,
            keep: Keep { query: keep_query, fragment: keep_fragment },
            list: PySuffixList::or_compiled(suffixes).clone(),
        })
    }

    /// Returns the canonical form of a text; the hashed forms resolve a relative one against `base`.
    pub(crate) fn of(&self, text: &str, base: Option<&str>) -> Result<String, Refusal> {
        Ok(match &self.form {
            Form::Web => match base {
                Some(base) => Url::parse(base)?.join(text)?.into_string(),
                None => Url::parse(text)?.into_string(),
            },
            Form::Generic => generic::normalise(text)?.to_string(),
            Form::Sxurl => Components::parse(text, &self.list)?.to_normal_text(),
            Form::Hashed(variant) => canonicalize(text, base, self.keep, *variant)?.into_string(),
            Form::Named(form) => form.canonicalize(text)?,
        })
    }
}

/// Returns the form with a name: one of those above, or a profile of the library with perhaps steps after it.
fn named(name: &str) -> PyResult<Form> {
    if let Some((_, form)) = FORMS.iter().find(|(other, _)| *other == name) {
        return Ok(form.clone());
    }
    let form =
        name.parse().map_err(|error: NameError| PyValueError::new_err(format!("unknown form: {error}")))?;
    Ok(Form::Named(form))
}

/// Returns a canonical form of a text.
///
/// `form` is `web` (the WHATWG normal form, of which a url-hash is made), `generic` (RFC 3986, section 6.2.2), `sxurl` (what an
/// index stores), or `hashed-none`, `hashed-n` or `hashed-p` (what a Hashed URI is the digest of). A relative text needs a `base`,
/// which the forms `web` and `hashed-…` take. Any other name is that of a profile, with perhaps steps after it, such as
/// `surt-0.3.1` or `web+drop-fragment`; `urlid canon --list` shows them.
///
/// >>> import urlid
/// >>> urlid.canon("HTTP://10.20.30.40:80/a%62c?q")
/// 'http://10.20.30.40/a%62c?q'
/// >>> urlid.canon("HTTP://10.20.30.40:80/a%62c?q", "hashed-n")
/// 'http://10.20.30.40/abc'
/// >>> urlid.canon("http://www.Example.com:80/A?b&a", "surt-0.3.1")
/// 'com,example)/a?a&b'
#[pyfunction]
#[pyo3(signature = (text, form = "web", *, base = None, keep_query = false, keep_fragment = false, suffixes = None))]
pub(crate) fn canon(
    text: &str,
    form: &str,
    base: Option<&str>,
    keep_query: bool,
    keep_fragment: bool,
    suffixes: Option<&PySuffixList>,
) -> PyResult<String> {
    Ok(Canon::new(form, keep_query, keep_fragment, suffixes)?.of(text, base)?)
}

/// Returns the expressions of Safe Browsing for a URL, each with its SHA-256; lists hold the first four bytes of that.
///
/// `protocol` is `v4`, or `v5`, whose hosts begin with the registrable domain by the public suffix list.
///
/// >>> import urlid
/// >>> [text for text, _ in urlid.expressions("http://a.b.com/1/2.html?q")]
/// ['a.b.com/1/2.html?q', 'a.b.com/1/2.html', 'a.b.com/', 'a.b.com/1/', 'b.com/1/2.html?q', 'b.com/1/2.html', 'b.com/', 'b.com/1/']
/// >>> urlid.expressions("http://a.b.com/")[0][1][:4].hex()
/// 'ca057bb0'
#[pyfunction]
#[pyo3(signature = (url, protocol = "v4", *, suffixes = None))]
pub(crate) fn expressions(
    url: &str,
    protocol: &str,
    suffixes: Option<&PySuffixList>,
) -> PyResult<Vec<(String, [u8; 32])>> {
    let hosts = match choose("protocol", protocol, &[("v4", false), ("v5", true)])? {
        false => HostSuffixes::LastFiveLabels,
        true => HostSuffixes::FromDomain(PySuffixList::or_compiled(suffixes)),
    };
    let found = canonical::expressions(url, hosts).map_err(raise)?;
    Ok(found.iter().map(|expression| (expression.as_str().to_owned(), expression.hash())).collect())
}

/// Returns the fingerprint of a request as Scrapy 2.7 to 2.19 makes it, of 20 bytes, whatever w3lib is installed.
///
/// `form` is `scrapy-2.7/w3lib-2.5` or `scrapy-2.7/w3lib-2.4`, which stands for w3lib 2.0 to 2.4.
///
/// >>> import urlid
/// >>> urlid.scrapy_fingerprint("http://h/?b;a#f", method="POST", body=b"x").hex()
/// '5da18bcded32e4a95b39ec4f7fee198db246e8e3'
/// >>> urlid.scrapy_fingerprint("http://h/").hex() == urlid.canon("http://h/", "scrapy-2.7/w3lib-2.5")
/// True
#[pyfunction]
#[pyo3(signature = (url, form = "scrapy-2.7/w3lib-2.5", *, method = "GET", body = None))]
pub(crate) fn scrapy_fingerprint<'py>(
    py: Python<'py>,
    url: &str,
    form: &str,
    method: &str,
    body: Option<&[u8]>,
) -> PyResult<Bound<'py, PyBytes>> {
    const FORMS: &[(&str, W3lib)] =
        &[("scrapy-2.7/w3lib-2.5", W3lib::V2_5), ("scrapy-2.7/w3lib-2.4", W3lib::V2_4)];
    let mut fingerprinter = RequestFingerprinter::new(choose("form", form, FORMS)?);
    Ok(PyBytes::new(py, &fingerprinter.fingerprint(url, method, body.unwrap_or_default()).map_err(raise)?))
}

/// Returns the key of `surt-0.3.1` with the options of the package surt: `urlid.compat.surt`.
#[pyfunction]
#[pyo3(name = "_surt")]
pub(crate) fn surt(
    url: &str,
    with_scheme: bool,
    trailing_comma: bool,
    reverse_ipaddr: bool,
    host_massage: bool,
    path_lowercase: bool,
    query_lowercase: bool,
) -> PyResult<String> {
    let options = SurtOptions {
        with_scheme,
        trailing_comma,
        reverse_addresses: reverse_ipaddr,
        strip_www: host_massage,
        lower_case_path: path_lowercase,
        lower_case_query: query_lowercase,
    };
    canonical::surt(url, options).map_err(raise)
}
