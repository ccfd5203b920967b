//! Canonical forms by name, for one text and for the kernel of columns.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use urlid::hashed_uri::{Keep, Key};
use urlid::redact::{NameList, Redactor};
use urlid_canonical::{Form, HostSuffixes, RequestFingerprinter, W3lib};

use crate::choice::choose;
use crate::error::{Rejection, raise};
use crate::suffix::PySuffixList;
use crate::text::Text;
use crate::tracking::{PyRules, PyTrackingList, parse_form};

/// The form that a text is converted to.
pub(crate) struct Canon {
    form: Form,
    keep: Keep,
}

impl Canon {
    pub(crate) fn new(
        form: &str,
        keep_query: bool,
        keep_fragment: bool,
        tracking: Option<&PyTrackingList>,
        rules: Option<&PyRules>,
    ) -> PyResult<Self> {
        let keep = Keep { query: keep_query, fragment: keep_fragment };
        let form = parse_form(form, tracking, rules.map(|rules| &rules.inner)).map_err(raise)?;
        // Checked once for the call, because an option that the form does not accept is not the fault of a
        // row.
        form.check_options(None, keep).map_err(raise)?;
        Ok(Self { form, keep })
    }

    /// Returns the canonical form of a text, after resolution against `base` if there is one.
    pub(crate) fn of(&self, text: &str, base: Option<&str>) -> Result<String, Rejection> {
        Ok(self.form.canonicalize_with(text, base, self.keep)?)
    }
}

/// Returns a canonical form of a text.
///
/// `form` is `web` (the WHATWG normal form, which a url-hash hashes), `generic` (RFC 3986, section 6.2.2),
/// `sxurl` (the text that an index stores), `hashed-none`, `hashed-n` or `hashed-p` (the text that a Hashed
/// URI hashes), or the name of a profile, such as `surt-0.3.1`. Steps can follow a form that gives URLs: `web+drop-fragment`.
/// `urlid canon --list` prints all names.
///
/// The forms `web`, also with steps, and `hashed-…` accept a `base`, which a relative text needs. Only
/// `hashed-…` accept `keep_query` and `keep_fragment`. `tracking` is the list that `+drop-tracking@NAME`
/// names if urlid does not include it. `rules` are the rules of `+rules@NAME`, or of `+rules` without a
/// name.
///
/// >>> import urlid
/// >>> urlid.canon("HTTP://10.20.30.40:80/a%62c?q")
/// 'http://10.20.30.40/a%62c?q'
/// >>> urlid.canon("HTTP://10.20.30.40:80/a%62c?q", "hashed-n")
/// 'http://10.20.30.40/abc'
/// >>> urlid.canon("http://www.Example.com:80/A?b&a", "surt-0.3.1")
/// 'com,example)/a?a&b'
#[pyfunction]
#[pyo3(signature = (text, form = "web", *, base = None, keep_query = false, keep_fragment = false, tracking = None, rules = None))]
pub(crate) fn canon(
    text: Text<'_>,
    form: &str,
    base: Option<Text<'_>>,
    keep_query: bool,
    keep_fragment: bool,
    tracking: Option<&PyTrackingList>,
    rules: Option<&PyRules>,
) -> PyResult<String> {
    Ok(Canon::new(form, keep_query, keep_fragment, tracking, rules)?.of(&text, base.as_deref())?)
}

/// Names of secret parameters, or the name of a list of them.
#[derive(FromPyObject)]
pub(crate) enum SecretNames {
    List(String),
    Names(Vec<String>),
}

/// Returns a URL or a relative reference without its secrets. No other byte changes.
///
/// User information becomes `REDACTED:REDACTED@`, and the values of secret parameters become `REDACTED`.
/// `names` are the names of these parameters, or the name of a list of them, such as `common-1`; the default
/// is `otel-1.44`. With a `key` of at least 32 bytes, a secret becomes the 64 hexadecimal digits of its
/// HMAC-SHA-256, so that equal secrets stay equal. A text that is not a URL reference raises an error, which
/// does not quote it.
///
/// >>> import urlid
/// >>> urlid.redact("https://me:pass@example.com/a?sig=0f&b=1")
/// 'https://REDACTED:REDACTED@example.com/a?sig=REDACTED&b=1'
/// >>> urlid.redact("/a?sig=0f#token=1", names=["token"])
/// '/a?sig=0f#token=REDACTED'
/// >>> urlid.redact("/a?Access-Token=1", names="common-1")
/// '/a?Access-Token=REDACTED'
#[pyfunction]
#[pyo3(signature = (url, *, names = None, key = None))]
pub(crate) fn redact(url: Text<'_>, names: Option<SecretNames>, key: Option<&[u8]>) -> PyResult<String> {
    let mut redactor = Redactor::default();
    redactor = match names {
        None => redactor,
        Some(SecretNames::Names(names)) => redactor.with_names(names),
        Some(SecretNames::List(name)) => redactor.with_list(choose("list", &name, &NameList::BY_NAME)?),
    };
    if let Some(key) = key {
        redactor = redactor.with_key(&Key::new(key).map_err(raise)?);
    }
    Ok(redactor.redact(&url).map_err(raise)?.into_owned())
}

/// Returns the names of all canonical forms that `canon` accepts, in the order of docs/canonical-forms.md.
/// Steps can follow the forms that are URLs.
///
/// >>> import urlid
/// >>> urlid.forms()[:2]
/// ['web', 'generic']
/// >>> urlid.canon("http://h/", "surt")
/// Traceback (most recent call last):
///     ...
/// urlid.UrlidError: ERR_CANON_NAME: canonical form is unknown: found `surt`, expected surt-0.3.1
#[pyfunction]
pub(crate) fn forms() -> Vec<&'static str> {
    urlid_canonical::Profile::all().iter().map(|profile| profile.name).collect()
}

/// Returns the expressions of Safe Browsing for a URL, each with its SHA-256. Lists contain the first four
/// bytes of this digest.
///
/// `protocol` is `v4` or `v5`. The hosts of `v5` start at the registrable domain by the public suffix list.
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
    let hosts = if choose("protocol", protocol, &[("v4", false), ("v5", true)])? {
        HostSuffixes::FromDomain(PySuffixList::or_compiled(suffixes))
    } else {
        HostSuffixes::LastSevenLabels
    };
    let found = urlid_canonical::expressions(url, hosts).map_err(raise)?;
    Ok(found.iter().map(|expression| (expression.as_str().to_owned(), expression.hash())).collect())
}

/// Returns the fingerprint of a request as Scrapy 2.7 to 2.19 makes it, of 20 bytes. It does not depend on
/// the installed w3lib.
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
    url: Text<'_>,
    form: &str,
    method: &str,
    body: Option<&[u8]>,
) -> PyResult<Bound<'py, PyBytes>> {
    // The other releases of w3lib 2 canonicalise URLs like one of these two.
    const FORMS: &[(&str, W3lib)] =
        &[("scrapy-2.7/w3lib-2.5", W3lib::V2_5), ("scrapy-2.7/w3lib-2.4", W3lib::V2_4)];
    let mut fingerprinter = RequestFingerprinter::new(choose("form", form, FORMS)?);
    Ok(PyBytes::new(py, &fingerprinter.fingerprint(&url, method, body.unwrap_or_default()).map_err(raise)?))
}
