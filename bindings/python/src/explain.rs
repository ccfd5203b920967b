//! `urlid.explain`: the explanation of a text by crate `urlid-explain`, as JSON that Python parses.

use pyo3::prelude::*;
use urlid::suffix::SuffixList;

use crate::error::raise;

/// Explains a text. Places in it count characters, as they do in Python.
#[pyfunction]
#[pyo3(name = "_explain")]
pub(crate) fn explain(text: &str) -> PyResult<String> {
    let mut explanation = urlid_explain::explain(text, SuffixList::compiled()).map_err(raise)?;
    for place in explanation.parts.iter_mut().filter_map(|part| part.place.as_mut()) {
        [place.start, place.end] = [place.start, place.end].map(|offset| text[..offset].chars().count());
    }
    Ok(serde_json::to_string(&explanation).expect("every key of an explanation is a text"))
}
