//! Functions for the drop-in `urlid.compat.surt`: the package's function with all its options, and the
//! methods of its class `handyurl`.

use pyo3::exceptions::{PyNotImplementedError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use urlid_canonical::packages::{self, HandyPart, HandyUrl, SurtOptions};

use crate::error::raise;

/// An option of surt, by name.
type SurtOption = fn(&mut SurtOptions) -> &mut bool;

const SURT_OPTIONS: [(&str, SurtOption); 16] = [
    ("surt", |options| &mut options.reverse_host),
    ("with_scheme", |options| &mut options.with_scheme),
    ("trailing_comma", |options| &mut options.trailing_comma),
    ("reverse_ipaddr", |options| &mut options.reverse_addresses),
    ("host_lowercase", |options| &mut options.lower_case_host),
    ("host_massage", |options| &mut options.strip_www),
    ("auth_strip_user", |options| &mut options.strip_user),
    ("port_strip_default", |options| &mut options.strip_default_port),
    ("path_lowercase", |options| &mut options.lower_case_path),
    ("path_strip_session_id", |options| &mut options.strip_path_session),
    ("path_strip_empty", |options| &mut options.strip_empty_path),
    ("path_strip_trailing_slash_unless_empty", |options| &mut options.strip_trailing_slash),
    ("query_lowercase", |options| &mut options.lower_case_query),
    ("query_strip_session_id", |options| &mut options.strip_query_session),
    ("query_strip_empty", |options| &mut options.strip_empty_query),
    ("query_alpha_reorder", |options| &mut options.sort_query),
];

/// Reads options by name. Other names are ignored, as in the package.
fn surt_options(defaults: SurtOptions, given: &Bound<'_, PyDict>) -> PyResult<SurtOptions> {
    if given.get_item("public_suffix")?.map_or(Ok(false), |value| value.is_truthy())? {
        // Not ignored, because the key would silently differ from the package's key.
        return Err(PyNotImplementedError::new_err(
            "public_suffix: surt takes suffixes from a list that it fetches; see urlid.SuffixList",
        ));
    }
    let mut options = defaults;
    for (name, option) in SURT_OPTIONS {
        if let Some(value) = given.get_item(name)? {
            // The package tests options for truth, so it accepts any object.
            *option(&mut options) = value.is_truthy()?;
        }
    }
    Ok(options)
}

/// `surt.surt` with its default canonicalizers. It returns a text for a text, and bytes for bytes.
#[pyfunction]
#[pyo3(name = "_surt")]
pub(crate) fn surt<'py>(
    url: &Bound<'py, PyAny>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = surt_options(SurtOptions::default(), options)?;
    if let Ok(url) = url.cast::<PyBytes>() {
        let key = packages::surt_bytes(url.as_bytes(), options).map_err(raise)?;
        return Ok(PyBytes::new(url.py(), &key).into_any());
    }
    let text = url.cast::<PyString>().map_err(|_| {
        PyTypeError::new_err(format!("expected str, bytes or None, found {}", url.get_type()))
    })?;
    let key = packages::surt(text.to_str()?, options).map_err(raise)?;
    Ok(PyString::new(url.py(), &key).into_any())
}

/// The parts of a `handyurl` in the order of its fields. The port is a text of digits.
const PARTS: [HandyPart; 9] = [
    HandyPart::Scheme,
    HandyPart::User,
    HandyPart::Password,
    HandyPart::Host,
    HandyPart::Port,
    HandyPart::Path,
    HandyPart::Query,
    HandyPart::Hash,
    HandyPart::LastDelimiter,
];

type Parts<'py> = Vec<Option<Bound<'py, PyBytes>>>;

fn parts_of<'py>(py: Python<'py>, url: &HandyUrl) -> Parts<'py> {
    PARTS.iter().map(|part| url.part(*part).map(|bytes| PyBytes::new(py, bytes))).collect()
}

fn url_of(parts: &[Option<Bound<'_, PyBytes>>]) -> HandyUrl {
    let mut url = HandyUrl::default();
    for (part, bytes) in PARTS.iter().zip(parts) {
        url.set_part(*part, bytes.as_ref().map(|bytes| bytes.as_bytes()));
    }
    url
}

/// `handyurl.parse`.
#[pyfunction]
#[pyo3(name = "_handyurl_parse")]
pub(crate) fn parse<'py>(py: Python<'py>, url: &[u8]) -> PyResult<Parts<'py>> {
    Ok(parts_of(py, &HandyUrl::parse(url).map_err(raise)?))
}

/// `GoogleURLCanonicalizer.canonicalize`.
#[pyfunction]
#[pyo3(name = "_handyurl_google")]
pub(crate) fn google<'py>(py: Python<'py>, parts: Parts<'py>) -> Parts<'py> {
    let mut url = url_of(&parts);
    url.canonicalize_as_google();
    parts_of(py, &url)
}

/// `IAURLCanonicalizer.canonicalize`.
#[pyfunction]
#[pyo3(name = "_handyurl_archive")]
pub(crate) fn archive<'py>(
    py: Python<'py>,
    parts: Parts<'py>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Parts<'py>> {
    let mut url = url_of(&parts);
    url.canonicalize_as_archive(surt_options(SurtOptions::default(), options)?);
    Ok(parts_of(py, &url))
}

/// `handyurl.geturl_bytes`.
#[pyfunction]
#[pyo3(name = "_handyurl_bytes")]
pub(crate) fn bytes<'py>(
    py: Python<'py>,
    parts: Parts<'py>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyBytes>> {
    // The defaults of `handyurl.getURLString`, which differ from those of `surt.surt`.
    let defaults = SurtOptions { reverse_host: false, with_scheme: true, ..SurtOptions::default() };
    let url = url_of(&parts).to_bytes(surt_options(defaults, options)?).map_err(raise)?;
    Ok(PyBytes::new(py, &url))
}
