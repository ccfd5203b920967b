//! `urlid.explain` and `urlid.diff`. Crate `urlid-ops` explains a text and compares two texts, and Python
//! parses the result as JSON.

use pyo3::prelude::*;
use urlid::suffix::SuffixList;

use crate::error::raise;
use crate::suffix::PySuffixList;
use crate::text::Text;
use crate::tracking::{PyRules, PyTrackingList, parse_form};

/// Explains a text. Offsets in it count characters, as in Python.
#[pyfunction]
#[pyo3(name = "_explain")]
pub(crate) fn explain(text: Text<'_>) -> PyResult<String> {
    let mut explanation = urlid_ops::explain::explain(&text, SuffixList::compiled()).map_err(raise)?;
    for place in explanation.parts.iter_mut().filter_map(|part| part.place.as_mut()) {
        [place.start, place.end] = [place.start, place.end].map(|offset| text[..offset].chars().count());
    }
    // JSON gives Python the keys that `urlid explain --format json` prints.
    Ok(serde_json::to_string(&explanation).expect("every key of an explanation is a text"))
}

/// Compares two texts. The form `name` gives the verdict.
#[pyfunction]
#[pyo3(name = "_diff")]
pub(crate) fn diff(
    a: Text<'_>,
    b: Text<'_>,
    name: &str,
    suffixes: Option<&PySuffixList>,
    tracking: Option<&PyTrackingList>,
    rules: Option<&PyRules>,
) -> PyResult<String> {
    let form = parse_form(name, tracking, rules.map(|rules| &rules.inner)).map_err(raise)?;
    let diff = urlid_ops::explain::UrlDiff::new(&a, &b, &form, PySuffixList::or_compiled(suffixes));
    Ok(serde_json::to_string(&diff).expect("every key of a comparison is a text"))
}
