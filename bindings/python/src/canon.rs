//! Canonical forms by their names, of a text and for the kernel of columns.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use urlid::canonical::{self, NameError};
use urlid::generic;
use urlid::hashed_uri::{Keep, Variant, canonicalize};
use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid::web::Url;

use crate::error::Refusal;
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
